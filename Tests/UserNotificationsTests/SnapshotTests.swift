import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

@Suite struct SnapshotTests {
  @Test func requestsSurviveTheWayThroughRecords() throws {
    let triggers: [UNNotificationTrigger?] = [
      nil, UNTimeIntervalNotificationTrigger(timeInterval: 90.5, repeats: true), Samples.calendarTrigger(),
      UNPushNotificationTrigger(.init(repeats: false)),
    ]
    for trigger in triggers {
      let request = Samples.request(trigger)
      let record = try RequestRecord(request)
      let back = UNNotificationRequest(record)
      #expect(back.identifier == "request")
      #expect(back.content == request.content)
      #expect(back.trigger.map { type(of: $0) } == trigger.map { type(of: $0) })
      #expect(back.trigger?.repeats == trigger?.repeats)
      #expect(try RequestRecord(back) == record)
    }
  }

  @Test func everyPropertyReachesTheRecord() throws {
    let record = try RequestRecord(Samples.request()).content
    #expect(record.title == "title" && record.subtitle == "subtitle" && record.body == "body")
    #expect(record.badge == 3)
    #expect(record.sound == SoundRecord(.named("alarm.wav"), isCritical: true, volume: 0.5))
    #expect(record.launchImageName == "launch")
    #expect(record.userInfo["yes"] == .boolean(true) && record.userInfo["one"] == .integer(1))
    #expect(record.attachments == [Samples.attachment().record])
    #expect(record.categoryIdentifier == "category" && record.threadIdentifier == "thread")
    #expect(record.summaryArgument == "Ann" && record.summaryArgumentCount == 4)
    #expect(record.targetContentIdentifier == "window" && record.filterCriteria == "work")
    #expect(record.interruptionLevel == .timeSensitive && record.relevanceScore == 0.75)
  }

  @Test(arguments: [
    (UNNotificationInterruptionLevel.passive, InterruptionLevel.passive), (.active, .active),
    (.timeSensitive, .timeSensitive), (.critical, .critical),
  ])
  func interruptionLevelsCorrespond(_ apple: UNNotificationInterruptionLevel, _ ours: InterruptionLevel) {
    #expect(InterruptionLevel(apple) == ours)
    #expect(UNNotificationInterruptionLevel(ours) == apple)
  }

  @Test func categoriesSurviveTheWayThroughRecords() {
    let category = Samples.category()
    let record = CategoryRecord(category)
    #expect(record.options == [.customDismissAction, .hiddenPreviewsShowTitle])
    #expect(record.actions.map(\.options) == [[.foreground, .authenticationRequired], .destructive])
    #expect(record.actions[1].textInput == .init(buttonTitle: "Send", placeholder: "Message"))
    #expect(UNNotificationCategory(record) == category)
  }

  @Test func zonesFloatOrStayFixed() {
    func zone(_ change: (inout DateComponents) -> Void) -> String? {
      var components = DateComponents(hour: 18)
      change(&components)
      return CalendarRule(components).timeZone
    }
    #expect(zone { _ in } == nil)
    #expect(zone { $0.timeZone = .autoupdatingCurrent } == nil)
    #expect(zone { $0.timeZone = TimeZone(identifier: "GMT") } == "GMT")
    #expect(zone { $0.timeZone = TimeZone(identifier: "Asia/Tokyo") } == "Asia/Tokyo")
    #expect(zone { $0.calendar = .current } == nil)
    #expect(zone { $0.calendar = .autoupdatingCurrent } == nil)
    var tokyo = Calendar(identifier: .gregorian)
    tokyo.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
    #expect(zone { $0.calendar = tokyo } == "Asia/Tokyo")
    #expect(
      zone {
        $0.calendar = tokyo
        $0.timeZone = TimeZone(identifier: "America/New_York")
      } == "America/New_York")
  }

  @Test func everyComponentReachesTheRuleAndBack() {
    var components = DateComponents(
      calendar: Calendar(identifier: .japanese), timeZone: TimeZone(identifier: "Asia/Tokyo"), era: 1, year: 2,
      month: 3, day: 4, hour: 5, minute: 6, second: 7, nanosecond: 8, weekday: 1, weekdayOrdinal: 9, quarter: 10,
      weekOfMonth: 11, weekOfYear: 12, yearForWeekOfYear: 13)
    components.dayOfYear = 14
    let rule = CalendarRule(components)
    #expect(rule.calendar == "japanese")
    let back = DateComponents(rule)
    #expect(CalendarRule(back) == rule)
    #expect(back.era == 1 && back.second == 7 && back.yearForWeekOfYear == 13 && back.dayOfYear == 14)
    #expect(back.calendar?.identifier == .japanese && back.timeZone?.identifier == "Asia/Tokyo")
  }

  @Test func responsesComeBackAsApplesClasses() throws {
    let request = try RequestRecord(Samples.request())
    let notification = NotificationRecord(
      application: ApplicationRecord(identifier: "org.example.app", name: "App"), request: request,
      date: Date(timeIntervalSince1970: 7))
    func make(_ action: ResponseRecord.Action, text: String? = nil) -> UNNotificationResponse? {
      .make(ResponseRecord(notification: notification, action: action, text: text))
    }
    let clicked = try #require(make(.default))
    #expect(clicked.actionIdentifier == UNNotificationDefaultActionIdentifier)
    #expect(clicked.notification.date == Date(timeIntervalSince1970: 7))
    #expect(clicked.notification.request.content == Samples.request().content)
    #expect(!(clicked is UNTextInputNotificationResponse))
    #expect(make(.dismiss)?.actionIdentifier == UNNotificationDismissActionIdentifier)
    #expect(make(.custom("yes"))?.actionIdentifier == "yes")
    let reply = try #require(make(.custom("reply"), text: "hello") as? UNTextInputNotificationResponse)
    #expect(reply.userText == "hello" && reply.actionIdentifier == "reply")
    #expect(make(.settings) == nil)
  }

  @Test func settingsTellTheDaemonsAbilities() {
    var record = SettingsRecord()
    #expect(UNNotificationSettings(record).authorizationStatus == .notDetermined)
    #expect(UNNotificationSettings(record).alertSetting == .notSupported)
    #expect(UNNotificationSettings(record).alertStyle == .none)
    record.alert = .enabled
    record.sound = .disabled
    record.authorization.status = .authorized
    record.authorization.options = [.alert, .providesAppNotificationSettings]
    let settings = UNNotificationSettings(record)
    #expect(settings.authorizationStatus == .authorized && settings.alertSetting == .enabled)
    #expect(settings.soundSetting == .disabled && settings.badgeSetting == .notSupported)
    #expect(settings.alertStyle == .banner && settings.providesAppNotificationSettings)
  }
}
