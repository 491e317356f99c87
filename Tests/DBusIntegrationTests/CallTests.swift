import DBus
import TestSupport
import Testing

@Suite("Calls over a private bus", .timeLimit(.minutes(2)))
struct CallTests {
  @Test("10,000 calls in a row are all answered")
  func sequential() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus, signatures: ["u"])
    let client = try await BusConnection.connect(to: bus.address)
    for number in 0..<UInt32(10_000) {
      let answer = try await client.call(peer.call("Echo1", [.uint32(number)]))
      #expect(answer.body == [.uint32(number)])
    }
  }

  @Test("5,000 calls at once are all answered, each with its own answer")
  func concurrent() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus, signatures: ["u"])
    let client = try await BusConnection.connect(to: bus.address)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<UInt32(5000) {
        group.addTask {
          try await client.call(peer.call("Echo1", [.uint32(number)])).body == [.uint32(number)]
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("32 MB go there and back, and small calls given meanwhile are answered too")
  func large() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus, signatures: ["ay"])
    let client = try await BusConnection.connect(to: bus.address)
    var bytes = (0..<32_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    while bytes.count < 32_000_000 { bytes += bytes }
    let call = peer.call("Echo1", [.bytes(bytes)])
    async let large = client.call(call)
    for number in 0..<UInt32(20) {
      #expect(try await client.call(peer.echo(.uint32(number))).body == [.variant(.uint32(number))])
    }
    let answer = try await large
    #expect(answer.body.first?.asBytes == bytes)
  }

  @Test("A message over the limit of the options is refused and nothing is sent")
  func overLimit() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    var options = BusConnection.Options()
    options.maximumMessageSize = 100_000
    let client = try await BusConnection.connect(to: bus.address, options: options)
    let error = await busError { () throws(BusError) in
      _ = try await client.call(peer.echo(.bytes(Array(repeating: 0, count: 100_001))))
    }
    #expect(error?.code == .tooLarge)
    #expect(try await client.call(peer.echo(.bytes([1]))).body == [.variant(.bytes([1]))])
  }

  @Test("A call that is not answered times out, and the connection goes on")
  func timeout() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let clock = ContinuousClock()
    let start = clock.now
    let error = await busError { () throws(BusError) in
      _ = try await client.call(peer.call("Keep"), timeout: .milliseconds(80))
    }
    #expect(error?.code == .timedOut)
    #expect(clock.now - start >= .milliseconds(80))
    #expect(clock.now - start < .seconds(20))
    // The late answer goes unheard.
    for call in peer.keeper.take() { call.reply() }
    #expect(try await client.call(peer.echo(.byte(7))).body == [.variant(.byte(7))])
  }

  @Test("Calls time out in the order of their limits, not of their sending")
  func timeoutOrder() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    for (token, limit) in [(1, 300), (2, 60), (3, 180)] {
      client.post(
        peer.call("Keep"), timeout: .milliseconds(limit), to: recorder.inbox, token: UInt64(token))
    }
    try await eventually(within: .seconds(30), "three time-outs") { recorder.all.count == 3 }
    #expect(recorder.summary == ["reply 2 timedOut", "reply 3 timedOut", "reply 1 timedOut"])
  }

  @Test("An unknown name is the bus's error, with its name and text")
  func unknownName() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    let error = await busError { () throws(BusError) in
      _ = try await client.call(MethodCall(to: "org.example.Nobody", at: "/", "org.example.A", "B"))
    }
    #expect(error?.code == .remote)
    #expect(error?.name == .serviceUnknown)
    #expect(error?.message.contains("org.example.Nobody") == true)
    let unstarted = await busError { () throws(BusError) in
      _ = try await client.call(
        MethodCall(to: "org.example.Nobody", at: "/", "org.example.A", "B", startsService: false))
    }
    #expect(unstarted?.name == .nameHasNoOwner)
  }

  @Test("A peer's error comes with its name and text")
  func remoteError() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let error = await busError { () throws(BusError) in _ = try await client.call(peer.call("Fail", [.string("so")])) }
    #expect(error == BusError(.remote, "so", name: "org.example.Error.Asked"))
    let silent = await busError { () throws(BusError) in _ = try await client.call(peer.call("Fail", [.string("")])) }
    #expect(silent?.message.contains("org.example.Error.Asked") == true)
  }

  @Test("Cancelling the task that waits ends the wait at once; the call still takes effect")
  func cancellation() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let task = Task { await busError { () throws(BusError) in _ = try await client.call(peer.call("Keep")) } }
    try await eventually(within: .seconds(20), "the call is there") { peer.keeper.count == 1 }
    let clock = ContinuousClock()
    let start = clock.now
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(clock.now - start < .seconds(15))
    for call in peer.keeper.take() { call.reply() }
    #expect(try await client.call(peer.echo(.byte(7))).body == [.variant(.byte(7))])
  }

  @Test("A task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    let task = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return await busError { () throws(BusError) in _ = try await client.call(peer.call("Keep")) }
    }
    #expect(await task.value?.code == .cancelled)
    _ = try await client.call(peer.echo(.byte(7)))
    #expect(peer.keeper.count == 0)
  }

  @Test("A peer that leaves without answering ends the call with the bus's error")
  func peerLeaves() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    async let error = busError { () throws(BusError) in _ = try await client.call(peer.call("Keep")) }
    try await eventually(within: .seconds(20), "the call is there") { peer.keeper.count == 1 }
    await peer.connection.close()
    let ended = await error
    #expect(ended?.code == .remote)
    #expect(ended?.name == .noReply)
  }

  @Test("Calls that want no answer arrive in order")
  func noReply() async throws {
    let bus = try await PrivateBus()
    let peer = try await EchoPeer(bus)
    let client = try await BusConnection.connect(to: bus.address)
    for _ in 0..<100 { client.send(peer.call("Keep")) }
    _ = try await client.call(peer.echo(.byte(1)))
    let calls = peer.keeper.take()
    #expect(calls.count == 100)
    #expect(calls.allSatisfy { $0.message.wantsNoReply && $0.message.sender == client.uniqueName })
    #expect(calls.map(\.message.serial) == calls.map(\.message.serial).sorted())
  }
}
