/// The action identifier of a click on the notification itself. It needs no category.
public let UNNotificationDefaultActionIdentifier: String = "com.apple.UNNotificationDefaultActionIdentifier"

/// The action identifier of an explicit dismissal, reported for categories with `customDismissAction` only.
public let UNNotificationDismissActionIdentifier: String = "com.apple.UNNotificationDismissActionIdentifier"

/// What the user did with a notification.
///
/// Made by the center alone, for the delegate. Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationResponse.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// The state, of the subclass too.
  struct Fields {
    var notification: UNNotification
    var actionIdentifier: String
    var userText = ""
  }

  final let fields: Fields

  convenience init(_ fields: Fields) { self.init(coder: Seed(fields))! }

  /// The notification that was acted upon.
  open var notification: UNNotification { fields.notification }
  /// The identifier of the action, or ``UNNotificationDefaultActionIdentifier`` or
  /// ``UNNotificationDismissActionIdentifier``.
  open var actionIdentifier: String { fields.actionIdentifier }
  /// Always nil: Linux has no scenes.
  open var targetScene: UIScene? { nil }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationResponse else { return false }
    return self === other || actionIdentifier == other.actionIdentifier && notification == other.notification
  }

  open override var hash: Int { notification.hash ^ actionIdentifier.hashValue }

  open override var description: String {
    description(of: ["actionIdentifier": actionIdentifier, "notification": notification])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(notification, forKey: "notification")
    coder.encode(actionIdentifier, forKey: "actionIdentifier")
  }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    fields =
      (coder as? Seed<Fields>)?.fields
      ?? Fields(
        notification: coder.object("notification", UNNotification.self)
          ?? UNNotification(date: .distantPast, request: UNNotificationRequest("", UNNotificationContent(), nil)),
        actionIdentifier: coder.text("actionIdentifier") ?? "", userText: coder.text("userText") ?? "")
    super.init()
  }
}
