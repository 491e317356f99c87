/// A button, or with the key `default` the click on the notification itself.
///
/// Source: Desktop Notifications Specification, "Notify", parameter `actions`.
public struct Action: Sendable, Hashable {
  /// What comes back in `ActionInvoked`; with the hint `action-icons` the name of the icon that is drawn.
  public var key: String
  /// What people read, or where an icon is drawn have read to them.
  public var label: String

  public init(key: String, label: String) {
    self.key = key
    self.label = label
  }

  /// The key of the click on the notification itself.
  public static let defaultKey = "default"
  /// The key of the button that opens a text field, where the daemon lists `inline-reply` (Plasma, swaync).
  public static let inlineReplyKey = "inline-reply"
  /// The key of the button that opens the application's notification settings (Plasma).
  public static let settingsKey = "settings"
}
