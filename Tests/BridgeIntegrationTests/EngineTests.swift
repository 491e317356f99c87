import DBus
import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// The engine over a real bus with a fake daemon: order, restarts, time.
@Suite(.timeLimit(.minutes(2))) struct EngineTests {
  @Test("a daemon that signals right behind its answer: 2,000 clicks, each with its own identifier")
  func signalsBehindAnswer() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { daemon, posted in
      daemon.invoke(posted.serverID, "default")
      daemon.close(posted.serverID, .dismissed)
    }
    _ = try await fixture.daemon(behavior)
    for number in 0..<2000 { fixture.submit(.plain("n\(number)", title: "\(number)")) }
    try await eventually(within: .seconds(60), "2,000 responses") { fixture.responses.count >= 2000 }
    let identifiers = fixture.responses.map(\.notification.request.identifier)
    #expect(identifiers == (0..<2000).map { "n\($0)" })
    #expect(fixture.responses.allSatisfy { $0.action == .default })
  }

  @Test("a daemon that signals before it answers: no click is lost or mistaken")
  func signalsBeforeAnswer() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.beforeAnswer = { daemon, posted in daemon.invoke(posted.serverID, "default") }
    _ = try await fixture.daemon(behavior)
    for number in 0..<500 { fixture.submit(.plain("n\(number)", title: "\(number)")) }
    try await eventually(within: .seconds(60), "500 responses") { fixture.responses.count >= 500 }
    #expect(fixture.responses.map(\.notification.request.identifier) == (0..<500).map { "n\($0)" })
  }

  @Test("C026, C071: after a restart old numbers are void, and what they meant is not mistaken")
  func restart() async throws {
    var policy = EnginePolicy()
    policy.showsAgain = false
    let fixture = try await EngineFixture(policy: policy)
    let first = try await fixture.daemon()
    try await fixture.show(.plain("p", title: "P"))
    await first.stop()
    try await eventually(within: .seconds(5), "the loss") { fixture.outcomes(of: "p") == [.daemonLost] }
    let second = try await fixture.daemon()
    try await fixture.show(.plain("q", title: "Q"))
    #expect(second.posted.map(\.serverID) == [1])
    #expect(second.posted.map(\.notification.replacesID) == [0])
    second.invoke(1, "default")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.notification.request.content.title == "Q")
  }

  @Test("what had buttons is shown again, in order and silently, when the daemon comes back")
  func showsAgain() async throws {
    let fixture = try await EngineFixture()
    let first = try await fixture.daemon()
    let buttons = [ActionRecord(identifier: "yes", title: "Yes")]
    for name in ["a", "b", "c"] {
      var request = RequestRecord.plain(name, title: name, actions: buttons)
      request.content.sound = SoundRecord()
      try await fixture.show(request)
    }
    try await fixture.show(.plain("plain"))
    await first.stop()
    let second = try await fixture.daemon()
    try await eventually(within: .seconds(5), "three again") { second.posted.count == 3 }
    #expect(second.posted.map(\.notification.summary) == ["a", "b", "c"])
    #expect(second.posted.allSatisfy { $0.notification.hints["suppress-sound"] == .boolean(true) })
    second.invoke(2, "yes")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses.first?.notification.request.identifier == "b")
    #expect(fixture.outcomes(of: "plain") == [.daemonLost])
  }

  @Test("C035: a daemon that does not answer holds up neither caller nor others; its late answer is adopted")
  func slowDaemon() async throws {
    var policy = EnginePolicy()
    policy.answerLimit = .milliseconds(300)
    let fixture = try await EngineFixture(policy: policy)
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in call == 1 ? .hold : .accept }
    let daemon = try await fixture.daemon(behavior)
    let started = ContinuousClock.now
    fixture.submit(.plain("slow"))
    #expect(started.duration(to: .now) < .milliseconds(50))
    try await fixture.show(.plain("quick"))
    try await eventually(within: .seconds(5), "the caller's error") { fixture.answers(to: "slow").count == 1 }
    #expect(throws: BridgeError.self) { try fixture.answers(to: "slow")[0].get() }
    daemon.answerHeld()
    try await eventually(within: .seconds(5), "the adoption") { await fixture.delivered() == ["slow", "quick"] }
    daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.answers(to: "slow").count == 1)
  }

  @Test("C041: a daemon that does not say what it can gets plain text without buttons")
  func unknownCapabilities() async throws {
    let fixture = try await EngineFixture()
    let peer = try await BusConnection.connect(to: fixture.bus.address)
    let got = AsyncStream.makeStream(of: [Value].self)
    let export = peer.export(
      ExportedInterface(
        NotificationService.interface,
        methods: [
          .init("GetCapabilities", returns: [.init("capabilities", "s")]) { $0.reply([.string("actions")]) },
          .init(
            "Notify",
            takes: ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].map { .init("a", $0) }, returns: [.init("id", "u")]
          ) {
            got.continuation.yield($0.message.body)
            $0.reply([.uint32(1)])
          },
        ]), at: NotificationService.path)
    _ = try await peer.requestName(NotificationService.name)
    try await fixture.show(.plain("a", body: "a & b", actions: [ActionRecord(identifier: "yes", title: "Yes")]))
    var arrived = got.stream.makeAsyncIterator()
    let body = try #require(await arrived.next())
    #expect(body[4] == .string("a & b"))
    #expect(body[5] == .strings([]))
    withExtendedLifetime(export) {}
    await peer.close()
  }

  @Test("C060: what the daemon refuses as too many comes later, in order, and nothing is lost")
  func refusals() async throws {
    var policy = EnginePolicy()
    policy.refusalPause = .milliseconds(50)
    let fixture = try await EngineFixture(policy: policy)
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { call, _ in
      call == 3
        ? .refuse("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "too fast") : .accept
    }
    let daemon = try await fixture.daemon(behavior)
    for number in 1...5 { fixture.submit(.plain("n\(number)", title: "\(number)")) }
    try await eventually(within: .seconds(10), "all five") { daemon.posted.count == 5 }
    #expect(Set(daemon.posted.map(\.notification.summary)) == ["1", "2", "3", "4", "5"])
    for number in 1...5 {
      try await eventually(within: .seconds(5), "answer \(number)") { fixture.answers(to: "n\(number)").count == 1 }
    }
  }

  @Test("without a daemon the caller hears so, and a later request works")
  func noDaemon() async throws {
    let fixture = try await EngineFixture()
    await #expect(throws: BridgeError.self) { try await fixture.show(.plain("a")) }
    _ = try await fixture.daemon()
    #expect(try await fixture.show(.plain("b")).isDelivered)
  }

  @Test("a life set by the sender ends by the engine where the daemon never says so")
  func silentExpiry() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.desktop.lifetime = 200
    try await fixture.show(request)
    try await eventually(within: .seconds(5), "the end") { fixture.outcomes(of: "a") == [.expired] }
    try await eventually(within: .seconds(5), "the call") { daemon.closeCalls == [1] }
  }

  @Test("mate reports a dismissal as expiry: before its time it is one")
  func mateDismissal() async throws {
    let fixture = try await EngineFixture()
    var behavior = FakeNotificationServer.Behavior()
    behavior.information = ServerInformation(
      name: "Notification Daemon", vendor: "MATE", version: "1.26.0", specVersion: "1.1")
    let daemon = try await fixture.daemon(behavior)
    try await fixture.show(.plain("a"))
    daemon.close(1, .expired)
    try await eventually(within: .seconds(5), "the end") { fixture.outcomes(of: "a") == [.dismissed] }
  }

  @Test("a due request is delivered when the clock says so, and a repeating one stays pending")
  func triggers() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    var once = RequestRecord.plain("once", title: "once")
    once.trigger = .interval(seconds: 90, repeats: false)
    var often = RequestRecord.plain("often", title: "often")
    often.trigger = .interval(seconds: 60, repeats: true)
    #expect(try await !fixture.show(once).isDelivered)
    #expect(try await !fixture.show(often).isDelivered)
    let pending = await fixture.engine.pendingRequests(of: fixture.application.identifier)
    #expect(pending.map(\.request.identifier) == ["often", "once"])
    try await eventually(within: .seconds(5), "the wait") { fixture.clock.isAwaited }
    fixture.clock.advance(61)
    try await eventually(within: .seconds(5), "the first") { daemon.posted.map(\.notification.summary) == ["often"] }
    fixture.clock.advance(600)
    try await eventually(within: .seconds(5), "two more") { daemon.posted.count == 3 }
    #expect(daemon.posted.map(\.notification.summary) == ["often", "once", "often"])
    let left = await fixture.engine.pendingRequests(of: fixture.application.identifier)
    #expect(left.map(\.request.identifier) == ["often"])
    #expect(left.first?.due == Date(timeIntervalSince1970: 1_750_000_000 + 720))
  }

  @Test("C082: the 64 that fire soonest are kept, a repeating one counts once, and the rest is reported")
  func pendingLimit() async throws {
    let fixture = try await EngineFixture()
    var requests = (1...100).map { second in
      var request = RequestRecord.plain("n\(second)")
      request.trigger = .interval(seconds: Double(second), repeats: false)
      return request
    }
    var often = RequestRecord.plain("often")
    often.trigger = .interval(seconds: 60, repeats: true)
    requests.append(often)
    for request in requests.shuffled() { fixture.submit(request) }
    await fixture.engine.perform { _ in }
    let kept = await fixture.engine.pendingRequests(of: fixture.application.identifier)
    #expect(Set(kept.map(\.request.identifier)) == Set(["often"] + (1...63).map { "n\($0)" }))
    #expect(fixture.log.messages(from: .warning).count == 37)
  }

  @Test("C084: calls take effect in call order")
  func callOrder() async throws {
    let fixture = try await EngineFixture()
    var request = RequestRecord.plain("x")
    request.trigger = .interval(seconds: 500, repeats: false)
    let application = fixture.application.identifier
    for _ in 1...1000 {
      fixture.engine.enqueue { $0.removePending(["x"], of: application) }
      fixture.submit(request)
      let pending = await fixture.engine.perform { $0.pendingRequests(of: application).map(\.request.identifier) }
      #expect(pending == ["x"])
    }
  }
}
