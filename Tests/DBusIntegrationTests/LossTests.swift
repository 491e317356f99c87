import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Loss of the bus", .timeLimit(.minutes(2)))
struct LossTests {
  private static var reconnecting: BusConnection.Options {
    var options = BusConnection.Options()
    options.reconnects = true
    return options
  }

  @Test("Every call in flight ends, oldest first, then every inbox hears of the loss, once")
  func loss() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let idle = Recorder()
    let subscription = client.subscribe(MatchRule(member: "Never"), to: idle.inbox)
    for token in 0..<UInt64(50) {
      client.post(peer.call("Keep"), timeout: .seconds(60), to: recorder.inbox, token: token)
    }
    async let awaited = busError { () throws(BusError) in _ = try await client.call(peer.call("Keep")) }
    try await eventually(within: .seconds(20), "the calls are there") { peer.keeper.count == 51 }
    bus.kill()
    #expect(await awaited?.code == .disconnected)
    try await eventually(within: .seconds(20), "the loss") { recorder.summary.last == "disconnected" }
    #expect(recorder.summary == (0..<50).map { "reply \($0) disconnected" } + ["disconnected"])
    try await eventually(within: .seconds(20), "the other inbox too") { idle.summary == ["disconnected"] }
    #expect(client.uniqueName == nil)
    let later = await busError { () throws(BusError) in _ = try await client.call(peer.call("Keep")) }
    #expect(later?.code == .disconnected)
    client.post(peer.call("Keep"), timeout: .seconds(60), to: recorder.inbox, token: 99)
    try await eventually(within: .seconds(20), "the late post") { recorder.summary.last == "reply 99 disconnected" }
    await client.close()
    withExtendedLifetime(subscription) {}
  }

  @Test("After a restart on the same address, rules, objects and names are there again under a new name")
  func reconnection() async throws {
    let bus = try await PrivateBus()
    // The bus gives those that it starts an address with the guid of this run.
    let other = try await BusConnection.connect(to: bus.address)
    let guid = try await other.call(MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetId", []))
      .body.first?.asString
    await other.close()
    let address = BusAddress("\(bus.address.text),guid=\(try #require(guid))")
    let client = try await BusConnection.connect(to: address, options: Self.reconnecting)
    let recorder = Recorder()
    let subscription = client.subscribe(MatchRule(interface: "org.example.I"), to: recorder.inbox)
    var dropped: Subscription? = client.subscribe(MatchRule(interface: "org.example.Gone"), to: recorder.inbox)
    let export = client.export(
      ExportedInterface("org.example.Obj", methods: [.init("Hi") { $0.reply([.string("there")]) }]), at: "/obj")
    #expect(try await client.requestName("org.example.Back", .doNotQueue) == .owner)
    #expect(try await client.requestName("org.example.Given") == .owner)
    try await client.releaseName("org.example.Given")
    for round in 1...3 {
      bus.kill()
      try await eventually(within: .seconds(20), "loss \(round)") {
        recorder.summary.filter { $0 == "disconnected" }.count == round
      }
      #expect(client.uniqueName == nil)
      dropped = nil
      try await bus.restart()
      try await eventually(within: .seconds(30), "return \(round)") {
        recorder.summary.filter { $0 == "reconnected" }.count == round
      }
      let name = try #require(client.uniqueName)
      guard
        case .reconnected(let told) = try #require(
          recorder.all.last(where: { if case .reconnected = $0 { true } else { false } }))
      else { return }
      #expect(told == name)
      let other = try await BusConnection.connect(to: bus.address)
      #expect(try await other.owner(of: "org.example.Back") == name)
      #expect(try await other.owner(of: "org.example.Given") == nil)
      let answer = try await other.call(MethodCall(to: "org.example.Back", at: "/obj", "org.example.Obj", "Hi"))
      #expect(answer.body == [.string("there")])
      other.emit(Signal(at: "/x", "org.example.Gone", "No"))
      other.emit(Signal(at: "/x", "org.example.I", try MemberName("Round\(round)")))
      try await eventually(within: .seconds(20), "signal \(round)") { recorder.signals.count == round }
    }
    #expect(recorder.signals.map { $0.member?.text } == ["Round1", "Round2", "Round3"])
    await client.close()
    withExtendedLifetime((subscription, dropped, export)) {}
  }

  @Test("An answer to a call from before the loss is not sent into the new connection")
  func staleAnswer() async throws {
    let bus = try await PrivateBus()
    let keeper = Keeper()
    let server = try await BusConnection.connect(to: bus.address, options: Self.reconnecting)
    let export = server.export(
      ExportedInterface("org.example.Keep", methods: [.init("Keep") { keeper.keep($0) }]), at: "/k")
    let client = try await BusConnection.connect(to: bus.address)
    client.send(MethodCall(to: try #require(server.uniqueName), at: "/k", "org.example.Keep", "Keep"))
    let recorder = Recorder()
    client.post(
      MethodCall(to: try #require(server.uniqueName), at: "/k", "org.example.Keep", "Keep"), timeout: .seconds(30),
      to: recorder.inbox, token: 1)
    try await eventually(within: .seconds(20), "both calls") { keeper.count == 2 }
    try await bus.restart()
    try await eventually(within: .seconds(30), "return") { server.uniqueName != nil }
    // A new client with the same unique name as the old one's listens for an answer that it never asked for.
    let later = try await BusConnection.connect(to: bus.address)
    for call in keeper.take() { call.reply([.string("stale")]) }
    #expect(try await later.owner(of: .bus) == .bus)
    try await eventually(within: .seconds(20), "the old call's end") {
      recorder.summary.first == "reply 1 disconnected"
    }
    await server.close()
    withExtendedLifetime(export) {}
  }

  @Test("Closing ends the attempts to connect again")
  func closingEndsAttempts() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address, options: Self.reconnecting)
    let recorder = Recorder()
    let subscription = client.subscribe(MatchRule(member: "A"), to: recorder.inbox)
    bus.kill()
    try await eventually(within: .seconds(20), "loss") { recorder.summary == ["disconnected"] }
    await client.close()
    try await bus.restart()
    let other = try await BusConnection.connect(to: bus.address)
    // Longer than the first pauses together: nobody but `other` and the bus is there.
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(900)
    while clock.now < end {
      let names = try await other.call(MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "ListNames"))
      #expect(names.body.first?.asStrings?.count == 2)
      try await clock.sleep(for: .milliseconds(50))
    }
    #expect(client.uniqueName == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test("What was given before close still leaves, then later calls fail", arguments: [1, 8_000_000])
  func closeSendsFirst(size: Int) async throws {
    let bus = try await PrivateBus()
    let peer = try await BusConnection.connect(to: bus.address)
    let sizes = Mutex<[Int]>([])
    let inbox = Inbox { item in
      if case .signal(let message) = item { sizes.withLock { $0.append(message.body[0].asBytes?.count ?? -1) } }
    }
    let subscription = peer.subscribe(MatchRule(interface: "org.example.Last"), to: inbox)
    _ = try await peer.owner(of: .bus)
    let client = try await BusConnection.connect(to: bus.address)
    for _ in 0..<3 {
      client.emit(Signal(at: "/x", "org.example.Last", "Words", [.bytes(Array(repeating: 1, count: size))]))
    }
    await client.close()
    try await eventually(within: .seconds(30), "the last words") { sizes.withLock { $0 } == [size, size, size] }
    let error = await busError { () throws(BusError) in _ = try await client.owner(of: .bus) }
    #expect(error?.code == .disconnected)
    await client.close()
    withExtendedLifetime(subscription) {}
  }

  @Test("A connection that is released closes, and what was given before still leaves")
  func release() async throws {
    let bus = try await PrivateBus()
    let watcher = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscriptions = [
      watcher.subscribe(MatchRule(sender: .bus, member: "NameOwnerChanged"), to: recorder.inbox),
      watcher.subscribe(MatchRule(interface: "org.example.Last"), to: recorder.inbox),
    ]
    _ = try await watcher.owner(of: .bus)
    var client: BusConnection? = try await BusConnection.connect(to: bus.address)
    let name = try #require(client?.uniqueName).text
    client?.emit(Signal(at: "/x", "org.example.Last", "Word"))
    client = nil
    try await eventually(within: .seconds(20), "the end of \(name)") {
      recorder.signals.contains { $0.body.compactMap(\.asString) == [name, name, ""] }
    }
    #expect(recorder.signals.contains { $0.member == "Word" })
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Closing a connection whose bus stands still takes about a second at most")
  func closeFrozen() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    bus.setFrozen(true)
    client.emit(Signal(at: "/x", "org.example.Last", "Words", [.bytes(Array(repeating: 1, count: 8_000_000))]))
    let clock = ContinuousClock()
    let time = await clock.measure { await client.close() }
    #expect(time > .milliseconds(500))
    #expect(time < .seconds(20))
    bus.setFrozen(false)
  }

  @Test("Writing to a bus that has gone does not end the process, whatever SIGPIPE does")
  func brokenPipe() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    let previous = signal(SIGPIPE, SIG_DFL)
    defer { _ = signal(SIGPIPE, previous) }
    bus.kill()
    for _ in 0..<100 { client.emit(Signal(at: "/x", "org.example.Last", "Words", [.bytes([1, 2, 3])])) }
    try await eventually(within: .seconds(20), "the loss") { client.uniqueName == nil }
  }
}
