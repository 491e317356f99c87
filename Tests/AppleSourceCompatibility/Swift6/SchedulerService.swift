import UserNotifications

/// A service as many applications have it: async, throwing, typed errors.
struct SchedulerService: Sendable {
  enum Failure: Error, Equatable {
    case denied
    case attachment(UNError.Code)
    case never
  }

  var center = UNUserNotificationCenter.current()

  func schedule(_ identifier: String, title: String, body: String, in seconds: TimeInterval) async throws {
    let settings = await center.notificationSettings()
    guard settings.authorizationStatus != .denied else { throw Failure.denied }
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    content.sound = .default
    content.userInfo = ["scheduledAt": Date(), "attempt": 1]
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.8
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
    do {
      try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    } catch UNError.attachmentInvalidURL, UNError.attachmentInvalidFileSize {
      throw Failure.attachment(.attachmentInvalidURL)
    } catch let error as UNError where error.code == .notificationInvalidNoDate {
      throw Failure.never
    }
  }

  func cancel(_ identifiers: String...) {
    center.removePendingNotificationRequests(withIdentifiers: identifiers)
    center.removeDeliveredNotifications(withIdentifiers: identifiers)
  }

  func pendingIdentifiers() async -> [String] {
    await center.pendingNotificationRequests().map(\.identifier)
  }

  func nextDate(of identifier: String) async -> Date? {
    let request = await center.pendingNotificationRequests().first { $0.identifier == identifier }
    switch request?.trigger {
    case let trigger as UNCalendarNotificationTrigger: return trigger.nextTriggerDate()
    case let trigger as UNTimeIntervalNotificationTrigger: return trigger.nextTriggerDate()
    default: return nil
    }
  }
}

/// How an error is sorted by code, by type and as an NSError.
enum ErrorSorting {
  static func describe(_ error: any Error) -> String {
    do {
      throw error
    } catch UNError.notificationsNotAllowed {
      return "not allowed"
    } catch UNError.attachmentCorrupt {
      return "corrupt"
    } catch let error as UNError {
      return "UNError \(error.code.rawValue) \(error.errorCode)"
    } catch {
      let error = error as NSError
      return "\(error.domain) \(error.code)"
    }
  }
}
