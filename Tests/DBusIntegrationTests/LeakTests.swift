import TestSupport
import Testing

@testable import DBus

@Suite("Nothing is left of a connection", .timeLimit(.minutes(1)))
struct LeakTests {
  /// What a connection is made of; nil again once it is gone. The thread holds the executor as long as it runs.
  private struct Parts {
    weak var core: ConnectionCore?
    weak var executor: BusExecutor?
    weak var inbox: Inbox?

    var areGone: Bool { core == nil && executor == nil && inbox == nil }
  }

  @Test(
    "A connection that is released takes its thread, its inboxes and itself along",
    arguments: ["used", "lost", "closed"])
  func release(how: String) async throws {
    let bus = try await PrivateBus()
    var options = BusConnection.Options()
    options.reconnects = how == "lost"
    var parts = Parts()
    do {
      let connection = try await BusConnection.connect(to: bus.address, options: options)
      let recorder = Recorder()
      parts = Parts(core: connection.core, executor: connection.core.executor, inbox: recorder.inbox)
      let subscription = connection.subscribe(MatchRule(member: "A"), to: recorder.inbox)
      let export = connection.export(
        ExportedInterface(
          "org.example.Self",
          methods: [.init("Hold") { [weak connection] call in _ = (connection, recorder, call) }]), at: "/self")
      _ = try await connection.requestName("org.example.Name")
      let call = MethodCall(to: "org.example.Name", at: "/self", "org.example.Self", "Hold")
      _ = await busError { () throws(BusError) in _ = try await connection.call(call) }
      connection.post(call, timeout: .seconds(3600), to: recorder.inbox, token: 1)
      if how == "lost" {
        bus.kill()
        try await eventually(within: .seconds(20), "the loss") { recorder.summary.last == "disconnected" }
      }
      if how == "closed" { await connection.close() }
      withExtendedLifetime((subscription, export)) {}
    }
    try await eventually(within: .seconds(20), "everything is gone") { parts.areGone }
  }

  @Test("Attempts to connect that fail leave nothing")
  func failures() async throws {
    let bus = try RawBus { $0.hangUp() }
    weak var core: ConnectionCore?
    weak var executor: BusExecutor?
    for address in [bus.address, BusAddress("unix:path=/nonexistent"), BusAddress("tcp:host=127.0.0.1,port=1")] {
      do {
        let made = try ConnectionCore(address, BusConnection.Options())
        core = made
        executor = made.executor
        let connection = BusConnection(made)
        let error = await busError { () throws(BusError) in
          try await made.started.result { made.executor.perform { made.connect() } }
        }
        #expect(error != nil)
        withExtendedLifetime(connection) {}
      }
      try await eventually(within: .seconds(20), "everything of \(address) is gone") { core == nil && executor == nil }
    }
  }
}
