import Foundation
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// The resident bridge is killed, loses its daemon or its bus at random points under load, and loses nothing.
@Suite("What a crash may cost", .serialized) struct CrashTests {
  /// How often the bridge is killed; `make soak` has more.
  static let rounds = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_CRASH_ROUNDS"].flatMap { Int($0) } ?? 15

  @Test(
    "C086: killed at random points under load, nothing acknowledged is lost; few are doubled or uncertain",
    .timeLimit(.minutes(15)), arguments: [false, true])
  func kills(throughManager: Bool) async throws {
    let run = try await CrashRun()
    let manager = throughManager ? try await FakeUserManager.start(at: run.fixture.bus.address) : nil
    let kills = Mutex(0)
    try await run.run {
      while kills.withLock({ $0 }) < Self.rounds {
        // Some are killed as soon as they live, most after they have taken something.
        if Int.random(in: 0..<4) > 0 { try await run.progress() }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...100_000)))
        if run.kill() { kills.withLock { $0 += 1 } }
      }
    }
    let count = Count(
      try await run.history(), DaemonLog([DaemonRun(run.fixture.daemon)]), run.book.now, run.handled)
    let path = throughManager ? "by the user manager" : "direct"
    print("crash: \(Self.rounds) kills, handlers \(path): \(count.summary)")
    count.check(kills.withLock { $0 }, pending: try await run.later())
    #expect(count.book.acknowledgedPosts.count > Self.rounds / 2 && count.book.timers.count > Self.rounds / 3)
    #expect(count.responses.count * 3 > count.book.clicks, "most clicks came while the bridge was there")
    if throughManager { #expect(count.uncertain.isEmpty, "the manager knows what became of each handler") }
    await manager?.stop()
  }
}
