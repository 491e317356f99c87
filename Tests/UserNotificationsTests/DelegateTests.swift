import DBus
import Dispatch
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(1))) struct DelegateTests {
  private static let quick = DelegateCaller.Limits(answer: .milliseconds(300), mainQueue: .seconds(40))

  private static func category(_ actions: [UNNotificationAction]) -> UNNotificationCategory {
    UNNotificationCategory(
      identifier: "c", actions: actions, intentIdentifiers: [], options: .customDismissAction)
  }

  @Test func everyKindOfResponseReachesTheDelegateOnTheMainQueue() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let stage = try await CenterStage(behavior)
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    stage.center.setNotificationCategories([
      Self.category([
        UNNotificationAction(identifier: "yes", title: "Yes"),
        UNTextInputNotificationAction(identifier: "say", title: "Say"),
      ])
    ])
    for name in ["click", "press", "reply", "dismiss"] {
      try await stage.center.add(
        CenterStage.request(name, category: "c") { $0.userInfo = ["name": name, "flag": true] })
    }
    stage.daemon.invoke(try await stage.number("click"), "default")
    stage.daemon.invoke(try await stage.number("press"), "yes")
    stage.daemon.reply(try await stage.number("reply"), "hello")
    stage.daemon.close(try await stage.number("dismiss"), .dismissed)
    try await eventually(within: .seconds(10), "four responses") { delegate.responses.all.count == 4 }
    let responses = delegate.responses.all
    #expect(responses.map(\.notification.request.identifier) == ["click", "press", "reply", "dismiss"])
    #expect(
      responses.map(\.actionIdentifier) == [
        UNNotificationDefaultActionIdentifier, "yes", "say", UNNotificationDismissActionIdentifier,
      ])
    #expect((responses[2] as? UNTextInputNotificationResponse)?.userText == "hello")
    #expect(responses[1].notification.request.content.userInfo["name"] as? String == "press")
    #expect(responses[1].notification.request.content.userInfo["flag"] as? Bool == true)
    #expect(delegate.onMain.all.allSatisfy { $0 })
  }

  @Test("C069 a response waits until a delegate is set and is then given once")
  func lateDelegate() async throws {
    let stage = try await CenterStage()
    try await stage.center.add(CenterStage.request("a"))
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await eventually(within: .seconds(10), "the engine has the response") {
      await stage.center.deliveredNotifications().isEmpty
    }
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    try await eventually(within: .seconds(10), "it is handed over") { delegate.responses.all.count == 1 }
    let second = TestDelegate()
    stage.center.delegate = second
    try await stage.center.add(CenterStage.request("b"))
    stage.daemon.invoke(try await stage.number("b"), "default")
    try await eventually(within: .seconds(10), "the second response") { second.responses.all.count == 1 }
    #expect(delegate.responses.all.count == 1)
  }

  @Test("C070 the delegate set last hears, and none is safe")
  func lastDelegate() async throws {
    let stage = try await CenterStage()
    let (first, second) = (TestDelegate(), TestDelegate())
    stage.center.delegate = first
    stage.center.delegate = second
    #expect(stage.center.delegate === second)
    try await stage.center.add(CenterStage.request("a"))
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await eventually(within: .seconds(10), "the response") { second.responses.all.count == 1 }
    #expect(first.responses.all.isEmpty)
    stage.center.delegate = nil
    try await stage.center.add(CenterStage.request("b"))
    stage.daemon.invoke(try await stage.number("b"), "default")
    try await eventually(within: .seconds(10), "the engine has the response") {
      await stage.center.deliveredNotifications().isEmpty
    }
    #expect(second.responses.all.count == 1)
  }

  @Test func theDelegateIsHeldWeakly() async throws {
    let stage = try await CenterStage()
    var delegate: TestDelegate? = TestDelegate()
    stage.center.delegate = delegate
    #expect(stage.center.delegate != nil)
    delegate = nil
    #expect(stage.center.delegate == nil)
    try await stage.center.add(CenterStage.request("shown all the same"))
    #expect(try await stage.titles(1).count == 1)
  }

  @Test("C024 a handler that is never called holds up nothing and is reported once")
  func forgottenHandler() async throws {
    let stage = try await CenterStage(limits: Self.quick)
    let delegate = TestDelegate(answersResponses: false)
    stage.center.delegate = delegate
    for name in ["a", "b", "c"] {
      try await stage.center.add(CenterStage.request(name))
      stage.daemon.invoke(try await stage.number(name), "default")
    }
    try await eventually(within: .seconds(20), "all responses") { delegate.responses.all.count == 3 }
    try await eventually(within: .seconds(20), "a warning") { !stage.log.messages(from: .warning).isEmpty }
    #expect(stage.log.messages(from: .warning).count == 1)
    #expect(
      stage.log.messages(from: .warning)[0].contains("did not call the completion handler for the response to 'a'"))
  }

  @Test func presentationOptionsDecide() async throws {
    func post(_ options: UNNotificationPresentationOptions) async throws -> CenterStage {
      let stage = try await CenterStage()
      let delegate = TestDelegate(presentation: options)
      stage.center.delegate = delegate
      try await stage.center.add(
        CenterStage.request("a") {
          $0.sound = .default
          $0.badge = 5
        })
      #expect(delegate.asked.all == ["a"] && delegate.onMain.all == [true])
      return stage
    }
    let loud = try await post([.banner, .list, .sound, .badge])
    #expect(try await loud.posted("a").notification.hints["suppress-sound"]?.asBool != true)
    #expect(await loud.engine.badge(of: "org.example.stage") == 5)
    let silent = try await post([.banner, .list])
    #expect(try await silent.posted("a").notification.hints["suppress-sound"]?.asBool == true)
    #expect(await silent.engine.badge(of: "org.example.stage") == nil)
    let listed = try await post(.list)
    #expect(try await listed.posted("a").notification.urgency == .low)
    let none = try await post([])
    #expect(none.daemon.posted.isEmpty)
    #expect(await none.center.deliveredNotifications().isEmpty)
  }

  @Test func aDelegateThatNeverSaysHowIsReportedAndTheNotificationIsNotPresented() async throws {
    let stage = try await CenterStage(limits: Self.quick)
    let delegate = TestDelegate(presentation: nil)
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("a"))
    try await stage.center.add(CenterStage.request("b"))
    #expect(stage.daemon.posted.isEmpty)
    #expect(stage.log.messages(from: .warning).count == 1)
    #expect(stage.log.messages(from: .warning).first?.contains("how to present") == true)
    #expect(delegate.asked.all == ["a", "b"])
  }

  /// Leaves everything out.
  private final class EmptyDelegate: NSObject, UNUserNotificationCenterDelegate {}

  /// The async forms alone.
  private final class AsyncDelegate: NSObject, UNUserNotificationCenterDelegate {
    let responses = Notes<String>()

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
      await Task.yield()
      return notification.request.identifier == "hidden" ? [] : .banner
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
      await Task.yield()
      responses.add(response.actionIdentifier)
    }
  }

  @Test func anEmptyDelegateIsAsGoodAsNone() async throws {
    let stage = try await CenterStage()
    let delegate = EmptyDelegate()
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("a"))
    #expect(try await stage.titles(1).count == 1)
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await stage.center.add(CenterStage.request("b"))
    stage.daemon.invoke(try await stage.number("b"), "default")
    try await eventually(within: .seconds(10), "both were dropped") {
      stage.log.messages(from: .debug).filter { $0.contains("takes no responses") }.count == 2
    }
    let heir = TestDelegate()
    stage.center.delegate = heir
    try await stage.center.add(CenterStage.request("c"))
    stage.daemon.invoke(try await stage.number("c"), "default")
    try await eventually(within: .seconds(10), "the next delegate hears") { !heir.responses.all.isEmpty }
    #expect(heir.responses.all.map(\.notification.request.identifier) == ["c"])
    #expect(stage.log.messages(from: .warning).isEmpty)
    withExtendedLifetime(delegate) {}
  }

  @Test func asyncFormsAreCalled() async throws {
    let stage = try await CenterStage()
    let delegate = AsyncDelegate()
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("hidden"))
    #expect(stage.daemon.posted.isEmpty)
    try await stage.center.add(CenterStage.request("shown"))
    stage.daemon.invoke(try await stage.number("shown"), "default")
    try await eventually(within: .seconds(10), "the response") {
      delegate.responses.all == [UNNotificationDefaultActionIdentifier]
    }
    #expect(stage.log.messages(from: .warning).isEmpty)
  }

  /// Called without a hop, since the main queue is the main actor's.
  @MainActor
  private final class MainActorDelegate: NSObject, @MainActor UNUserNotificationCenterDelegate {
    var seen: [String] = []

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      seen.append("asked \(notification.request.identifier)")
      completionHandler(.banner)
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
      MainActor.assertIsolated()
      seen.append("response to \(response.notification.request.identifier)")
    }
  }

  @Test @MainActor func aDelegateOfTheMainActorIsCalledThere() async throws {
    let stage = try await CenterStage()
    let delegate = MainActorDelegate()
    stage.center.delegate = delegate
    try await stage.center.add(CenterStage.request("a"))
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await eventually(within: .seconds(10), "the response") { @Sendable in
      await delegate.seen == ["asked a", "response to a"]
    }
  }

  @Test func theSettingsButtonAsksForTheApplicationsSettings() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    let record = NotificationRecord(
      application: ApplicationRecord(identifier: "org.example.stage", name: "Stage"),
      request: try RequestRecord(CenterStage.request("a")), date: Date())
    stage.center.core.caller.receive(ResponseRecord(notification: record, action: .settings))
    stage.center.core.caller.receive(ResponseRecord(notification: record, action: .default))
    try await eventually(within: .seconds(10), "both") {
      delegate.settingsFor.all == ["a"] && delegate.responses.all.count == 1
    }
  }

  @Test func aBlockedMainQueueIsReportedOnceAndTheNotificationIsShown() async throws {
    let stage = try await CenterStage(limits: .init(answer: .seconds(3), mainQueue: .milliseconds(200)))
    try await stage.center.add(CenterStage.request("connects"))
    let delegate = TestDelegate(presentation: [])
    stage.center.delegate = delegate
    let gate = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { _ = gate.wait(timeout: .now() + .seconds(20)) }
    defer { gate.signal() }
    try await stage.center.add(CenterStage.request("a"))
    try await stage.center.add(CenterStage.request("b"))
    #expect(try await stage.titles(3) == ["connects", "a", "b"])
    #expect(stage.log.messages(from: .warning).count == 1)
    #expect(stage.log.messages(from: .warning).first?.contains("the main queue has not run for 0.2 seconds") == true)
  }

  @Test func twoThousandClicksReachTheDelegateInOrderWithTheirIdentifiers() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { server, posted in server.invoke(posted.serverID, "default") }
    let stage = try await CenterStage(behavior)
    let delegate = TestDelegate()
    stage.center.delegate = delegate
    for index in 0..<2000 {
      stage.center.add(
        CenterStage.request("n\(index)") { $0.userInfo = ["index": index] }, withCompletionHandler: nil)
    }
    try await eventually(within: .seconds(40), "2,000 responses") { delegate.responses.all.count >= 2000 }
    let requests = delegate.responses.all.map(\.notification.request)
    #expect(requests.map(\.identifier) == (0..<2000).map { "n\($0)" })
    #expect(requests.compactMap { $0.content.userInfo["index"] as? Int } == Array(0..<2000))
  }
}
