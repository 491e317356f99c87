/// Marks a notification that came from a push service.
///
/// Made by the center alone. Immutable; usable from any thread.
///
/// Source: Apple, UNPushNotificationTrigger.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  init() { super.init(repeats: false) }

  /// Reads an archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
