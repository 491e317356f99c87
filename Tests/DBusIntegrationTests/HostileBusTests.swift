import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A bus that misbehaves", .timeLimit(.minutes(2)))
struct HostileBusTests {
  @Test("Messages of unknown kinds and answers that nobody waits for are passed over")
  func unknownKinds() async throws {
    let bus = try RawBus { peer in
      guard peer.welcome(), peer.read(until: "AddMatch") else { return }
      peer.write(RawMessage.signal("unknown kind", type: 9))
      peer.write(RawMessage.reply(to: 4711, "nobody waits"))
      peer.write(RawMessage.signal("first"))
      peer.write(RawMessage.signal("second"))
      peer.waitForEnd()
    }
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscription = client.subscribe(MatchRule(interface: "org.example.Raw"), to: recorder.inbox)
    try await eventually(within: .seconds(20), "both signals") { recorder.signals.count == 2 }
    #expect(recorder.signals.map(\.body) == [[.string("first")], [.string("second")]])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "A malformed message ends the connection and nothing else",
    arguments: ["zeroes", "noise", "cut", "huge", "invalid"])
  func malformed(kind: String) async throws {
    let bus = try RawBus { peer in
      guard peer.welcome(), peer.read(until: "GetId") else { return }
      peer.write(RawMessage.signal("good"))
      switch kind {
      case "zeroes": peer.write(Array(repeating: 0, count: 100))
      case "noise":
        var random = RandomValues(seed: 5)
        peer.write((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
      case "cut":
        peer.write(RawMessage.signal("cut off").dropLast(3))
        peer.hangUp()
      case "huge":
        peer.write([UInt8(ascii: "l"), 4, 1, 1, 0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F])
      default:
        // A path that is none.
        peer.write(RawMessage.signal("x").map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "r") : $0 })
      }
      peer.waitForEnd()
    }
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscription = client.subscribe(MatchRule(interface: "org.example.Raw"), to: recorder.inbox)
    client.post(
      MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetId"), timeout: .seconds(30), to: recorder.inbox,
      token: 1)
    try await eventually(within: .seconds(20), "the end") { recorder.summary.last == "disconnected" }
    #expect(recorder.summary == ["signal Said", "reply 1 disconnected", "disconnected"])
    withExtendedLifetime(subscription) {}
  }

  @Test("400 messages with bytes turned over never harm the process: each is taken, passed over or ends the connection")
  func mutations() async throws {
    let bus = try RawBus { peer in
      guard peer.welcome() else { return }
      // The client's seed comes in the text of its first call.
      let text = String(decoding: peer.read().filter { $0 < 128 }, as: UTF8.self)
      guard let seed = text.components(separatedBy: "seed=").dropFirst().first.flatMap({ UInt64($0.prefix(4)) }) else {
        return
      }
      var random = RandomValues(seed: seed)
      var bytes = RawMessage.signal("some text that can be changed")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      peer.write(bytes)
      peer.write(RawMessage.reply(to: 2, "alive"))
      peer.hangUp()
    }
    var ends: [String: Int] = [:]
    for seed in 1000..<1400 {
      let client = try await BusConnection.connect(to: bus.address)
      let recorder = Recorder()
      client.post(
        MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "NameHasOwner", [.string("seed=\(seed)")]),
        timeout: .seconds(20), to: recorder.inbox, token: 1)
      try await eventually(within: .seconds(30), "an end, seed \(seed)") { recorder.summary.contains("disconnected") }
      ends[recorder.summary[0], default: 0] += 1
    }
    #expect(ends.values.reduce(0, +) == 400)
    #expect(ends.keys.allSatisfy { $0 == "reply 1 ok" || $0 == "reply 1 disconnected" }, "\(ends)")
  }

  @Test("A bus that comes back and always hangs up is tried again with growing pauses, and without end")
  func hangingUp() async throws {
    let welcomes = Atomic(1)
    let bus = try RawBus { peer in
      // Only the first client is welcome.
      if welcomes.exchange(0, ordering: .relaxed) == 1 { _ = peer.welcome() }
      peer.hangUp()
    }
    var options = BusConnection.Options()
    options.reconnects = true
    let clock = ContinuousClock()
    let start = clock.now
    let client = try await BusConnection.connect(to: bus.address, options: options)
    // The first, and after 0.1, 0.2, 0.4 and 0.8 seconds more.
    try await eventually(within: .seconds(30), "four more attempts") { bus.clients >= 5 }
    #expect(clock.now - start > .milliseconds(1000))
    await client.close()
  }
}
