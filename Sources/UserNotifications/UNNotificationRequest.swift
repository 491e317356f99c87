/// An identifier, a content and a trigger: what is given to the center.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationRequest.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  struct Fields {
    var identifier: String
    var content: UNNotificationContent
    var trigger: UNNotificationTrigger?
  }

  private let fields: Fields

  convenience init(_ identifier: String, _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?) {
    self.init(coder: Seed(Fields(identifier: identifier, content: content, trigger: trigger)))!
  }

  /// - Parameters:
  ///   - identifier: the application's name for the notification; the same again replaces it.
  ///   - content: is copied; later changes of it have no effect.
  ///   - trigger: when it is delivered; nil: at once.
  public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    let copy = content.copy() as? UNNotificationContent ?? UNNotificationContent(content.fields)
    self.init(identifier, copy, trigger)
  }

  /// The application's name for the notification.
  open var identifier: String { fields.identifier }
  /// A copy of what was given.
  open var content: UNNotificationContent { fields.content }
  /// When it is delivered; nil: at once.
  open var trigger: UNNotificationTrigger? { fields.trigger }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationRequest else { return false }
    return self === other || identifier == other.identifier && content == other.content && trigger == other.trigger
  }

  open override var hash: Int { identifier.hashValue }

  open override var description: String {
    description(of: ["identifier": identifier, "content": content, "trigger": trigger])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(content, forKey: "content")
    coder.encode(trigger, forKey: "trigger")
  }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        identifier: coder.text("identifier") ?? "",
        content: coder.object("content", UNNotificationContent.self) ?? UNNotificationContent(),
        trigger: coder.object("trigger", UNNotificationTrigger.self))
    super.init()
  }
}
