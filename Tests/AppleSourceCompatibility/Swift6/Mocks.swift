import UserNotifications

// How tests of applications make what only the system makes: coders of their own, and subclasses.

/// Answers the keys that an archived response asks for.
private final class ResponseCoder: NSCoder {
  let request: UNNotificationRequest
  let action: String

  init(_ request: UNNotificationRequest, _ action: String) {
    self.request = request
    self.action = action
  }

  override var allowsKeyedCoding: Bool { true }

  override func decodeObject(forKey key: String) -> Any? {
    switch key {
    case "request": request
    case "notification": UNNotification(coder: self)
    case "actionIdentifier": action
    case "date": Date(timeIntervalSince1970: 100)
    default: nil
    }
  }
}

/// Answers every setting alike.
final class SettingsCoder: NSCoder {
  var status = UNAuthorizationStatus.authorized
  override var allowsKeyedCoding: Bool { true }
  override func decodeInt64(forKey key: String) -> Int64 {
    key == "authorizationStatus" ? Int64(status.rawValue) : 2
  }
  override func decodeBool(forKey key: String) -> Bool { true }
}

extension UNNotificationResponse {
  static func mock(_ request: UNNotificationRequest, action: String) -> UNNotificationResponse {
    UNNotificationResponse(coder: ResponseCoder(request, action))!
  }
}

/// A subclass that answers for itself.
final class MockResponse: UNNotificationResponse, @unchecked Sendable {
  private let fake: UNNotification
  private let text: String

  init(_ request: UNNotificationRequest, action: String) {
    fake = UNNotification(coder: ResponseCoder(request, action))!
    text = action
    super.init(coder: ResponseCoder(request, action))!
  }

  required init?(coder: NSCoder) { fatalError("not archived") }

  override var notification: UNNotification { fake }
  override var actionIdentifier: String { text }
}

final class MockSettings: UNNotificationSettings, @unchecked Sendable {
  override var authorizationStatus: UNAuthorizationStatus { .provisional }
}

/// Applications add such conformances of their own.
extension UNNotificationRequest: Identifiable {
  public var id: String { identifier }
}
