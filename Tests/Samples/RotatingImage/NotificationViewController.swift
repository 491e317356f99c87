import UserNotificationsUI

/// A picture that a button turns; another sets it upright again, and is there only while it is not.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
  private var notification = UNNotificationContent()
  private var angle = 0

  func didReceive(_ notification: UNNotification) {
    self.notification = notification.request.content
    show(angle: 0)
  }

  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    switch response.actionIdentifier {
    case "rotate": show(angle: (angle + 90) % 360)
    case "reset": show(angle: 0)
    default: return completion(.dismissAndForwardAction)
    }
    completion(.doNotDismiss)
  }

  private func show(angle: Int) {
    self.angle = angle
    let content = UNMutableNotificationContent()
    content.title = notification.title
    content.body = angle == 0 ? "Upright" : "Turned by \(angle)°"
    if let url = Bundle.main.url(forResource: "arrow-\(angle)", withExtension: "png"),
      let picture = try? UNNotificationAttachment(identifier: "arrow", url: url)
    {
      content.attachments = [picture]
    }
    extensionContext?.notificationContent = content

    var actions = (extensionContext?.notificationActions ?? []).filter { $0.identifier != "reset" }
    if angle != 0 { actions.append(UNNotificationAction(identifier: "reset", title: "Reset")) }
    extensionContext?.notificationActions = actions
  }
}
