import CSQLite
import FoundationEssentials
import NotificationBridge

/// The tables, and how those of earlier versions become them.
///
/// Dates are seconds since 2001, as `Date` itself has them: so they come back as they were. Records are JSON text of
/// their documents; see ``JSONText``.
struct Schema {
  /// Step N makes version N of version N - 1. A step that was released is never changed: a new one is added.
  var steps: [String]

  static let current = Schema(steps: [first])

  var version: Int64 { Int64(steps.count) }

  /// Versions beyond this are no versions: the number is damaged.
  private static let sensible: Int64 = 9_999

  /// Says which version an open database has; 0 is an empty one. Writes nothing.
  /// - Throws: ``BridgeError`` with code `store`: a damage, or that the store is newer.
  func find(_ database: Database) throws(BridgeError) -> Int64 {
    let found = try database.integer("PRAGMA user_version") ?? 0
    if found < 0 || found > Self.sensible { throw damage(database, "a schema version of \(found)") }
    if found == 0, try database.integer("SELECT count(*) FROM sqlite_master") != 0 {
      throw damage(database, "tables without a schema version")
    }
    if found > 0 {
      // It is kept twice, because a damaged number must not pass for a newer version.
      let kept = try database.integer("SELECT value FROM state WHERE name = 'schema'")
      guard kept == found else { throw damage(database, "two different schema versions") }
    }
    if found > version {
      throw BridgeError(
        .store,
        "the store \(database.path.quotedPath) was written by a newer version of notify-bridge "
          + "(schema \(found), this one knows \(version)): install that version again, or move the file away")
    }
    return found
  }

  /// Brings an open database to this version.
  /// - Throws: ``BridgeError`` with code `store`, as ``find(_:)`` does; then nothing was written.
  func migrate(_ database: Database) throws(BridgeError) {
    let found = try find(database)
    if found == version { return }
    try database.transaction(durably: true) { () throws(BridgeError) in
      for step in steps.dropFirst(Int(found)) { try database.execute(step) }
      try database.run("UPDATE state SET value = ? WHERE name = 'schema'", .integer(version))
      try database.execute("PRAGMA user_version = \(version)")
    }
  }

  /// - Throws: a damage, when the tables are not what the steps make: statements would fail or do something else.
  func verify(_ database: Database) throws(BridgeError) {
    let model = try Database(path: ":memory:", keepsLog: false)
    for step in steps { try model.execute(step) }
    if try tables(database) != tables(model) { throw damage(database, "other tables than it should have") }
  }

  private func tables(_ database: Database) throws(BridgeError) -> [String] {
    var texts: [String] = []
    try database.query("SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY name") { row in
      texts.append(row.text(0) ?? "")
      return true
    }
    return texts
  }

  private func damage(_ database: Database, _ what: String) -> BridgeError {
    BridgeError(SQLiteError(code: SQLITE_CORRUPT, text: what), path: database.path)
  }

  /// Names in alphabetical order within a table mean nothing; `id` is the rowid everywhere.
  private static let first = """
    CREATE TABLE state (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value INTEGER NOT NULL);
    INSERT INTO state (name, value) VALUES ('schema', 0), ('running', 0), ('number', 0), ('sequence', 0), ('ticks', 0);

    CREATE TABLE pending (
      id INTEGER PRIMARY KEY, application TEXT NOT NULL, identifier TEXT NOT NULL, added REAL NOT NULL, fired REAL,
      due REAL NOT NULL, position INTEGER NOT NULL, follows_zone INTEGER NOT NULL, UNIQUE (application, identifier));
    CREATE TABLE pending_request (id INTEGER PRIMARY KEY, request TEXT NOT NULL, sender TEXT NOT NULL);

    CREATE TABLE queued (
      id INTEGER PRIMARY KEY, request TEXT NOT NULL, sender TEXT NOT NULL, shown REAL, in_flight INTEGER NOT NULL);

    CREATE TABLE delivered (
      id INTEGER PRIMARY KEY, application TEXT NOT NULL, identifier TEXT NOT NULL, date REAL NOT NULL,
      request TEXT NOT NULL, sender TEXT NOT NULL, server_id INTEGER, run TEXT, is_open INTEGER NOT NULL,
      keys TEXT NOT NULL, reports_dismissal INTEGER NOT NULL, number INTEGER NOT NULL,
      UNIQUE (application, identifier));

    CREATE TABLE response (
      id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, date REAL NOT NULL, response TEXT NOT NULL, handler TEXT);

    CREATE TABLE categories (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, categories TEXT NOT NULL);
    CREATE TABLE authorization (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
    CREATE TABLE badge (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, count INTEGER NOT NULL);
    CREATE TABLE fetching (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE);

    CREATE TABLE history (
      id INTEGER PRIMARY KEY, date REAL NOT NULL, application TEXT NOT NULL, identifier TEXT NOT NULL,
      event TEXT NOT NULL, detail TEXT);
    CREATE INDEX history_by_application ON history (application, id);

    CREATE TABLE damaged_rows (
      id INTEGER PRIMARY KEY, found REAL NOT NULL, origin TEXT NOT NULL, reason TEXT NOT NULL, content TEXT);
    """
}

/// A table as what copies its rows has to know it: for salvage, and for rows that nobody can read.
struct Table {
  var name: String
  /// Beside `id`.
  var columns: [String]

  static let all = [
    Table(name: "state", columns: ["name", "value"]),
    Table(
      name: "pending", columns: ["application", "identifier", "added", "fired", "due", "position", "follows_zone"]),
    Table(name: "pending_request", columns: ["request", "sender"]),
    Table(name: "queued", columns: ["request", "sender", "shown", "in_flight"]),
    Table(
      name: "delivered",
      columns: [
        "application", "identifier", "date", "request", "sender", "server_id", "run", "is_open", "keys",
        "reports_dismissal", "number",
      ]),
    Table(name: "response", columns: ["uuid", "date", "response", "handler"]),
    Table(name: "categories", columns: ["application", "categories"]),
    Table(name: "authorization", columns: ["application", "record"]),
    Table(name: "badge", columns: ["application", "count"]),
    Table(name: "fetching", columns: ["application"]),
    Table(name: "history", columns: ["date", "application", "identifier", "event", "detail"]),
    Table(name: "damaged_rows", columns: ["found", "origin", "reason", "content"]),
  ]

  static func named(_ name: String) -> Table? { all.first { $0.name == name } }

  /// Moves a row to `damaged_rows`, all its values as SQL writes them; within a transaction.
  func setAside(_ id: Int64, _ reason: String, in database: Database) throws(BridgeError) {
    let literals = (["id"] + columns).map { "quote(\($0))" }.joined(separator: " || ', ' || ")
    try database.run(
      """
      INSERT INTO damaged_rows (found, origin, reason, content) SELECT ?, '\(name)', ?, \(literals) FROM \(name)
      WHERE id = ?
      """, .real(Date.now.timeIntervalSinceReferenceDate), .text(reason), .integer(id))
    try database.run("DELETE FROM \(name) WHERE id = ?", .integer(id))
  }
}
