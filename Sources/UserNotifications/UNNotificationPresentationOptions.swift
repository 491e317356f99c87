/// How a delegate wants a notification presented. Raw values as Apple's; `[]` neither shows nor lists it.
///
/// Source: Apple, UNNotificationPresentationOptions.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Change the badge.
  public static var badge: UNNotificationPresentationOptions { .init(rawValue: 1 << 0) }
  /// Play the sound.
  public static var sound: UNNotificationPresentationOptions { .init(rawValue: 1 << 1) }
  /// The same as ``list`` with ``banner``.
  @available(*, deprecated, message: "Use list and banner.")
  public static var alert: UNNotificationPresentationOptions { .init(rawValue: 1 << 2) }
  /// Keep it in the desktop's list.
  public static var list: UNNotificationPresentationOptions { .init(rawValue: 1 << 3) }
  /// Show it on the screen.
  public static var banner: UNNotificationPresentationOptions { .init(rawValue: 1 << 4) }

  /// What the protocol's own async method answers: the delegate has none.
  static var notImplemented: UNNotificationPresentationOptions { .init(rawValue: 1 << 63) }
}
