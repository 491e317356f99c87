import UserNotifications

/// Shows a notification that hides its text until the user asks for it: "Show me" puts the text into the same
/// notification.
final class FollowUp: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let center = UNUserNotificationCenter.current()

  func start() {
    center.delegate = self
    center.requestAuthorization(options: [.alert, .sound]) { [self] granted, error in
      guard granted else { return finish("not allowed: \(error.map { "\($0)" } ?? "")", status: 1) }
      schedule()
    }
  }

  /// In three seconds, by the clock.
  private func schedule() {
    let content = UNMutableNotificationContent()
    content.title = "You have a message"
    content.categoryIdentifier = "hidden"
    content.userInfo = ["text": "The tea is ready.", "times": 1]
    let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
    let date = Calendar.current.dateComponents(units, from: Date(timeIntervalSinceNow: 3))
    let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: false)
    center.add(UNNotificationRequest(identifier: "message", content: content, trigger: trigger)) { [self] error in
      if let error { return finish("not scheduled: \(error.localizedDescription)", status: 1) }
      print("scheduled for \(trigger.nextTriggerDate().map { "\($0)" } ?? "never")")
    }
    // Only now does the application say which buttons such a notification has.
    let show = UNNotificationAction(identifier: "show", title: "Show me", options: [])
    center.setNotificationCategories([
      UNNotificationCategory(identifier: "hidden", actions: [show], intentIdentifiers: [])
    ])
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.banner, .list, .sound])
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let request = response.notification.request
    print("response \(response.actionIdentifier) to \(request.identifier)")
    if response.actionIdentifier == "show" { show(request) } else { finish("done") }
    completionHandler()
  }

  /// The same notification again, at once, with its text.
  private func show(_ request: UNNotificationRequest) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
    content.body = content.userInfo["text"] as? String ?? ""
    content.categoryIdentifier = ""
    center.add(UNNotificationRequest(identifier: request.identifier, content: content, trigger: nil)) { [self] error in
      if let error { return finish("not shown: \(error.localizedDescription)", status: 1) }
      center.getDeliveredNotifications { [self] delivered in
        let list = delivered.map { "\($0.request.identifier): \($0.request.content.body)" }
        finish("delivered \(list.count): \(list.joined(separator: ", "))")
      }
    }
  }

  private func finish(_ text: String, status: Int32 = 0) {
    print(text)
    exit(status)
  }
}

let followUp = FollowUp()
followUp.start()
RunLoop.main.run()
