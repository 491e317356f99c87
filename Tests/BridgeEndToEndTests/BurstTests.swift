import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// More than any desktop sees: everything arrives, in order, and the bridge stays small.
@Suite("Bursts", .serialized, .timeLimit(.minutes(3))) struct BurstTests {
  /// A program with a connection of its own.
  private struct Program {
    let channel: ControlChannel
    let answers = Counter()

    final class Counter: Sendable {
      let failures = Mutex<[String]>([])
      let count = Atomic(0)
    }

    init(_ fixture: BridgeFixture) async throws {
      let executor = try BusExecutor()
      channel = ControlChannel(
        on: try await BusConnection.connect(to: fixture.bus.address, on: executor), executor: executor, log: MemoryLog()
      )
    }

    func post(_ request: RequestRecord) {
      channel.add(request, from: CrashLoad.program, files: [], options: .init()) { [answers] result in
        if case .failure(let error) = result { answers.failures.withLock { $0.append("\(error)") } }
        answers.count.add(1, ordering: .relaxed)
      }
    }

    func answered(_ count: Int) async throws {
      try await eventually(within: .seconds(100), "\(count) answers") {
        answers.count.load(ordering: .relaxed) == count
      }
      #expect(answers.failures.withLock { $0 } == [])
    }
  }

  private func report(_ name: String, _ start: ContinuousClock.Instant, _ idle: Int, _ peak: Int) {
    print("burst: \(name) in \(start.duration(to: .now)), memory \(idle) KiB before, \(peak) KiB at most")
  }

  @Test("C060: 10,000 at once arrive complete and in order, and memory stays bounded")
  func tenThousand() async throws {
    let fixture = try await BridgeFixture()
    let process = try await BridgeProcess(fixture)
    _ = try await fixture.run("send", "First")
    let (idle, start) = (try process.peakMemory(), ContinuousClock.now)
    let program = try await Program(fixture)
    for number in 1...10_000 { program.post(.plain("n\(number)", title: "\(number)", body: "Body of \(number)")) }
    try await program.answered(10_000)
    // A slow machine tells those at the end that they have to wait.
    _ = try await fixture.shown(10_001, within: .seconds(100))
    #expect(fixture.titles.dropFirst().elementsEqual((1...10_000).map { "\($0)" }))
    let peak = try process.peakMemory()
    report("10,000 posts", start, idle, peak)
    #expect(peak < 3 * idle)
    try await eventually(within: .seconds(10), "the queue is empty") {
      try await fixture.client.status()["queued"] == .integer(0)
    }
  }

  @Test("10,000 while no daemon is there are taken at once, and arrive complete and in order when one comes")
  func tenThousandQueued() async throws {
    let fixture = try await BridgeFixture()
    let process = try await BridgeProcess(fixture)
    _ = try await fixture.run("send", "First")
    await fixture.daemon.stop()
    let (idle, start) = (try process.peakMemory(), ContinuousClock.now)
    let program = try await Program(fixture)
    for number in 1...10_000 { program.post(.plain("n\(number)", title: "\(number)")) }
    try await program.answered(10_000)
    report("10,000 posts without a daemon", start, idle, try process.peakMemory())
    #expect(try await fixture.client.status()["queued"] == .integer(10_000))
    try await fixture.restartDaemon()
    #expect(try await fixture.shown(10_000, within: .seconds(60)).elementsEqual((1...10_000).map { "\($0)" }))
    report("and shown", start, idle, try process.peakMemory())
  }

  @Test("500 clicks right behind the daemon's answers reach the program once each, in order")
  func clicks() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { daemon, posted in
      daemon.invoke(posted.serverID, "default")
      daemon.close(posted.serverID, .dismissed)
    }
    let fixture = try await BridgeFixture(behavior)
    let program = try await Program(fixture)
    let received = Mutex<[String]>([])
    program.channel.register(
      ControlChannel.Registration(
        application: CrashLoad.program.identifier, presents: false,
        receive: { [channel = program.channel] response in
          received.withLock { $0.append(response.notification.request.identifier) }
          channel.acknowledge(response.id, of: CrashLoad.program.identifier)
        }, present: { $1(nil) }))
    for number in 1...500 { program.post(.plain("n\(number)")) }
    try await eventually(within: .seconds(30), "500 responses") { received.withLock { $0.count } >= 500 }
    try await program.answered(500)
    #expect(received.withLock { $0 } == (1...500).map { "n\($0)" })
  }

  @Test("500 clicks that wait for a handler are handled one after the other, in order")
  func handlers() async throws {
    let run = try await CrashRun()
    for number in 1...500 {
      _ = try await run.client.post(CrashLoad.request("h\(number)"), from: CrashLoad.handled)
      run.fixture.daemon.invoke(UInt32(number), "default")
    }
    let start = ContinuousClock.now
    try await eventually(within: .seconds(60), "500 runs") { run.handled.count >= 500 }
    let order = try await run.history().filter { $0.event == .responded }.compactMap { record -> String? in
      if case .string(let id)? = record.detail["response"] { id } else { nil }
    }
    #expect(run.handled == order)
    print("burst: 500 handlers in \(start.duration(to: .now))")
  }
}
