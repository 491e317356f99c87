import DBus
import Synchronization
import TestSupport
import Testing

@Suite("Subscriptions", .timeLimit(.minutes(1)))
struct SubscriptionTests {
  @Test("A signal that a later call causes is never missed", arguments: 0..<20)
  func ruleGoesFirst(round: Int) async throws {
    let bus = try await PrivateBus()
    let server = try await BusConnection.connect(to: bus.address)
    let export = server.export(
      ExportedInterface(
        "org.example.S",
        methods: [
          .init("Go") { [weak server] call in
            server?.emit(Signal(at: "/s", "org.example.S", "Gone"))
            call.reply()
          }
        ]), at: "/s")
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscription = client.subscribe(MatchRule(interface: "org.example.S", member: "Gone"), to: recorder.inbox)
    _ = try await client.call(MethodCall(to: try #require(server.uniqueName), at: "/s", "org.example.S", "Go"))
    try await eventually(within: .seconds(20), "the signal") { recorder.signals.count == 1 }
    withExtendedLifetime((subscription, export)) {}
  }

  @Test("Releasing a subscription takes its rule from the bus: nothing of it is received any more")
  func removal() async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let marker = client.subscribe(MatchRule(interface: "org.example.Marker"), to: recorder.inbox)
    var noisy: [Subscription] = (0..<3).map { _ in
      client.subscribe(MatchRule(interface: "org.example.Noise"), to: recorder.inbox)
    }
    /// What the connection received between two markers, with 50 signals sent between them.
    func received() async throws -> Int {
      let before = recorder.signals.count
      _ = try await client.owner(of: .bus)
      peer.emit(Signal(at: "/x", "org.example.Marker", "M"))
      for _ in 0..<50 { peer.emit(Signal(at: "/x", "org.example.Noise", "N")) }
      peer.emit(Signal(at: "/x", "org.example.Marker", "M"))
      try await eventually(within: .seconds(20), "the second marker") {
        recorder.signals.dropFirst(before).filter { $0.member == "M" }.count == 2
      }
      let markers = recorder.signals.dropFirst(before).filter { $0.member == "M" }
      return Int(markers[1].sequence - markers[0].sequence) - 1
    }
    #expect(try await received() == 50)
    noisy.removeLast()
    #expect(try await received() == 50)
    noisy = []
    #expect(try await received() == 0)
    withExtendedLifetime((marker, noisy)) {}
  }

  @Test("A rule that the bus does not take is told to the inbox")
  func refused() async throws {
    let bus = try await PrivateBus(extraConfiguration: "<limit name=\"max_match_rules_per_connection\">2</limit>")
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscriptions = (0..<3).map { number in
      client.subscribe(MatchRule(firstArgument: "\(number)"), to: recorder.inbox)
    }
    try await eventually(within: .seconds(20), "the refusal") { !recorder.all.isEmpty }
    guard case .subscriptionFailed(let rule, let error) = recorder.all[0] else {
      Issue.record("\(recorder.summary)")
      return
    }
    #expect(rule.firstArgument == "2")
    #expect(error.name == .limitsExceeded)
    let hostile = client.subscribe(MatchRule(firstArgument: "\0"), to: recorder.inbox)
    try await eventually(within: .seconds(20), "the second refusal") {
      recorder.summary == ["subscriptionFailed remote", "subscriptionFailed invalidValue"]
    }
    withExtendedLifetime((subscriptions, hostile)) {}
  }

  @Test("Quotes and commas in a rule's first argument reach the bus as they are")
  func quoting() async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let client = try await BusConnection.connect(to: bus.address)
    let texts = ["it's", "a,b='c'", #"back\slash"#, "''", "plain"]
    for text in texts {
      let recorder = Recorder()
      let subscription = client.subscribe(
        MatchRule(interface: "org.example.Q", firstArgument: text), to: recorder.inbox)
      _ = try await client.owner(of: .bus)
      for other in texts { peer.emit(Signal(at: "/x", "org.example.Q", "Q", [.string(other)])) }
      peer.emit(Signal(at: "/x", "org.example.Q", "Q", [.string(text), .byte(1)]))
      try await eventually(within: .seconds(20), "both signals of \(text)") { recorder.signals.count == 2 }
      #expect(recorder.signals.map { $0.body[0] } == [.string(text), .string(text)])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("20,000 signals in a burst all arrive, in order")
  func burst() async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let client = try await BusConnection.connect(to: bus.address)
    let numbers = Mutex<[UInt32]>([])
    let inbox = Inbox { item in
      if case .signal(let message) = item, let number = message.body.first?.asUInt32 {
        numbers.withLock { $0.append(number) }
      }
    }
    let subscription = client.subscribe(MatchRule(interface: "org.example.Burst"), to: inbox)
    _ = try await client.owner(of: .bus)
    for number in 0..<UInt32(20_000) {
      peer.emit(Signal(at: "/x", "org.example.Burst", "B", [.uint32(number)]))
    }
    try await eventually(within: .seconds(30), "all signals") { numbers.withLock { $0.count } == 20_000 }
    #expect(numbers.withLock { $0 } == Array(0..<20_000))
    withExtendedLifetime(subscription) {}
  }

  @Test("Handlers may subscribe, post and release from inside; none is called inside another")
  func reentrancy() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    let state = Mutex((depth: 0, deepest: 0, replies: 0))
    let box = InboxBox()
    let inbox = Inbox { item in
      state.withLock { state in
        state.depth += 1
        state.deepest = max(state.deepest, state.depth)
      }
      if case .reply(let token, _) = item {
        state.withLock { $0.replies += 1 }
        if token < 50 {
          // Fails at once, so that the answer is there before the handler returns.
          let bad = MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetNameOwner", [.string("\0")])
          client.post(bad, timeout: .seconds(5), to: box.get(), token: token + 1)
          _ = client.subscribe(MatchRule(member: "X"), to: box.get())
        }
      }
      state.withLock { $0.depth -= 1 }
    }
    box.set(inbox)
    client.post(
      MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetId"), timeout: .seconds(5), to: inbox, token: 0)
    try await eventually(within: .seconds(20), "51 answers") { state.withLock { $0.replies } == 51 }
    #expect(state.withLock { $0.deepest } == 1)
    box.clear()
    await client.close()
  }

  private final class InboxBox: Sendable {
    private let inbox = Mutex<Inbox?>(nil)
    func set(_ new: Inbox) { inbox.withLock { $0 = new } }
    func get() -> Inbox { inbox.withLock { $0! } }
    func clear() { inbox.withLock { $0 = nil } }
  }

  @Test("Work from many threads keeps each thread's order")
  func manyThreads() async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let client = try await BusConnection.connect(to: bus.address)
    let seen = Mutex<[UInt32: [UInt32]]>([:])
    let inbox = Inbox { item in
      guard case .signal(let message) = item, message.body.count == 2 else { return }
      let (thread, number) = (message.body[0].asUInt32!, message.body[1].asUInt32!)
      seen.withLock { $0[thread, default: []].append(number) }
    }
    let subscription = client.subscribe(MatchRule(interface: "org.example.T"), to: inbox)
    _ = try await client.owner(of: .bus)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<UInt32(8) {
        group.addTask {
          for number in 0..<UInt32(500) {
            peer.emit(Signal(at: "/x", "org.example.T", "T", [.uint32(thread), .uint32(number)]))
          }
        }
      }
    }
    try await eventually(within: .seconds(20), "all signals") {
      seen.withLock { $0.values.reduce(0) { $0 + $1.count } } == 4000
    }
    for thread in 0..<UInt32(8) { #expect(seen.withLock { $0[thread] } == Array(0..<500)) }
    withExtendedLifetime(subscription) {}
  }
}
