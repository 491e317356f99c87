/// When a notification is delivered: one of the subclasses.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationTrigger.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  private let isRepeating: Bool

  init(repeats: Bool) {
    isRepeating = repeats
    super.init()
  }

  /// Whether it is scheduled anew after each delivery.
  open var repeats: Bool { isRepeating }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationTrigger else { return false }
    return type(of: self) == type(of: other) && repeats == other.repeats
  }

  open override var hash: Int { repeats.hashValue }

  open override var description: String { description(of: ["repeats": repeats]) }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) { coder.encode(NSNumber(value: repeats), forKey: "repeats") }

  /// Reads an archive; what is missing means: once.
  public required init?(coder: NSCoder) {
    isRepeating = coder.number("repeats")?.boolValue ?? false
    super.init()
  }
}
