import UserNotificationsUI

/// A call for donations that is answered where it is shown: the amount is chosen, then paid.
///
/// The application does not hear of controls. It finds what was paid in the folder that it shares with its extensions,
/// where an extension for Apple's systems would use that of an application group.
class NotificationViewController: UIViewController, UNNotificationContentExtension {
  private var cause = UNNotificationContent()
  private let amounts = [5, 10, 20]
  private var amount = 10

  func didReceive(_ notification: UNNotification) {
    cause = notification.request.content
    show(cause.body)
    extensionContext?.notificationActions = []
    extensionContext?.notificationControls = [
      NotificationControl(
        identifier: "amount", title: "Amount",
        kind: .choice(options: amounts.map { "\($0) €" }, selected: amounts.firstIndex(of: amount) ?? 0)
      ) { [weak self] control in
        if let self, case .choice(_, let selected) = control.kind { amount = amounts[selected] }
      },
      NotificationControl(identifier: "pay", title: "Pay") { [weak self] _ in self?.pay() },
    ]
  }

  private func pay() {
    do {
      try note(amount)
      show("Thank you for \(amount) €!")
      extensionContext?.notificationControls = []
    } catch {
      show("Nothing was paid: \(error.localizedDescription)\n\(cause.body)")
    }
  }

  /// Adds a line to the list of donations. Here a real one would pay.
  private func note(_ amount: Int) throws {
    guard let folder = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_GROUP_DIR"] else {
      throw CocoaError(.fileNoSuchFile)
    }
    let list = URL(fileURLWithPath: folder).appendingPathComponent("donations")
    let before = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
    try "\(before)\(amount) EUR\n".write(to: list, atomically: true, encoding: .utf8)
  }

  private func show(_ text: String) {
    let content = UNMutableNotificationContent()
    content.title = cause.title
    content.body = text
    extensionContext?.notificationContent = content
  }
}
