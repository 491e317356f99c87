import CSQLite
import FoundationEssentials
import Glibc
import NotificationBridge

/// One opened store, and what is known about it. Used by one thread at a time.
final class Session {
  let database: Database
  let log: any BridgeLog
  let limits: HistoryLimits
  private var counters = Counters()
  /// The store says that somebody has it open.
  private var isMarked = false
  /// How many rows could not be read so far.
  private(set) var damagedRows: Int64 = 0
  /// Something was committed that a power cut undoes.
  private var hasVolatile = false

  /// What changes with a transaction, and is as before when that fails.
  struct Counters {
    var lastNumber: UInt64 = 0
    var lastSequence: Int64 = 0
    /// Entries of the history.
    var events = 0
    var newestEvent = Date.distantPast
    /// From this date on old entries are looked for.
    var nextAgePruning = Date.distantPast
  }

  /// Opens a store that is there, and brings it up to date.
  /// - Throws: ``BridgeError`` with code `store`; a damage that shows is among the causes.
  init(path: String, schema: Schema, limits: HistoryLimits, log: any BridgeLog) throws(BridgeError) {
    self.log = log
    self.limits = limits
    database = try Database(path: path, keepsLog: true)
    try examine(schema)
    try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=4194304")
    try schema.migrate(database)
    if try database.integer("SELECT value FROM state WHERE name = 'running'") != 0 {
      isMarked = true
      log.write(.info, "the store \(path.quotedPath) was not closed: it is checked")
      try check()
    }
    damagedRows = try database.integer("SELECT count(*) FROM damaged_rows") ?? 0
    counters.events = Int(try database.integer("SELECT count(*) FROM history") ?? 0)
    let numbers = """
      SELECT max((SELECT value FROM state WHERE name = 'number'), ifnull((SELECT max(id) FROM queued), 0),
        ifnull((SELECT max(number) FROM delivered), 0))
      """
    counters.lastNumber = UInt64(clamping: try database.integer(numbers) ?? 0)
    let sequences = """
      SELECT max((SELECT value FROM state WHERE name = 'sequence'), ifnull((SELECT max(id) FROM history), 0))
      """
    counters.lastSequence = max(try database.integer(sequences) ?? 0, 0)
  }

  var lastNumber: UInt64 { counters.lastNumber }
  var lastSequence: Int64 { counters.lastSequence }

  /// Looks at the file before anything is written to it: it may be of a newer version, damaged, or somebody else's.
  private func examine(_ schema: Schema) throws(BridgeError) {
    do throws(BridgeError) {
      try database.execute("PRAGMA cell_size_check=ON; PRAGMA secure_delete=FAST; PRAGMA cache_size=-1024")
      let found = try schema.find(database)
      try Schema(steps: Array(schema.steps.prefix(Int(found)))).verify(database)
    } catch {
      guard let cause = error.cause as? SQLiteError, cause.primaryCode == SQLITE_ERROR else { throw error }
      // These statements are right: what they found is not.
      throw BridgeError(
        SQLiteError(code: SQLITE_CORRUPT, text: cause.text, statement: cause.statement), path: database.path)
    }
    try checkLength()
    try checkWritable()
  }

  /// SQLite takes what is missing of the last page for zeros. With a log the page may be whole there.
  /// - Throws: a damage, when a part of a page is missing.
  private func checkLength() throws(BridgeError) {
    let page = Int(try database.integer("PRAGMA page_size") ?? 0)
    if page > 0, let length = Files.size(database.path), length % page != 0,
      Files.size(database.path + "-wal") ?? 0 == 0
    {
      throw BridgeError(
        SQLiteError(code: SQLITE_CORRUPT, text: "a part of the last page is missing"), path: database.path)
    }
  }

  private func checkWritable() throws(BridgeError) {
    guard database.isReadOnly else { return }
    if unsafe access(database.path, W_OK) == 0 {
      throw BridgeError(SQLiteError(code: SQLITE_CORRUPT, text: "an unknown file format"), path: database.path)
    }
    let error = errno
    throw BridgeError(SQLiteError(code: SQLITE_READONLY, text: "read-only", systemError: error), path: database.path)
  }

  /// - Throws: a damage, when SQLite finds one.
  private func check() throws(BridgeError) {
    var finding = "no answer"
    try database.query("PRAGMA quick_check(1)") { row in
      finding = row.text(0) ?? "no text"
      return false
    }
    if finding != "ok" {
      throw BridgeError(
        SQLiteError(code: SQLITE_CORRUPT, text: finding, statement: "PRAGMA quick_check"), path: database.path)
    }
  }

  /// See ``EngineStore/commit(_:durably:)``.
  func commit(_ changes: [StoreChange], durably: Bool) throws(BridgeError) {
    if changes.isEmpty, !(durably && hasVolatile) { return }
    var next = counters
    try database.transaction(durably: durably) { () throws(BridgeError) in
      if !isMarked { try database.run("UPDATE state SET value = 1 WHERE name = 'running'") }
      for change in changes { try apply(change, &next) }
      if next.lastNumber != counters.lastNumber {
        try database.run("UPDATE state SET value = ? WHERE name = 'number'", .integer(Int64(clamping: next.lastNumber)))
      }
      if next.lastSequence != counters.lastSequence {
        try database.run("UPDATE state SET value = ? WHERE name = 'sequence'", .integer(next.lastSequence))
        try pruneHistory(&next)
      }
      // Changes that find nothing to change write nothing, and what was not written is not synced.
      if durably, hasVolatile { try database.run("UPDATE state SET value = value + 1 WHERE name = 'ticks'") }
    }
    counters = next
    isMarked = true
    hasVolatile = !durably
  }

  /// Moves a row that nobody can read where it stays; a pending request and its content go together.
  func setAside(_ id: Int64, of table: String, _ reason: String) throws(BridgeError) {
    let tables = table.hasPrefix("pending") ? ["pending", "pending_request"] : [table]
    log.write(
      .error,
      "a row of the store \(database.path.quotedPath) cannot be read and was moved to its table damaged_rows: "
        + "\(table) \(id), \(reason)")
    try database.transaction(durably: true) { () throws(BridgeError) in
      for table in tables.compactMap({ Table.named($0) }) { try table.setAside(id, reason, in: database) }
    }
    damagedRows = try database.integer("SELECT count(*) FROM damaged_rows") ?? 0
  }

  /// Leaves the store as one that was closed. After a failure it is one that was not.
  func close() {
    do throws(BridgeError) {
      if isMarked {
        try database.transaction(durably: true) { () throws(BridgeError) in
          try database.run("UPDATE state SET value = 0 WHERE name = 'running'")
        }
        isMarked = false
      }
      database.keepLog(false)
    } catch {
      log.write(.error, "\(error)")
    }
  }
}
