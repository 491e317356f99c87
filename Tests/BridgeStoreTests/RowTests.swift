import Foundation
import NotificationBridge
import Testing

@testable import BridgeStore

@Suite("Rows and their end")
struct RowTests {
  private func edit(_ fixture: StoreFixture, _ text: String) throws {
    try Database(path: fixture.file, keepsLog: false).execute(text)
  }

  private func answer(_ fixture: StoreFixture, _ text: String) throws -> Int64? {
    try Database(path: fixture.file, keepsLog: true).integer(text)
  }

  /// A table, and what makes one of its rows unreadable.
  static let damages: [(table: String, edit: String)] = [
    ("pending", "UPDATE pending SET due = 'soon' WHERE identifier = 'p1'"),
    ("pending", "UPDATE pending SET position = -1 WHERE identifier = 'p1'"),
    ("pending", "UPDATE pending SET follows_zone = 2 WHERE identifier = 'p1'"),
    ("queued", "UPDATE queued SET request = '{\"identifier\":' WHERE id = 5"),
    ("queued", "UPDATE queued SET sender = x'00' WHERE id = 5"),
    ("delivered", "UPDATE delivered SET keys = '{\"default\":1}'"),
    ("delivered", "UPDATE delivered SET date = 'x'"),
    ("response", "UPDATE response SET response = '[]'"),
    ("categories", "UPDATE categories SET categories = '{}'"),
    ("authorization", "UPDATE authorization SET record = '{\"status\":\"perhaps\"}'"),
    ("badge", "UPDATE badge SET count = 1.5"),
    ("history", "UPDATE history SET event = 'nothing' WHERE id = 2"),
    ("pending_request", "UPDATE pending_request SET request = '{\"identifier\":\"\"}' WHERE id = 2"),
  ]

  @Test("What cannot be read is left out, logged and kept in a table", arguments: damages.indices)
  func damaged(index: Int) throws {
    let (table, text) = Self.damages[index]
    let fixture = try StoreFixture()
    var generator = RecordGenerator(seed: 9)
    let row = pendingRow("q")
    let key = NotificationKey(application: "a", identifier: "d")
    do {
      let store = try fixture.open()
      let record = NotificationRecord(
        application: generator.application("a"), request: generator.request("d"), date: .now)
      try store.commit(
        [
          .putPending(pendingRow("p0")), .putPending(pendingRow("p1")), .putPending(pendingRow("p2")),
          .putQueued(QueuedRow(number: 4, request: row.request, application: row.application)),
          .putQueued(QueuedRow(number: 5, request: row.request, application: row.application)),
          .putDelivered(
            DeliveredRow(record: record, place: nil, isOpen: true, keys: [:], reportsDismissal: false, number: 3)),
          .putResponse(ResponseRow(response: generator.response(key))), .setCategories("a", [generator.category()]),
          .setAuthorization("a", generator.authorization()), .setBadge("a", 1), .note(event(1)), .note(event(2)),
          .note(event(3)),
        ], durably: true)
      store.close()
    }
    let isPending = table.hasPrefix("pending")
    let count = try answer(fixture, "SELECT count(*) FROM \(table)")
    try edit(fixture, text)
    let store = try fixture.open()
    let state = try store.load()
    for entry in state.pending { _ = try store.pendingRequest(entry.key) }
    _ = try store.history(after: 0, application: nil, limit: 10, newest: true)
    #expect(store.problems.count == 1 && store.problems[0].contains("damaged_rows"), "\(store.problems)")
    #expect(fixture.log.lines(.error).count == 1 && fixture.log.lines(.error)[0].contains(" \(table) "))
    if isPending { #expect(try store.load().pending.map(\.key.identifier) == ["p0", "p2"]) }
    store.close()
    #expect(try answer(fixture, "SELECT count(*) FROM \(table)") == count.map { $0 - 1 })
    let kept = try answer(
      fixture, "SELECT count(*) FROM damaged_rows WHERE origin = '\(table)' AND reason != '' AND content != ''")
    #expect(kept == 1)
    #expect(try answer(fixture, "SELECT count(*) FROM damaged_rows") == (isPending ? 2 : 1))
    // Nothing is said twice in the log, but it is still known.
    #expect(try fixture.open().problems.count == 1)
    #expect(fixture.log.lines(.error).count == 1)
  }

  @Test("An index that lost a row, and a date without content, are damages that are put right")
  func lostHalves() throws {
    let fixture = try StoreFixture()
    do {
      let store = try fixture.open()
      try store.commit((0..<5).map { .putPending(pendingRow("p\($0)")) }, durably: true)
      store.close()
    }
    try edit(fixture, "DELETE FROM pending_request WHERE id = 2")
    // As if the index had another order: the search goes past the row.
    let database = try Database(path: fixture.file, keepsLog: false)
    try database.execute(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_master
      SET sql = replace(sql, 'identifier TEXT NOT NULL,', 'identifier TEXT COLLATE NOCASE NOT NULL,');
      PRAGMA writable_schema=RESET
      """)
    // The tables are not what they should be: that is found at once.
    let store = try fixture.open()
    #expect(store.problems.first?.contains("other tables than it should have") == true)
    #expect(Set(try store.load().pending.map(\.key.identifier)) == ["p0", "p2", "p3", "p4"])
    #expect(try answer(fixture, "SELECT count(*) FROM damaged_rows WHERE reason = 'its content is lost'") == 1)
    store.close()
    try edit(fixture, "DELETE FROM pending_request WHERE id = 3")
    let next = try fixture.open()
    let lost = try next.load().pending.map(\.key).filter { try next.pendingRequest($0) == nil }
    #expect(lost.map(\.identifier) == ["p2"])
    #expect(next.problems.contains { $0.contains("lacks its content") })
    #expect(Set(try next.load().pending.map(\.key.identifier)) == ["p0", "p3", "p4"])
  }

  @Test("The history keeps so many entries, and nothing else is pruned")
  func entries() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(limits: HistoryLimits(entries: 100, days: 30))
    try store.commit([.putPending(pendingRow("1", due: -1e9))], durably: false)
    var generator = RecordGenerator(seed: 1)
    try store.commit(
      [.putResponse(ResponseRow(response: generator.response(pendingRow("1").entry.key)))], durably: false)
    for number in 1...1_000 {
      try store.commit([.note(event(Int64(number), date: 8e8 + Double(number)))], durably: false)
      if number > 150 {
        let count = try store.history(after: 0, application: nil, limit: 1_000, newest: false).count
        #expect((100...106).contains(count))
      }
    }
    #expect(
      try store.history(after: 0, application: nil, limit: 100, newest: true).map(\.sequence) == Array(901...1_000))
    store.close()
    let state = try fixture.open().load()
    #expect(state.pending.count == 1 && state.responses.count == 1 && state.lastSequence == 1_000)
  }

  @Test("The history keeps entries for so many days")
  func days() throws {
    let store = try StoreFixture().open(limits: HistoryLimits(entries: 1_000, days: 30))
    let day = 86_400.0
    func kept() throws -> [Int64] {
      try store.history(after: 0, application: nil, limit: 1_000, newest: false).map(\.sequence)
    }
    try store.commit((1...10).map { .note(event($0, date: 8e8 + Double($0) * day)) }, durably: false)
    #expect(try kept() == Array(1...10))
    try store.commit([.note(event(11, date: 8e8 + 35.5 * day))], durably: false)
    #expect(try kept() == Array(6...11))
    // Within the hour old ones are not looked for again.
    try store.commit([.note(event(12, date: 8e8 + 35.52 * day))], durably: false)
    try store.commit([.note(event(13, date: 8e8 + 36.5 * day))], durably: false)
    #expect(try kept() == Array(7...13))
    // A clock that was set back takes nothing away.
    try store.commit([.note(event(14, date: 8e8 - 100 * day))], durably: false)
    #expect(try kept() == Array(7...14))
  }
}
