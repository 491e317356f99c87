import DBus
import Synchronization
import TestSupport
import Testing

@Suite("Order of what arrives", .timeLimit(.minutes(2)))
struct OrderTests {
  /// A peer that signals `Told` with the number it was asked with, before or after it answers.
  private final class TellingPeer: Sendable {
    let connection: BusConnection
    private let export: Export
    let name: BusName

    init(_ bus: PrivateBus, signalsFirst: Bool) async throws {
      let connection = try await BusConnection.connect(to: bus.address)
      self.connection = connection
      name = try #require(connection.uniqueName)
      export = connection.export(
        ExportedInterface(
          "org.example.Telling",
          methods: [
            .init("Ask", takes: [.init("number", "u")]) { [weak connection] call in
              let signal = Signal(at: "/t", "org.example.Telling", "Told", call.message.body)
              if signalsFirst { connection?.emit(signal) }
              call.reply(call.message.body)
              if !signalsFirst { connection?.emit(signal) }
            }
          ]),
        at: "/t")
    }
  }

  @Test("Answers and signals of posted calls reach the inbox as they were sent", arguments: [false, true])
  func answersAndSignals(signalsFirst: Bool) async throws {
    let bus = try await PrivateBus()
    let peer = try await TellingPeer(bus, signalsFirst: signalsFirst)
    let client = try await BusConnection.connect(to: bus.address)
    let seen = Mutex<[String]>([])
    let sequences = Mutex<[UInt64]>([])
    let inbox = Inbox { item in
      switch item {
      case .reply(let token, .success(let message)):
        sequences.withLock { $0.append(message.sequence) }
        seen.withLock { $0.append("reply \(token)") }
      case .signal(let message):
        sequences.withLock { $0.append(message.sequence) }
        seen.withLock { $0.append("signal \(message.body.first?.asUInt32 ?? .max)") }
      default: seen.withLock { $0.append("\(item)") }
      }
    }
    let subscription = client.subscribe(MatchRule(sender: peer.name, interface: "org.example.Telling"), to: inbox)
    let count = 2000
    for number in 0..<count {
      client.post(
        MethodCall(to: peer.name, at: "/t", "org.example.Telling", "Ask", [.uint32(UInt32(number))]),
        timeout: .seconds(20), to: inbox, token: UInt64(number))
    }
    try await eventually(within: .seconds(30), "all answers and signals") { seen.withLock { $0.count } >= 2 * count }
    let expected = (0..<count).flatMap { number in
      signalsFirst ? ["signal \(number)", "reply \(number)"] : ["reply \(number)", "signal \(number)"]
    }
    #expect(seen.withLock { $0 } == expected)
    let numbers = sequences.withLock { $0 }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    _ = subscription
  }

  @Test("A signal comes once to an inbox with several fitting subscriptions, and not after they are released")
  func onceAndNoMore() async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let client = try await BusConnection.connect(to: bus.address)
    let seen = Mutex<[UInt32]>([])
    let inbox = Inbox { item in
      if case .signal(let message) = item { seen.withLock { $0.append(message.body.first?.asUInt32 ?? .max) } }
    }
    let other = Mutex(0)
    let otherInbox = Inbox { item in if case .signal = item { other.withLock { $0 += 1 } } }
    var first: Subscription? = client.subscribe(MatchRule(interface: "org.example.Some"), to: inbox)
    var second: Subscription? = client.subscribe(MatchRule(member: "Thing"), to: inbox)
    let third = client.subscribe(MatchRule(path: "/x"), to: otherInbox)
    // An answer tells that the bus has the rules.
    _ = try await client.owner(of: .bus)
    peer.emit(Signal(at: "/x", "org.example.Some", "Thing", [.uint32(1)]))
    try await eventually(within: .seconds(20), "the first signal") { other.withLock { $0 } == 1 }
    first = nil
    _ = try await client.owner(of: .bus)
    peer.emit(Signal(at: "/x", "org.example.Some", "Thing", [.uint32(2)]))
    try await eventually(within: .seconds(20), "the second signal") { other.withLock { $0 } == 2 }
    second = nil
    _ = try await client.owner(of: .bus)
    peer.emit(Signal(at: "/x", "org.example.Some", "Thing", [.uint32(3)]))
    try await eventually(within: .seconds(20), "the third signal") { other.withLock { $0 } == 3 }
    #expect(seen.withLock { $0 } == [1, 2])
    _ = (first, second, third)
  }
}
