import CSQLite
import Foundation
import NotificationBridge
import TestSupport
import Testing

@testable import BridgeStore

@Suite("A commit is made whole or not at all")
struct TransactionTests {
  @Test("Changes are made in the order in which they stand")
  func order() throws {
    let store = try StoreFixture().open()
    let key = pendingRow("1").entry.key
    try store.commit(
      [
        .putPending(pendingRow("1", order: 1)), .removePending(key), .putPending(pendingRow("1", order: 2)),
        .movePending(key, firedAt: nil, due: Date(timeIntervalSinceReferenceDate: 5)), .setBadge("a", 1),
        .setBadge("a", 2),
      ], durably: false)
    let state = try store.load()
    #expect(state.pending.map(\.order) == [2])
    #expect(state.pending.map(\.due) == [Date(timeIntervalSinceReferenceDate: 5)])
    #expect(state.badges == ["a": 2])
  }

  /// What the store cannot keep, each for another reason.
  static let impossible: [StoreChange] = [
    .markQueued(number: .max, isInFlight: true),
    .movePending(pendingRow("new").entry.key, firedAt: nil, due: Date(timeIntervalSinceReferenceDate: .nan)),
    .note(
      HistoryRecord(
        date: .now, application: "a", identifier: "1", event: .closed,
        detail: ["deep": (0..<1_000).reduce(.null) { value, _ in PropertyValue.array([value]) }])),
  ]

  @Test("One that fails half way leaves nothing, and the next one works", arguments: impossible.indices)
  func atomicity(index: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var model = StoreModel()
    let before: [StoreChange] = [.putPending(pendingRow("old")), .note(event(1)), .setBadge("a", 1)]
    for change in before { model.apply(change) }
    try store.commit(before, durably: false)
    for durably in [false, true] {
      #expect {
        try store.commit(
          [
            .putPending(pendingRow("new")), .removePending(pendingRow("old").entry.key), .setBadge("a", 2),
            .note(event(2)), Self.impossible[index], .setFetching("a"),
          ], durably: durably)
      } throws: {
        ($0 as? BridgeError)?.code == .store
      }
      #expect(try model.difference(from: store) == nil)
    }
    let after: [StoreChange] = [.putPending(pendingRow("new")), .note(event(2))]
    for change in after { model.apply(change) }
    try store.commit(after, durably: true)
    store.close()
    #expect(try model.difference(from: try fixture.open()) == nil)
    #expect(store.problems == [])
  }

  @Test("Without room it says so with the path, and goes on when there is room")
  func room() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let session = try Session(path: fixture.file, schema: .current, limits: HistoryLimits(), log: fixture.log)
    try session.commit([.putPending(pendingRow("1"))], durably: false)
    // As a full disk does, it lets no page be added.
    try session.database.execute("PRAGMA max_page_count = 1")
    let body = String(repeating: "text", count: 2_000)
    let failure = #expect(throws: BridgeError.self) {
      try session.commit(
        [.setBadge("a", 7)] + (2...9).map { .putPending(pendingRow("\($0)", body: body)) }, durably: true)
    }
    let error = try #require(failure)
    #expect(error.code == .store)
    #expect(error.message == "there is no room on the disk for the store '\(fixture.file)'")
    let cause = try #require(error.cause as? SQLiteError)
    #expect(cause.primaryCode == SQLITE_FULL)
    #expect(cause.statement?.contains("INSERT") == true)
    #expect(!error.description.contains(body))
    #expect(try session.load().pending.map(\.key.identifier) == ["1"])
    #expect(try session.load().badges.isEmpty)
    try session.database.execute("PRAGMA max_page_count = 100000")
    try session.commit((2...9).map { .putPending(pendingRow("\($0)", body: body)) }, durably: true)
    #expect(try session.load().pending.count == 9)
  }

  @Test("A durable commit that changes nothing makes earlier ones durable: it writes, and so it syncs")
  func durableAfterVolatile() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    func length() throws -> Int { try fixture.bytes("bridge.sqlite-wal").count }
    try store.commit([.setBadge("a", 1)], durably: true)
    var last = try length()
    try store.commit([], durably: true)
    try store.commit([], durably: false)
    #expect(try length() == last)
    let nothing = StoreChange.removePending(pendingRow("none").entry.key)
    for changes in [[], [nothing]] {
      try store.commit([.setBadge("a", 2)], durably: false)
      last = try length()
      try store.commit(changes, durably: true)
      #expect(try length() > last)
      last = try length()
      try store.commit(changes, durably: true)
      #expect(try length() == last)
    }
  }

  @Test("Nothing is written to a store that was not read")
  func unread() throws {
    let fixture = try StoreFixture()
    let store = try SQLiteStore(folder: fixture.folder, log: fixture.log)
    #expect(throws: BridgeError.self) { try store.commit([.setBadge("a", 1)], durably: false) }
    #expect(try store.load().badges.isEmpty)
    try store.commit([.setBadge("a", 1)], durably: false)
    #expect(try store.load().badges == ["a": 1])
  }

  @Test("A closed store says so")
  func closed() throws {
    let store = try StoreFixture().open()
    store.close()
    store.close()
    #expect(throws: BridgeError.self) { try store.load() }
    #expect(throws: BridgeError.self) { try store.commit([.setBadge("a", 1)], durably: false) }
  }

  @Test("Missing folders are made for their owner alone, and those that are there stay as they are")
  func folders() throws {
    let fixture = try StoreFixture()
    let manager = FileManager.default
    let (above, folder) = (fixture.home.path + "/shared", fixture.home.path + "/shared/a/notify-bridge")
    func mode(_ path: String) throws -> Int? { try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
    try manager.createDirectory(atPath: above, withIntermediateDirectories: false)
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: above)
    try SQLiteStore(folder: folder, log: fixture.log).close()
    #expect(try [above, above + "/a", folder].map(mode) == [0o755, 0o700, 0o700])
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try SQLiteStore(folder: folder, log: fixture.log).close()
    #expect(try [above, folder].map(mode) == [0o755, 0o700])
  }

  @Test("A folder that cannot be made or written is named", arguments: ["/proc/notify-bridge", "/dev/null"])
  func unwritable(folder: String) throws {
    let failure = #expect(throws: BridgeError.self) { try SQLiteStore(folder: folder, log: RecordedLog()) }
    #expect(failure?.code == .store)
    #expect(failure?.description.contains("'\(folder)'") == true, "\(failure?.description ?? "")")
  }
}
