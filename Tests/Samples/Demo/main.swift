import UserNotifications

/// Shows one notification with a subtitle, a picture and two buttons, and prints what the user does with it.
final class Demo: NSObject, UNUserNotificationCenterDelegate, Sendable {
  func start() async throws {
    let center = UNUserNotificationCenter.current()
    center.delegate = self
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "walk",
        actions: [
          UNNotificationAction(identifier: "yes", title: "I am coming", options: [.foreground]),
          UNNotificationAction(identifier: "no", title: "Not today", options: []),
        ], intentIdentifiers: [], options: .customDismissAction)
    ])
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
    let picture = FileManager.default.temporaryDirectory.appendingPathComponent("sunset-\(UUID().uuidString).png")
    try Picture.write(to: picture)
    let content = UNMutableNotificationContent()
    content.title = "A walk on the beach"
    content.subtitle = "Tonight at eight"
    content.body = "Sun, sea & sand: the tide is <low> until ten."
    content.categoryIdentifier = "walk"
    content.attachments = [try UNNotificationAttachment(identifier: "sunset", url: picture)]
    try await center.add(UNNotificationRequest(identifier: "walk", content: content, trigger: nil))
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    [.banner, .list, .sound]
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: print("You clicked the notification.")
    case UNNotificationDismissActionIdentifier: print("You dismissed the notification.")
    default: print("You pressed the button \"\(response.actionIdentifier)\".")
    }
    exit(0)
  }
}

let demo = Demo()
Task {
  do {
    try await demo.start()
  } catch {
    print("The notification was not shown: \(error.localizedDescription)")
    exit(1)
  }
}
RunLoop.main.run()
