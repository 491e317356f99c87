import UserNotifications

/// Downloads the picture that a remote notification names and attaches it.
class NotificationService: UNNotificationServiceExtension {
  private var contentHandler: ((UNNotificationContent) -> Void)?
  private var bestAttempt: UNMutableNotificationContent?

  override func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
    guard let text = request.content.userInfo["picture-url"] as? String, let url = URL(string: text) else {
      return finish()
    }
    let task = URLSession.shared.downloadTask(with: url) { [weak self] file, response, error in
      guard let self else { return }
      guard let file, error == nil, (response as? HTTPURLResponse)?.statusCode == 200 else {
        self.bestAttempt?.body += "\n(the picture could not be downloaded)"
        return self.finish()
      }
      // The download goes when this returns, and an attachment's type is told by its extension.
      let copy = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString).appendingPathExtension(url.pathExtension)
      do {
        try FileManager.default.moveItem(at: file, to: copy)
        self.bestAttempt?.attachments = [try UNNotificationAttachment(identifier: "picture", url: copy, options: nil)]
      } catch {
        self.bestAttempt?.body += "\n(the picture cannot be attached)"
      }
      self.finish()
    }
    task.resume()
  }

  override func serviceExtensionTimeWillExpire() { finish() }

  private func finish() {
    if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
  }
}
