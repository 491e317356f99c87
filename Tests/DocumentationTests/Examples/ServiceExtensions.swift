import UserNotifications

/// What stands in "Service extensions".
enum ServiceExtensions {
  class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt: UNMutableNotificationContent?

    override func didReceive(
      _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      self.contentHandler = contentHandler
      bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
      guard let content = bestAttempt, let secret = content.userInfo["secret"] as? String else {
        return contentHandler(request.content)
      }
      content.body = String(decoding: Data(base64Encoded: secret) ?? Data(), as: UTF8.self)
      contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
      if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
    }
  }

  static func main() {
    NotificationService.main()
  }
}
