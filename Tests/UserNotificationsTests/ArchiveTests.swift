import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

@Suite struct ArchiveTests {
  private func roundTrip<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
  }

  @Test func contentSurvivesAnArchive() throws {
    let content = try #require(Samples.fullContent().copy() as? UNNotificationContent)
    let back = try roundTrip(content)
    #expect(back == content && back !== content)
    #expect(back.userInfo["yes"] as? Bool == true)
    #expect(try UserInfo.record(back.userInfo)["yes"] == .boolean(true))
    #expect(back.userInfo["date"] as? Date == Date(timeIntervalSince1970: 1_000_000.25))
    #expect(back.userInfo["data"] as? Data == Data([0, 1, 255]))
  }

  @Test func mutableContentStaysMutableInAnArchive() throws {
    let back = try roundTrip(Samples.fullContent())
    #expect(type(of: back) == UNMutableNotificationContent.self)
    #expect(back == Samples.fullContent())
  }

  @Test func userInfoThatNoArchiveHoldsIsLeftOutAlone() throws {
    let content = UNMutableNotificationContent()
    content.userInfo = ["odd": NSObject(), 5: "no string key", "nan": Double.nan, "null": NSNull(), "good": "x"]
    let back = try roundTrip(content)
    #expect(Set(back.userInfo.keys) == ["nan", "null", "good"])
    #expect((back.userInfo["nan"] as? Double)?.isNaN == true)
    #expect(back.userInfo["null"] is NSNull)
  }

  @Test func requestsSurviveAnArchiveWithEachTrigger() throws {
    let triggers: [UNNotificationTrigger?] = [
      nil, UNTimeIntervalNotificationTrigger(timeInterval: 90.5, repeats: true), Samples.calendarTrigger(),
      UNPushNotificationTrigger(.init(repeats: false)),
    ]
    for trigger in triggers {
      let request = Samples.request(trigger)
      let back = try roundTrip(request)
      #expect(back == request)
      #expect(back.trigger == trigger)
    }
  }

  @Test func calendarTriggerKeepsAFloatingZoneFloating() throws {
    var components = DateComponents(hour: 9)
    components.timeZone = .autoupdatingCurrent
    let back = try roundTrip(UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
    #expect(back.dateComponents.timeZone == .autoupdatingCurrent)
  }

  @Test func notificationsAndResponsesSurviveAnArchive() throws {
    let notification = Samples.notification()
    #expect(try roundTrip(notification) == notification)
    let response = UNNotificationResponse(.init(notification: notification, actionIdentifier: "yes"))
    #expect(try roundTrip(response) == response)
    let text = UNTextInputNotificationResponse(
      .init(notification: notification, actionIdentifier: "reply", userText: "hello"))
    let back = try roundTrip(text)
    #expect(back == text && back.userText == "hello")
    #expect(response != UNNotificationResponse(.init(notification: notification, actionIdentifier: "no")))
  }

  @Test func categoriesAndActionsSurviveAnArchive() throws {
    let category = Samples.category()
    let back = try roundTrip(category)
    #expect(back == category)
    #expect(back.actions.first?.icon == UNNotificationActionIcon(systemImageName: "checkmark"))
    let reply = try #require(back.actions.last as? UNTextInputNotificationAction)
    #expect(reply.textInputButtonTitle == "Send" && reply.textInputPlaceholder == "Message")
  }

  @Test func soundsSurviveAnArchive() throws {
    let sounds: [UNNotificationSound] = [
      .default, UNNotificationSound(named: UNNotificationSoundName("a.wav")), .defaultCritical,
      .defaultCriticalSound(withAudioVolume: 0.25), .criticalSoundNamed(UNNotificationSoundName("b.wav")),
      .criticalSoundNamed(UNNotificationSoundName(rawValue: "c.wav"), withAudioVolume: 1), .defaultRingtone,
      .ringtoneSoundNamed(UNNotificationSoundName("d.wav")),
    ]
    for sound in sounds { #expect(try roundTrip(sound) == sound) }
    #expect(Set(sounds).count == sounds.count)
  }

  @Test func settingsSurviveAnArchive() throws {
    var fields = UNNotificationSettings.Fields()
    fields.authorizationStatus = .provisional
    fields.notificationCenter = .enabled
    fields.lockScreen = .disabled
    fields.carPlay = .enabled
    fields.alert = .disabled
    fields.badge = .enabled
    fields.sound = .disabled
    fields.criticalAlert = .enabled
    fields.announcement = .disabled
    fields.timeSensitive = .enabled
    fields.scheduledDelivery = .disabled
    fields.directMessages = .enabled
    fields.alertStyle = .alert
    fields.showPreviews = .never
    fields.providesAppNotificationSettings = true
    let settings = UNNotificationSettings(fields)
    let back = try roundTrip(settings)
    #expect(back == settings)
    #expect(back.lockScreenSetting == .disabled && back.directMessagesSetting == .enabled)
    #expect(back.showPreviewsSetting == .never && back.alertStyle == .alert)
  }

  @Test func attachmentsSurviveAnArchive() throws {
    let attachment = Samples.attachment()
    let back = try roundTrip(attachment)
    #expect(back == attachment)
    #expect(back.record.clippingRect == .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
  }

  /// Answers every key with text, as the coders of some programs' tests do.
  private final class TextCoder: NSCoder {
    override var allowsKeyedCoding: Bool { true }
    override func decodeObject(forKey key: String) -> Any? { "text" }
    override func decodeInt64(forKey key: String) -> Int64 { 99 }
    override func decodeBool(forKey key: String) -> Bool { true }
  }

  @Test func missingKeysAndWrongTypesStandForDefaults() throws {
    for coder in [EmptyCoder(), TextCoder()] {
      #expect(UNNotificationContent(coder: coder)?.interruptionLevel == .active)
      #expect(UNNotificationRequest(coder: coder)?.trigger == nil)
      #expect(UNNotification(coder: coder)?.date == .distantPast)
      #expect(UNNotificationResponse(coder: coder)?.notification.request.content.title == "")
      #expect(UNTextInputNotificationResponse(coder: coder) != nil)
      #expect(UNNotificationCategory(coder: coder)?.actions == [])
      #expect(UNNotificationAction(coder: coder)?.options == [])
      #expect(UNNotificationSettings(coder: coder)?.authorizationStatus == .notDetermined)
      #expect(UNNotificationSound(coder: coder) == .default)
      #expect(UNPushNotificationTrigger(coder: coder)?.repeats == false)
      #expect(UNTimeIntervalNotificationTrigger(coder: coder) == nil)
      #expect(UNCalendarNotificationTrigger(coder: coder) == nil)
    }
    #expect(UNNotificationAttachment(coder: EmptyCoder()) == nil)
    #expect(UNNotificationActionIcon(coder: EmptyCoder()) == nil)
  }
}
