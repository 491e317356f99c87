/// The one way to the desktop's notifications.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
}
