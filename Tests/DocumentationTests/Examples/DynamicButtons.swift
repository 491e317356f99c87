import UserNotificationsUI

/// What stands in "Buttons that change".
enum DynamicButtons {
  class NotificationViewController: UIViewController, UNNotificationContentExtension {
    private let turn = UNNotificationAction(identifier: "turn", title: "Turn")
    private let reset = UNNotificationAction(identifier: "reset", title: "Reset")
    private var angle = 0

    func didReceive(_ notification: UNNotification) { show() }

    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
      switch response.actionIdentifier {
      case "turn": angle = (angle + 90) % 360
      case "reset": angle = 0
      default: return .dismissAndForwardAction
      }
      show()
      return .doNotDismiss
    }

    private func show() {
      let content = UNMutableNotificationContent()
      content.body = "Turned by \(angle)°"
      extensionContext?.notificationContent = content
      extensionContext?.notificationActions = angle == 0 ? [turn] : [turn, reset]
    }
  }

  class DonationViewController: UIViewController, UNNotificationContentExtension {
    private var amount = "5 €"

    func didReceive(_ notification: UNNotification) {
      let amounts = ["5 €", "10 €", "20 €"]
      extensionContext?.notificationControls = [
        NotificationControl(
          identifier: "amount", title: "Amount", kind: .choice(options: amounts, selected: 0)
        ) { [weak self] control in
          if case .choice(let options, let selected) = control.kind { self?.amount = options[selected] }
        },
        NotificationControl(identifier: "monthly", title: "Monthly", kind: .switch(isOn: false)),
      ]
    }
  }
}
