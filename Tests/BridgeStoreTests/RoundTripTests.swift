import BridgeStore
import Foundation
import NotificationBridge
import Testing

@Suite("What is put into the store comes out of it")
struct RoundTripTests {
  @Test("Every kind of change, at random, is there after reopening", .timeLimit(.minutes(3)), arguments: 1...6)
  func randomChanges(seed: UInt64) async throws {
    let fixture = try StoreFixture()
    var changes = ChangeGenerator(seed: seed)
    var model = StoreModel()
    for _ in 0..<8 {
      let store = try fixture.open()
      for _ in 0..<12 {
        await Task.yield()
        let batch = (0..<Int.random(in: 0...6, using: &changes.records.numbers)).map { _ in changes.change() }
        for change in batch { model.apply(change) }
        try store.commit(batch, durably: changes.records.chance(20))
      }
      #expect(try model.difference(from: store) == nil, "seed \(seed), same store")
      store.close()
      let next = try fixture.open()
      #expect(try model.difference(from: next) == nil, "seed \(seed), reopened")
    }
    #expect(fixture.log.lines() == [])
  }

  @Test("A new store is empty, and its folder and files are their owner's alone")
  func permissions() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try StoreModel().difference(from: store) == nil)
    try store.commit([.putPending(pendingRow("1"))], durably: true)
    let manager = FileManager.default
    func mode(_ path: String) throws -> Int? { try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
    #expect(try mode(fixture.folder) == 0o700)
    #expect(try fixture.files() == ["bridge.sqlite", "bridge.sqlite-wal", "bridge.sqlite-shm"])
    for name in try manager.contentsOfDirectory(atPath: fixture.folder) {
      #expect(try mode(fixture.folder + "/" + name) == 0o600, "\(name)")
    }
    store.close()
    #expect(try fixture.files() == ["bridge.sqlite"])
    #expect(store.problems == [])
  }

  @Test("The numbers of deliveries and events go on where they were, whatever was removed")
  func counters() throws {
    let fixture = try StoreFixture()
    let row = pendingRow("1")
    do {
      let store = try fixture.open(limits: HistoryLimits(entries: 0, days: 30))
      try store.commit(
        [
          .putQueued(QueuedRow(number: 7, request: row.request, application: row.application)),
          .note(event(41)), .removeQueued(number: 7),
        ], durably: false)
      try store.commit([.note(event(0))], durably: false)
      #expect(try store.history(after: 0, application: nil, limit: 10, newest: false).isEmpty)
      store.close()
    }
    let state = try fixture.open().load()
    #expect(state.lastNumber == 7)
    #expect(state.lastSequence == 42)
    #expect(state.queued.isEmpty)
  }

  @Test("History: after a number, of an application, the first or the last")
  func history() throws {
    let store = try StoreFixture().open()
    try store.commit((1...20).map { .note(event($0, application: $0 % 2 == 0 ? "even" : "odd")) }, durably: false)
    func numbers(_ after: Int64, _ application: String?, _ limit: Int, _ newest: Bool) throws -> [Int64] {
      try store.history(after: after, application: application, limit: limit, newest: newest).map(\.sequence)
    }
    #expect(try numbers(0, nil, 3, false) == [1, 2, 3])
    #expect(try numbers(0, nil, 3, true) == [18, 19, 20])
    #expect(try numbers(16, nil, 100, false) == [17, 18, 19, 20])
    #expect(try numbers(10, "even", 2, false) == [12, 14])
    #expect(try numbers(10, "even", 2, true) == [18, 20])
    #expect(try numbers(20, nil, 5, true) == [])
    #expect(try numbers(0, "none", 5, false) == [])
    #expect(try numbers(0, nil, 0, false) == [])
    #expect(try numbers(0, nil, -1, false) == [])
    #expect(try numbers(-5, nil, 1, false) == [1])
  }

  @Test("A key is the same in both spellings of its characters")
  func spellings() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.commit([.putPending(pendingRow("caf\u{E9}"))], durably: false)
    let other = NotificationKey(application: "org.example.App", identifier: "cafe\u{301}")
    #expect(try store.pendingRequest(other)?.0.identifier == "caf\u{E9}")
    try store.commit([.removePending(other)], durably: false)
    #expect(try store.load().pending.isEmpty)
  }
}
