import DBus
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Names on the bus", .timeLimit(.minutes(1)))
struct OwnershipTests {
  @Test("Asking for a name gives each of the bus's four answers")
  func request() async throws {
    let bus = try await PrivateBus()
    let first = try await BusConnection.connect(to: bus.address)
    let second = try await BusConnection.connect(to: bus.address)
    #expect(try await first.requestName("org.example.N") == .owner)
    #expect(try await first.requestName("org.example.N") == .alreadyOwner)
    #expect(try await second.requestName("org.example.N", .doNotQueue) == .taken)
    #expect(try await second.requestName("org.example.N") == .queued)
    #expect(try await first.owner(of: "org.example.N") == first.uniqueName)
    try await first.releaseName("org.example.N")
    #expect(try await first.owner(of: "org.example.N") == second.uniqueName)
    #expect(try await first.owner(of: "org.example.Nobody") == nil)
    #expect(try await first.owner(of: .bus) == .bus)
  }

  @Test("A name can be taken from an owner who allows it, and the loser hears of it")
  func replacement() async throws {
    let bus = try await PrivateBus()
    let first = try await BusConnection.connect(to: bus.address)
    let second = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscription = first.subscribe(MatchRule(sender: .bus, member: "NameLost"), to: recorder.inbox)
    #expect(try await first.requestName("org.example.N", .allowReplacement) == .owner)
    #expect(try await second.requestName("org.example.N", [.replaceExisting, .doNotQueue]) == .owner)
    try await eventually(within: .seconds(20), "NameLost") {
      recorder.signals.contains { $0.body == [.string("org.example.N")] }
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("A name that the bus keeps for others is refused with its error")
  func refused() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    let error = await busError { () throws(BusError) in _ = try await client.requestName(":1.5") }
    #expect(error?.code == .remote)
    #expect(error?.name == .invalidArguments)
  }

  @Test("Whoever watches a name hears of every change of its owner, in order")
  func watching() async throws {
    let bus = try await PrivateBus()
    let watcher = try await BusConnection.connect(to: bus.address)
    let recorder = Recorder()
    let subscription = watcher.subscribe(
      MatchRule(sender: .bus, member: "NameOwnerChanged", firstArgument: "org.example.N"), to: recorder.inbox)
    let owner = try await BusConnection.connect(to: bus.address)
    let name = try #require(owner.uniqueName).text
    _ = try await watcher.owner(of: .bus)
    #expect(try await owner.requestName("org.example.N") == .owner)
    #expect(try await owner.requestName("org.example.Other") == .owner)
    await owner.close()
    try await eventually(within: .seconds(20), "two changes") { recorder.signals.count == 2 }
    let bodies = recorder.signals.map { $0.body.compactMap(\.asString) }
    #expect(bodies == [["org.example.N", "", name], ["org.example.N", name, ""]])
    withExtendedLifetime(subscription) {}
  }

  @Test("The bus tells user and process behind a name")
  func credentials() async throws {
    let bus = try await PrivateBus()
    let client = try await BusConnection.connect(to: bus.address)
    let name = try #require(client.uniqueName)
    #expect(try await client.userID(of: name) == getuid())
    #expect(try await client.processID(of: name) == getpid())
    let error = await busError { () throws(BusError) in _ = try await client.userID(of: "org.example.Nobody") }
    #expect(error?.name == .nameHasNoOwner)
  }
}
