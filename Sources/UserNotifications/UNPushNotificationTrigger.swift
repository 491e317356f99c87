/// Marks a notification that came from a push service.
///
/// Made by the center alone. Immutable; usable from any thread.
///
/// Source: Apple, UNPushNotificationTrigger.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// Never.
  open override var repeats: Bool { false }
}
