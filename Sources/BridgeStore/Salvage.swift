import CSQLite
import NotificationBridge

/// Copies what can still be read from a damaged store into a new one.
struct Salvage {
  private let schema: Schema
  /// Rows that were copied.
  private(set) var rows = 0
  /// Everything was read to its end.
  private(set) var isComplete = true

  init(schema: Schema) { self.schema = schema }

  /// - Parameters:
  ///   - copy: of the damaged file and its log; it may be changed.
  ///   - target: a new store.
  mutating func run(from copy: String, into target: Database) throws(BridgeError) {
    guard let source = open(copy) else {
      isComplete = false
      return
    }
    try target.transaction(durably: true) { () throws(BridgeError) in
      for table in Table.all { try salvage(table, source, target) }
      // The two halves of a pending request are of no use alone, but their owner may want to know.
      for (name, other, reason) in [
        ("pending", "pending_request", "its content is lost"), ("pending_request", "pending", "its date is lost"),
      ] {
        var lonely: [Int64] = []
        try target.query("SELECT id FROM \(name) WHERE id NOT IN (SELECT id FROM \(other))") { row in
          if let id = row.integer(0) { lonely.append(id) }
          return true
        }
        for id in lonely { try Table.named(name)?.setAside(id, reason, in: target) }
      }
    }
  }

  private mutating func open(_ copy: String) -> Database? {
    do throws(BridgeError) {
      let source = try Database(path: copy, keepsLog: true)
      // Reads on where the header and the file's length disagree.
      try source.execute("PRAGMA writable_schema=ON; PRAGMA cell_size_check=ON")
      // A store of an earlier version, if it lets itself be brought up to date; else its tables are read as they are.
      try? schema.migrate(source)
      return source
    } catch {
      return nil
    }
  }

  /// Reads a table from its beginning to the first damage, then from its end to there.
  private mutating func salvage(_ table: Table, _ source: Database, _ target: Database) throws(BridgeError) {
    let columns = table.columns.joined(separator: ", ")
    var last: Int64?
    for order in ["ASC", "DESC"] {
      guard let rows = try? source.prepared("SELECT id, \(columns) FROM \(table.name) ORDER BY id \(order)") else {
        isComplete = false
        return
      }
      defer { rows.reset() }
      var reached = last
      while true {
        let isRow: Bool
        do throws(SQLiteError) { isRow = try rows.step() } catch {
          isComplete = false
          break
        }
        guard isRow, let id = rows.integer(0) else { return }
        if order == "DESC", let last, id <= last { return }
        reached = id
        // Of two rows with one key, which a damaged index lets in, the later one counts.
        try insert(rows, table, "INSERT OR \(order == "ASC" ? "REPLACE" : "IGNORE") INTO", columns, target)
      }
      last = reached
    }
  }

  private mutating func insert(
    _ row: Statement, _ table: Table, _ verb: String, _ columns: String, _ target: Database
  ) throws(BridgeError) {
    if table.name == "state" {
      // Numbers go on from where they were; the rest is about the old file.
      guard let name = row.text(1), name == "number" || name == "sequence", let value = row.integer(2) else { return }
      try target.run("UPDATE state SET value = max(value, ?) WHERE name = ?", .integer(value), .text(name))
      return
    }
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try target.prepared("\(verb) \(table.name) (id, \(columns)) VALUES (?, \(places))")
    defer { insertion.reset() }
    do throws(SQLiteError) {
      for column in 0...Int32(table.columns.count) { try insertion.bind(column + 1, columnOf: row, column) }
      _ = try insertion.step()
      rows += target.changes
      if target.changes == 0 { isComplete = false }
    } catch {
      // A row that breaks a rule of its table is none.
      if error.primaryCode != SQLITE_CONSTRAINT { throw BridgeError(error, path: target.path) }
      isComplete = false
    }
  }
}
