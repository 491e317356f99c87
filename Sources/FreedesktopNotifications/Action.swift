/// A button, or with the key `default` the click on the notification itself.
///
/// Source: Desktop Notifications Specification, "Notify", parameter `actions`.
public struct Action: Sendable, Hashable {
  /// What comes back in `ActionInvoked`.
  public var key: String
  /// What people read; an icon name with the hint `action-icons`.
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
