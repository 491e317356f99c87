import UserNotificationsUI

/// What stands in "Content extensions".
enum ContentExtensions {
  class NotificationViewController: UIViewController, UNNotificationContentExtension {
    private var invitation = UNNotificationContent()

    func didReceive(_ notification: UNNotification) {
      invitation = notification.request.content
      show("Where: \(invitation.userInfo["place"] as? String ?? "unknown")")
    }

    func didReceive(
      _ response: UNNotificationResponse,
      completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
      guard response.actionIdentifier == "accept" else { return completion(.dismissAndForwardAction) }
      show("Going!")
      completion(.doNotDismiss)
    }

    private func show(_ text: String) {
      #if os(Linux)
        let content = UNMutableNotificationContent()
        content.title = invitation.title
        content.body = text
        extensionContext?.notificationContent = content
      #else
        label.text = text
      #endif
    }
  }

  @MainActor static func main() {
    NotificationViewController.main()
  }
}
