import DBus
import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// What is shown of a category is drawn by an extension of its application's, which also hears first of what the user
/// does.
@Suite(.timeLimit(.minutes(2))) struct ContentExtensionTests {
  /// A daemon that keeps a notification open after an action, if that asks for it.
  private static let keeping = ServerInformation(name: "mako", vendor: "emersion", version: "1.7", specVersion: "1.2")
  /// One that closes it all the same.
  private static let closing = ServerInformation(
    name: "Xfce Notify Daemon", vendor: "Xfce", version: "0.7", specVersion: "1.2")

  private func stage(
    _ behavior: FakeExtensions.Behavior, _ bundle: ContentExtension = .init(name: "Viewer", categories: ["photo"]),
    on information: ServerInformation = Self.keeping, policy: EnginePolicy = EnginePolicy()
  ) async throws -> (EngineFixture, FakeNotificationServer, FakeExtensions) {
    let extensions = FakeExtensions([bundle], behavior)
    let fixture = try await EngineFixture(policy: policy, extensions: extensions)
    var daemon = FakeNotificationServer.Behavior()
    daemon.information = information
    return (fixture, try await fixture.daemon(daemon), extensions)
  }

  private func photo(_ name: String = "p", thread: String = "") -> RequestRecord {
    var request = RequestRecord.plain(
      name, title: "Photo", body: "A lake", actions: [.init(identifier: "like", title: "Like")])
    request.content.categoryIdentifier = "photo"
    request.content.threadIdentifier = thread
    return request
  }

  /// Draws `text` for each notification.
  private static func drawing(_ text: String, title: String = "", actions: [ActionRecord]? = nil)
    -> FakeExtensions.Behavior
  {
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, _, answer in
      session.show(title: title, body: text, actions: actions)
      answer(true)
    }
    return behavior
  }

  @Test("What it draws is in the first Notify: its text above the notification's own, its actions in their place")
  func draws() async throws {
    let (fixture, daemon, extensions) = try await stage(
      Self.drawing("A blue lake", title: "Ignored", actions: [.init(identifier: "rotate", title: "Rotate")]))
    try await fixture.show(photo())
    let shown = try #require(daemon.posted.first?.notification)
    #expect(shown.summary == "Photo")
    #expect(shown.body == "A blue lake\nA lake")
    #expect(shown.actions.map(\.key) == ["rotate", "default"])
    #expect(shown.hints["resident"] == .boolean(true))
    #expect(daemon.postedCount == 1 && extensions.calls == ["notification p"])
    // What its sender said is kept as it was.
    #expect(await fixture.engine.deliveredNotifications(of: fixture.application.identifier).map(\.request) == [photo()])
  }

  @Test("DefaultContentHidden leaves its own text and title alone; OverridesDefaultTitle makes its title the summary")
  func hides() async throws {
    let hiding = ContentExtension(name: "V", categories: ["photo"], hidesDefaultContent: true, overridesTitle: true)
    let (fixture, daemon, _) = try await stage(Self.drawing("A blue lake", title: "Lake"), hiding)
    try await fixture.show(photo())
    #expect(daemon.posted.map(\.notification.summary) == ["Lake"])
    #expect(daemon.posted.map(\.notification.body) == ["A blue lake"])
    let (second, other, _) = try await stage(
      Self.drawing("A blue lake"), .init(name: "V", categories: ["photo"], hidesDefaultContent: true))
    try await second.show(photo())
    #expect(other.posted.map(\.notification.summary) == ["Test"], "without a title it is the application's name")
  }

  @Test("One that says nothing in time, or ends, leaves the notification as it is", arguments: [true, false])
  func fails(answers: Bool) async throws {
    var behavior = FakeExtensions.Behavior()
    // The runner keeps the time: it answers false.
    behavior.receive = { if answers { $2(false) } else { $0.say(.ended); $2(false) } }
    let (fixture, daemon, _) = try await stage(
      behavior, .init(name: "V", categories: ["photo"], hidesDefaultContent: true))
    try await fixture.show(photo())
    #expect(daemon.posted.map(\.notification.body) == ["A lake"])
    #expect(daemon.posted.map(\.notification.summary) == ["Photo"])
  }

  @Test("While it draws, what came later is shown")
  func holdsNothingUp() async throws {
    let answers = Mutex<[@Sendable (Bool) -> Void]>([])
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { _, _, answer in answers.withLock { $0.append(answer) } }
    let (fixture, daemon, _) = try await stage(behavior)
    fixture.submit(photo())
    try await fixture.show(.plain("other", title: "Other"))
    #expect(daemon.posted.map(\.notification.summary) == ["Other"])
    for answer in answers.withLock({ $0 }) { answer(true) }
    try await eventually(within: .seconds(10), "it is shown") { daemon.postedCount == 2 }
  }

  @Test("A button that it keeps the notification for: one Notify of the same number, silent, and no close")
  func rotates() async throws {
    var behavior = Self.drawing("0°", actions: [.init(identifier: "rotate", title: "Rotate")])
    behavior.respond = { session, _, answer in
      session.show(
        body: "90°",
        actions: [.init(identifier: "rotate", title: "Rotate"), .init(identifier: "reset", title: "Reset")])
      answer(.doNotDismiss)
    }
    let (fixture, daemon, extensions) = try await stage(behavior)
    try await fixture.show(photo())
    let number = try #require(daemon.posted.first?.serverID)
    daemon.invoke(number, "rotate")
    try await eventually(within: .seconds(10), "it is drawn anew") { daemon.postedCount == 2 }
    let second = try #require(daemon.posted.last)
    #expect(second.serverID == number && second.notification.replacesID == number)
    #expect(second.notification.body == "90°\nA lake")
    #expect(second.notification.actions.map(\.key) == ["rotate", "reset", "default"])
    #expect(second.notification.hints["suppress-sound"] == .boolean(true))
    try await fixture.settle()
    #expect(daemon.postedCount == 3 && !daemon.closeCalls.contains(number))
    #expect(extensions.calls == ["notification p", "response p rotate"])
    #expect(fixture.responses.isEmpty && fixture.outcomes(of: "p").isEmpty)
  }

  @Test("Where the daemon closes it after a press, it is shown again, once, within a second", arguments: [true, false])
  func shownAgain(closesFirst: Bool) async throws {
    let answers = Mutex<[@Sendable () -> Void]>([])
    var behavior = Self.drawing("0°")
    behavior.respond = { session, _, answer in
      answers.withLock {
        $0.append {
          session.show(body: "90°")
          answer(.doNotDismiss)
        }
      }
    }
    let (fixture, daemon, extensions) = try await stage(behavior, on: Self.closing)
    try await fixture.show(photo())
    let number = try #require(daemon.posted.first?.serverID)
    daemon.invoke(number, "like")
    try await eventually(within: .seconds(10), "it is asked") { extensions.calls.count == 2 }
    let start = ContinuousClock.now
    if closesFirst {
      daemon.close(number, .dismissed)
      try await fixture.settle()
      answers.withLock { $0 }.first?()
    } else {
      answers.withLock { $0 }.first?()
      daemon.close(number, .dismissed)
    }
    try await eventually(within: .seconds(10), "it is shown again") {
      daemon.posted.last?.notification.body == "90°\nA lake"
    }
    #expect(start.duration(to: .now) < .seconds(1))
    try await fixture.settle()
    #expect(daemon.posted.count { $0.notification.summary == "Photo" } == 2)
    #expect(await fixture.delivered() == ["p"])
    #expect(fixture.outcomes(of: "p").isEmpty)
  }

  @Test("dismiss ends it and the application hears nothing; dismissAndForwardAction hands the response on")
  func decides() async throws {
    let decision = Mutex(ContentExtensionDecision.dismiss)
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { $2(decision.withLock { $0 }) }
    let (fixture, daemon, extensions) = try await stage(behavior)
    try await fixture.show(photo())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "like")
    try await eventually(within: .seconds(10), "it has ended") { fixture.outcomes(of: "p") == [.closed] }
    try await eventually(within: .seconds(10), "it is closed") { daemon.closeCalls.count == 1 }
    #expect(fixture.responses.isEmpty)
    #expect(await fixture.delivered().isEmpty)
    try await eventually(within: .seconds(10), "the extension has ended") { extensions.opens.alive == 0 }
    decision.withLock { $0 = .dismissAndForwardAction }
    try await fixture.show(photo())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "like")
    try await eventually(within: .seconds(10), "the application has it") {
      fixture.responses.map(\.action) == [.custom("like")]
    }
    #expect(extensions.calls == ["notification p", "response p like", "notification p", "response p like"])
  }

  @Test("All kinds of response go to it first: the click, a button, a text, a dismissal that is reported")
  func allKinds() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { session, _, answer in answer(.doNotDismiss) }
    let extensions = FakeExtensions([.init(name: "V", categories: ["photo"])], behavior)
    let fixture = try await EngineFixture(extensions: extensions)
    var server = FakeNotificationServer.Behavior()
    server.information = Self.keeping
    server.capabilities = ["actions", "body", "inline-reply"]
    let daemon = try await fixture.daemon(server)
    var request = photo()
    request.desktop.actions?.append(
      ActionRecord(identifier: "say", title: "Say", textInput: .init(buttonTitle: "", placeholder: "")))
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    for (index, act) in [
      { daemon.invoke($0, "default") }, { daemon.invoke($0, "like") }, { daemon.close($0, .dismissed) },
      { daemon.reply($0, "hello") },
    ].enumerated() as EnumeratedSequence<[(UInt32) -> Void]> {
      act(try #require(daemon.posted.last?.serverID))
      try await eventually(within: .seconds(10), "it is asked") { extensions.calls.count == index + 2 }
      // What was dismissed is shown again.
      if index == 2 { try await eventually(within: .seconds(10), "it is back") { daemon.postedCount == 2 } }
    }
    #expect(
      extensions.calls == [
        "notification p", "response p default", "response p like", "response p dismiss", "response p say hello",
      ])
    #expect(fixture.responses.isEmpty && fixture.outcomes(of: "p").isEmpty)
  }

  @Test("One that does not answer a response loses it to the application")
  func late() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { $2(nil) }
    let (fixture, daemon, _) = try await stage(behavior)
    try await fixture.show(photo())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "like")
    try await eventually(within: .seconds(10), "the application has it") { fixture.responses.count == 1 }
    #expect(fixture.log.messages(from: .warning).contains { $0.contains("did not say what becomes of") })
  }

  @Test("Controls are buttons whose labels say their state; a press changes it, tells the extension, and posts it anew")
  func controls() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, _, answer in
      var update = ContentUpdate()
      update.actions = []
      update.controls = [
        ContentControl(identifier: "alarm", title: "Alarm", kind: .switch(isOn: false)),
        ContentControl(identifier: "amount", title: "Amount", kind: .choice(options: ["5 €", "10 €"], selected: 1)),
        ContentControl(identifier: "pay", title: "Pay", kind: .button),
      ]
      session.say(.updated(update))
      answer(true)
    }
    behavior.use = { session, change, answer in
      if change.identifier == "pay" { session.show(body: "Thank you!") }
      answer(true)
    }
    let (fixture, daemon, extensions) = try await stage(behavior)
    try await fixture.show(photo())
    func labels() -> [String] { daemon.posted.last?.notification.actions.map(\.label) ?? [] }
    #expect(labels() == ["Alarm: Off", "Amount: 10 €", "Pay", "Open"])
    let number = try #require(daemon.posted.last?.serverID)
    daemon.invoke(number, "alarm")
    try await eventually(within: .seconds(10), "the switch is on") { labels().first == "Alarm: On" }
    daemon.invoke(number, "amount")
    try await eventually(within: .seconds(10), "the other amount") {
      labels() == ["Alarm: On", "Amount: 5 €", "Pay", "Open"]
    }
    daemon.invoke(number, "pay")
    try await eventually(within: .seconds(10), "thanks") {
      daemon.posted.last?.notification.body.hasPrefix("Thank you!") == true
    }
    #expect(extensions.calls == ["notification p", "control alarm true", "control amount 0", "control pay"])
    #expect(daemon.postedCount == 4 && daemon.posted.allSatisfy { $0.serverID == number })
  }

  @Test("The media button plays and pauses")
  func media() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, _, answer in
      var update = ContentUpdate()
      update.media = .init(kind: .default, isPlaying: false)
      session.say(.updated(update))
      answer(true)
    }
    let (fixture, daemon, extensions) = try await stage(behavior)
    try await fixture.show(photo())
    func button() -> (key: String, label: String)? {
      daemon.posted.last?.notification.actions.dropFirst().first.map { ($0.key, $0.label) }
    }
    #expect(button()?.label == "Play")
    daemon.invoke(try #require(daemon.posted.last?.serverID), try #require(button()?.key))
    try await eventually(within: .seconds(10), "it plays") { button()?.label == "Pause" }
    var update = ContentUpdate()
    update.media = .init(kind: .default, isPlaying: false)
    extensions.session?.say(.updated(update))
    try await eventually(within: .seconds(10), "it has stopped by itself") { button()?.label == "Play" }
    #expect(extensions.calls == ["notification p", "playing true"])
  }

  @Test("What it says of its own accord is posted in place; what changes nothing is not")
  func updates() async throws {
    let (fixture, daemon, extensions) = try await stage(Self.drawing("1"))
    try await fixture.show(photo())
    extensions.session?.show(body: "1")
    extensions.session?.show(body: "2")
    try await eventually(within: .seconds(10), "two") { daemon.posted.last?.notification.body == "2\nA lake" }
    try await fixture.settle()
    #expect(daemon.posted.filter { $0.notification.summary == "Photo" }.count == 2)
    #expect(Set(daemon.posted.filter { $0.notification.summary == "Photo" }.map(\.serverID)).count == 1)
  }

  @Test("It may open the application, or take the notification away")
  func byItself() async throws {
    let (fixture, daemon, extensions) = try await stage(FakeExtensions.Behavior())
    try await fixture.show(photo())
    extensions.session?.say(.performDefaultAction)
    try await eventually(within: .seconds(10), "the application has it") {
      fixture.responses.map(\.action) == [.default]
    }
    try await fixture.show(photo("q"))
    extensions.session?.say(.dismiss)
    try await eventually(within: .seconds(10), "it is closed") { fixture.outcomes(of: "q") == [.closed] }
    try await eventually(within: .seconds(10), "both are closed") { daemon.closeCalls.count == 2 }
  }

  @Test(
    "A further one of the thread goes to the same extension and takes the place on the screen; both are in the list")
  func thread() async throws {
    let seen = Mutex<[String]>([])
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, notification, answer in
      let text = seen.withLock { seen in
        seen.append(notification.request.identifier)
        return seen.joined(separator: "+")
      }
      session.show(body: text)
      answer(true)
    }
    let (fixture, daemon, extensions) = try await stage(
      behavior, .init(name: "V", categories: ["photo"], hidesDefaultContent: true))
    try await fixture.show(photo("a", thread: "t"))
    try await fixture.show(photo("b", thread: "t"))
    try await fixture.show(photo("c", thread: "other"))
    #expect(daemon.posted.map(\.notification.body) == ["a", "a+b", "a+b+c"])
    #expect(daemon.posted.map(\.serverID) == [1, 1, 2])
    #expect(extensions.opens.all == 2)
    #expect(fixture.outcomes(of: "a") == [.replaced])
    #expect(await fixture.delivered() == ["a", "b", "c"])
    daemon.invoke(1, "like")
    try await eventually(within: .seconds(10), "the newest is meant") {
      fixture.responses.map(\.notification.request.identifier) == ["b"]
    }
  }

  @Test("A press on what was shown before the extension was started anew: it is told of the notification first")
  func startsAnew() async throws {
    var behavior = Self.drawing("drawn")
    behavior.respond = { $2(.doNotDismiss) }
    let (fixture, daemon, extensions) = try await stage(behavior, .init(name: "V", categories: ["photo"]))
    try await fixture.show(photo())
    // Seventeen are at work: the oldest has been ended.
    for number in 1...16 { try await fixture.show(photo("more \(number)")) }
    #expect(extensions.opens.all == 17 && extensions.opens.alive == 16)
    let before = extensions.calls.count
    daemon.invoke(1, "like")
    try await eventually(within: .seconds(10), "it is asked") { extensions.calls.count == before + 2 }
    #expect(extensions.calls.suffix(2) == ["notification p", "response p like"])
    #expect(extensions.opens.all == 18)
  }

  @Test("act presses what an extension drew also when the popup has gone, and the extension with it")
  func actsLater() async throws {
    let (fixture, daemon, extensions) = try await stage(
      Self.drawing("drawn", actions: [.init(identifier: "rotate", title: "Rotate")]))
    try await fixture.show(photo())
    daemon.close(1, .expired)
    try await eventually(within: .seconds(10), "it has expired") { fixture.outcomes(of: "p") == [.expired] }
    let key = NotificationKey(application: fixture.application.identifier, identifier: "p")
    try await fixture.engine.act(on: key, action: "rotate", text: nil)
    try await eventually(within: .seconds(10), "the extension has it") {
      extensions.calls.contains { $0.contains("rotate") }
    }
    await #expect(throws: BridgeError.self) { try await fixture.engine.act(on: key, action: "turn", text: nil) }
    await #expect(throws: BridgeError.self) { try await fixture.engine.act(on: key, action: "rotate", text: "x") }
  }

  @Test("However many notifications come at once, there is a limit to the extensions; the others are shown as they are")
  func crowd() async throws {
    let answers = Mutex<[@Sendable (Bool) -> Void]>([])
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { _, _, answer in answers.withLock { $0.append(answer) } }
    let (fixture, daemon, extensions) = try await stage(behavior)
    for number in 1...200 { fixture.submit(photo("p\(number)")) }
    try await eventually(within: .seconds(20), "the others are shown") { daemon.postedCount == 200 - 16 }
    #expect(extensions.opens.all == 16)
    // What is kept of an answer keeps its session.
    while let answer = answers.withLock({ $0.popLast() }) { answer(true) }
    try await eventually(within: .seconds(20), "all are shown") { daemon.postedCount == 200 }
    try await eventually(within: .seconds(20), "the extensions end") { extensions.opens.alive <= 16 }
  }

  @Test("What leaves the screen ends the extension")
  func ends() async throws {
    let (fixture, daemon, extensions) = try await stage(FakeExtensions.Behavior())
    try await fixture.show(photo("a"))
    try await fixture.show(photo("b"))
    try await fixture.show(photo("c"))
    daemon.close(1, .dismissed)
    daemon.close(2, .expired)
    await fixture.engine.removeDelivered(["c"], of: fixture.application.identifier)
    try await eventually(within: .seconds(10), "all have ended") { extensions.opens.alive == 0 }
    #expect(extensions.opens.all == 3)
  }

  @Test("What goes while the extension draws it or decides about it ends the extension too")
  func endsBusy() async throws {
    let answers = Mutex<[@Sendable (ContentExtensionDecision?) -> Void]>([])
    let drawn = Mutex<[@Sendable (Bool) -> Void]>([])
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { _, _, answer in answers.withLock { $0.append(answer) } }
    behavior.receive = { _, notification, answer in
      if notification.request.identifier == "slow" { drawn.withLock { $0.append(answer) } } else { answer(true) }
    }
    let (fixture, daemon, extensions) = try await stage(behavior)
    let application = fixture.application.identifier
    for name in ["removed", "twice"] { try await fixture.show(photo(name)) }
    for name in ["removed", "twice", "twice"] {
      let key = NotificationKey(application: application, identifier: name)
      try await fixture.engine.act(on: key, action: "like", text: nil)
    }
    try await eventually(within: .seconds(10), "it is asked") { answers.withLock(\.count) == 3 }
    await fixture.engine.removeDelivered(["removed"], of: application)
    fixture.submit(photo("slow"))
    try await eventually(within: .seconds(10), "it draws") { drawn.withLock(\.count) == 1 }
    await fixture.engine.removeDelivered(["slow"], of: application)
    while let answer = answers.withLock({ $0.popLast() }) { answer(.dismiss) }
    while let answer = drawn.withLock({ $0.popLast() }) { answer(true) }
    try await eventually(within: .seconds(10), "all have ended") { extensions.opens.alive == 0 }
    #expect(extensions.opens.all == 3 && daemon.posted.count == 2)
  }

  @Test("With a summary for busy threads, what an extension draws is not summed up")
  func notCollapsed() async throws {
    var policy = EnginePolicy()
    policy.collapseAfter = 1
    let (fixture, daemon, _) = try await stage(Self.drawing("x"), policy: policy)
    for number in 1...3 { try await fixture.show(photo("\(number)", thread: "t")) }
    #expect(daemon.posted.allSatisfy { $0.notification.body == "x\nA lake" })
  }

  @Test("Where the first buttons stay, others come with a new notification and the former is closed; text is in place")
  func firstButtons() async throws {
    var policy = EnginePolicy()
    policy.usualLifetime = .milliseconds(1500)
    let (fixture, daemon, extensions) = try await stage(
      Self.drawing("1"),
      on: .init(name: "lxqt-notificationd", vendor: "lxqt.org", version: "1.2.0", specVersion: "1.2"), policy: policy)
    try await fixture.show(photo())
    extensions.session?.show(body: "2")
    try await eventually(within: .seconds(10), "another text") { daemon.postedCount == 2 }
    #expect(daemon.posted.map(\.serverID) == [1, 1])
    extensions.session?.show(body: "2", actions: [.init(identifier: "reset", title: "Reset")])
    try await eventually(within: .seconds(10), "other buttons") { daemon.postedCount == 3 && daemon.closeCalls == [1] }
    #expect(daemon.posted[2].notification.replacesID == 0)
    #expect(daemon.posted[2].notification.actions.map(\.key) == ["reset", "default"])
    #expect(daemon.posted.map(\.notification.expireTimeout) == [.serverDefault, .serverDefault, .never])
    extensions.session?.show(body: "3")
    try await eventually(within: .seconds(10), "again a text") { daemon.postedCount == 4 }
    #expect(daemon.posted[3].notification.replacesID == daemon.posted[2].serverID)
    #expect(await fixture.delivered() == ["p"])
    #expect(fixture.outcomes(of: "p").isEmpty && extensions.calls == ["notification p"])
    // The daemon closes what appears under the pointer, unless it has no time: then the engine keeps that.
    extensions.session?.show(body: "3", actions: [.init(identifier: "last", title: "Last")])
    try await eventually(within: .seconds(10), "it is taken off") {
      daemon.postedCount == 5 && daemon.closeCalls == [1, daemon.posted[2].serverID, daemon.posted[4].serverID]
    }
    #expect(await fixture.delivered() == ["p"])
  }

  @Test("Where a reply stays in its field, what follows is a new notification and the former is closed")
  func replied() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { session, _, answer in answer(.doNotDismiss) }
    let extensions = FakeExtensions([.init(name: "V", categories: ["photo"])], behavior)
    let fixture = try await EngineFixture(extensions: extensions)
    var server = FakeNotificationServer.Behavior()
    server.information = .init(name: "Plasma", vendor: "KDE", version: "5.27.5", specVersion: "1.2")
    server.capabilities = ["actions", "body", "inline-reply"]
    let daemon = try await fixture.daemon(server)
    var request = photo()
    request.desktop.actions = [
      ActionRecord(identifier: "say", title: "Say", textInput: .init(buttonTitle: "", placeholder: ""))
    ]
    try await fixture.show(request)
    daemon.reply(1, "hello")
    try await eventually(within: .seconds(10), "it is shown anew") {
      daemon.postedCount == 2 && daemon.closeCalls == [1]
    }
    #expect(daemon.posted[1].notification.replacesID == 0)
    extensions.session?.show(body: "2")
    try await eventually(within: .seconds(10), "in place again") { daemon.postedCount == 3 }
    #expect(daemon.posted[2].notification.replacesID == daemon.posted[1].serverID)
    #expect(await fixture.delivered() == ["p"])
    #expect(fixture.outcomes(of: "p").isEmpty && fixture.responses.isEmpty)
  }
}
