import UserNotifications

/// Two kinds of notification with a button each; prints what the user does with them.
@MainActor
final class TwoCategories: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  private let center = UNUserNotificationCenter.current()
  private var unanswered: Set<String> = ["lunch", "backup"]

  func start() async {
    center.delegate = self
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "invitation",
        actions: [UNNotificationAction(identifier: "accept", title: "Accept", options: [.foreground])],
        intentIdentifiers: [], options: .customDismissAction),
      UNNotificationCategory(
        identifier: "failure",
        actions: [UNNotificationAction(identifier: "retry", title: "Try again", options: [])],
        intentIdentifiers: [], options: .customDismissAction),
    ])
    do {
      guard try await center.requestAuthorization(options: [.alert, .badge, .sound]) else { return }
      try await post("lunch", "Lunch", "Ann asks you to lunch at one.", category: "invitation")
      try await post("backup", "Backup", "The disk is full.", category: "failure")
    } catch {
      print("not shown: \(error.localizedDescription)")
      exit(1)
    }
  }

  private func post(_ identifier: String, _ title: String, _ body: String, category: String) async throws {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    content.categoryIdentifier = category
    try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
    print("shown \(identifier)")
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    [.banner, .list]
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let identifier = response.notification.request.identifier
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: print("\(identifier): opened")
    case UNNotificationDismissActionIdentifier: print("\(identifier): dismissed")
    default: print("\(identifier): \(response.actionIdentifier)")
    }
    unanswered.remove(identifier)
    if unanswered.isEmpty { exit(0) }
  }
}

let twoCategories = TwoCategories()
Task { await twoCategories.start() }
RunLoop.main.run()
