import CSQLite
import NotificationBridge

/// Copies what can still be read from a damaged store into a new one.
struct Salvage {
  /// Rows that were copied.
  private(set) var rows = 0
  /// Everything was read to its end.
  private(set) var isComplete = true

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
      // A date without a request is of no use, a request without a date may be to its owner.
      try target.run("DELETE FROM pending WHERE id NOT IN (SELECT id FROM pending_request)")
      var lonely: [Int64] = []
      try target.query("SELECT id FROM pending_request WHERE id NOT IN (SELECT id FROM pending)") { row in
        if let id = row.integer(0) { lonely.append(id) }
        return true
      }
      for id in lonely { try Table.named("pending_request")?.setAside(id, "its date is lost", in: target) }
    }
  }

  private mutating func open(_ copy: String) -> Database? {
    do throws(BridgeError) {
      let source = try Database(path: copy, keepsLog: true)
      // Reads on where the header and the file's length disagree.
      try source.execute("PRAGMA writable_schema=ON; PRAGMA cell_size_check=ON")
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
        try insert(rows, table, columns, target)
      }
      last = reached
    }
  }

  private mutating func insert(
    _ row: Statement, _ table: Table, _ columns: String, _ target: Database
  ) throws(BridgeError) {
    // The new store's own schema version stays, and it is not running.
    let isState = table.name == "state"
    if isState, let name = row.text(1), name == "schema" || name == "running" { return }
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    // A row that breaks a rule of its table is none.
    let insertion = try target.prepared(
      "INSERT OR \(isState ? "REPLACE" : "IGNORE") INTO \(table.name) (id, \(columns)) VALUES (?, \(places))")
    defer { insertion.reset() }
    do throws(SQLiteError) {
      for column in 0...Int32(table.columns.count) { try insertion.bind(column + 1, columnOf: row, column) }
      _ = try insertion.step()
    } catch {
      throw BridgeError(error, path: target.path)
    }
    let count = target.changes
    if count == 0 { isComplete = false }
    if !isState { rows += count }
  }
}
