import UserNotifications

/// Async forms and the main actor in Swift 5 mode.
@MainActor
class MainActorService: NSObject, UNUserNotificationCenterDelegate {
  var opened = [String]()

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    opened.append(response.notification.request.identifier)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    opened.isEmpty ? [.banner] : []
  }
}
