import Foundation
import UserNotifications

/// A work timer in Swift 5: callbacks, implicitly unwrapped properties, state without isolation.
class PomodoroTimer: NSObject {
  enum Phase: String, CaseIterable { case work, pause }

  weak var owner: AnyObject?
  var onPhase: ((Phase) -> Void)?
  private(set) var phase: Phase = .work
  private var center: UNUserNotificationCenter!

  override init() {
    super.init()
    center = UNUserNotificationCenter.current()
    center.delegate = self
    let skip = UNNotificationAction(
      identifier: "skip", title: "Skip", options: UNNotificationActionOptions(rawValue: 0))
    let stop = UNNotificationAction(identifier: "stop", title: "Stop", options: [.destructive])
    let category = UNNotificationCategory(
      identifier: "pomodoro", actions: [skip, stop], intentIdentifiers: [], options: .customDismissAction)
    center.setNotificationCategories(NSSet(object: category) as! Set<UNNotificationCategory>)
  }

  func start(seconds: TimeInterval, then completion: @escaping (Error?) -> Void) {
    center.requestAuthorization(options: [.alert, .sound]) { (granted, error) in
      guard granted else { return completion(error) }
      let content = UNMutableNotificationContent()
      content.title = NSString.localizedUserNotificationString(forKey: "%@ is over", arguments: [self.phase.rawValue])
      content.body = "What now?"
      content.sound = UNNotificationSound.default
      content.categoryIdentifier = "pomodoro"
      content.userInfo = ["phase": self.phase.rawValue, "minutes": 25]
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
      let request = UNNotificationRequest(identifier: "pomodoro", content: content, trigger: trigger)
      self.center.add(request, withCompletionHandler: completion)
    }
  }

  func remaining(_ completion: @escaping (TimeInterval?) -> Void) {
    center.getPendingNotificationRequests { requests in
      let trigger = requests.first(where: { $0.identifier == "pomodoro" })?.trigger
      completion((trigger as? UNTimeIntervalNotificationTrigger)?.nextTriggerDate()?.timeIntervalSinceNow)
    }
  }

  func cancel() {
    center.removePendingNotificationRequests(withIdentifiers: ["pomodoro"])
    center.removeDeliveredNotifications(withIdentifiers: ["pomodoro"])
  }
}

extension PomodoroTimer: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    if #available(iOS 14.0, macOS 11.0, *) {
      completionHandler([.banner, .list, .sound])
    } else {
      completionHandler([.alert, .sound])
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    if response.actionIdentifier == "skip",
      let raw = response.notification.request.content.userInfo["phase"] as? String, let old = Phase(rawValue: raw)
    {
      phase = old == .work ? .pause : .work
      onPhase?(phase)
    }
    completionHandler()
  }
}
