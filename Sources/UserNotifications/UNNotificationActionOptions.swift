/// How an action behaves. Raw values as Apple's.
///
/// Source: Apple, UNNotificationActionOptions.
public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The screen must be unlocked first.
  public static var authenticationRequired: UNNotificationActionOptions { .init(rawValue: 1 << 0) }
  /// It destroys something.
  public static var destructive: UNNotificationActionOptions { .init(rawValue: 1 << 1) }
  /// The application comes to the foreground.
  public static var foreground: UNNotificationActionOptions { .init(rawValue: 1 << 2) }
}
