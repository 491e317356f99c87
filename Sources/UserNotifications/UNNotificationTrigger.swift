/// When a notification is delivered: one of the subclasses.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationTrigger.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties, and a region that nobody else has.
  @unchecked Sendable
{
  /// The state, of subclasses too.
  struct Fields: Hashable {
    var repeats: Bool
    var interval: TimeInterval = 0
    /// When an interval ends next; set for a request that the center handed out.
    var due: Date?
    var components: DateComponents?
    /// A copy that is never changed.
    var region: CLRegion?
  }

  final let fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// Whether it is scheduled anew after each delivery.
  open var repeats: Bool { fields.repeats }

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
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        repeats: coder.number("repeats")?.boolValue ?? false, interval: coder.number("timeInterval")?.doubleValue ?? 0,
        due: coder.date("due"),
        components: coder.data("dateComponents").flatMap { try? JSONDecoder().decode(DateComponents.self, from: $0) },
        region: coder.object("region", CLRegion.self))
    super.init()
  }
}
