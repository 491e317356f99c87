import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

/// Categories, responses and presentation, rule by rule.
@Suite(.timeLimit(.minutes(1))) struct DelegateRuleTests {
  private static func category(
    _ name: String, _ actions: [UNNotificationAction] = [], _ options: UNNotificationCategoryOptions = []
  ) -> UNNotificationCategory {
    UNNotificationCategory(identifier: name, actions: actions, intentIdentifiers: [], options: options)
  }

  @Test("without registered categories the set is empty, and what was set last is told at once")
  func categoriesReflectTheLastSet() async throws {
    let stage = try await CenterStage()
    #expect(await stage.center.notificationCategories().isEmpty)
    stage.center.setNotificationCategories([Self.category("a"), Self.category("b")])
    #expect(await stage.center.notificationCategories().map(\.identifier).sorted() == ["a", "b"])
    stage.center.setNotificationCategories([])
    #expect(await stage.center.notificationCategories().isEmpty)
  }

  @Test("a category is found by its identifier, letter case and all, and its actions keep their order")
  func categoriesMatchByCase() async throws {
    let stage = try await CenterStage()
    let actions = ["z", "a", "m"].map { UNNotificationAction(identifier: $0, title: "Title \($0)") }
    stage.center.setNotificationCategories([Self.category("Mail", actions)])
    try await stage.center.add(CenterStage.request("yes", category: "Mail"))
    try await stage.center.add(CenterStage.request("no", category: "mail"))
    #expect(try await stage.posted("yes").notification.actions.map(\.key) == ["z", "a", "m", "default"])
    #expect(try await stage.posted("no").notification.actions.map(\.key) == ["default"])
  }

  @Test("of more than ten actions the first ten are shown")
  func tenActions() async throws {
    let stage = try await CenterStage()
    let actions = (1...12).map { UNNotificationAction(identifier: "a\($0)", title: "Action \($0)") }
    stage.center.setNotificationCategories([Self.category("c", actions)])
    try await stage.center.add(CenterStage.request("many", category: "c"))
    #expect(
      try await stage.posted("many").notification.actions.map(\.key) == (1...10).map { "a\($0)" } + ["default"])
  }

  @Test("a dismissal is told only where the category asks for it, and expiry never is")
  func dismissals() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    stage.center.setNotificationCategories([Self.category("tells", [], .customDismissAction), Self.category("quiet")])
    for (name, category) in [("a", "quiet"), ("b", ""), ("c", "tells"), ("d", "tells")] {
      try await stage.center.add(CenterStage.request(name, category: category))
    }
    for name in ["a", "b"] { stage.daemon.close(try await stage.number(name), .dismissed) }
    stage.daemon.close(try await stage.number("c"), .expired)
    stage.daemon.close(try await stage.number("d"), .dismissed)
    try await eventually(within: .seconds(10), "the dismissal of d") { !delegate.responses.all.isEmpty }
    let told = delegate.responses.all.map { "\($0.notification.request.identifier) \($0.actionIdentifier)" }
    #expect(told == ["d \(UNNotificationDismissActionIdentifier)"])
  }

  @Test("the order of one notification: how to present it, its presentation, its response")
  func order() async throws {
    let notes = Notes<String>()
    var behavior = FakeNotificationServer.Behavior()
    behavior.beforeAnswer = { _, _ in notes.add("shown") }
    behavior.afterAnswer = { server, posted in server.invoke(posted.serverID, "default") }
    let stage = try await CenterStage(behavior)
    let delegate = OrderDelegate(notes)
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("a"))
    try await eventually(within: .seconds(10), "the response") { notes.all.count == 3 }
    #expect(notes.all == ["asked", "shown", "response"])
    withExtendedLifetime(delegate) {}
  }

  private final class OrderDelegate: NSObject, UNUserNotificationCenterDelegate {
    let notes: Notes<String>
    init(_ notes: Notes<String>) { self.notes = notes }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
      notes.add("asked")
      return [.banner, .list]
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
      notes.add("response")
      completionHandler()
    }
  }

  @available(*, deprecated, message: "of a deprecated name")
  @Test("the old option alert means banner and list")
  func alertOption() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate(presentation: .alert)
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("a"))
    #expect(try await stage.posted("a").notification.urgency == .normal)
    #expect(await stage.center.deliveredNotifications().count == 1)
  }

  @Test(
    "interruption levels decide how urgent it is",
    arguments: [
      (UNNotificationInterruptionLevel.passive, Urgency.low), (.active, .normal), (.timeSensitive, .normal),
      (.critical, .critical),
    ])
  func levels(_ level: UNNotificationInterruptionLevel, _ urgency: Urgency) async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a") { $0.interruptionLevel = level })
    let posted = try await stage.posted("a").notification
    #expect(posted.urgency == urgency)
    if level == .critical { #expect(posted.hints["suppress-sound"]?.asBool != true, "it has a sound of its own") }
  }

  @Test("what only travels along comes back with the response")
  func travelsAlong() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    let request = CenterStage.request("a", category: "unknown") {
      $0.targetContentIdentifier = "window-2"
      $0.threadIdentifier = "thread"
      $0.filterCriteria = "work"
      $0.relevanceScore = 0.5
      $0.launchImageName = "launch"
    }
    try await stage.center.add(request)
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await eventually(within: .seconds(10), "the response") { delegate.responses.all.count == 1 }
    #expect(delegate.responses.all[0].notification.request.content == request.content)
    #expect(delegate.responses.all[0].targetScene == nil)
  }

  @Test("completion handlers of the center run off the main queue")
  @MainActor func handlersRunInTheBackground() async throws {
    let stage = try await CenterStage()
    let notes = Notes<Bool>()
    let center = stage.center
    center.requestAuthorization { _, _ in notes.add(isOnMainQueue) }
    center.getNotificationCategories { _ in notes.add(isOnMainQueue) }
    center.getNotificationSettings { _ in notes.add(isOnMainQueue) }
    center.getPendingNotificationRequests { _ in notes.add(isOnMainQueue) }
    center.getDeliveredNotifications { _ in notes.add(isOnMainQueue) }
    center.add(CenterStage.request("a")) { _ in notes.add(isOnMainQueue) }
    center.add(CenterStage.request("b", title: "")) { _ in notes.add(isOnMainQueue) }
    center.setBadgeCount(1) { _ in notes.add(isOnMainQueue) }
    try await eventually(within: .seconds(10), "all have run") { @Sendable in notes.all.count == 8 }
    #expect(notes.all.allSatisfy { !$0 })
  }
}
