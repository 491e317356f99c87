import Foundation
import Glibc
import NotificationBridge
import TestSupport
import Testing

@testable import BridgeStore

@Suite("The store and processes")
struct ProcessTests {
  @Test("A second process is told who has the store, and has it when that one ends", .timeLimit(.minutes(1)))
  func twoProcesses() async throws {
    let fixture = try StoreFixture()
    let holder = try BinaryRunner(try Binaries.debugProduct("store-writer"), [fixture.folder, "hold"], input: .open)
    _ = try await holder.line(within: .seconds(20)) { $0 == "open" }
    let failure = #expect(throws: BridgeError.self) { try fixture.open() }
    #expect(failure?.code == .store)
    #expect(
      failure?.message
        == "the store in '\(fixture.folder)' is in use by process \(holder.processID) ('store-writer'): end "
        + "that process, or use its bridge")
    let second = try await BinaryRunner.run(try Binaries.debugProduct("store-writer"), [fixture.folder, "hold"])
    #expect(second.status == 1)
    #expect(second.errors.contains("in use by process \(holder.processID) "))
    holder.signal(SIGKILL)
    _ = await holder.result()
    #expect(try fixture.open().problems == [])
  }

  @Test("Within a process the store cannot be opened twice either, and can after it was closed")
  func twice() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(throws: BridgeError.self) { try fixture.open() }
    try store.commit([.setBadge("a", 1)], durably: false)
    store.close()
    #expect(try fixture.open().load().badges == ["a": 1])
  }

  @Test("Another program's lock is waited for, then named as the reason", .timeLimit(.minutes(1)))
  func foreignLock() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let other = try Database(path: fixture.file, keepsLog: true)
    try other.execute("BEGIN IMMEDIATE")
    let failure = #expect(throws: BridgeError.self) { try store.commit([.setBadge("a", 1)], durably: false) }
    #expect(failure?.message.contains("locked by another program") == true)
    #expect(store.problems == [])
    try other.execute("ROLLBACK")
    try store.commit([.setBadge("a", 1)], durably: false)
  }

  /// How often the writer is killed; a run by itself can have more.
  static let rounds = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_STORE_ROUNDS"].flatMap { Int($0) } ?? 200

  @Test("C086: killed at any point of 200 rounds of saving, it keeps what it said it kept", .timeLimit(.minutes(10)))
  func kills() async throws {
    let fixture = try StoreFixture()
    let program = try Binaries.debugProduct("store-writer")
    var numbers = SystemRandomNumberGenerator()
    var (last, atNothing, extra) = (0, 0, 0)
    for round in 1...Self.rounds {
      let writer = try BinaryRunner(program, [fixture.folder, "write", "\(last + 1)"])
      // Some are killed while they open the store.
      let wait = Bool.random(using: &numbers) ? 0 : Int.random(in: 1...40, using: &numbers)
      if wait > 0 { _ = try await writer.line(within: .seconds(30)) }
      try await Task.sleep(for: .microseconds(wait * 1_000 + Int.random(in: 0..<12_000, using: &numbers)))
      writer.signal(SIGKILL)
      let result = await writer.result()
      try #require(result.ending == .signalled(SIGKILL), "round \(round): \(result.errors)")
      let said = result.output.split(separator: "\n").last.flatMap { Int($0) } ?? last
      if said == last { atNothing += 1 }

      let store = try fixture.open()
      let state = try store.load()
      let badge = state.badges["app"] ?? 0
      // One more may be there: it was committed and not said yet.
      try #require(badge == said || badge == said + 1, "round \(round): \(badge), and said was \(said)")
      if badge > said { extra += 1 }
      last = badge
      let expected = Set((max(last - 19, 1)...max(last, 1)).filter { $0 <= last }.map { "n\($0)" })
      try #require(Set(state.pending.map(\.key.identifier)) == expected, "round \(round)")
      for entry in state.pending { try #require(try store.pendingRequest(entry.key) != nil, "round \(round)") }
      try #require(state.queued.map { Int($0.number) } == Array(max(last - 4, 1)..<last + 1), "round \(round)")
      try #require(Int(state.lastSequence) == last && Int(state.lastNumber) == last, "round \(round)")
      let events = try store.history(after: 0, application: nil, limit: 5, newest: true)
      try #require(events.last.map { Int($0.sequence) } ?? 0 == last, "round \(round)")
      try #require(store.problems == [], "round \(round)")
      store.close()
    }
    print(
      "store: \(Self.rounds) kills, \(last) commits, \(atNothing) before the first, \(extra) after one not said yet"
    )
    #expect(last > Self.rounds)
    #expect(fixture.log.lines() == [])
    let check = try Database(path: fixture.file, keepsLog: true)
    try check.query("PRAGMA integrity_check") { row in
      #expect(row.text(0) == "ok")
      return false
    }
  }
}
