import DBus
import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// What happens while a content extension draws or decides.
@Suite(.timeLimit(.minutes(2))) struct DrawingOrderTests {
  /// What an extension has not answered yet.
  private final class Held<Answer: Sendable>: Sendable {
    private let answers = Mutex<[@Sendable (Answer) -> Void]>([])

    var count: Int { answers.withLock { $0.count } }
    func add(_ answer: @escaping @Sendable (Answer) -> Void) { answers.withLock { $0.append(answer) } }
    /// Answers the oldest.
    func answer(_ value: Answer) { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }?(value) }
  }

  private func photo(_ name: String = "p", thread: String = "") -> RequestRecord {
    var request = RequestRecord.plain(
      name, title: "Photo", body: "A lake", actions: [.init(identifier: "like", title: "Like")])
    request.content.categoryIdentifier = "photo"
    request.content.threadIdentifier = thread
    return request
  }

  private func stage(
    _ behavior: FakeExtensions.Behavior, policy: EnginePolicy = EnginePolicy(),
    _ server: FakeNotificationServer.Behavior = .init()
  ) async throws -> (EngineFixture, FakeNotificationServer, FakeExtensions) {
    let extensions = FakeExtensions([.init(name: "Viewer", categories: ["photo"])], behavior)
    let fixture = try await EngineFixture(policy: policy, extensions: extensions)
    return (fixture, try await fixture.daemon(server), extensions)
  }

  @Test(
    "What the user did is handed on where the notification is removed or replaced while the extension decides",
    arguments: [true, false])
  func goneMeanwhile(isRemoved: Bool) async throws {
    let held = Held<ContentExtensionDecision?>()
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { held.add($2) }
    let (fixture, daemon, extensions) = try await stage(behavior)
    try await fixture.show(photo())
    daemon.invoke(try #require(daemon.posted.last?.serverID), "like")
    try await eventually(within: .seconds(10), "it is asked") { held.count == 1 }
    if isRemoved {
      await fixture.engine.removeDelivered(["p"], of: fixture.application.identifier)
    } else {
      fixture.clock.advance(60)
      try await fixture.show(photo())
    }
    #expect(fixture.responses.isEmpty)
    held.answer(.dismissAndForwardAction)
    try await eventually(within: .seconds(10), "the application has it") {
      fixture.responses.map(\.action) == [.custom("like")]
    }
    #expect(await fixture.delivered() == (isRemoved ? [] : ["p"]))
    try await eventually(within: .seconds(10), "an extension without a notification has ended") {
      extensions.opens.alive == (isRemoved ? 0 : 1)
    }
  }

  /// Draws the name of each notification.
  private static func naming() -> FakeExtensions.Behavior {
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { session, notification, answer in
      session.show(body: notification.request.identifier)
      answer(true)
    }
    return behavior
  }

  @Test("Of several of a thread that come at once the newest is on the screen, once", arguments: [false, true])
  func burst(isOneThere: Bool) async throws {
    var server = FakeNotificationServer.Behavior()
    server.answer = { call, _ in (2...4).contains(call) ? .hold : .accept }
    let (fixture, daemon, _) = try await stage(Self.naming(), server)
    try await fixture.show(photo(isOneThere ? "z" : "other", thread: isOneThere ? "t" : ""))
    let names = ["a", "b", "c"]
    for name in names { fixture.submit(photo(name, thread: "t")) }
    try await eventually(within: .seconds(10), "all are posted") { daemon.postedCount == 4 }
    daemon.answerHeld()
    try await eventually(within: .seconds(10), "all are accepted") {
      names.allSatisfy { fixture.answers(to: $0).count == 1 }
    }
    try await fixture.settle()
    let own = Set(daemon.posted.filter { $0.notification.summary == "Photo" }.map(\.serverID))
    let left = own.subtracting(daemon.closeCalls).subtracting(isOneThere ? [] : [1])
    #expect(left.count == 1)
    for name in ["a", "b"] { #expect(fixture.outcomes(of: name) == [.replaced]) }
    daemon.invoke(try #require(left.first), "like")
    try await eventually(within: .seconds(10), "the newest is meant") {
      fixture.responses.map(\.notification.request.identifier) == ["c"]
    }
  }

  @Test("What is kept has no place of its own once a newer one of its thread is on the screen")
  func keptBehindNewer() async throws {
    let held = Held<ContentExtensionDecision?>()
    var behavior = Self.naming()
    behavior.respond = { held.add($2) }
    let (fixture, daemon, _) = try await stage(behavior)
    try await fixture.show(photo("a", thread: "t"))
    daemon.invoke(1, "like")
    try await eventually(within: .seconds(10), "it is asked") { held.count == 1 }
    try await fixture.show(photo("b", thread: "t"))
    held.answer(.doNotDismiss)
    try await fixture.settle()
    #expect(Set(daemon.posted.filter { $0.notification.summary == "Photo" }.map(\.serverID)) == [1])
  }

  @Test("What is shown once more after it left the screen is drawn anew")
  func shownOnceMore() async throws {
    let (fixture, daemon, extensions) = try await stage(Self.naming())
    try await fixture.show(photo())
    daemon.close(1, .expired)
    try await eventually(within: .seconds(10), "the extension has ended") { extensions.opens.alive == 0 }
    let key = NotificationKey(application: fixture.application.identifier, identifier: "p")
    try await fixture.engine.perform { engine in Result { try engine.show(key) } }.get()
    try await eventually(within: .seconds(10), "it is back") { daemon.postedCount == 2 }
    #expect(daemon.posted.map(\.notification.body) == ["p\nA lake", "p\nA lake"])
  }

  @Test("Of very many at once few extensions are at work, and all are drawn")
  func many() async throws {
    let (fixture, daemon, extensions) = try await stage(Self.naming())
    let names = (1...60).map { "p\($0)" }
    for name in names { fixture.submit(photo(name)) }
    try await eventually(within: .seconds(20), "all are shown") { daemon.postedCount == names.count }
    #expect(Set(daemon.posted.map(\.notification.body)) == Set(names.map { $0 + "\nA lake" }))
    #expect(extensions.opens.alive <= 16)
  }

  @Test("What waits too long for an extension to be free is shown as it is")
  func manySlow() async throws {
    var policy = EnginePolicy()
    policy.extensionLimit = .milliseconds(100)
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { _, _, _ in }
    let (fixture, daemon, extensions) = try await stage(behavior, policy: policy)
    for number in 1...40 { fixture.submit(photo("p\(number)")) }
    try await eventually(within: .seconds(10), "the others are shown") { daemon.postedCount == 24 }
    #expect(extensions.opens.all == 16)
  }

  @Test("What is removed while the extension draws it ends the extension")
  func removedMeanwhile() async throws {
    let held = Held<Bool>()
    var behavior = FakeExtensions.Behavior()
    behavior.receive = { held.add($2) }
    let (fixture, _, extensions) = try await stage(behavior)
    fixture.submit(photo())
    try await eventually(within: .seconds(10), "it draws") { held.count == 1 }
    await fixture.engine.removeDelivered(["p"], of: fixture.application.identifier)
    held.answer(true)
    try await eventually(within: .seconds(10), "it has ended") { extensions.opens.alive == 0 }
  }

  @Test("What the daemon refuses ends the extension that has drawn it")
  func refused() async throws {
    var server = FakeNotificationServer.Behavior()
    server.answer = { _, _ in .refuse("org.freedesktop.DBus.Error.Failed", "no") }
    let (fixture, _, extensions) = try await stage(FakeExtensions.Behavior(), server)
    await #expect(throws: BridgeError.self) { try await fixture.show(photo()) }
    #expect(extensions.opens.all == 1)
    try await eventually(within: .seconds(10), "it has ended") { extensions.opens.alive == 0 }
  }
}
