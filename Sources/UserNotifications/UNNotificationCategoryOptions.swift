/// How notifications of a category behave. Raw values as Apple's.
///
/// Source: Apple, UNNotificationCategoryOptions.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The delegate hears of an explicit dismissal.
  public static var customDismissAction: UNNotificationCategoryOptions { .init(rawValue: 1 << 0) }
  /// Kept; Linux desktops have no CarPlay.
  public static var allowInCarPlay: UNNotificationCategoryOptions { .init(rawValue: 1 << 1) }
  /// The title is shown even where previews are hidden.
  public static var hiddenPreviewsShowTitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 2) }
  /// The subtitle is shown even where previews are hidden.
  public static var hiddenPreviewsShowSubtitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 3) }
  /// Kept without effect.
  @available(*, deprecated, message: "Apple's systems ignore it since iOS 15.")
  public static var allowAnnouncement: UNNotificationCategoryOptions { .init(rawValue: 1 << 4) }
}
