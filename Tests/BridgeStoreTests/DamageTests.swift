import Foundation
import NotificationBridge
import Testing

@testable import BridgeStore

/// Rounds let other tests have their turn: they hold a thread of the few that all tests share.
@Suite("A damaged store")
struct DamageTests {
  /// A small store with something in every table, closed; and what is in it.
  private func sample(_ fixture: StoreFixture, pending: Int = 12) throws -> StoreModel {
    var changes = ChangeGenerator(seed: 11)
    var model = StoreModel()
    let store = try fixture.open()
    var batch = (0..<30).map { _ in changes.change() }
    batch += (0..<pending).map { .putPending(pendingRow("p\($0)", order: UInt64($0))) }
    for change in batch { model.apply(change) }
    try store.commit(batch, durably: true)
    store.close()
    return model
  }

  /// That a store is of use: nothing is thrown, what is put is there, and what it has of `model` is unchanged.
  private func use(_ fixture: StoreFixture, _ model: StoreModel, _ what: String) throws -> [String] {
    let store = try fixture.open()
    let before = try store.load()
    for entry in before.pending { _ = try store.pendingRequest(entry.key) }
    _ = try store.history(after: 0, application: nil, limit: 10_000, newest: false)
    let row = pendingRow("new one")
    try store.commit([.putPending(row), .note(event(0))], durably: true)
    let problems = store.problems
    store.close()

    let again = try fixture.open()
    #expect(try again.load().pending.contains(row.entry), "\(what)")
    #expect(try again.pendingRequest(row.entry.key)?.0 == row.request, "\(what)")
    return problems
  }

  private func setAside(_ fixture: StoreFixture) throws -> [String] {
    try fixture.files().filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
  }

  @Test("C086: cut at any sector, it is kept aside, reported, salvaged, and a new one works", .timeLimit(.minutes(5)))
  func truncation() async throws {
    let original = try StoreFixture()
    let model = try sample(original)
    let bytes = try original.bytes()
    try #require(bytes.count >= 64 << 10)
    var salvaged = 0
    for length in stride(from: 0, to: bytes.count, by: 512) {
      await Task.yield()
      let fixture = try StoreFixture()
      try fixture.put(bytes.prefix(length))
      let problems = try use(fixture, model, "cut at \(length)")
      let aside = try setAside(fixture)
      try #require(aside.count == 1, "cut at \(length)")
      #expect(try fixture.bytes(aside[0]) == bytes.prefix(length), "cut at \(length)")
      #expect(problems.first?.contains(aside[0]) == true, "cut at \(length): \(problems)")
      #expect(fixture.log.lines(.error).contains { $0.contains(aside[0]) }, "cut at \(length)")
      let store = try fixture.open()
      #expect(store.problems.contains { $0.contains(aside[0]) }, "it is still said after a restart")
      for entry in try store.load().pending where entry.key.identifier != "new one" {
        #expect(model.pending[entry.key]?.entry == entry, "cut at \(length)")
        #expect(try store.pendingRequest(entry.key)?.0 == model.pending[entry.key]?.request, "cut at \(length)")
        salvaged += 1
      }
    }
    print("store: of \(bytes.count / 512) cut stores with \(model.pending.count) requests \(salvaged) were salvaged")
    #expect(salvaged > model.pending.count)
  }

  @Test("A log that is cut or has gone takes the last transactions with it, whole ones", .timeLimit(.minutes(5)))
  func truncatedLog() async throws {
    let original = try StoreFixture()
    let store = try original.open()
    for number in 1...12 {
      try store.commit(
        [.putPending(pendingRow("\(number)")), .setBadge("app", number), .note(event(Int64(number)))], durably: true)
    }
    let (main, log) = (try original.bytes(), try original.bytes("bridge.sqlite-wal"))
    store.close()
    var seen: Set<Int> = []
    for length in Array(stride(from: 0, to: log.count, by: 512)) + [log.count] {
      await Task.yield()
      let fixture = try StoreFixture()
      try fixture.put(main)
      try fixture.put(log.prefix(length), as: "bridge.sqlite-wal")
      let store = try fixture.open()
      let state = try store.load()
      let last = state.badges["app"] ?? 0
      #expect(state.pending.count == last && Int(state.lastSequence) == last, "cut at \(length)")
      #expect(store.problems == [])
      seen.insert(last)
    }
    #expect(seen == Set(0...12))
  }

  @Test("Bytes changed at random never end the program, nor the use of the store", .timeLimit(.minutes(5)))
  func randomBytes() async throws {
    let original = try StoreFixture()
    let model = try sample(original)
    let bytes = try original.bytes()
    var numbers = SeededNumbers(seed: 86)
    var (replaced, later) = (0, 0)
    for round in 0..<200 {
      await Task.yield()
      let fixture = try StoreFixture()
      var changed = bytes
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        // Often near the beginning of a page, where it matters most.
        var place = Int.random(in: 0..<bytes.count, using: &numbers)
        if Bool.random(using: &numbers) { place = place / 4096 * 4096 + place % 200 }
        changed[min(place, bytes.count - 1)] ^= UInt8.random(in: 1...255, using: &numbers)
      }
      try fixture.put(changed)
      // What SQLite would check after an unclean end is not checked in half of the rounds.
      let store = try fixture.open()
      let aside = try setAside(fixture)
      if let name = aside.first {
        replaced += 1
        #expect(try fixture.bytes(name) == changed, "round \(round)")
      }
      store.close()
      _ = try use(fixture, model, "round \(round)")
      later += try setAside(fixture).count - aside.count
    }
    print("store: of 200 stores with changed bytes \(replaced) were replaced at once, \(later) later")
    #expect(replaced > 10)
  }

  @Test("Bytes changed in a store that was not closed, and in its log", .timeLimit(.minutes(5)))
  func randomBytesUnclosed() async throws {
    let original = try StoreFixture()
    let store = try original.open()
    try store.commit((0..<30).map { .putPending(pendingRow("p\($0)")) }, durably: true)
    var changes = ChangeGenerator(seed: 12)
    for _ in 0..<10 { try store.commit((0..<6).map { _ in changes.change() }, durably: false) }
    let (main, log) = (try original.bytes(), try original.bytes("bridge.sqlite-wal"))
    store.close()
    var numbers = SeededNumbers(seed: 87)
    for round in 0..<100 {
      await Task.yield()
      let fixture = try StoreFixture()
      var (main, log) = (main, log)
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        main[Int.random(in: 0..<main.count, using: &numbers)] ^= UInt8.random(in: 1...255, using: &numbers)
        log[Int.random(in: 0..<log.count, using: &numbers)] ^= UInt8.random(in: 1...255, using: &numbers)
      }
      try fixture.put(main)
      try fixture.put(log, as: "bridge.sqlite-wal")
      _ = try use(fixture, StoreModel(), "round \(round)")
      // The log goes with its file.
      for name in try setAside(fixture) { #expect(try fixture.files().contains(name + "-wal"), "round \(round)") }
    }
  }

  @Test("Damage that shows while the store is in use", .timeLimit(.minutes(1)))
  func later() throws {
    let fixture = try StoreFixture()
    do {
      let store = try fixture.open()
      let body = String(repeating: "text ", count: 200)
      try store.commit((0..<3_000).map { .putPending(pendingRow("p\($0)", body: body)) }, durably: true)
      store.close()
    }
    let store = try fixture.open()
    let keys = try store.load().pending.map(\.key)
    #expect(keys.count == 3_000)
    let length = try fixture.bytes().count
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.file))
    try handle.seek(toOffset: UInt64(length / 2 / 4096 * 4096))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 64 << 10))
    try handle.close()

    let found = try keys.filter { try store.pendingRequest($0) != nil }
    #expect(found.count > 2_000 && found.count < 3_000, "\(found.count)")
    let aside = try setAside(fixture)
    #expect(aside.count == 1)
    #expect(store.problems.first?.contains(aside[0]) == true, "\(store.problems)")
    try store.commit([.putPending(pendingRow("new one"))], durably: true)
    let left = Set(try store.load().pending.map(\.key.identifier))
    #expect(left.contains("new one") && left.isSuperset(of: found.suffix(500).map(\.identifier)))
    store.close()
    #expect(try fixture.open().load().pending.count == left.count)
  }

  @Test("A file of something else is set aside", arguments: ["text", "database"])
  func foreign(kind: String) throws {
    let fixture = try StoreFixture()
    try fixture.put(Data())
    if kind == "database" {
      let database = try Database(path: fixture.file, keepsLog: false)
      try database.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    } else {
      try fixture.put(Data(repeating: 0x41, count: 10_000))
    }
    let bytes = try fixture.bytes()
    _ = try use(fixture, StoreModel(), kind)
    let aside = try setAside(fixture)
    #expect(aside.count == 1)
    #expect(try fixture.bytes(aside[0]) == bytes)
  }

  @Test("A header with any one byte changed", .timeLimit(.minutes(2)))
  func header() async throws {
    let original = try StoreFixture()
    let model = try sample(original, pending: 1)
    let bytes = try original.bytes()
    for place in 0..<100 {
      await Task.yield()
      let fixture = try StoreFixture()
      var bytes = bytes
      bytes[place] ^= place % 2 == 0 ? 0xFF : 0x01
      try fixture.put(bytes)
      _ = try use(fixture, model, "byte \(place)")
    }
  }

  @Test("A log without its file is set aside")
  func lonelyLog() throws {
    let fixture = try StoreFixture()
    let log = Data(repeating: 7, count: 5_000)
    try fixture.put(log, as: "bridge.sqlite-wal")
    _ = try use(fixture, StoreModel(), "log")
    let name = try #require(try fixture.files().first { $0.contains(".damaged-") })
    #expect(name.hasSuffix("-wal"))
    #expect(try fixture.bytes(name) == log)
  }

  @Test("A replacement that was interrupted is finished", arguments: [true, false])
  func interrupted(isDamagedThere: Bool) throws {
    let fixture = try StoreFixture()
    let model = try sample(fixture)
    let bytes = try fixture.bytes()
    try fixture.put(bytes, as: "bridge.sqlite.salvaged")
    try fixture.put(Data(repeating: 9, count: 99), as: "bridge.sqlite.new")
    try fixture.put(Data(repeating: 9, count: 99), as: "bridge.sqlite.reading")
    let cut = bytes.prefix(5_000)
    try fixture.put(cut)
    if !isDamagedThere { try FileManager.default.removeItem(atPath: fixture.file) }
    let store = try fixture.open()
    #expect(try model.difference(from: store) == nil)
    #expect(store.problems.count == 1)
    let aside = try setAside(fixture)
    #expect(try aside.map { try fixture.bytes($0) } == (isDamagedThere ? [cut] : []))
    store.close()
    #expect(try fixture.files() == Set(["bridge.sqlite"] + aside))
  }

  @Test("Two damaged stores of one second are both kept")
  func names() throws {
    let fixture = try StoreFixture()
    for number in 1...4 {
      try fixture.put(Data(repeating: UInt8(number), count: 600))
      try fixture.open().close()
    }
    let kept = try setAside(fixture).map { try fixture.bytes($0).first }
    #expect(Set(kept) == [1, 2, 3, 4])
  }
}
