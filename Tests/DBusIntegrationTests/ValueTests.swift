import DBus
import Foundation
import TestSupport
import Testing

@Suite("Values over a private bus", .timeLimit(.minutes(2)))
struct ValueTests {
  /// Characters that Unicode keeps for no use; texts may hold them all the same.
  private static let nonCharacters = String(
    String.UnicodeScalarView(
      [0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE, 0x10FFFF].compactMap(Unicode.Scalar.init(_:) as (UInt32) -> Unicode.Scalar?)))

  static let table: [Value] = [
    .byte(0), .byte(255), .boolean(true), .boolean(false), .int16(.min), .int16(.max), .uint16(.max), .int32(.min),
    .int32(.max), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max), .double(-0.0), .double(.infinity),
    .double(.leastNonzeroMagnitude), .double(3.25), .string(""), .string("plain"), .string("ä→😀 e\u{301}\u{200D}"),
    .string("\u{1}\u{7f}\u{85}\u{feff}"), .string(nonCharacters),
    .string(String(repeating: "long ", count: 20_000)), .objectPath("/"), .objectPath("/a/b_1"), .signature(""),
    .signature("a{sa(iv)}"), .bytes([]), .bytes([0, 255, 1]), .bytes(Array(repeating: 7, count: 1_000_000)),
    .strings([]), .strings(["", "a", "b"]), .array(of: "i", []), .array(of: "d", [.double(1), .double(2)]),
    .array(of: "ay", [.bytes([]), .bytes([1])]), .array(of: "as", [.strings([]), .strings(["x"])]),
    .array(of: "a{sv}", [.properties([]), .properties([("k", .byte(1))])]),
    .array(of: "(si)", [.structure([.string("a"), .int32(1)])]), .array(of: "v", [.variant(.byte(1))]),
    .array(of: "o", [.objectPath("/x")]), .array(of: "g", [.signature("s")]), .array(of: "b", [.boolean(true)]),
    .properties([]), .properties([("a", .byte(1)), ("b", .strings([])), ("a", .string("again"))]),
    .dictionary(key: "u", value: "s", [.init(.uint32(1), .string("x"))]),
    .dictionary(key: "s", value: "a{s(ii)}", []),
    .dictionary(key: "o", value: "(ay)", [.init(.objectPath("/"), .structure([.bytes([1])]))]),
    .dictionary(key: "y", value: "y", [.init(.byte(1), .byte(2))]),
    .structure([.byte(1)]), .structure([.byte(1), .uint64(2), .structure([.string("x"), .bytes([])])]),
    .variant(.variant(.variant(.string("deep")))),
  ]

  @Test("Every type comes back as it was sent, alone and in a variant")
  func roundTrip() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus, signatures: Self.table.map(\.signature))
    let client = try await BusConnection.connect(to: bus.address)
    for (index, value) in Self.table.enumerated() {
      let answer = try await client.call(peer.call(MemberName("Echo\(index + 1)"), [value]))
      #expect(answer.body == [value])
      #expect(try await client.call(peer.echo(value)).body == [.variant(value)])
    }
    let all = Array(Self.table.prefix(20))
    let together = try await EchoPeer(bus, signatures: [Signature(all.map(\.signature.text).joined())])
    #expect(try await client.call(together.call("Echo1", all)).body == all)
  }

  @Test("500 random nested values come back as they were sent")
  func random() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    var random = RandomValues(seed: 20_240_601)
    for round in 0..<500 {
      let value = random.value(depth: 6)
      let answer = try await client.call(peer.echo(value))
      #expect(answer.body == [.variant(value)], "round \(round)")
    }
  }

  @Test("The deepest nesting that the specification allows passes the bus")
  func deepest() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let variants = (0..<63).reduce(Value.byte(1)) { inner, _ in .variant(inner) }
    #expect(try await client.call(peer.echo(variants)).body == [.variant(variants)])
    let structs = (0..<32).reduce(Value.byte(1)) { inner, _ in .structure([inner]) }
    #expect(try await client.call(peer.echo(structs)).body == [.variant(structs)])
    let arrays = (0..<31).reduce(Value.bytes([1])) { inner, _ in .array(of: inner.signature, [inner]) }
    #expect(try await client.call(peer.echo(arrays)).body == [.variant(arrays)])
    let both = (0..<31).reduce(Value.byte(1)) { inner, _ in
      let outer = Value.structure([inner])
      return .array(of: outer.signature, [outer])
    }
    #expect(try await client.call(peer.echo(both)).body == [.variant(both)])
  }

  @Test("What cannot be sent is an error, and the connection goes on")
  func hostile() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let hostile: [Value] = [
      .string("a\0b"), .strings(["\0"]), .array(of: "s", [.byte(1)]), .array(of: "ss", []), .structure([]),
      .dictionary(key: "v", value: "s", []), .signature(Signature(unchecked: "a")),
      .objectPath(ObjectPath(unchecked: "nowhere")),
      (0..<200).reduce(Value.byte(1)) { inner, _ in .variant(inner) },
    ]
    for (token, value) in hostile.enumerated() {
      let error = await busError { () throws(BusError) in _ = try await client.call(peer.echo(value)) }
      #expect(error?.code == .invalidValue, "\(value.signature)")
      client.post(peer.echo(value), timeout: .seconds(5), to: recorder.inbox, token: UInt64(token))
      client.send(peer.echo(value))
      client.emit(Signal(at: "/a", "org.example.A", "B", [value]))
    }
    client.emit(Signal(at: "/org/freedesktop/DBus/Local", "org.example.A", "B"))
    client.emit(Signal(at: "/a", "org.freedesktop.DBus.Local", "Disconnected"))
    #expect(try await client.call(peer.echo(.byte(1))).body == [.variant(.byte(1))])
    #expect(recorder.summary == hostile.indices.map { "reply \($0) invalidValue" })
  }

  @Test("An answer that cannot be sent reaches the caller as an error")
  func hostileAnswer() async throws {
    let bus = try await PrivateBus()
    let server = try await BusConnection.connect(to: bus.address)
    let export = server.export(
      ExportedInterface(
        "org.example.Bad",
        methods: [
          .init("Reply") { $0.reply([.string("\0")]) }, .init("Fail") { $0.fail("a.b", "nul \0 inside") },
        ]), at: "/bad")
    let client = try await BusConnection.connect(to: bus.address)
    let name = try #require(server.uniqueName)
    let reply = await busError { () throws(BusError) in
      _ = try await client.call(MethodCall(to: name, at: "/bad", "org.example.Bad", "Reply"))
    }
    #expect(reply?.name == .failed)
    let failure = await busError { () throws(BusError) in
      _ = try await client.call(MethodCall(to: name, at: "/bad", "org.example.Bad", "Fail"))
    }
    #expect(failure == BusError(.remote, "nul \u{FFFD} inside", name: "a.b"))
    _ = export
  }

  @Test("A message of more values than memory should hold is refused, not decoded")
  func bomb() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus, signatures: ["ab"])
    let client = try await BusConnection.connect(to: bus.address)
    let bomb = Value.array(of: "b", Array(repeating: .boolean(true), count: 1_100_000))
    let error = await busError { () throws(BusError) in _ = try await client.call(peer.call("Echo1", [bomb])) }
    #expect(error?.name == .limitsExceeded)
    #expect(try await client.call(peer.echo(.byte(1))).body == [.variant(.byte(1))])
  }
}

/// Random values of every type, the same for one seed.
struct RandomValues: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func value(depth: Int) -> Value { value(of: signature(depth: depth), depth: depth) }

  /// A random single type.
  private mutating func signature(depth: Int) -> String {
    let basic = Array("ybnqiuxtdsog").map(String.init)
    switch Int.random(in: 0..<(depth > 0 ? 20 : 12), using: &self) {
    case 12, 13: return "a" + signature(depth: depth - 1)
    case 14, 15: return "a{" + basic.randomElement(using: &self)! + signature(depth: depth - 1) + "}"
    case 16, 17:
      return "("
        + (0..<Int.random(in: 1...4, using: &self)).map { _ in signature(depth: depth - 1) }.joined() + ")"
    case 18, 19: return "v"
    default: return basic.randomElement(using: &self)!
    }
  }

  private mutating func value(of type: String, depth: Int) -> Value {
    switch type.first! {
    case "y": return .byte(.random(in: .min ... .max, using: &self))
    case "b": return .boolean(.random(using: &self))
    case "n": return .int16(.random(in: .min ... .max, using: &self))
    case "q": return .uint16(.random(in: .min ... .max, using: &self))
    case "i": return .int32(.random(in: .min ... .max, using: &self))
    case "u": return .uint32(.random(in: .min ... .max, using: &self))
    case "x": return .int64(.random(in: .min ... .max, using: &self))
    case "t": return .uint64(.random(in: .min ... .max, using: &self))
    case "d": return .double(.random(in: -1e9...1e9, using: &self))
    case "s": return .string(text())
    case "o": return .objectPath(["/", "/a", "/a/b/c"].randomElement(using: &self)!)
    case "g": return .signature(["", "s", "a{sv}"].randomElement(using: &self)!)
    case "v":
      let inner = signature(depth: depth - 1)
      return .variant(value(of: inner, depth: depth - 1))
    case "(":
      let members = Signature(unchecked: String(type.dropFirst().dropLast())).singles.map(\.text)
      return .structure(members.map { value(of: $0, depth: depth - 1) })
    default: return array(of: String(type.dropFirst()), depth: depth)
    }
  }

  private mutating func array(of element: String, depth: Int) -> Value {
    let count = Int.random(in: 0...4, using: &self)
    if element == "y" { return .bytes((0..<count).map { _ in .random(in: 0...255, using: &self) }) }
    guard element.hasPrefix("{") else {
      return .array(
        of: Signature(unchecked: element), (0..<count).map { _ in value(of: element, depth: depth - 1) })
    }
    let key = String(element.dropFirst().prefix(1))
    let type = String(element.dropFirst(2).dropLast())
    let entries = (0..<count).map { _ in
      Value.Entry(value(of: key, depth: 0), value(of: type, depth: depth - 1))
    }
    return .dictionary(key: Signature(unchecked: key), value: Signature(unchecked: type), entries)
  }

  private mutating func text() -> String {
    let scalars: [Unicode.Scalar] = ["a", "z", " ", "\n", "\u{1}", "ß", "→", "😀", "\u{301}", "\u{FFFD}", "<", "&"]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &self) { text.append(scalars.randomElement(using: &self)!) }
    return String(text)
  }
}
