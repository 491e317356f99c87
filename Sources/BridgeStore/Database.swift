import CSQLite
import NotificationBridge

/// Owns one connection to a database file, and its statements. Used by one thread at a time.
@safe final class Database {
  private let handle: OpaquePointer
  let path: String
  private var statements: [String: Statement] = [:]
  private var isFullySynchronous = false

  /// Opens a file that is there.
  /// - Parameter keepsLog: on closing, the write-ahead log stays as it is beside the file instead of being worked in.
  /// - Throws: ``BridgeError`` with code `store`, as everything here.
  init(path: String, keepsLog: Bool) throws(BridgeError) {
    self.path = path
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    guard unsafe sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle = unsafe handle else {
      let error = unsafe SQLiteError(of: handle)
      unsafe sqlite3_close_v2(handle)
      throw BridgeError(error, path: path)
    }
    unsafe self.handle = handle
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, Self.patience)
    if keepsLog { keepLog(true) }
    // What a damaged schema says is not to be run.
    unsafe csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
  }

  /// How long another program's lock is waited for, in milliseconds.
  private static let patience: Int32 = 2_000

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// Nothing can be written: the file may not be, or its header says that SQLite does not know how. Known once
  /// something was read.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") != 0 }

  /// See ``init(path:keepsLog:)``.
  func keepLog(_ keeps: Bool) {
    unsafe csqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0)
  }

  /// Runs statements that give nothing back and are not worth keeping.
  func execute(_ text: String) throws(BridgeError) {
    if unsafe sqlite3_exec(handle, text, nil, nil, nil) != SQLITE_OK {
      throw BridgeError(unsafe SQLiteError(of: handle, statement: text), path: path)
    }
  }

  /// Runs a statement that gives nothing back.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ text: String, _ values: SQLValue...) throws(BridgeError) -> Int {
    let statement = try prepared(text)
    defer { statement.reset() }
    do throws(SQLiteError) {
      try statement.bind(values)
      while try statement.step() {}
    } catch {
      throw BridgeError(error, path: path)
    }
    return changes
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes(handle)) }

  /// Gives each row to `body`, until that says false.
  func query(
    _ text: String, _ values: [SQLValue] = [], each body: (Statement) throws(BridgeError) -> Bool
  ) throws(BridgeError) {
    let statement = try prepared(text)
    defer { statement.reset() }
    do throws(SQLiteError) { try statement.bind(values) } catch { throw BridgeError(error, path: path) }
    while try step(statement), try body(statement) {}
  }

  /// Goes to the next row; false when there is none.
  func step(_ statement: Statement) throws(BridgeError) -> Bool {
    do throws(SQLiteError) { return try statement.step() } catch { throw BridgeError(error, path: path) }
  }

  /// The integer in the first column of the first row.
  func integer(_ text: String) throws(BridgeError) -> Int64? {
    var result: Int64?
    try query(text) { row throws(BridgeError) in
      result = row.integer(0)
      return false
    }
    return result
  }

  /// A statement, ready to be bound; kept for the next time.
  func prepared(_ text: String) throws(BridgeError) -> Statement {
    if let statement = statements[text] { return statement }
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else {
      throw BridgeError(unsafe SQLiteError(of: handle, statement: text), path: path)
    }
    let statement = unsafe Statement(adopting: made, text: text)
    statements[text] = statement
    return statement
  }

  /// Makes all that `body` does, or nothing.
  /// - Parameter durably: a power cut does not undo it, nor what was done before it.
  ///
  /// A transaction with `synchronous=FULL` ends with a sync of the log. The log is one file to which every transaction
  /// is appended, so that sync covers earlier ones as well; what has left the log was synced on its way into the
  /// database, in both settings (`NORMAL` leaves out nothing but the sync at the end of a transaction).
  func transaction(durably: Bool, _ body: () throws(BridgeError) -> Void) throws(BridgeError) {
    if durably != isFullySynchronous {
      // Works when it is compiled and not within a transaction: so it cannot be kept prepared.
      try execute(durably ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
      isFullySynchronous = durably
    }
    do throws(BridgeError) {
      try run("BEGIN IMMEDIATE")
      try body()
      try run("COMMIT")
    } catch {
      // Some failures have rolled back already. If this fails, the connection is of no use and the next call says so.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }
}
