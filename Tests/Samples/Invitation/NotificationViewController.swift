import UserNotificationsUI

/// An invitation that is answered where it is shown: accepted, declined, or with a comment.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
  private var invitation = UNNotificationContent()

  func didReceive(_ notification: UNNotification) {
    invitation = notification.request.content
    let place = invitation.userInfo["place"] as? String ?? "somewhere"
    show("When: \(invitation.subtitle)\nWhere: \(place)")
  }

  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    switch response.actionIdentifier {
    case "accept":
      show("Going!")
      extensionContext?.notificationActions = []
      completion(.doNotDismiss)
    case "decline":
      show("Not going")
      completion(.dismissAndForwardAction)
    case "comment":
      // Where nothing can be typed the application asks for the comment.
      guard let text = (response as? UNTextInputNotificationResponse)?.userText else {
        return completion(.dismissAndForwardAction)
      }
      show("You wrote: \(text)")
      completion(.doNotDismiss)
    default: completion(.dismissAndForwardAction)
    }
  }

  private func show(_ text: String) {
    let content = UNMutableNotificationContent()
    content.title = invitation.title
    content.body = text
    extensionContext?.notificationContent = content
  }
}
