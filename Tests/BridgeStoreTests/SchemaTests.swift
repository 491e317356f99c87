import Foundation
import NotificationBridge
import Testing

@testable import BridgeStore

@Suite("Versions of the store")
struct SchemaTests {
  private func open(_ fixture: StoreFixture, _ schema: Schema) throws -> SQLiteStore {
    let store = try SQLiteStore(folder: fixture.folder, limits: HistoryLimits(), log: fixture.log, schema: schema)
    _ = try store.load()
    return store
  }

  /// Writes a database by statements, as if it had been made by another version.
  private func make(_ fixture: StoreFixture, _ text: String) throws {
    try fixture.put(Data())
    try Database(path: fixture.file, keepsLog: false).execute(text)
  }

  @Test("The first released version, written down by hand, is read by this one")
  func first() throws {
    let fixture = try StoreFixture()
    let file = try #require(Bundle.module.url(forResource: "schema-1", withExtension: "sql", subdirectory: "Data"))
    try make(fixture, String(contentsOf: file, encoding: .utf8))
    let store = try fixture.open()
    #expect(store.problems == [])
    let state = try store.load()
    let key = NotificationKey(application: "org.example.App", identifier: "tea")
    #expect(
      state.pending == [
        PendingEntry(
          key: key, addedAt: Date(timeIntervalSinceReferenceDate: 800_000_000.5), firedAt: nil,
          due: Date(timeIntervalSinceReferenceDate: 800_000_600.5), order: 3, followsZone: false)
      ])
    let (request, application) = try #require(try store.pendingRequest(key))
    #expect(request.content.title == "Tea \"green\"")
    #expect(request.content.userInfo == ["when": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "n": .double(1)])
    #expect(request.trigger == .interval(seconds: 600, repeats: false))
    #expect(application.name == "App")
    #expect(state.queued.map(\.number) == [8] && state.queued[0].isInFlight && state.queued[0].shownAt == nil)
    #expect(state.delivered.map(\.place) == [DaemonPlace(serverID: 12, run: "guid :1.5")])
    #expect(state.delivered.map(\.keys) == [["default": "default", "ok": "button:ok"]])
    #expect(state.responses.map(\.response.text) == ["hello"])
    #expect(state.responses.map(\.state) == [.handling(handler: "reply.handler")])
    #expect(state.categories["org.example.App"]?.map(\.identifier) == ["mail"])
    #expect(state.authorizations["org.example.App"]?.status == .authorized)
    #expect(state.badges == ["org.example.App": 4] && state.fetching == ["org.example.App"])
    #expect(state.lastNumber == 9 && state.lastSequence == 21)
    #expect(
      try store.history(after: 0, application: nil, limit: 9, newest: false) == [
        HistoryRecord(
          sequence: 20, date: Date(timeIntervalSinceReferenceDate: 799_999_999), application: "org.example.App",
          identifier: "old", event: .delivered),
        HistoryRecord(
          sequence: 21, date: Date(timeIntervalSinceReferenceDate: 800_000_000), application: "org.example.App",
          identifier: "old", event: .responded, detail: ["action": .string("ok")]),
      ])
  }

  @Test("An older store becomes a newer one, with what is in it")
  func migration() throws {
    let fixture = try StoreFixture()
    let newer = Schema(
      steps: Schema.current.steps + [
        "ALTER TABLE badge ADD COLUMN shown INTEGER NOT NULL DEFAULT 1; CREATE TABLE further (id INTEGER PRIMARY KEY)"
      ])
    var model = StoreModel()
    var changes = ChangeGenerator(seed: 3)
    let batch = (0..<40).map { _ in changes.change() } + [.setBadge("org.example.App", 2)]
    for change in batch { model.apply(change) }
    let old = try open(fixture, .current)
    try old.commit(batch, durably: true)
    old.close()
    let new = try open(fixture, newer)
    #expect(try model.difference(from: new) == nil)
    new.close()
    let database = try Database(path: fixture.file, keepsLog: true)
    #expect(try database.integer("PRAGMA user_version") == newer.version)
    #expect(try database.integer("SELECT count(*) FROM further") == 0)
    #expect(try database.integer("SELECT sum(shown) FROM badge") == Int64(model.state.badges.count))
    #expect(new.problems == [])
  }

  @Test("A step that fails leaves the store as it was")
  func failedStep() throws {
    let fixture = try StoreFixture()
    let old = try open(fixture, .current)
    try old.commit([.setBadge("a", 1)], durably: true)
    old.close()
    let wrong = Schema(steps: Schema.current.steps + ["CREATE TABLE more (a); SELECT nonsense"])
    #expect(throws: BridgeError.self) { try open(fixture, wrong) }
    let again = try open(fixture, .current)
    #expect(try again.load().badges == ["a": 1])
    #expect(again.problems == [])
  }

  @Test("A newer store is refused and not touched", arguments: [false, true])
  func newer(hasLog: Bool) throws {
    let fixture = try StoreFixture()
    let newer = Schema(steps: Schema.current.steps + ["CREATE TABLE further (id INTEGER PRIMARY KEY)"])
    let store = try open(fixture, newer)
    try store.commit([.setBadge("a", 1)], durably: true)
    var files: [String: Data] = [:]
    if hasLog {
      for name in ["bridge.sqlite", "bridge.sqlite-wal"] { files[name] = try fixture.bytes(name) }
      store.close()
      for (name, bytes) in files { try fixture.put(bytes, as: name) }
    } else {
      store.close()
      files = ["bridge.sqlite": try fixture.bytes()]
    }
    let failure = #expect(throws: BridgeError.self) { try open(fixture, .current) }
    #expect(failure?.code == .store)
    #expect(
      failure?.message
        == "the store '\(fixture.file)' was written by a newer version of notify-bridge (schema 2, this one "
        + "knows 1): install that version again, or move the file away")
    for (name, bytes) in files { #expect(try fixture.bytes(name) == bytes, "\(name)") }
    #expect(try hasLog || fixture.bytes("bridge.sqlite-wal").isEmpty)
    #expect(try open(fixture, newer).load().badges == ["a": 1])
  }

  @Test("A version number that is damaged does not pass for a newer version", arguments: [0, 2, 77, -1, 123_456])
  func damagedVersion(number: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.commit([.putPending(pendingRow("1"))], durably: true)
    store.close()
    try Database(path: fixture.file, keepsLog: false).execute("PRAGMA user_version = \(number)")
    let next = try fixture.open()
    #expect(next.problems.count == 1)
    #expect(try next.load().pending.map(\.key.identifier) == ["1"])
  }
}
