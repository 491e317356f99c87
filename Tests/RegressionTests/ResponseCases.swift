import DBus
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Topics close-reason, default-action, action-key, replaces-id, security and inline-reply of the cases: what signals
/// mean, over a real bus with a fake daemon.
@Suite(.timeLimit(.minutes(1))) struct ResponseCases {
  private let yesNo = [ActionRecord(identifier: "yes", title: "Yes"), ActionRecord(identifier: "no", title: "No")]

  @Test("C013: a close for a click on the body is a dismissal, never the default action")
  func c013() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a"))
    daemon.close(1, .dismissed)
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    #expect(fixture.outcomes(of: "a") == [.dismissed])
  }

  @Test("C015: closing is idempotent")
  func c015() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    for _ in 1...3 { daemon.close(1, .dismissed) }
    try await fixture.settle()
    #expect(fixture.responses.map(\.action) == [.dismiss])
    #expect(fixture.log.messages(from: .info).isEmpty)
  }

  @Test("C016: signals for others' numbers and with keys that were not sent change nothing")
  func c016() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a", actions: yesNo))
    daemon.invoke(77, "default")
    daemon.invoke(1, "no-such-key")
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    daemon.invoke(1, "yes")
    try await eventually(within: .seconds(5), "the valid key") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.action == .custom("yes"))
  }

  @Test("C016: signals of a peer that is not the daemon change nothing")
  func c016Stranger() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a", actions: yesNo))
    let stranger = try await BusConnection.connect(to: fixture.bus.address)
    for destination in [nil, daemon.uniqueName] {
      stranger.emit(
        Signal(
          at: NotificationService.path, NotificationService.interface, "ActionInvoked", [.uint32(1), .string("yes")],
          to: destination))
    }
    // Its name is owned by the stranger's message order: a call through it comes back after its signals went out.
    _ = try await stranger.owner(of: NotificationService.name)
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    await stranger.close()
  }

  @Test("C019: expiry is no dismissal; a later action is still honoured")
  func c019() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    daemon.close(1, .expired)
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    #expect(await fixture.delivered() == ["a"])
    daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "the late action") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.action == .default)
    #expect(await fixture.delivered().isEmpty)
  }

  @Test("C021: each post under the same name arms a fresh response, with its own data")
  func c021() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    for round in 1...3 {
      var request = RequestRecord.plain("t", title: "Round \(round)")
      request.content.userInfo = ["round": .integer(Int64(round))]
      try await fixture.show(request)
      let number = try #require(daemon.posted.last?.serverID)
      daemon.invoke(number, "default")
      try await eventually(within: .seconds(5), "response \(round)") { fixture.responses.count == round }
      daemon.close(number, .dismissed)
    }
    let rounds = fixture.responses.map { $0.notification.request.content.userInfo["round"] }
    #expect(rounds == [.integer(1), .integer(2), .integer(3)])
  }

  @Test("C022: a close behind an action is silent, whatever its reason", arguments: [1, 2, 3, 4] as [UInt32])
  func c022(reason: UInt32) async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    daemon.invoke(1, "default")
    daemon.close(1, CloseReason(rawValue: reason))
    try await fixture.settle()
    #expect(fixture.responses.map(\.action) == [.default])
    #expect(fixture.outcomes(of: "a").count == 1)
  }

  @Test("C023: a dismissal is reported only where the category asks for it", arguments: [true, false])
  func c023(asks: Bool) async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    await fixture.engine.setCategories(
      [CategoryRecord(identifier: "c", actions: [], options: asks ? .customDismissAction : [])],
      for: fixture.application.identifier)
    var request = RequestRecord.plain("a")
    request.content.categoryIdentifier = "c"
    try await fixture.show(request)
    daemon.close(1, .dismissed)
    try await fixture.settle()
    #expect(fixture.responses.map(\.action) == (asks ? [.dismiss] : []))
    #expect(await fixture.delivered().isEmpty)
  }

  @Test("C027: the number that the daemon returned is used from then on")
  func c027() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in .number(UInt32(31 + call)) }
    let daemon = try await fixture.daemon(behavior)
    try await fixture.show(.plain("a"))
    try await fixture.show(.plain("a", title: "again"))
    #expect(daemon.posted.map(\.notification.replacesID) == [0, 32])
    daemon.invoke(33, "default")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.notification.request.content.title == "again")
  }

  @Test("C029: the number 0 is delivered and never addressed")
  func c029() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in call <= 2 ? .number(0) : .accept }
    let daemon = try await fixture.daemon(behavior)
    try await fixture.show(.plain("a"))
    try await fixture.show(.plain("a"))
    #expect(daemon.posted.map(\.notification.replacesID) == [0, 0])
    await fixture.engine.removeDelivered(["a"], of: fixture.application.identifier)
    try await fixture.settle()
    #expect(!daemon.closeCalls.contains(0))
    #expect(fixture.log.messages(from: .warning).count == 2)
  }

  @Test("an answer without a value counts as number 0")
  func noValue() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { _, _ in .values([]) }
    let daemon = try await fixture.daemon(behavior)
    #expect(try await fixture.show(.plain("a")).isDelivered)
    await daemon.stop()
  }

  @Test("C031: removing what is gone already is no error")
  func c031() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.closes = { _ in false }
    let daemon = try await fixture.daemon(behavior)
    try await fixture.show(.plain("a"))
    await fixture.engine.removeDelivered(["a", "never there"], of: fixture.application.identifier)
    #expect(await fixture.delivered().isEmpty)
    try await eventually(within: .seconds(5), "the call") { daemon.closeCalls == [1] }
  }

  @Test("C104: removing closes by number and tells nobody")
  func c104() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    await fixture.engine.removeDelivered(["a"], of: fixture.application.identifier)
    try await eventually(within: .seconds(5), "the call") { daemon.closeCalls == [1] }
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    #expect(fixture.outcomes(of: "a") == [.closed])
  }

  @Test("C102: what is shown keeps its buttons when categories are replaced")
  func c102() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    let name = fixture.application.identifier
    await fixture.engine.setCategories([CategoryRecord(identifier: "A", actions: yesNo)], for: name)
    var request = RequestRecord.plain("first")
    request.content.categoryIdentifier = "A"
    try await fixture.show(request)
    await fixture.engine.setCategories([CategoryRecord(identifier: "B", actions: [])], for: name)
    request.identifier = "second"
    try await fixture.show(request)
    #expect(daemon.posted.map { $0.notification.actions.map(\.key) } == [["yes", "no", "default"], ["default"]])
    #expect(await fixture.engine.categories(of: name).map(\.identifier) == ["B"])
    daemon.invoke(1, "no")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.action == .custom("no"))
  }

  @Test("a category registered within 5 s of its notification gives it its buttons, in place")
  func lateCategory() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.content.categoryIdentifier = "A"
    try await fixture.show(request)
    await fixture.engine.setCategories(
      [CategoryRecord(identifier: "A", actions: yesNo)], for: fixture.application.identifier)
    try await eventually(within: .seconds(5), "the second post") { daemon.posted.count == 2 }
    #expect(daemon.posted[1].notification.replacesID == 1)
    #expect(daemon.posted[1].notification.actions.map(\.key) == ["yes", "no", "default"])
    #expect(fixture.outcomes(of: "a").isEmpty)
    #expect(fixture.answers(to: "a").count == 1)
  }

  @Test("C066: a token goes with the action that it came for, and with no other")
  func c066() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a"))
    try await fixture.show(.plain("b"))
    daemon.token(1, "tok")
    daemon.invoke(2, "default")
    daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "both responses") { fixture.responses.count == 2 }
    #expect(fixture.responses.map(\.activationToken) == [nil, "tok"])
    #expect(!fixture.log.messages(from: .debug).contains { $0.contains("tok") })
  }

  @Test("C106: without its text a reply is a plain action; text is never invented")
  func c106() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let daemon = try await fixture.daemon(behavior)
    let input = ActionRecord.TextInput(buttonTitle: "Send", placeholder: "")
    let say = [ActionRecord(identifier: "say", title: "Say", textInput: input)]
    try await fixture.show(.plain("a", actions: say))
    daemon.invoke(1, "inline-reply")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses[0].action == .custom("say"))
    #expect(fixture.responses[0].text == nil)
    try await fixture.show(.plain("b", actions: say))
    daemon.invoke(2, "inline-reply")
    daemon.reply(2, "hi")
    try await eventually(within: .seconds(5), "the reply") { fixture.responses.count == 2 }
    #expect(fixture.responses[1].text == "hi")
  }

  @Test("a daemon that leaves what was acted on open is told to close it")
  func closesAfterAction() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a"))
    daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "the call") { daemon.closeCalls == [1] }
  }

  @Test("what is posted under the same name after an action never takes a number that was closed")
  func repostAfterAction() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a"))
    daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    fixture.submit(.plain("a", title: "again"))
    daemon.close(1, .dismissed)
    try await eventually(within: .seconds(5), "the second post") { fixture.answers(to: "a").count == 2 }
    #expect(daemon.posted.last?.notification.replacesID == 0)
    daemon.close(1, .dismissed)
    try await fixture.settle()
    #expect(await fixture.delivered() == ["a"])
  }

  @Test("C070, C069: a response waits for its handler, and comes once")
  func c069() async throws {
    let fixture = try await EngineFixture(registers: false)
    let daemon = try await fixture.daemon()
    try await fixture.show(.plain("a"))
    daemon.invoke(1, "default")
    try await fixture.settle()
    #expect(fixture.responses.isEmpty)
    await fixture.register()
    #expect(fixture.responses.count == 1)
    await fixture.register()
    #expect(fixture.responses.count == 1)
  }
}
