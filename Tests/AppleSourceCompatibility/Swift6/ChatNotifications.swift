import UserNotifications

/// Messages grouped by conversation, with a picture from the network.
struct ChatNotifications {
  func content(for text: String, from sender: String, in conversation: String) -> UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = sender
    content.subtitle = conversation
    content.body = text
    content.threadIdentifier = conversation
    content.categoryIdentifier = "message"
    content.targetContentIdentifier = conversation
    content.badge = 3
    content.sound = UNNotificationSound(named: UNNotificationSoundName("pop.wav"))
    content.userInfo["conversation"] = conversation
    return content.copy() as! UNNotificationContent
  }

  /// As in a service extension: the file is fetched and gets the extension that its type needs.
  func attachment(from url: URL) async throws -> UNNotificationAttachment {
    let (file, _) = try await URLSession.shared.download(from: url)
    return try UNNotificationAttachment(
      identifier: "", url: file,
      options: [
        UNNotificationAttachmentOptionsTypeHintKey: "public.png",
        UNNotificationAttachmentOptionsThumbnailClippingRectKey:
          CGRect(x: 0, y: 0, width: 1, height: 0.5).dictionaryRepresentation,
      ])
  }

  func bestAttempt(_ request: UNNotificationRequest, picture: UNNotificationAttachment?) -> UNNotificationContent {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return request.content
    }
    content.title = "\(content.title) [modified]"
    if let picture { content.attachments = [picture] }
    return content
  }

  func alarm() -> UNNotificationSound {
    .criticalSoundNamed(UNNotificationSoundName(rawValue: "alarm.caf"), withAudioVolume: 0.8)
  }
}
