import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import Glibc
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// The cases of neighbouring programs, at the resident bridge.
@Suite("Cases at the resident bridge", .timeLimit(.minutes(2))) struct ResidentCaseTests {
  private static let application = ApplicationRecord(identifier: "org.example.Case", name: "Case")
  private func key(_ name: String) -> NotificationKey {
    NotificationKey(application: Self.application.identifier, identifier: name)
  }

  /// A program with a delegate, on a connection of its own.
  private final class Program: Sendable {
    let received = Mutex<[ResponseRecord]>([])
    private let channel: ControlChannel
    private let connection: BusConnection

    init(_ fixture: BridgeFixture, acknowledges: Bool = true) async throws {
      let executor = try BusExecutor()
      connection = try await BusConnection.connect(to: fixture.bus.address, on: executor)
      channel = ControlChannel(on: connection, executor: executor, log: MemoryLog())
      channel.register(
        ControlChannel.Registration(
          application: ResidentCaseTests.application.identifier, presents: false,
          receive: { [weak self] response in
            self?.received.withLock { $0.append(response) }
            if acknowledges {
              self?.channel.acknowledge(response.id, of: ResidentCaseTests.application.identifier)
            }
          }, present: { $1(nil) }))
      // Its answer comes behind that of the registration.
      try await fixture.settled(channel, ResidentCaseTests.application.identifier)
    }

    func names() -> [String] { received.withLock { $0.map(\.notification.request.identifier) } }
    func leave() async { await connection.close() }
  }

  @discardableResult
  private func post(
    _ fixture: BridgeFixture, _ name: String, title: String? = nil, info: [String: PropertyValue] = [:]
  ) async throws -> UInt32 {
    var request = CrashLoad.request(name, title: title, button: true)
    request.content.userInfo = info
    _ = try await fixture.client.post(request, from: Self.application)
    return fixture.daemon.posted.last?.serverID ?? 0
  }

  @Test("C016: signals for others' numbers, with keys that were not sent or of a stranger, change nothing")
  func strangers() async throws {
    let fixture = try await BridgeFixture()
    let program = try await Program(fixture)
    let number = try await post(fixture, "n")
    fixture.daemon.invoke(77, "default")
    fixture.daemon.invoke(number, "no-such-key")
    fixture.connection.emit(
      Signal(
        at: NotificationService.path, NotificationService.interface, "ActionInvoked", [.uint32(number), .string("go")]))
    // What it says of this one comes behind those.
    try await post(fixture, "other")
    #expect(program.names().isEmpty)
    fixture.daemon.invoke(number, "go")
    try await eventually(within: .seconds(5), "the one that counts") { !program.names().isEmpty }
    let events = try await fixture.client.history(after: 0, application: "", limit: 100)
    #expect(events.map(\.event) == [.delivered, .delivered, .responded])
    #expect(program.names() == ["n"])
  }

  @Test("C020: a click long after the sender has gone, with its data; C036, C068: one connection posts, and stays")
  func late() async throws {
    let fixture = try await BridgeFixture()
    for number in 1...3 {
      let sent = try await fixture.run(
        "send", "--detach", "--app", "org.example.Case", "--id", "n\(number)", "-A", "go=Go", "--user-info",
        "number=\(number)", "Title")
      #expect(sent.status == 0)
    }
    let senders = Set(fixture.daemon.posted.map(\.notification.sender))
    #expect(senders.count == 1)
    try await Task.sleep(for: .seconds(5))
    let sender = try #require(fixture.daemon.posted[0].notification.sender)
    #expect(try await fixture.connection.owner(of: sender) == sender)
    #expect(try await fixture.connection.owner(of: ControlInterface.busName) == sender)
    for number in 1...3 { fixture.daemon.invoke(UInt32(number), "go") }
    let program = try await Program(fixture)
    try await eventually(within: .seconds(5), "three responses") { program.names().count == 3 }
    #expect(program.names() == ["n1", "n2", "n3"])
    let info = program.received.withLock { $0.map(\.notification.request.content.userInfo) }
    #expect(info == (1...3).map { ["number": .string("\($0)")] })
  }

  @Test("C024: a program that never acknowledges holds up nobody, and who comes after it gets what it left")
  func unacknowledged() async throws {
    let fixture = try await BridgeFixture()
    let program = try await Program(fixture, acknowledges: false)
    for name in ["a", "b"] { fixture.daemon.invoke(try await post(fixture, name), "go") }
    try await eventually(within: .seconds(5), "both") { program.names() == ["a", "b"] }
    await program.leave()
    let next = try await Program(fixture)
    try await eventually(within: .seconds(5), "both again") { next.names() == ["a", "b"] }
  }

  @Test("C026, C071: after the daemon's restart 1 means what is posted then, and a removal names the new number")
  func newNumbers() async throws {
    let fixture = try await BridgeFixture()
    let program = try await Program(fixture)
    for number in 1...7 { _ = try await fixture.run("send", "Filler \(number)") }
    _ = try await fixture.run("send", "--app", "org.example.Case", "--id", "p", "P")
    #expect(fixture.daemon.posted.last?.serverID == 8)
    try await fixture.restartDaemon()
    _ = try await fixture.run("send", "--app", "org.example.Case", "--id", "q", "Q")
    _ = try await fixture.run("send", "--app", "org.example.Case", "--id", "p", "P again")
    #expect(fixture.daemon.posted.map(\.notification.replacesID) == [0, 0])
    fixture.daemon.invoke(1, "default")
    try await eventually(within: .seconds(5), "the response") { program.names() == ["q"] }
    _ = try await fixture.run("remove", "--app", "org.example.Case", "p")
    try await eventually(within: .seconds(5), "the removal") { fixture.daemon.closeCalls.contains(2) }
    #expect(!fixture.daemon.closeCalls.contains(8))
  }

  @Test("C033: a wait ends with 14 within 2 s when the daemon dies, unless what it waits for is shown again")
  func daemonDies() async throws {
    let fixture = try await BridgeFixture()
    let plain = try fixture.start("send", "--wait", "--id", "plain", "Plain")
    let button = try fixture.start("send", "-A", "go=Go", "--id", "button", "Button")
    _ = try await fixture.shown(2)
    let start = ContinuousClock.now
    try await fixture.restartDaemon()
    let result = await plain.result()
    #expect(result.status == 14 && start.duration(to: .now) < .seconds(2))
    #expect(result.errors.split(separator: "\n").count == 1 && result.output.isEmpty)
    #expect(try await fixture.shown(1) == ["Button"])
    #expect(fixture.daemon.posted[0].notification.replacesID == 0)
    fixture.daemon.invoke(1, "go")
    #expect(await button.result().output == "go\n")
  }

  @Test("C066: a handler gets the token that came for its click, none if none came, and never another one's")
  func token() async throws {
    let fixture = try await BridgeFixture()
    let script = try fixture.home.write(
      "#!/bin/sh\necho \"$NOTIFY_BRIDGE_ID ${XDG_ACTIVATION_TOKEN-none}\" >>\"$HOME/tokens\"\n", to: "handler",
      permissions: 0o700)
    try fixture.home.write("[Handler]\nExec=\(script)\n", to: "config/notify-bridge/handlers.d/t.handler")
    let numbers = try await [post(fixture, "a"), post(fixture, "b"), post(fixture, "c")]
    fixture.daemon.token(numbers[0], "tok")
    fixture.daemon.invoke(numbers[1], "go")
    fixture.daemon.invoke(numbers[0], "go")
    fixture.daemon.invoke(numbers[2], "go")
    let read = { (try? String(contentsOfFile: fixture.home.path + "/tokens", encoding: .utf8)) ?? "" }
    try await eventually(within: .seconds(5), "three runs") { read().split(separator: "\n").count == 3 }
    #expect(read() == "b none\na tok\nc none\n")
    #expect(!fixture.log.contains("tok"))
  }

  @Test("C069: a click while the program does not run waits until it registers, and comes once, over a crash too")
  func launch() async throws {
    let fixture = try await BridgeFixture()
    fixture.daemon.invoke(try await post(fixture, "n"), "go")
    try await eventually(within: .seconds(5), "the click is kept") {
      try await fixture.client.history(after: 0, application: "", limit: 9).contains { $0.event == .responded }
    }
    try await fixture.killBridge()
    let program = try await Program(fixture)
    try await eventually(within: .seconds(5), "the response") { program.names() == ["n"] }
    await program.leave()
    let later = try await Program(fixture)
    fixture.daemon.invoke(try await post(fixture, "m"), "go")
    try await eventually(within: .seconds(5), "the next response") { later.names() == ["m"] }
  }

  @Test("C070: of two programs the one that registered last hears; when both have gone nothing breaks, and it waits")
  func lastOne() async throws {
    let fixture = try await BridgeFixture()
    let (a, b) = (try await Program(fixture), try await Program(fixture))
    fixture.daemon.invoke(try await post(fixture, "1"), "go")
    try await eventually(within: .seconds(5), "the response") { b.names() == ["1"] }
    await b.leave()
    // The bus tells the bridge of that ahead of what is called later.
    fixture.daemon.invoke(try await post(fixture, "2"), "go")
    try await eventually(within: .seconds(5), "the other has it") { a.names() == ["2"] }
    await a.leave()
    fixture.daemon.invoke(try await post(fixture, "3"), "go")
    guard case .responded(let response) = try await fixture.client.wait(key("3")) else {
      Issue.record("no response")
      return
    }
    #expect(response.action == .custom("go"))
    #expect(b.names() == ["1"])
  }

  @Test("a client that has gone before the bridge got to its call keeps no response from others")
  func gone() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.client.status()
    for number in 1...30 {
      let client = try await BusConnection.connect(to: fixture.bus.address)
      var options = ControlClient.PostOptions()
      options.waits = true
      let (request, application) = (CrashLoad.request("n\(number)", button: true), Self.application)
      let call = Task { try? await ControlClient(on: client).post(request, from: application, options: options) }
      try await Task.sleep(for: .microseconds(number * 40))
      await client.close()
      _ = await call.value
      let titles = { fixture.titles }
      guard (try? await eventually(within: .milliseconds(200), "it is shown", { titles().last == "n\(number)" })) != nil
      else { continue }
      // One that had gone before it could be named may have been sandboxed.
      let shown = try #require(try await fixture.client.delivered("").last { $0.request.identifier == "n\(number)" })
      fixture.daemon.invoke(try #require(fixture.daemon.posted.last?.serverID), "go")
      let outcome = try await fixture.run(
        "wait", "--app", shown.application.identifier, "--timeout", "3s", "n\(number)")
      #expect((outcome.status, outcome.output) == (0, "go\n"), "n\(number): \(outcome.errors)")
    }
    #expect(fixture.titles.count > 3)
  }

  @Test("C086: a store that was cut in half is set aside and reported, and the bridge goes on")
  func cutStore() async throws {
    let fixture = try await BridgeFixture()
    for number in 1...50 { _ = try await fixture.run("send", "--in", "1h", "--id", "n\(number)", "Later \(number)") }
    let process = try #require(try await fixture.bridgeProcess())
    kill(process, SIGTERM)
    try await eventually(within: .seconds(5), "it has ended") { try await fixture.bridgeProcess() == nil }
    let file = fixture.home.path + "/state/notify-bridge/bridge.sqlite"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    let sent = try await fixture.run("send", "--in", "1h", "--id", "new", "New")
    #expect((sent.status, sent.errors) == (0, ""))
    let folder = fixture.home.path + "/state/notify-bridge"
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("damaged") }
    #expect(kept.count { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == 1, "\(kept)")
    #expect(fixture.log.contains("damaged"))
    guard case .array(let problems)? = try await fixture.client.status()["problems"] else {
      Issue.record("no problems")
      return
    }
    #expect(!problems.isEmpty)
    try await fixture.killBridge()
    #expect(try await fixture.client.pending("").contains { $0.request.identifier == "new" })
  }
}

extension BridgeFixture {
  /// Waits until the bridge has done what the channel called before.
  func settled(_ channel: ControlChannel, _ application: String) async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    channel.pending(application) { _ in continuation.finish() }
    for await _ in stream {}
  }
}
