import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(1))) struct CenterTests {
  @Test func addShowsTheNotificationAndThenCompletes() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(
      CenterStage.request("a") {
        $0.title = "Title"
        $0.subtitle = "Sub"
        $0.body = "a < b & \"c\""
      })
    let posted = try await stage.posted("Title")
    #expect(posted.notification.body == "<b>Sub</b>\na &lt; b &amp; \"c\"")
    #expect(posted.notification.appName == "Stage")
    #expect(await stage.center.deliveredNotifications().map(\.request.identifier) == ["a"])
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
  }

  @Test func completionFormsAnswerOffTheCallersThread() async throws {
    let stage = try await CenterStage()
    let notes = Notes<String>()
    let center = stage.center
    center.requestAuthorization { granted, error in notes.add("granted \(granted) \(error == nil)") }
    center.setNotificationCategories([Samples.category()])
    center.getNotificationCategories { notes.add("categories \($0.count)") }
    center.add(CenterStage.request("a")) { notes.add("added \($0 == nil)") }
    center.add(CenterStage.request("b"), withCompletionHandler: nil)
    center.getPendingNotificationRequests { notes.add("pending \($0.count)") }
    center.setBadgeCount(4) { notes.add("badge \($0 == nil)") }
    center.getNotificationSettings { notes.add("settings \($0.authorizationStatus == .authorized)") }
    try await eventually(within: .seconds(10), "all completed") { notes.all.count == 6 }
    #expect(
      Set(notes.all) == [
        "granted true true", "categories 1", "added true", "pending 0", "badge true", "settings true",
      ])
    _ = try await stage.number("b")
    // The daemon has it before its answer is here.
    let delivered = Notes<Int>()
    try await eventually(within: .seconds(10), "delivered") {
      center.getDeliveredNotifications { delivered.add($0.count) }
      return delivered.all.last == 2
    }
  }

  @Test("C084 calls of one process take effect in call order")
  func callOrder() async throws {
    let stage = try await CenterStage()
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)
    for round in 0..<1000 {
      stage.center.removePendingNotificationRequests(withIdentifiers: ["x"])
      stage.center.add(
        CenterStage.request("x", title: "round \(round)", trigger: trigger), withCompletionHandler: nil)
      if round % 100 == 0 {
        let pending = await stage.center.pendingNotificationRequests()
        #expect(pending.map(\.content.title) == ["round \(round)"])
      }
    }
    stage.center.removeAllPendingNotificationRequests()
    stage.center.add(CenterStage.request("y", trigger: trigger), withCompletionHandler: nil)
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["y"])
  }

  @Test("C035 add returns at once while the daemon is slow, and others go on")
  func slowDaemon() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in call == 1 ? .hold : .accept }
    let stage = try await CenterStage(behavior)
    let notes = Notes<String>()
    let clock = ContinuousClock()
    let taken = clock.measure {
      stage.center.add(CenterStage.request("slow")) { _ in notes.add("slow") }
    }
    #expect(taken < .milliseconds(50))
    try await stage.center.add(CenterStage.request("quick"))
    #expect(notes.all.isEmpty)
    stage.daemon.answerHeld()
    try await eventually(within: .seconds(10), "the slow one completes") { notes.all == ["slow"] }
  }

  @Test func wrongRequestsFailWithApplesCodes() async throws {
    let stage = try await CenterStage()
    func code(_ request: UNNotificationRequest) async -> UNError.Code? {
      await appleCode { try await stage.center.add(request) }
    }
    #expect(await code(CenterStage.request("empty", title: "")) == .notificationInvalidNoContent)
    var past = DateComponents()
    past.year = 2001
    let never = UNCalendarNotificationTrigger(dateMatching: past, repeats: false)
    #expect(never.nextTriggerDate() == nil)
    #expect(await code(CenterStage.request("past", trigger: never)) == .notificationInvalidNoDate)
    let own = try #require(UNNotificationTrigger(coder: EmptyCoder()))
    #expect(await code(CenterStage.request("own", trigger: own)) == .notificationInvalidNoDate)
    #expect(stage.daemon.posted.isEmpty)
  }

  @Test("C100 userInfo that cannot be stored fails the request and names the key path")
  func userInfo() async throws {
    let stage = try await CenterStage()
    await #expect {
      try await stage.center.add(CenterStage.request("a") { $0.userInfo = ["b": [1, NSObject()]] })
    } throws: { error in
      error.localizedDescription.hasPrefix(#"userInfo["b"][1] is a NSObject"#)
    }
    #expect(stage.daemon.posted.isEmpty)
  }

  @Test func withoutADaemonTheErrorSaysWhatToDo() async throws {
    let stage = try await CenterStage()
    await stage.daemon.stop()
    await #expect {
      try await stage.center.add(CenterStage.request("a"))
    } throws: { error in
      let error = error as NSError
      return error.localizedDescription.contains("no notification daemon is running")
        && error.localizedDescription.contains("notify-bridge terminal")
        && error.domain == "NotifyBridgeErrorDomain" && error.userInfo[NSUnderlyingErrorKey] != nil
    }
    let settings = await stage.center.notificationSettings()
    #expect(settings.alertSetting == .notSupported && settings.authorizationStatus == .notDetermined)
  }

  @Test func withoutABusTheErrorSaysWhatToDoAndABusThatComesIsUsed() async throws {
    let stage = try await CenterStage()
    stage.bus.kill()
    await #expect {
      try await stage.center.add(CenterStage.request("a"))
    } throws: { error in
      error.localizedDescription.contains("session bus") && error.localizedDescription.contains("notify-bridge doctor")
    }
    try await stage.bus.restart()
    let daemon = try await FakeNotificationServer.start(at: stage.bus.address)
    // The connections come back by themselves, after a pause.
    try await eventually(within: .seconds(10), "b is taken") {
      (try? await stage.center.add(CenterStage.request("b"))) != nil
    }
    try await eventually(within: .seconds(10), "b is posted") { daemon.posted.map(\.notification.summary) == ["b"] }
  }

  @Test func theDaemonsRefusalKeepsItsWords() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { _, _ in .refuse("org.example.Error.Odd", "not today") }
    let stage = try await CenterStage(behavior)
    await #expect {
      try await stage.center.add(CenterStage.request("a"))
    } throws: { error in
      error.localizedDescription.contains("not today")
    }
  }

  @Test func settingsFollowTheQuestionAndTheDaemon() async throws {
    let stage = try await CenterStage()
    #expect(await stage.center.notificationSettings().authorizationStatus == .notDetermined)
    try await stage.center.add(CenterStage.request("works without asking"))
    #expect(try await stage.center.requestAuthorization(options: [.alert, .sound]))
    let settings = await stage.center.notificationSettings()
    #expect(settings.authorizationStatus == .authorized)
    #expect(settings.alertSetting == .enabled && settings.soundSetting == .enabled)
    #expect(settings.notificationCenterSetting == .enabled && settings.alertStyle == .banner)
    #expect(settings.badgeSetting == .notSupported && settings.lockScreenSetting == .notSupported)
    #expect(settings.carPlaySetting == .notSupported && settings.announcementSetting == .notSupported)

    var plain = FakeNotificationServer.Behavior()
    plain.capabilities = ["body"]
    let other = try await CenterStage(plain)
    #expect(try await other.center.requestAuthorization(options: [.provisional, .providesAppNotificationSettings]))
    let less = await other.center.notificationSettings()
    #expect(less.authorizationStatus == .provisional && less.soundSetting == .notSupported)
    #expect(less.notificationCenterSetting == .notSupported && less.providesAppNotificationSettings)
  }

  @Test func whoIsDeniedMayNotNotify() async throws {
    let stage = try await CenterStage()
    var denied = AuthorizationRecord()
    denied.status = .denied
    await stage.engine.setAuthorization(denied, for: "org.example.stage")
    #expect(
      await appleCode { _ = try await stage.center.requestAuthorization(options: .alert) } == .notificationsNotAllowed)
    #expect(await appleCode { try await stage.center.add(CenterStage.request("a")) } == .notificationsNotAllowed)
    #expect(await stage.center.notificationSettings().authorizationStatus == .denied)
  }

  @Test("C102 setting categories replaces them, and what is shown keeps its buttons")
  func categories() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    func category(_ name: String) -> UNNotificationCategory {
      UNNotificationCategory(
        identifier: name, actions: [UNNotificationAction(identifier: "press-\(name)", title: "Press \(name)")],
        intentIdentifiers: [])
    }
    stage.center.setNotificationCategories([category("A")])
    try await stage.center.add(CenterStage.request("first", category: "A"))
    stage.center.setNotificationCategories([category("B")])
    #expect(await stage.center.notificationCategories() == [category("B")])
    stage.daemon.invoke(try await stage.number("first"), "press-A")
    try await eventually(within: .seconds(10), "the response") { delegate.responses.all.count == 1 }
    #expect(delegate.responses.all[0].actionIdentifier == "press-A")
    try await stage.center.add(CenterStage.request("second", category: "A"))
    #expect(try await stage.posted("second").notification.actions.map(\.key) == ["default"])
  }

  @Test func ofTwoCategoriesOfOneNameTheNewOneCounts() async throws {
    let stage = try await CenterStage()
    func category(_ title: String) -> UNNotificationCategory {
      UNNotificationCategory(
        identifier: "c", actions: [UNNotificationAction(identifier: "x", title: title)], intentIdentifiers: [])
    }
    stage.center.setNotificationCategories([category("old")])
    for round in 0..<8 {
      let former = await stage.center.notificationCategories()
      stage.center.setNotificationCategories(former.union([category("new \(round)")]))
      try await stage.center.add(CenterStage.request("n\(round)", category: "c"))
      #expect(try await stage.posted("n\(round)").notification.actions.first?.label == "new \(round)")
      stage.center.setNotificationCategories([category("new \(round)")])
    }
  }

  @Test func badgesBelowZeroAreRefused() async throws {
    let stage = try await CenterStage()
    try await stage.center.setBadgeCount(7)
    #expect(await stage.engine.badge(of: "org.example.stage") == 7)
    try await stage.center.setBadgeCount(0)
    #expect(await stage.engine.badge(of: "org.example.stage") == 0)
    #expect(await appleCode { try await stage.center.setBadgeCount(-1) } == .badgeInputInvalid)
  }

  @Test func pendingRequestsTellWhenTheyFire() async throws {
    let stage = try await CenterStage()
    let before = Date()
    try await stage.center.add(
      CenterStage.request("in an hour", trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: true)))
    let after = Date()
    let pending = await stage.center.pendingNotificationRequests()
    let trigger = try #require(pending.first?.trigger as? UNTimeIntervalNotificationTrigger)
    let due = try #require(trigger.nextTriggerDate())
    #expect(due >= before.addingTimeInterval(3600) && due <= after.addingTimeInterval(3600))
    #expect(trigger.nextTriggerDate() == due, "it does not move on")
    #expect(trigger.repeats && trigger.timeInterval == 3600)
  }

  @Test func aDueRequestIsDelivered() async throws {
    let clock = ManualClock()
    let stage = try await CenterStage(clock: clock)
    try await stage.center.add(
      CenterStage.request("soon", trigger: UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)))
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["soon"])
    #expect(stage.daemon.posted.isEmpty)
    clock.advance(5)
    _ = try await stage.number("soon")
    #expect(await stage.center.pendingNotificationRequests().isEmpty)
    try await eventually(within: .seconds(10), "it is delivered") {
      await stage.center.deliveredNotifications().map(\.request.identifier) == ["soon"]
    }
  }

  @Test("C104 removing a delivered notification closes it and tells nobody")
  func removal() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    stage.center.setNotificationCategories([
      UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [], options: .customDismissAction)
    ])
    try await stage.center.add(CenterStage.request("a", category: "c"))
    try await stage.center.add(CenterStage.request("b", category: "c"))
    let number = try await stage.number("a")
    stage.center.removeDeliveredNotifications(withIdentifiers: ["a", "unknown"])
    try await eventually(within: .seconds(10), "it is closed") { stage.daemon.closeCalls == [number] }
    #expect(await stage.center.deliveredNotifications().map(\.request.identifier) == ["b"])
    stage.center.removeAllDeliveredNotifications()
    try await eventually(within: .seconds(10), "all are closed") { stage.daemon.closeCalls.count == 2 }
    #expect(await stage.center.deliveredNotifications().isEmpty)
    #expect(delegate.responses.all.isEmpty)
  }

  @Test func theSharedCenterNeedsNoBus() {
    #expect(UNUserNotificationCenter.current() === UNUserNotificationCenter.current())
    #expect(UNUserNotificationCenter.current().delegate == nil)
    #expect(!UNUserNotificationCenter.current().supportsContentExtensions)
  }
}
