import UserNotifications

/// The seam that applications put before the center to test without it: signatures must match to the letter.
protocol NotificationCentering: AnyObject, Sendable {
  var delegate: (any UNUserNotificationCenterDelegate)? { get set }
  func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool
  func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void)
  func add(_ request: UNNotificationRequest) async throws
  func add(_ request: UNNotificationRequest, withCompletionHandler: (@Sendable ((any Error)?) -> Void)?)
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
  func notificationCategories() async -> Set<UNNotificationCategory>
  func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void)
  func pendingNotificationRequests() async -> [UNNotificationRequest]
  func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void)
  func deliveredNotifications() async -> [UNNotification]
  func removePendingNotificationRequests(withIdentifiers identifiers: [String])
  func removeAllPendingNotificationRequests()
  func removeAllDeliveredNotifications()
  func setBadgeCount(_ newBadgeCount: Int) async throws
}

extension UNUserNotificationCenter: NotificationCentering {}

final class MockCenter: NotificationCentering, @unchecked Sendable {
  weak var delegate: (any UNUserNotificationCenterDelegate)?
  private(set) var added: [UNNotificationRequest] = []
  var categories: Set<UNNotificationCategory> = []
  var errorToThrow: (any Error)?

  func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool { options.contains(.alert) }
  func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { completionHandler(true, nil) }
  func add(_ request: UNNotificationRequest) async throws {
    if let errorToThrow { throw errorToThrow }
    added.append(request)
  }
  func add(_ request: UNNotificationRequest, withCompletionHandler: (@Sendable ((any Error)?) -> Void)?) {
    added.append(request)
    withCompletionHandler?(errorToThrow)
  }
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }
  func notificationCategories() async -> Set<UNNotificationCategory> { categories }
  func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {}
  func pendingNotificationRequests() async -> [UNNotificationRequest] { added }
  func getPendingNotificationRequests(completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void) {
    completionHandler(added)
  }
  func deliveredNotifications() async -> [UNNotification] { [] }
  func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    added.removeAll { identifiers.contains($0.identifier) }
  }
  func removeAllPendingNotificationRequests() { added = [] }
  func removeAllDeliveredNotifications() {}
  func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

/// What is tested through the seam.
struct Reminders {
  let center: any NotificationCentering

  /// Every weekday at the same time.
  func remind(at hour: Int, _ minute: Int, about text: String) async throws {
    for weekday in 2...6 {
      var components = DateComponents()
      components.weekday = weekday
      components.hour = hour
      components.minute = minute
      let content = UNMutableNotificationContent()
      content.title = NSString.localizedUserNotificationString(forKey: "Reminder for %@", arguments: [text])
      content.categoryIdentifier = "reminder"
      try await center.add(
        UNNotificationRequest(
          identifier: "\(text)-\(weekday)", content: content,
          trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: true)))
    }
  }
}
