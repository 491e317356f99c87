import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

/// Pending and delivered, rule by rule.
@Suite(.timeLimit(.minutes(1))) struct ScheduleRuleTests {
  private static func hours(_ hours: Double, repeats: Bool = false) -> UNTimeIntervalNotificationTrigger {
    UNTimeIntervalNotificationTrigger(timeInterval: hours * 3600, repeats: repeats)
  }

  @Test("a request with the identifier of a pending one replaces it")
  func replacesPending() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a", title: "old", trigger: Self.hours(1)))
    try await stage.center.add(CenterStage.request("b", trigger: Self.hours(2)))
    try await stage.center.add(CenterStage.request("a", title: "new", trigger: Self.hours(3)))
    let pending = await stage.center.pendingNotificationRequests()
    #expect(pending.map(\.content.title) == ["b", "new"], "the soonest first")
  }

  @Test("a request without a trigger takes the place of a pending one of its identifier")
  func immediateReplacesPending() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a", title: "later", trigger: Self.hours(1)))
    try await stage.center.add(CenterStage.request("a", title: "now"))
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
    #expect(try await stage.titles(1) == ["now"])
  }

  @Test("a delivered notification stays until the new one of its identifier fires, and is then replaced")
  func replacesDelivered() async throws {
    let clock = ManualClock()
    let stage = try await CenterStage(clock: clock)
    try await stage.center.add(CenterStage.request("a", title: "first"))
    try await stage.center.add(
      CenterStage.request("a", title: "second", trigger: Self.hours(1)) { $0.sound = .default })
    #expect(await stage.center.deliveredNotifications().map(\.request.content.title) == ["first"])
    let number = try await stage.number("first")
    clock.advance(3600)
    let second = try await stage.posted("second")
    try await eventually(within: .seconds(10), "it is replaced") {
      await stage.center.deliveredNotifications().map(\.request.content.title) == ["second"]
    }
    // In its place, or anew after the old one was closed: it alerts again.
    #expect(second.notification.replacesID == number || stage.daemon.closeCalls == [number])
    #expect(second.notification.hints["suppress-sound"]?.asBool != true && second.notification.urgency == .normal)
  }

  @Test("a request without a trigger is never pending")
  func immediateIsNotPending() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { _, _ in .hold }
    let stage = try await CenterStage(behavior)
    let notes = Notes<Bool>()
    stage.center.add(CenterStage.request("a")) { notes.add($0 == nil) }
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
    _ = try await stage.posted("a")
    #expect(await stage.center.pendingNotificationRequests().isEmpty && notes.all.isEmpty)
    stage.daemon.answerHeld()
    try await eventually(within: .seconds(10), "it is accepted") { notes.all == [true] }
  }

  @Test("what is changed after adding changes nothing")
  func contentIsCopied() async throws {
    let stage = try await CenterStage()
    let content = UNMutableNotificationContent()
    content.title = "before"
    content.userInfo = ["key": "before"]
    try await stage.center.add(UNNotificationRequest(identifier: "a", content: content, trigger: Self.hours(1)))
    content.title = "after"
    content.userInfo["key"] = "after"
    let pending = try #require(await stage.center.pendingNotificationRequests().first)
    #expect(pending.content.title == "before" && pending.content.userInfo["key"] as? String == "before")
  }

  @Test("a repeating request stays pending after each delivery until it is removed")
  func repeatingStaysPending() async throws {
    let clock = ManualClock()
    let stage = try await CenterStage(clock: clock)
    try await stage.center.add(CenterStage.request("a", trigger: Self.hours(1, repeats: true)))
    for round in 1...3 {
      clock.advance(3600)
      _ = try await stage.titles(round)
      #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["a"])
    }
    stage.center.removePendingNotificationRequests(withIdentifiers: ["a"])
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
    clock.advance(7200)
    try await stage.center.add(CenterStage.request("last"))
    #expect(try await stage.titles(4).last == "last", "nothing fires any more")
  }

  @Test("a request that has fired is pending no more, one that has not still is")
  func firedIsNotPending() async throws {
    let clock = ManualClock()
    let stage = try await CenterStage(clock: clock)
    try await stage.center.add(CenterStage.request("soon", trigger: Self.hours(1)))
    try await stage.center.add(CenterStage.request("late", trigger: Self.hours(2)))
    clock.advance(3600)
    _ = try await stage.posted("soon")
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["late"])
  }

  @Test("C082: of more than 64 pending requests the soonest 64 are kept, without an error")
  func sixtyFour() async throws {
    let stage = try await CenterStage()
    // The latest first: they are dropped though they were there.
    for hour in (1...70).reversed() {
      try await stage.center.add(CenterStage.request("h\(hour)", trigger: Self.hours(Double(hour))))
    }
    let pending = await stage.center.pendingNotificationRequests()
    #expect(pending.map(\.identifier) == (1...64).map { "h\($0)" })
    #expect(stage.log.messages(from: .warning).filter { $0.contains("more than 64 wait") }.count == 6)
  }

  @Test("pending and delivered ones are removed apart, and unknown identifiers are ignored")
  func removalsAreApart() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a"))
    try await stage.center.add(CenterStage.request("a", trigger: Self.hours(1)))
    try await stage.center.add(CenterStage.request("b"))
    stage.center.removePendingNotificationRequests(withIdentifiers: ["a", "b", "unknown"])
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
    #expect(Set(await stage.center.deliveredNotifications().map(\.request.identifier)) == ["a", "b"])
    try await stage.center.add(CenterStage.request("b", trigger: Self.hours(1)))
    stage.center.removeDeliveredNotifications(withIdentifiers: ["b", "unknown"])
    #expect(await stage.center.deliveredNotifications().map(\.request.identifier) == ["a"])
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["b"])
    stage.center.removeAllDeliveredNotifications()
    #expect(await stage.center.deliveredNotifications().isEmpty)
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["b"])
    stage.center.removeAllPendingNotificationRequests()
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
  }

  @Test("opening and dismissing take a notification off the list, expiry leaves it")
  func deliveredList() async throws {
    let stage = try await CenterStage()
    for name in ["open", "dismiss", "expire"] { try await stage.center.add(CenterStage.request(name)) }
    stage.daemon.invoke(try await stage.number("open"), "default")
    stage.daemon.close(try await stage.number("dismiss"), .dismissed)
    stage.daemon.close(try await stage.number("expire"), .expired)
    try await eventually(within: .seconds(10), "one is left") {
      await stage.center.deliveredNotifications().map(\.request.identifier) == ["expire"]
    }
  }

  @Test("a notification's date is that of its delivery")
  func deliveryDate() async throws {
    let clock = ManualClock()
    let stage = try await CenterStage(clock: clock)
    try await stage.center.add(CenterStage.request("a", trigger: Self.hours(1)))
    clock.advance(3600)
    try await eventually(within: .seconds(10), "it is delivered") {
      await stage.center.deliveredNotifications().first?.date == clock.now
    }
    #expect(await stage.center.deliveredNotifications().first?.request.trigger is UNTimeIntervalNotificationTrigger)
  }

  @Test("a badge: nil leaves it alone, 0 hides it, and below 0 is error 1600")
  func badges() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a") { $0.badge = 5 })
    #expect(await stage.engine.badge(of: "org.example.stage") == 5)
    try await stage.center.add(CenterStage.request("b"))
    #expect(await stage.engine.badge(of: "org.example.stage") == 5)
    try await stage.center.add(CenterStage.request("c") { $0.badge = 0 })
    #expect(await stage.engine.badge(of: "org.example.stage") == 0)
    let notes = Notes<Int>()
    stage.center.setBadgeCount(-1) { notes.add(($0 as? UNError)?.errorCode ?? 0) }
    try await eventually(within: .seconds(10), "the error") { notes.all == [1600] }
    #expect(await stage.engine.badge(of: "org.example.stage") == 0)
  }

  @Test("a title, a sound, a badge or a file alone is enough; nothing at all is error 1401")
  func somethingToShow() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let picture = try folder.file("a.png", AttachmentTests.png)
    try await stage.center.add(CenterStage.request("sound", title: "") { $0.sound = .default })
    try await stage.center.add(CenterStage.request("badge", title: "") { $0.badge = 1 })
    try await stage.center.add(CenterStage.request("body", title: "") { $0.body = "text" })
    let attachment = try UNNotificationAttachment(identifier: "", url: picture)
    try await stage.center.add(CenterStage.request("file", title: "") { $0.attachments = [attachment] })
    let code = await appleCode { try await stage.center.add(CenterStage.request("none", title: "")) }
    #expect(code == .notificationInvalidNoContent)
  }
}
