import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// Actions that only the user may take, and the application's own settings.
@Suite(.timeLimit(.minutes(2))) struct AuthenticationTests {
  private func door(category: String = "") -> RequestRecord {
    var request = RequestRecord.plain(
      "door", title: "Door",
      actions: [
        ActionRecord(identifier: "unlock", title: "Unlock", options: .authenticationRequired),
        ActionRecord(identifier: "look", title: "Look"),
      ])
    request.content.categoryIdentifier = category
    return request
  }

  @Test("While the session is locked a response that requires authentication waits; others do not")
  func waits() async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    let fixture = try await EngineFixture(desktop: desktop)
    let daemon = try await fixture.daemon()
    try await fixture.show(door())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "unlock")
    try await fixture.show(door())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "look")
    try await eventually(within: .seconds(10), "the look") { fixture.responses.map(\.action) == [.custom("look")] }
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(10), "the other too") {
      fixture.responses.map(\.action) == [.custom("look"), .custom("unlock")]
    }
  }

  @Test("Who waits for the outcome gets it when the session is unlocked")
  func waiter() async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    let fixture = try await EngineFixture(registers: false, desktop: desktop)
    let daemon = try await fixture.daemon()
    try await fixture.show(door())
    let taken = Taken()
    let key = NotificationKey(application: fixture.application.identifier, identifier: "door")
    _ = try await fixture.engine.perform { engine in
      Result { try engine.wait(for: key) { taken.add($0) } }
    }.get()
    daemon.invoke(try #require(daemon.posted.last?.serverID), "unlock")
    try await fixture.settle()
    #expect(taken.all.isEmpty)
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(10), "the outcome") {
      if case .responded? = taken.all.first { true } else { false }
    }
  }

  @Test("What an extension draws is acted on when the session is unlocked too")
  func drawn() async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    let extensions = FakeExtensions([.init(name: "Door", categories: ["door"])])
    let fixture = try await EngineFixture(desktop: desktop, extensions: extensions)
    let daemon = try await fixture.daemon()
    try await fixture.show(door(category: "door"))
    daemon.invoke(try #require(daemon.posted.last?.serverID), "unlock")
    try await fixture.settle()
    #expect(extensions.calls == ["notification door"])
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(10), "the response") { fixture.responses.count == 1 }
    #expect(extensions.calls == ["notification door", "response door unlock"])
  }

  @Test(
    "What an extension draws is acted on after the unlock too where the daemon has closed it", arguments: [true, false])
  func drawnAndClosed(isExtensions: Bool) async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, _, answer in
      if isExtensions {
        session.show(
          body: "Drawn",
          actions: [ActionRecord(identifier: "unlock", title: "Open it", options: .authenticationRequired)])
      }
      answer(true)
    }
    let extensions = FakeExtensions([.init(name: "Door", categories: ["door"])], behavior)
    let fixture = try await EngineFixture(desktop: desktop, extensions: extensions)
    let daemon = try await fixture.daemon()
    var request = door(category: "door")
    if isExtensions { request.desktop.actions = [] }
    try await fixture.show(request)
    let number = try #require(daemon.posted.last?.serverID)
    daemon.invoke(number, "unlock")
    daemon.close(number, .closedByCall)
    try await fixture.settle()
    #expect(extensions.calls == ["notification door"])
    #expect(fixture.responses.isEmpty && fixture.outcomes(of: "door").isEmpty)
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(10), "the response") {
      fixture.responses.map(\.action) == [.custom("unlock")]
    }
    #expect(extensions.calls == ["notification door", "response door unlock"])
    try await eventually(within: .seconds(10), "the extension has ended") { extensions.opens.alive == 0 }
  }

  @Test("Where nobody knows whether the session is locked, nothing waits")
  func unknown() async throws {
    let fixture = try await EngineFixture(desktop: FakeDesktop())
    let daemon = try await fixture.daemon()
    try await fixture.show(door())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "unlock")
    try await eventually(within: .seconds(10), "the response") { fixture.responses.count == 1 }
  }

  private static func plasma(_ name: String) -> FakeNotificationServer.Behavior {
    var behavior = FakeNotificationServer.Behavior()
    behavior.information = ServerInformation(name: name, vendor: "KDE", version: "5.27", specVersion: "1.2")
    return behavior
  }

  @Test("Plasma's settings button is there for programs that asked for it; a press goes to them and ends nothing")
  func settingsButton() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon(Self.plasma("Plasma"))
    try await fixture.show(.plain("before"))
    await fixture.engine.perform { [application = fixture.application] engine in
      engine.authorize([.alert, .providesAppNotificationSettings], application: application) { _ in }
    }
    try await fixture.show(.plain("after"))
    #expect(daemon.posted.map { $0.notification.actions.map(\.key) } == [["default"], ["settings", "default"]])
    let number = try #require(daemon.posted.last?.serverID)
    daemon.invoke(number, "settings")
    daemon.close(number, .closedByCall)
    try await eventually(within: .seconds(10), "it is told") { fixture.responses.map(\.action) == [.settings] }
    try await eventually(within: .seconds(10), "it is shown again") { daemon.postedCount == 3 }
    #expect(fixture.outcomes(of: "after").isEmpty)
    #expect(await fixture.delivered() == ["before", "after"])
  }

  @Test("Daemons that would draw it as any button get none")
  func noSettingsButton() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon(Self.plasma("dunst"))
    await fixture.engine.perform { [application = fixture.application] engine in
      engine.authorize([.alert, .providesAppNotificationSettings], application: application) { _ in }
    }
    try await fixture.show(.plain("a"))
    #expect(daemon.posted.last?.notification.actions.map(\.key) == ["default"])
  }
}

private final class Taken: Sendable {
  private let outcomes = Mutex<[Outcome]>([])

  var all: [Outcome] { outcomes.withLock { $0 } }
  func add(_ outcome: Outcome) { outcomes.withLock { $0.append(outcome) } }
}
