public import DBus

/// The arguments of `Notify`.
///
/// Source: Desktop Notifications Specification, "org.freedesktop.Notifications.Notify".
public struct Notification: Sendable, Hashable {
  /// The name of the sending application for people; may be empty.
  public var appName: String
  /// The number of the notification to replace; 0 replaces none. Only a number that the present daemon gave us.
  public var replacesID: UInt32
  /// An icon name of the theme, a `file:` URI or a path; may be empty.
  public var appIcon: String
  /// One line of plain text.
  public var summary: String
  /// Plain text, or markup where the daemon lists `body-markup`.
  public var body: String
  public var actions: [Action]
  public var hints: [Hint]
  public var expireTimeout: ExpireTimeout

  public init(
    appName: String = "", replacesID: UInt32 = 0, appIcon: String = "", summary: String, body: String = "",
    actions: [Action] = [], hints: [Hint] = [], expireTimeout: ExpireTimeout = .serverDefault
  ) {
    self.appName = appName
    self.replacesID = replacesID
    self.appIcon = appIcon
    self.summary = summary
    self.body = body
    self.actions = actions
    self.hints = hints
    self.expireTimeout = expireTimeout
  }

  /// The signature of `Notify`'s arguments.
  public static let signature: Signature = "susssasa{sv}i"

  /// The arguments as sent: application, number, icon, summary, body, actions, hints, timeout.
  public var arguments: [Value] {
    [
      .string(appName), .uint32(replacesID), .string(appIcon), .string(summary), .string(body),
      .strings(actions.flatMap { [$0.key, $0.label] }),
      .properties(hints.map { ($0.name, $0.value) }), .int32(expireTimeout.milliseconds),
    ]
  }
}
