/// What kind of button plays and pauses the media that a content extension shows. Raw values as Apple's.
///
/// Source: Apple, UNNotificationContentExtensionMediaPlayPauseButtonType.
public enum UNNotificationContentExtensionMediaPlayPauseButtonType: UInt, Sendable {
  /// None.
  case none = 0
  /// One that stays. On Linux both kinds are a button of the notification's, whose label tells whether it plays.
  case `default` = 1
  /// On Apple's systems one over the media, translucent.
  case overlay = 2
}
