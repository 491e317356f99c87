import UserNotifications

/// A singleton of the years before Swift concurrency: completion handlers, captured self, no Sendable.
class NotificationService: NSObject, UNUserNotificationCenterDelegate {
  static let shared = NotificationService()

  var onOpen: ((String) -> Void)?
  var pendingCount = 0
  private let center = UNUserNotificationCenter.current()
  private var handled = [String]()

  func start() {
    center.delegate = self
    center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
      if let error = error {
        print("no permission: \(error.localizedDescription)")
      }
      self.handled.append("granted \(granted)")
    }
    center.getNotificationSettings { [weak self] settings in
      guard settings.authorizationStatus == .authorized else { return }
      DispatchQueue.main.async { self?.refresh() }
    }
  }

  func refresh() {
    center.getPendingNotificationRequests { requests in
      self.pendingCount = requests.filter { $0.trigger is UNCalendarNotificationTrigger }.count
    }
    center.getDeliveredNotifications { notifications in
      let old = notifications.filter { $0.date < Date(timeIntervalSinceNow: -3600) }
      self.center.removeDeliveredNotifications(withIdentifiers: old.map { $0.request.identifier })
    }
  }

  func notify(title: String, body: String, after seconds: Double = 1, completion: ((Error?) -> Void)? = nil) {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    content.sound = UNNotificationSound.default
    content.badge = NSNumber(value: 1)
    content.userInfo = ["title": title]
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
    let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
    center.add(request) { error in
      if let error = error as? UNError, error.code == .notificationsNotAllowed {
        print("not allowed")
      }
      completion?(error)
    }
  }

  /// A request without a handler.
  func notifyNow(_ text: String) {
    let content = UNMutableNotificationContent()
    content.body = text
    UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: text, content: content, trigger: nil))
  }

  func daily(hour: Int, minute: Int) -> UNNotificationTrigger {
    var date = DateComponents()
    date.hour = hour
    date.minute = minute
    return UNCalendarNotificationTrigger(dateMatching: date, repeats: true)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.alert, .sound])
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    defer { completionHandler() }
    let userInfo = response.notification.request.content.userInfo
    guard let title = userInfo["title"] as? String else { return }
    if let text = (response as? UNTextInputNotificationResponse)?.userText {
      onOpen?("\(title): \(text)")
    } else if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
      onOpen?(title)
    }
  }
}

/// A protocol over the center with handlers that are not Sendable.
protocol OldCenter {
  func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?)
  func requestAuthorization(options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void)
  func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void)
  func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void)
  func removeAllPendingNotificationRequests()
}

extension UNUserNotificationCenter: OldCenter {}

class OldMock: OldCenter {
  var added = [UNNotificationRequest]()
  func add(_ request: UNNotificationRequest, withCompletionHandler completionHandler: ((Error?) -> Void)?) {
    added.append(request)
    completionHandler?(nil)
  }
  func requestAuthorization(options: UNAuthorizationOptions, completionHandler: @escaping (Bool, Error?) -> Void) {
    completionHandler(true, nil)
  }
  func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
    completionHandler(added)
  }
  func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void) {}
  func removeAllPendingNotificationRequests() { added.removeAll() }
}

/// Deprecated names compile, with a warning.
enum Former {
  static func content() -> UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.summaryArgument = "Ann"
    content.summaryArgumentCount = 0
    return content
  }

  static let options: UNAuthorizationOptions = [.announcement, .timeSensitive, .criticalAlert, .carPlay]
  static let category: UNNotificationCategoryOptions = [.allowAnnouncement, .allowInCarPlay]
}

/// Applications that were first with Sendable.
extension UNNotificationRequest: @unchecked Sendable {}
