import Foundation
import NotificationBridge

@testable import UserNotifications

/// Objects with every property set.
enum Samples {
  static func attachment() -> UNNotificationAttachment {
    UNNotificationAttachment(
      AttachmentRecord(
        identifier: "picture", path: "/nowhere/picture.png", type: "public.png", thumbnailHidden: true,
        clippingRect: .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4), thumbnailTime: 2))
  }

  static func fullContent() -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "title"
    content.subtitle = "subtitle"
    content.body = "body"
    content.badge = 3
    content.sound = .criticalSoundNamed(UNNotificationSoundName("alarm.wav"), withAudioVolume: 0.5)
    content.launchImageName = "launch"
    content.userInfo = [
      "text": "ü", "yes": true, "one": 1, "half": 0.5, "date": Date(timeIntervalSince1970: 1_000_000.25),
      "data": Data([0, 1, 255]), "list": [1, "two", [3.5]] as [Any], "map": ["inner": ["deep": false]],
    ]
    content.attachments = [attachment()]
    content.categoryIdentifier = "category"
    content.threadIdentifier = "thread"
    content.change {
      $0.summaryArgument = "Ann"
      $0.summaryArgumentCount = 4
    }
    content.targetContentIdentifier = "window"
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.75
    content.filterCriteria = "work"
    return content
  }

  static func category() -> UNNotificationCategory {
    UNNotificationCategory(
      identifier: "category",
      actions: [
        UNNotificationAction(
          identifier: "yes", title: "Yes", options: [.foreground, .authenticationRequired],
          icon: UNNotificationActionIcon(systemImageName: "checkmark")),
        UNTextInputNotificationAction(
          identifier: "reply", title: "Reply", options: .destructive, textInputButtonTitle: "Send",
          textInputPlaceholder: "Message"),
      ], intentIdentifiers: ["intent"], hiddenPreviewsBodyPlaceholder: "%u hidden",
      categorySummaryFormat: "%u from %@", options: [.customDismissAction, .hiddenPreviewsShowTitle])
  }

  static func request(_ trigger: UNNotificationTrigger? = nil) -> UNNotificationRequest {
    UNNotificationRequest(identifier: "request", content: fullContent(), trigger: trigger)
  }

  static func calendarTrigger() -> UNCalendarNotificationTrigger {
    var components = DateComponents()
    components.calendar = Calendar(identifier: .gregorian)
    components.timeZone = TimeZone(identifier: "Europe/Budapest")
    components.month = 3
    components.hour = 8
    components.minute = 30
    components.dayOfYear = 77
    return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
  }

  static func notification() -> UNNotification {
    UNNotification(date: Date(timeIntervalSince1970: 1_234_567.5), request: request(calendarTrigger()))
  }
}

/// Answers nothing, as an archive of another version might.
final class EmptyCoder: NSCoder {
  override var allowsKeyedCoding: Bool { true }
  override func decodeObject(forKey key: String) -> Any? { nil }
  override func decodeInt64(forKey key: String) -> Int64 { 0 }
  override func decodeBool(forKey key: String) -> Bool { false }
}

/// The code of the ``UNError`` that `body` throws; nil if it throws none, or something else.
func appleCode(_ body: () async throws -> Void) async -> UNError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? UNError)?.code
  }
}
