import UserNotifications

/// What stands in README.md.
enum Readme {
  final class Invitations: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
      print("pressed:", response.actionIdentifier)
      exit(0)
    }
  }

  static func main() -> Invitations {
    let delegate = Invitations()
    let center = UNUserNotificationCenter.current()
    center.delegate = delegate
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "invitation",
        actions: [
          UNNotificationAction(identifier: "accept", title: "Accept"),
          UNNotificationAction(identifier: "decline", title: "Decline", options: .destructive),
        ], intentIdentifiers: [])
    ])
    let content = UNMutableNotificationContent()
    content.title = "Dinner?"
    content.subtitle = "Friday, 19:00"
    content.body = "At the usual place."
    content.categoryIdentifier = "invitation"
    center.add(UNNotificationRequest(identifier: "dinner", content: content, trigger: nil))
    return delegate
  }

  static func run() {
    dispatchMain()
  }
}
