/// The importance of a notification and when it is delivered. Raw values as Apple's.
///
/// Source: Apple, UNNotificationInterruptionLevel.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// Listed, without sound; urgency 0 on the desktop.
  case passive = 0
  /// Shown at once; the default; urgency 1.
  case active = 1
  /// Shown at once; urgency 1.
  case timeSensitive = 2
  /// Shown at once, through do-not-disturb, until the user acts; urgency 2.
  case critical = 3
}
