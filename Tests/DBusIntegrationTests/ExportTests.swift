import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Exported objects", .timeLimit(.minutes(1)))
struct ExportTests {
  /// A server with one object, and a client.
  private struct Pair {
    let bus: PrivateBus
    let server: BusConnection
    let client: BusConnection
    let name: BusName
    let exports: [Export]

    init() async throws {
      bus = try await PrivateBus()
      server = try await BusConnection.connect(to: bus.address)
      client = try await BusConnection.connect(to: bus.address)
      name = try #require(server.uniqueName)
      let interface = ExportedInterface(
        "org.example.Thing",
        methods: [
          .init("Add", takes: [.init("a", "i"), .init("b", "i")], returns: [.init("sum <&\">", "i")]) { call in
            let numbers = call.message.body.compactMap(\.asInt32)
            call.reply([.int32(numbers[0] &+ numbers[1])])
          },
          .init("Forget") { _ in },
          .init("Twice") { call in
            call.reply([.string("first")])
            call.reply([.string("second")])
            call.fail(.failed, "third")
          },
        ],
        signals: [.init("Changed", [.init("what", "s")])],
        properties: [.init("Size", "u") { .uint32(7) }, .init("Names", "as") { .strings(["a"]) }])
      exports = [
        server.export(interface, at: "/org/example/Thing"),
        server.export(ExportedInterface("org.example.Other"), at: "/org/example/Thing"),
        server.export(ExportedInterface("org.example.Deep"), at: "/org/example/Thing/a/b"),
      ]
    }

    func call(
      _ member: MemberName, _ body: [Value] = [], _ interface: InterfaceName = "org.example.Thing",
      at path: ObjectPath = "/org/example/Thing"
    ) async throws(BusError) -> [Value] {
      try await client.call(MethodCall(to: name, at: path, interface, member, body), timeout: .seconds(10)).body
    }

    func errorName(
      _ member: MemberName, _ body: [Value] = [], _ interface: InterfaceName = "org.example.Thing",
      at path: ObjectPath = "/org/example/Thing"
    ) async -> ErrorName? {
      await busError { () throws(BusError) in _ = try await call(member, body, interface, at: path) }?.name
    }
  }

  @Test("A method is called with its arguments and its answer comes back")
  func method() async throws {
    let pair = try await Pair()
    #expect(try await pair.call("Add", [.int32(2), .int32(-5)]) == [.int32(-3)])
  }

  @Test("Wrong arguments, methods, interfaces and objects are answered with the specification's errors")
  func errors() async throws {
    let pair = try await Pair()
    #expect(await pair.errorName("Add", [.int32(2)]) == .invalidArguments)
    #expect(await pair.errorName("Add", [.int32(2), .uint32(1)]) == .invalidArguments)
    #expect(await pair.errorName("Nothing") == .unknownMethod)
    #expect(await pair.errorName("Add", [], "org.example.None") == .unknownInterface)
    #expect(await pair.errorName("Add", at: "/org/example/None") == .unknownObject)
    #expect(await pair.errorName("Add", at: "/org/example") == .unknownInterface)
    #expect(await pair.errorName("Nothing", [], "org.freedesktop.DBus.Properties") == .unknownMethod)
    #expect(await pair.errorName("Introspect", [.byte(1)], "org.freedesktop.DBus.Introspectable") == .invalidArguments)
  }

  @Test("A call that is released unanswered fails, and only the first of several answers counts")
  func answers() async throws {
    let pair = try await Pair()
    #expect(await pair.errorName("Forget") == .failed)
    #expect(try await pair.call("Twice") == [.string("first")])
    #expect(try await pair.call("Add", [.int32(1), .int32(1)]) == [.int32(2)])
  }

  @Test("Properties can be read one by one and all together, and not be set")
  func properties() async throws {
    let pair = try await Pair()
    let properties: InterfaceName = "org.freedesktop.DBus.Properties"
    let thing = Value.string("org.example.Thing")
    #expect(try await pair.call("Get", [thing, .string("Size")], properties) == [.variant(.uint32(7))])
    let all = try await pair.call("GetAll", [thing], properties)
    #expect(all.first?.asProperties == ["Size": .uint32(7), "Names": .strings(["a"])])
    #expect(try await pair.call("GetAll", [.string("org.example.Other")], properties) == [.properties([])])
    #expect(await pair.errorName("Get", [thing, .string("Nothing")], properties) == .unknownProperty)
    #expect(
      await pair.errorName("Get", [.string("org.example.None"), .string("Size")], properties) == .unknownInterface)
    #expect(
      await pair.errorName("Set", [thing, .string("Size"), .variant(.uint32(1))], properties) == .propertyReadOnly)
    #expect(
      await pair.errorName("Set", [thing, .string("None"), .variant(.uint32(1))], properties) == .unknownProperty)
  }

  @Test("Introspection is well-formed XML that names every part and the objects below")
  func introspection() async throws {
    let pair = try await Pair()
    let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
    let xml = try #require(try await pair.call("Introspect", [], introspectable).first?.asString)
    for part in [
      "<interface name=\"org.example.Thing\">", "<interface name=\"org.example.Other\">", "<method name=\"Add\">",
      "<arg name=\"a\" type=\"i\" direction=\"in\"/>",
      "<arg name=\"sum &lt;&amp;&quot;&gt;\" type=\"i\" direction=\"out\"/>",
      "<signal name=\"Changed\">", "<property name=\"Size\" type=\"u\" access=\"read\"/>", "<node name=\"a\"/>",
      "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Peer",
    ] { #expect(xml.contains(part), "\(part)") }
    try expectWellFormed(xml)
    for (path, child) in [("/", "org"), ("/org", "example"), ("/org/example", "Thing")] as [(ObjectPath, String)] {
      let xml = try #require(try await pair.call("Introspect", [], introspectable, at: path).first?.asString)
      #expect(xml.contains("<node name=\"\(child)\"/>"))
      try expectWellFormed(xml)
    }
    #expect(await pair.errorName("Introspect", [], introspectable, at: "/org/other") == .unknownObject)
  }

  @Test("Ping and GetMachineId are answered on any path")
  func peer() async throws {
    let pair = try await Pair()
    #expect(try await pair.call("Ping", [], "org.freedesktop.DBus.Peer", at: "/any") == [])
  }

  @Test("An export ends when it is released; another of the same name stands in for it")
  func release() async throws {
    let pair = try await Pair()
    func version(_ number: UInt32) -> ExportedInterface {
      ExportedInterface("org.example.Version", methods: [.init("Get") { $0.reply([.uint32(number)]) }])
    }
    let first = pair.server.export(version(1), at: "/v")
    var second: Export? = pair.server.export(version(2), at: "/v")
    #expect(try await pair.call("Get", [], "org.example.Version", at: "/v") == [.uint32(2)])
    second = nil
    _ = second
    #expect(try await pair.call("Get", [], "org.example.Version", at: "/v") == [.uint32(1)])
    withExtendedLifetime(first) {}
  }

  @Test("Calls reach handlers in the order of their arrival, and answers leave in the order they are given")
  func order() async throws {
    let pair = try await Pair()
    let numbers = Mutex<[UInt32]>([])
    let export = pair.server.export(
      ExportedInterface(
        "org.example.Order",
        methods: [
          .init("Take", takes: [.init("n", "u")]) { call in
            numbers.withLock { $0.append(call.message.body[0].asUInt32!) }
            call.reply()
          }
        ]), at: "/o")
    let recorder = Recorder()
    for number in 0..<UInt32(1000) {
      pair.client.post(
        MethodCall(to: pair.name, at: "/o", "org.example.Order", "Take", [.uint32(number)]), timeout: .seconds(20),
        to: recorder.inbox, token: UInt64(number))
    }
    try await eventually(within: .seconds(20), "all answers") { recorder.all.count == 1000 }
    #expect(numbers.withLock { $0 } == Array(0..<1000))
    #expect(recorder.summary == (0..<1000).map { "reply \($0) ok" })
    withExtendedLifetime(export) {}
  }

  /// `xmllint` reads it without complaint.
  private func expectWellFormed(_ xml: String) throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appending(path: "notify-bridge-\(UUID()).xml")
    try xml.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xmllint", "--nonet", "--noout", file.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "xmllint refuses: \(xml)")
  }
}
