import DBus
import Glibc
import TestSupport
import Testing

@Suite("Connecting", .timeLimit(.minutes(1)))
struct ConnectTests {
  private func fault(_ address: BusAddress, _ options: BusConnection.Options = .init()) async -> BusError? {
    await busError { () throws(BusError) in _ = try await BusConnection.connect(to: address, options: options) }
  }

  /// The fault and the shortest time of three attempts: the machine may be busy with other tests.
  private func fastestFault(
    _ address: BusAddress, _ options: BusConnection.Options = .init()
  ) async -> (BusError?, Duration) {
    let clock = ContinuousClock()
    var error: BusError?
    var fastest = Duration.seconds(3600)
    for _ in 0..<3 { fastest = min(fastest, await clock.measure { error = await fault(address, options) }) }
    return (error, fastest)
  }

  private static var impatient: BusConnection.Options {
    var options = BusConnection.Options()
    options.connectTimeout = .milliseconds(300)
    return options
  }

  @Test("A connection knows its unique name")
  func name() async throws {
    let bus = try await PrivateBus()
    let connections = [
      try await BusConnection.connect(to: bus.address), try await BusConnection.connect(to: bus.address),
    ]
    #expect(connections[0].uniqueName?.isUnique == true)
    #expect(connections[0].uniqueName != connections[1].uniqueName)
  }

  @Test(
    "An address where nobody listens, or that is none, is an error at once",
    arguments: [
      "unix:path=/nonexistent/bus", "unix:abstract=notify-bridge-nobody", "tcp:host=127.0.0.1,port=1", "", "nonsense",
      "unix:", "unix:path=", "foo:bar=1", ";", "unix:path=/a\0b", "unix:path=%zz", "unix:tmpdir=/tmp",
    ])
  func unreachable(text: String) async {
    let (error, time) = await fastestFault(BusAddress(text))
    #expect(error?.code == .notConnected)
    #expect(error?.message.isEmpty == false)
    #expect(time < .seconds(2))
  }

  @Test("The first address of a list that can be connected to is taken")
  func list() async throws {
    let bus = try await PrivateBus()
    let connection = try await BusConnection.connect(to: BusAddress("unix:path=/nonexistent;\(bus.address)"))
    #expect(connection.uniqueName != nil)
  }

  @Test("A bus that lets nobody in is a refused login within two seconds")
  func policy() async throws {
    let bus = try await PrivateBus(
      extraConfiguration: "<policy context=\"mandatory\"><deny user=\"*\"/></policy>")
    let (error, time) = await fastestFault(bus.address)
    #expect(error?.code == .authentication)
    #expect(error?.message.contains(bus.address.text) == true)
    #expect(time < .seconds(2))
  }

  @Test("C063: another user's session bus is a refused login within two seconds", .enabled(if: getuid() == 0))
  func otherUser() async throws {
    let bus = try await PrivateBus(userID: 65534)
    let (error, time) = await fastestFault(bus.address)
    #expect(error?.code == .authentication)
    #expect(time < .seconds(2))
  }

  @Test("A bus that rejects every mechanism is a refused login")
  func rejected() async throws {
    let bus = try RawBus { peer in
      while !peer.read().isEmpty { peer.write("REJECTED EXTERNAL\r\n".utf8) }
    }
    let error = await fault(bus.address)
    #expect(error?.code == .authentication)
  }

  @Test("A bus that accepts and then says nothing times out")
  func silent() async throws {
    let bus = try RawBus { $0.waitForEnd() }
    let (error, time) = await fastestFault(bus.address, Self.impatient)
    #expect(error?.code == .timedOut)
    #expect(time < .seconds(2))
  }

  @Test("A bus that stops answering after the login times out")
  func frozen() async throws {
    let bus = try await PrivateBus()
    bus.setFrozen(true)
    let error = await fault(bus.address, Self.impatient)
    #expect(error?.code == .timedOut)
    bus.setFrozen(false)
    #expect(await fault(bus.address) == nil)
  }

  @Test("A bus that answers Hello with nonsense is an unexpected reply", arguments: ["", "org.example.N", ":", "a b"])
  func nonsense(name: String) async throws {
    let bus = try RawBus { peer in
      if peer.welcome(as: name) { peer.waitForEnd() }
    }
    #expect(await fault(bus.address)?.code == .unexpectedReply)
  }

  @Test("Cancelling the task that connects ends the wait at once, and the connection goes away")
  func cancellation() async throws {
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    let bus = try RawBus { peer in
      peer.waitForEnd()
      continuation.yield()
    }
    let task = Task { await fault(bus.address) }
    try await eventually(within: .seconds(20), "the client is there") { bus.clients == 1 }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    for await _ in ended { break }
  }

  @Test("100 connections at once all get in")
  func many() async throws {
    let bus = try await PrivateBus()
    let names = try await withThrowingTaskGroup(of: BusName?.self) { group in
      for _ in 0..<100 { group.addTask { try await BusConnection.connect(to: bus.address).uniqueName } }
      return try await group.reduce(into: Set<BusName?>()) { $0.insert($1) }
    }
    #expect(names.count == 100)
    #expect(!names.contains(nil))
  }

  @Test("The address of a bus in the wrong place never starts one")
  func neverStarts() async {
    for text in ["autolaunch:", "unix:path=/nonexistent;autolaunch:"] {
      #expect(await fault(BusAddress(text))?.code != nil)
    }
  }
}
