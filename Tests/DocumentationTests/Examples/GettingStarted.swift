import UserNotifications

/// What stands in "Getting started".
enum GettingStarted {
  static func first() async throws {
    let content = UNMutableNotificationContent()
    content.title = "Backup"
    content.subtitle = "Home folder"
    content.body = "The disk is full."
    content.sound = .default
    let request = UNNotificationRequest(identifier: "backup", content: content, trigger: nil)
    try await UNUserNotificationCenter.current().add(request)
  }

  final class Answers: NSObject, UNUserNotificationCenterDelegate, Sendable {
    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
      switch response.actionIdentifier {
      case "retry": print("starting again")
      case UNNotificationDefaultActionIdentifier: print("clicked")
      default: print(response.actionIdentifier)
      }
      exit(0)
    }
  }

  static func buttons() -> Answers {
    let answers = Answers()
    let center = UNUserNotificationCenter.current()
    center.delegate = answers
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "failed",
        actions: [
          UNNotificationAction(identifier: "retry", title: "Try again"),
          UNNotificationAction(identifier: "skip", title: "Skip"),
        ], intentIdentifiers: [])
    ])
    let content = UNMutableNotificationContent()
    content.title = "Backup failed"
    content.categoryIdentifier = "failed"
    center.add(UNNotificationRequest(identifier: "backup", content: content, trigger: nil)) { error in
      if let error { print("not shown: \(error.localizedDescription)") }
    }
    return answers
  }

  static func run() {
    dispatchMain()
  }

  static func later() async throws {
    let content = UNMutableNotificationContent()
    content.title = "Stand up"
    let everyWorkday = (2...6).map { day in
      UNCalendarNotificationTrigger(
        dateMatching: DateComponents(hour: 11, minute: 30, weekday: day), repeats: true)
    }
    for (number, trigger) in everyWorkday.enumerated() {
      try await UNUserNotificationCenter.current().add(
        UNNotificationRequest(identifier: "stand-up-\(number)", content: content, trigger: trigger))
    }
  }
}
