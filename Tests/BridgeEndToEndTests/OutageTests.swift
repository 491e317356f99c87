import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// The daemon dies, or the bus goes away, while the bridge lives: both come back, and nothing was lost.
@Suite("What an outage may cost", .serialized) struct OutageTests {
  /// How often the daemon dies.
  static let rounds = max(CrashTests.rounds / 3, 6)
  /// How often the bus goes: who loses it often waits longer each time until they look for it again.
  static let busRounds = max(CrashTests.rounds / 15, 3)

  @Test(
    "C026: the daemon dies and counts from 1 again, at random points under load: nothing acknowledged is lost",
    .timeLimit(.minutes(5)))
  func daemonDies() async throws {
    let run = try await CrashRun()
    let runs = Mutex<[DaemonRun]>([])
    try await run.run {
      for _ in 1...Self.rounds {
        try await run.progress()
        try await Task.sleep(for: .microseconds(Int.random(in: 0...100_000)))
        let dying = run.fixture.daemon
        // Half of them die with a call on their hands.
        if Bool.random() {
          dying.holdAnswers()
          try await Task.sleep(for: .milliseconds(5))
        }
        await dying.stop()
        runs.withLock { $0.append(DaemonRun(dying)) }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...50_000)))
        try await run.fixture.restartDaemon(CrashLoad.behavior(run.book))
      }
    }
    let log = DaemonLog(runs.withLock { $0 } + [DaemonRun(run.fixture.daemon)])
    let count = Count(try await run.history(), log, run.book.now, run.handled)
    print("crash: \(Self.rounds) deaths of the daemon: \(count.summary)")
    count.check(Self.rounds, pending: try await run.later())
    #expect(count.uncertain.isEmpty && count.book.acknowledgedPosts.count > Self.rounds / 2)
    #expect(count.book.failures == 0, "the bridge lived, and so did every call")
  }

  @Test(
    "C037: the bus goes away and comes back under load: nothing acknowledged is lost, and the bridge lives",
    .timeLimit(.minutes(5)), arguments: [false, true])
  func busGoes(throughManager: Bool) async throws {
    let run = try await CrashRun()
    let managers = Mutex<[FakeUserManager]>([])
    if throughManager {
      let manager = try await FakeUserManager.start(at: run.fixture.bus.address)
      managers.withLock { $0.append(manager) }
    }
    let runs = Mutex<[DaemonRun]>([])
    let process = Mutex<Int32?>(nil)
    try await run.run {
      for round in 1...Self.busRounds {
        try await run.progress()
        try await Task.sleep(for: .microseconds(Int.random(in: 0...100_000)))
        let present = try await run.fixture.bridgeProcess()
        if round > 1 { #expect(present == process.withLock { $0 }) }
        process.withLock { $0 = present }
        let dying = run.fixture.daemon
        run.fixture.bus.kill()
        runs.withLock { $0.append(DaemonRun(dying)) }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...50_000)))
        try await run.fixture.bus.restart()
        try await run.fixture.restartDaemon(CrashLoad.behavior(run.book))
        if throughManager {
          let manager = try await FakeUserManager.start(at: run.fixture.bus.address)
          managers.withLock { $0.append(manager) }
        }
        try await eventually(within: .seconds(20), "the bridge is back") {
          try await run.fixture.bridgeProcess() != nil
        }
      }
    }
    let log = DaemonLog(runs.withLock { $0 } + [DaemonRun(run.fixture.daemon)])
    let count = Count(try await run.history(), log, run.book.now, run.handled)
    print("crash: \(Self.busRounds) ends of the bus: \(count.summary)")
    count.check(Self.busRounds, pending: try await run.later())
    #expect(count.book.acknowledgedPosts.count >= Self.busRounds)
    for manager in managers.withLock({ $0 }) { await manager.stop() }
  }
}
