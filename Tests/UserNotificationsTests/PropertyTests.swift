import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

/// Each property is what the object was made of.
@Suite struct PropertyTests {
  @Test func mutableContentTakesAndGivesEveryProperty() {
    let content = Samples.fullContent()
    #expect(content.title == "title" && content.subtitle == "subtitle" && content.body == "body")
    #expect(content.badge == 3 && content.launchImageName == "launch")
    #expect(content.sound == .criticalSoundNamed(UNNotificationSoundName("alarm.wav"), withAudioVolume: 0.5))
    #expect(content.userInfo["text"] as? String == "ü" && content.userInfo.count == 8)
    #expect(content.attachments.map(\.identifier) == ["picture"])
    #expect(content.categoryIdentifier == "category" && content.threadIdentifier == "thread")
    #expect(content.targetContentIdentifier == "window" && content.filterCriteria == "work")
    #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.75)
    content.badge = nil
    content.sound = nil
    content.targetContentIdentifier = nil
    content.filterCriteria = nil
    #expect(content.badge == nil && content.sound == nil)
    #expect(content.targetContentIdentifier == nil && content.filterCriteria == nil)
  }

  @Test func immutableContentGivesEveryProperty() throws {
    let content = UNNotificationRequest(identifier: "a", content: Samples.fullContent(), trigger: nil).content
    #expect(type(of: content) == UNNotificationContent.self)
    #expect(content.title == "title" && content.subtitle == "subtitle" && content.body == "body")
    #expect(content.badge == 3 && content.launchImageName == "launch")
    #expect(content.sound == .criticalSoundNamed(UNNotificationSoundName("alarm.wav"), withAudioVolume: 0.5))
    #expect(content.userInfo["text"] as? String == "ü" && content.userInfo.count == 8)
    #expect(content.attachments.map(\.identifier) == ["picture"])
    #expect(content.categoryIdentifier == "category" && content.threadIdentifier == "thread")
    #expect(content.targetContentIdentifier == "window" && content.filterCriteria == "work")
    #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.75)
  }

  @available(*, deprecated, message: "of deprecated names")
  @Test func summaryArgumentsAreKeptAndCountOneAtLeast() {
    let content = UNMutableNotificationContent()
    #expect(content.summaryArgument == "" && content.summaryArgumentCount == 1)
    content.summaryArgument = "Ann"
    content.summaryArgumentCount = 3
    #expect(content.summaryArgument == "Ann" && content.summaryArgumentCount == 3)
    let copy = UNNotificationRequest(identifier: "a", content: content, trigger: nil).content
    #expect(copy.summaryArgument == "Ann" && copy.summaryArgumentCount == 3)
    content.summaryArgumentCount = 0
    #expect(content.summaryArgumentCount == 1)
  }

  @Test func soundsAreOfTheirKind() {
    let name = UNNotificationSoundName("a.wav")
    #expect(UNNotificationSound.default.record == SoundRecord())
    #expect(UNNotificationSound(named: name).record == SoundRecord(.named("a.wav")))
    #expect(UNNotificationSound.defaultCritical.record == SoundRecord(isCritical: true))
    #expect(
      UNNotificationSound.defaultCriticalSound(withAudioVolume: 0.25).record
        == SoundRecord(isCritical: true, volume: 0.25))
    #expect(UNNotificationSound.criticalSoundNamed(name).record == SoundRecord(.named("a.wav"), isCritical: true))
    #expect(
      UNNotificationSound.criticalSoundNamed(name, withAudioVolume: 0.5).record
        == SoundRecord(.named("a.wav"), isCritical: true, volume: 0.5))
    #expect(UNNotificationSound.defaultRingtone.record == SoundRecord(.theme("phone-incoming-call")))
    #expect(UNNotificationSound.ringtoneSoundNamed(name).record == SoundRecord(.named("a.wav")))
  }

  @Test func volumesOutsideTheirRangeCountAsTheNearerEnd() {
    for (given, kept) in [(-1, 0), (2, 1), (Float.infinity, 1), (.nan, 1)] as [(Float, Double)] {
      #expect(UNNotificationSound.defaultCriticalSound(withAudioVolume: given).record.volume == kept)
    }
  }

  @Test func actionsTellWhatTheyWereMadeOf() {
    let icon = UNNotificationActionIcon(systemImageName: "checkmark")
    let plain = UNNotificationAction(identifier: "a", title: "A", options: [.destructive, .foreground])
    #expect(plain.identifier == "a" && plain.title == "A" && plain.options == [.destructive, .foreground])
    #expect(plain.icon == nil)
    let drawn = UNNotificationAction(identifier: "b", title: "B", options: [], icon: icon)
    #expect(drawn.identifier == "b" && drawn.title == "B" && drawn.options == [] && drawn.icon == icon)
    #expect(icon != UNNotificationActionIcon(systemImageName: "trash"))
    #expect(icon != UNNotificationActionIcon(templateImageName: "checkmark"))
    #expect(UNNotificationActionIcon(templateImageName: "x") != UNNotificationActionIcon(templateImageName: "y"))
  }

  @Test func textActionsTellWhatTheyWereMadeOf() {
    let icon = UNNotificationActionIcon(templateImageName: "pen")
    let plain = UNTextInputNotificationAction(
      identifier: "a", title: "A", options: .foreground, textInputButtonTitle: "Send", textInputPlaceholder: "Text")
    #expect(plain.identifier == "a" && plain.title == "A" && plain.options == .foreground && plain.icon == nil)
    #expect(plain.textInputButtonTitle == "Send" && plain.textInputPlaceholder == "Text")
    let drawn = UNTextInputNotificationAction(
      identifier: "b", title: "B", options: [], icon: icon, textInputButtonTitle: "Go", textInputPlaceholder: "…")
    #expect(drawn.identifier == "b" && drawn.title == "B" && drawn.options == [] && drawn.icon == icon)
    #expect(drawn.textInputButtonTitle == "Go" && drawn.textInputPlaceholder == "…")
  }

  @Test func categoriesTellWhatTheyWereMadeOf() {
    let actions = [
      UNNotificationAction(identifier: "a", title: "A"), UNNotificationAction(identifier: "b", title: "B"),
    ]
    let full = UNNotificationCategory(
      identifier: "c", actions: actions, intentIdentifiers: ["i"], hiddenPreviewsBodyPlaceholder: "%u hidden",
      categorySummaryFormat: "%u from %@", options: .customDismissAction)
    #expect(full.identifier == "c" && full.actions == actions && full.intentIdentifiers == ["i"])
    #expect(full.hiddenPreviewsBodyPlaceholder == "%u hidden" && full.categorySummaryFormat == "%u from %@")
    #expect(full.options == .customDismissAction)
    let hidden = UNNotificationCategory(
      identifier: "d", actions: [], intentIdentifiers: ["j"], hiddenPreviewsBodyPlaceholder: "hidden",
      options: .hiddenPreviewsShowTitle)
    #expect(hidden.identifier == "d" && hidden.actions.isEmpty && hidden.intentIdentifiers == ["j"])
    #expect(hidden.hiddenPreviewsBodyPlaceholder == "hidden" && hidden.categorySummaryFormat == "")
    #expect(hidden.options == .hiddenPreviewsShowTitle)
    let plain = UNNotificationCategory(
      identifier: "e", actions: actions, intentIdentifiers: [], options: .allowInCarPlay)
    #expect(plain.identifier == "e" && plain.actions == actions && plain.options == .allowInCarPlay)
    #expect(plain.hiddenPreviewsBodyPlaceholder == "" && plain.categorySummaryFormat == "")
  }

  @Test func requestsNotificationsAndResponsesTellWhatTheyWereMadeOf() {
    let trigger = Samples.calendarTrigger()
    let request = UNNotificationRequest(identifier: "r", content: Samples.fullContent(), trigger: trigger)
    #expect(request.identifier == "r" && request.content.title == "title" && request.trigger == trigger)
    let date = Date(timeIntervalSince1970: 5)
    let notification = UNNotification(date: date, request: request)
    #expect(notification.date == date && notification.request.identifier == "r")
    let response = UNTextInputNotificationResponse(
      .init(notification: notification, actionIdentifier: "reply", userText: "hello"))
    #expect(response.notification.request.identifier == "r" && response.actionIdentifier == "reply")
    #expect(response.userText == "hello" && response.targetScene == nil)
  }

  @Test func triggersTellWhatTheyWereMadeOf() {
    let interval = UNTimeIntervalNotificationTrigger(timeInterval: 90.5, repeats: true)
    #expect(interval.timeInterval == 90.5 && interval.repeats)
    let calendar = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8, minute: 30), repeats: false)
    #expect(calendar.dateComponents.hour == 8 && calendar.dateComponents.minute == 30 && !calendar.repeats)
    #expect(UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true).repeats)
    #expect(!UNPushNotificationTrigger(.init(repeats: false)).repeats)
  }

  @Test func theNextDateOfACalendarTriggerMatches() throws {
    let trigger = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8, minute: 30), repeats: true)
    let next = try #require(trigger.nextTriggerDate())
    let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: next)
    #expect(parts.hour == 8 && parts.minute == 30 && parts.second == 0)
    #expect(next > Date() && next.timeIntervalSinceNow < 26 * 3600)
    let past = UNCalendarNotificationTrigger(dateMatching: DateComponents(year: 2001), repeats: false)
    #expect(past.nextTriggerDate() == nil)
  }

  /// Each setting apart from the others.
  @Test func settingsTellWhatTheyWereMadeOf() {
    let switches:
      [(
        WritableKeyPath<UNNotificationSettings.Fields, UNNotificationSetting>,
        KeyPath<UNNotificationSettings, UNNotificationSetting>
      )] = [
        (\.notificationCenter, \.notificationCenterSetting), (\.lockScreen, \.lockScreenSetting),
        (\.carPlay, \.carPlaySetting), (\.alert, \.alertSetting), (\.badge, \.badgeSetting),
        (\.sound, \.soundSetting), (\.criticalAlert, \.criticalAlertSetting),
        (\.announcement, \.announcementSetting), (\.timeSensitive, \.timeSensitiveSetting),
        (\.scheduledDelivery, \.scheduledDeliverySetting), (\.directMessages, \.directMessagesSetting),
      ]
    for (index, (field, _)) in switches.enumerated() {
      var fields = UNNotificationSettings.Fields()
      fields[keyPath: field] = .enabled
      let settings = UNNotificationSettings(fields)
      #expect(switches.indices.filter { settings[keyPath: switches[$0].1] == .enabled } == [index])
    }
    var fields = UNNotificationSettings.Fields()
    fields.authorizationStatus = .denied
    fields.alertStyle = .alert
    fields.showPreviews = .never
    fields.providesAppNotificationSettings = true
    let settings = UNNotificationSettings(fields)
    #expect(settings.authorizationStatus == .denied && settings.alertStyle == .alert)
    #expect(settings.showPreviewsSetting == .never && settings.providesAppNotificationSettings)
  }

  @Test func everyClassCanBeCopiedAndArchived() throws {
    let objects: [any NSObject & NSCopying & NSSecureCoding] = [
      Samples.notification(), Samples.request(), UNNotificationContent(), Samples.fullContent(), Samples.attachment(),
      UNNotificationSound.default, UNNotificationAction(identifier: "a", title: "A"),
      UNTextInputNotificationAction(identifier: "a", title: "A"), UNNotificationActionIcon(systemImageName: "a"),
      Samples.category(), Samples.calendarTrigger(), UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false),
      UNPushNotificationTrigger(.init(repeats: false)), LocationTriggerTests.trigger(), LocationTriggerTests.region(),
      UNNotificationResponse(.init(notification: Samples.notification(), actionIdentifier: "a")),
      UNTextInputNotificationResponse(.init(notification: Samples.notification(), actionIdentifier: "a")),
      UNNotificationSettings(UNNotificationSettings.Fields()), MessageIntentTests.intent(),
    ]
    for object in objects {
      let copy = try #require(object.copy(with: nil) as? NSObject)
      #expect(copy == object)
      #expect(type(of: object).supportsSecureCoding, "\(type(of: object))")
    }
  }
}
