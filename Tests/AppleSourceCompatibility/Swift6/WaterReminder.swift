import Foundation
import UserNotifications

/// A reminder at fixed hours of every day, with a button that puts it off.
final class WaterReminder: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
  enum Identifier {
    static let category = "water.category"
    static let drink = "water.drink"
    static let snooze = "water.snooze"
    static func request(_ hour: Int) -> String { "water.\(hour)" }
  }

  private let center: UNUserNotificationCenter
  private let lock = NSLock()
  private var glasses = 0

  init(center: UNUserNotificationCenter = .current()) {
    self.center = center
    super.init()
    center.delegate = self
    let drink = UNNotificationAction(identifier: Identifier.drink, title: "I drank", options: [])
    let snooze = UNNotificationAction(
      identifier: Identifier.snooze, title: "Later", options: [],
      icon: UNNotificationActionIcon(systemImageName: "clock"))
    center.setNotificationCategories([
      UNNotificationCategory(identifier: Identifier.category, actions: [drink, snooze], intentIdentifiers: [])
    ])
  }

  var count: Int { lock.withLock { glasses } }

  private var content: UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "Time for water"
    content.body = "A glass every two hours."
    content.categoryIdentifier = Identifier.category
    content.interruptionLevel = .timeSensitive
    return content
  }

  func schedule(hours: [Int], completion: @escaping @Sendable (Int, Error?) -> Void) {
    center.removeAllPendingNotificationRequests()
    for hour in hours {
      var components = DateComponents()
      components.hour = hour
      components.minute = 0
      let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
      let request = UNNotificationRequest(
        identifier: Identifier.request(hour), content: content, trigger: trigger)
      center.add(request) { completion(hour, $0) }
    }
  }

  func next() async -> Date? {
    await center.pendingNotificationRequests()
      .compactMap { ($0.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate() }
      .min()
  }

  func remindNow() {
    center.add(UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil))
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    switch response.actionIdentifier {
    case Identifier.drink:
      lock.withLock { glasses += 1 }
      center.setBadgeCount(0)
    case Identifier.snooze:
      let again = response.notification.request.content.mutableCopy() as! UNMutableNotificationContent
      again.title = "Still time for water"
      center.add(
        UNNotificationRequest(
          identifier: "water.snoozed", content: again,
          trigger: UNTimeIntervalNotificationTrigger(timeInterval: 0.5, repeats: false)))
    default:
      break
    }
    completionHandler()
  }
}
