/// What an application asks the user's permission for. Raw values as Apple's.
///
/// Source: Apple, UNAuthorizationOptions.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Change the badge of the application's icon.
  public static var badge: UNAuthorizationOptions { .init(rawValue: 1 << 0) }
  /// Play sounds.
  public static var sound: UNAuthorizationOptions { .init(rawValue: 1 << 1) }
  /// Show notifications.
  public static var alert: UNAuthorizationOptions { .init(rawValue: 1 << 2) }
  /// Show notifications in a car. Accepted; Linux desktops have no such thing.
  public static var carPlay: UNAuthorizationOptions { .init(rawValue: 1 << 3) }
  /// Play sounds through do-not-disturb.
  public static var criticalAlert: UNAuthorizationOptions { .init(rawValue: 1 << 4) }
  /// The application has notification settings of its own; the delegate is asked to show them.
  public static var providesAppNotificationSettings: UNAuthorizationOptions { .init(rawValue: 1 << 5) }
  /// Notify quietly, without asking the user first.
  public static var provisional: UNAuthorizationOptions { .init(rawValue: 1 << 6) }
  /// Read notifications aloud.
  @available(*, deprecated, message: "It is always included.")
  public static var announcement: UNAuthorizationOptions { .init(rawValue: 1 << 7) }
  /// Notify at once whatever the user is doing.
  @available(*, deprecated, message: "Apple's systems use an entitlement; here it needs no permission.")
  public static var timeSensitive: UNAuthorizationOptions { .init(rawValue: 1 << 8) }
}
