import DBus
import Foundation
import FreedesktopNotifications
import Synchronization
import TestSupport
import Testing

/// The bridge's bus interface, as a program of another language sees it.
@Suite(.timeLimit(.minutes(2))) struct BridgeInterfaceTests {
  private static let name: BusName = "org.notifybridge.Bridge1"

  private func call(
    _ fixture: BridgeFixture, _ member: MemberName, _ body: [Value], timeout: Duration = .seconds(10)
  ) async throws(BusError) -> [Value] {
    try await fixture.connection.call(
      MethodCall(to: Self.name, at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", member, body),
      timeout: timeout
    ).body
  }

  /// Methods and properties of an interface, a line each with its types.
  private func members(_ xml: String, _ interface: String) -> [String] {
    let text = xml.replacingOccurrences(of: "<!--[\\s\\S]*?-->", with: "", options: .regularExpression)
    guard let start = text.range(of: "<interface name=\"\(interface)\">"),
      let end = text.range(of: "</interface>", range: start.upperBound..<text.endIndex)
    else { return [] }
    func attribute(_ line: Substring, _ name: String) -> String {
      guard let from = line.range(of: name + "=\""), let to = line[from.upperBound...].firstIndex(of: "\"") else {
        return ""
      }
      return String(line[from.upperBound..<to])
    }
    var result: [String] = []
    for line in text[start.upperBound..<end.lowerBound].split(separator: "\n") {
      if line.contains("<method") || line.contains("<property") {
        result.append(attribute(line, "name") + " " + attribute(line, "type"))
      } else if line.contains("<arg"), !result.isEmpty {
        result[result.count - 1] +=
          " " + attribute(line, "direction") + ":" + attribute(line, "name") + ":" + attribute(line, "type")
      }
    }
    return result.sorted()
  }

  @Test("the XML that is installed says what the bridge says of itself, and every member is described")
  func description() async throws {
    let fixture = try await BridgeFixture()
    let answer = try await fixture.connection.call(
      MethodCall(
        to: Self.name, at: "/org/notifybridge/Bridge1", "org.freedesktop.DBus.Introspectable", "Introspect"))
    let live = members(answer.body[0].asString ?? "", Self.name.text)
    let text = try String(contentsOfFile: Binaries.file("dbus/org.notifybridge.Bridge1.xml"), encoding: .utf8)
    #expect(live == members(text, Self.name.text))
    #expect(live.count > 15)
    for member in live {
      let word = member.split(separator: " ")[0]
      #expect(text.contains("<!-- \(word):") || member.contains(" s") || word == "InterfaceVersion", "\(word)")
    }
  }

  @Test("a peer that signs as the bus ends neither the bridge nor what another caller waits for")
  func forgedBusSignals() async throws {
    let fixture = try await BridgeFixture()
    #expect(try await fixture.run("send", "--detach", "--id", "n", "--action", "yes=Yes", "Title").status == 0)
    let (bridge, process) = (
      try #require(try await fixture.connection.owner(of: Self.name)), try await fixture.bridgeProcess()
    )
    let answers = Mutex<[Inbox.Item]>([])
    let inbox = Inbox { item in answers.withLock { $0.append(item) } }
    let wait = MethodCall(
      to: Self.name, at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Wait",
      [.string("notify-bridge"), .string("n")])
    fixture.connection.post(wait, timeout: .seconds(60), to: inbox, token: 1)
    _ = try await call(fixture, "Status", [])
    let peer = try await BusConnection.connect(to: fixture.bus.address)
    func forge(_ member: MemberName, _ body: String...) {
      peer.emit(Signal(at: .bus, "org.freedesktop.DBus", member, body.map { .string($0) }, to: bridge))
    }
    let waiter = try #require(fixture.connection.uniqueName).text
    forge("NameOwnerChanged", waiter, waiter, "")
    forge("NameOwnerChanged", NotificationService.name.text, ":1.0", "")
    forge("NameLost", Self.name.text)
    // Behind them in the queue.
    _ = try await peer.call(
      MethodCall(to: Self.name, at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Status"))
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "yes")
    try await eventually(within: .seconds(10), "the answer") { answers.withLock { !$0.isEmpty } }
    guard case .reply(_, .success(let answer))? = answers.withLock({ $0.first }) else {
      Issue.record("the wait ended otherwise: \(answers.withLock { $0 })")
      return
    }
    #expect(answer.body.first == .string("responded"))
    #expect(try await fixture.bridgeProcess() == process)
  }

  @Test("the example for other languages asks and prints what was pressed")
  func example() async throws {
    let fixture = try await BridgeFixture()
    let ask = try BinaryRunner(
      try Binaries.file("packaging/examples/ask-with-gdbus"), ["It's \\ time", "yes", "Yes", "no", "No"],
      environment: fixture.environment)
    try await ask.whileRunning { ask in
      let posted = try await fixture.posted(1)
      #expect(posted.notification.summary == "It's \\ time")
      #expect(posted.notification.actions.map(\.key) == ["yes", "no", "default"])
      fixture.daemon.invoke(posted.serverID, "no")
      let result = await ask.result()
      #expect((result.status, result.output, result.errors) == (0, "no\n", ""))
    }
    let dismissed = try BinaryRunner(
      try Binaries.file("packaging/examples/ask-with-gdbus"), ["Title", "yes", "Yes"],
      environment: fixture.environment)
    try await dismissed.whileRunning { dismissed in
      fixture.daemon.close(try await fixture.posted(2).serverID, .dismissed)
      #expect(await dismissed.result().status == 10)
    }
  }

  @Test("what is malformed is answered with an error that names it, and the bridge goes on")
  func malformed() async throws {
    let fixture = try await BridgeFixture()
    func post(_ request: Value, application: String = "app", options: Value = .properties([])) async -> BusError? {
      do throws(BusError) {
        _ = try await call(fixture, "Post", [.string(application), request, .array(of: "h", []), options])
        return nil
      } catch {
        return error
      }
    }
    func request(_ content: [(String, Value)], _ more: [(String, Value)] = []) -> Value {
      .properties([("identifier", .string("x")), ("content", .properties(content))] + more)
    }
    let bad: [(Value, String)] = [
      (.properties([]), "request.identifier"),
      (.properties([("identifier", .string(""))]), "request.identifier"),
      (.properties([("identifier", .string("a\u{1}b"))]), "request.identifier"),
      (request([("title", .uint32(1))]), "request.content.title"),
      (request([("title", .string("T")), ("badge", .int32(-1))]), "request.content.badge"),
      (
        request([("title", .string("T")), ("attachments", .array(of: "v", []))], [("trigger", .string("x"))]),
        "request.trigger"
      ),
      (request([("title", .string("T"))], [("trigger", .properties([("interval", .double(.nan))]))]), "interval"),
      (
        request(
          [("title", .string("T"))],
          [("trigger", .properties([("interval", .double(5)), ("repeats", .boolean(true))]))]), "60"
      ),
      (request([("title", .string("T")), ("sound", .properties([("volume", .double(7))]))]), "volume"),
      (request([("title", .string("T")), ("userInfo", .properties([("k", .signature("s"))]))]), "type"),
      (
        request([
          ("title", .string("T")),
          ("attachments", .array(of: "a{sv}", [.properties([("file", .int32(3))])])),
        ]), "descriptor"
      ),
      (request([]), "no text"),
    ]
    for (value, words) in bad {
      let error = await post(value)
      #expect(error?.name?.text.hasPrefix("org.notifybridge.Error.") == true, "\(String(describing: error))")
      #expect(error?.message.contains(words) == true, "\(words): \(String(describing: error))")
    }
    #expect(await post(request([("title", .string("T"))]), application: "")?.message.contains("identifier") == true)
    for (member, body) in [
      ("Wait", [.string("app"), .string("nobody")]), ("Show", [.string("app"), .string("nobody")]),
      ("Act", [.string("app"), .string("nobody"), .properties([])]),
      ("List", [.string("app"), .string("everything")]), ("Acknowledge", [.string("app"), .string("17")]),
    ] as [(MemberName, [Value])] {
      let error = await #expect(throws: BusError.self) { try await call(fixture, member, body) }
      #expect(error?.name?.text.hasPrefix("org.notifybridge.Error.") == true, "\(member)")
    }
    #expect(await post(request([("title", .string("T"))])) == nil)
    #expect(fixture.daemon.posted.count == 1)
  }

  @Test("a process that takes responses must not be asked by others, and one that leaves gives them back")
  func clients() async throws {
    let fixture = try await BridgeFixture()
    let first = try await BusConnection.connect(to: fixture.bus.address)
    let got = AsyncStream.makeStream(of: String.self)
    let export = first.export(
      ExportedInterface(
        "org.notifybridge.Client1",
        methods: [
          .init("Respond", takes: [.init("response", "a{sv}")]) { call in
            got.continuation.yield(call.message.body[0].asProperties?["id"]?.asString ?? "")
            call.reply()
          }
        ]), at: "/org/notifybridge/Client1")
    _ = try await first.call(
      MethodCall(
        to: Self.name, at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Register",
        [.string("notify-bridge"), .properties([])]))
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title")
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "yes")
    var ids = got.stream.makeAsyncIterator()
    let id = await ids.next()
    #expect(id?.isEmpty == false)
    // It never said that it has it.
    await first.close()
    withExtendedLifetime(export) {}
    let waited = try await fixture.run("wait", "n")
    #expect((waited.status, waited.output) == (0, "yes\n"))
  }
}
