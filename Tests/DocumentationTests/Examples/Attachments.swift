import UserNotifications

/// What stands in "Attachments".
enum Attachments {
  static func showChart(_ chart: URL) async throws {
    let content = UNMutableNotificationContent()
    content.title = "Disk usage"
    content.attachments = [
      try UNNotificationAttachment(
        identifier: "chart", url: chart,
        options: [
          UNNotificationAttachmentOptionsThumbnailClippingRectKey:
            CGRect(x: 0, y: 0, width: 1, height: 0.5).dictionaryRepresentation
        ])
    ]
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: "usage", content: content, trigger: nil))
  }

  static func attachment(_ file: URL) -> UNNotificationAttachment? {
    do {
      return try UNNotificationAttachment(identifier: "", url: file)
    } catch UNError.attachmentInvalidURL {
      print("not there, or no regular file")
    } catch UNError.attachmentUnrecognizedType, UNError.attachmentCorrupt {
      print("no picture, sound or movie that can be used")
    } catch {
      print(error.localizedDescription)
    }
    return nil
  }
}
