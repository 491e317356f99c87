import CSQLite

/// A value of a column.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text as its bytes.
  case bytes([UInt8])

  static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  static func optional(_ number: Double?) -> SQLValue { number.map { .real($0) } ?? .null }
  static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}

/// Owns one `sqlite3_stmt`, and reads the row that it stands on. Used by one thread at a time.
@safe final class Statement {
  private let handle: OpaquePointer
  let text: String

  /// - Parameter handle: ours from now on.
  init(adopting handle: OpaquePointer, text: String) {
    unsafe self.handle = handle
    self.text = text
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Sets the values of the statement's `?`, in order.
  func bind(_ values: [SQLValue]) throws(SQLiteError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code: Int32
      switch value {
      case .null: code = unsafe sqlite3_bind_null(handle, index)
      case .integer(let number): code = unsafe sqlite3_bind_int64(handle, index, number)
      case .real(let number): code = unsafe sqlite3_bind_double(handle, index, number)
      case .text(var text):
        code = text.withUTF8 { unsafe Self.bind($0, handle, index) }
      case .bytes(let bytes):
        code = unsafe bytes.withUnsafeBufferPointer { unsafe Self.bind($0, handle, index) }
      }
      if code != SQLITE_OK { throw unsafe SQLiteError(of: sqlite3_db_handle(handle), statement: text) }
    }
  }

  private static func bind(_ bytes: UnsafeBufferPointer<UInt8>, _ handle: OpaquePointer, _ index: Int32) -> Int32 {
    // Without an address it would be NULL.
    guard let base = bytes.baseAddress else { return unsafe csqlite_bind_text(handle, index, "", 0) }
    return unsafe csqlite_bind_text(handle, index, base, sqlite3_uint64(bytes.count))
  }

  /// Copies a column of the row on which `row` stands, whatever its type.
  func bind(_ index: Int32, columnOf row: Statement, _ column: Int32) throws(SQLiteError) {
    let code = unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column))
    if code != SQLITE_OK { throw unsafe SQLiteError(of: sqlite3_db_handle(handle), statement: text) }
  }

  /// Goes to the next row; false when there is none.
  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe SQLiteError(of: sqlite3_db_handle(handle), statement: text)
    }
  }

  /// Makes it ready to be run again, and lets go of its values.
  func reset() {
    // The code is that of the last step, which was dealt with.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  // MARK: The row

  /// Nil for anything but an integer.
  func integer(_ column: Int32) -> Int64? {
    unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : nil
  }

  /// Nil for anything but 0 and 1.
  func flag(_ column: Int32) -> Bool? {
    switch integer(column) {
    case 0?: false
    case 1?: true
    default: nil
    }
  }

  /// Nil for anything but a number.
  func real(_ column: Int32) -> Double? {
    let type = unsafe sqlite3_column_type(handle, column)
    return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? unsafe sqlite3_column_double(handle, column) : nil
  }

  /// Nil for anything but text; what is no UTF-8 is repaired.
  func text(_ column: Int32) -> String? {
    withBytes(column) { span in
      unsafe span.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Lends the bytes of a text; nil for anything but text.
  func withBytes<Result, Failure: Error>(
    _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
    // The pointer is good until the next step, reset or conversion of the column. The count is asked for after it.
    let start = unsafe sqlite3_column_text(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)))
  }
}

extension SQLiteError {
  /// The last error of a connection.
  init(of database: OpaquePointer?, statement: String? = nil) {
    guard let database = unsafe database else {
      self.init(code: SQLITE_NOMEM, text: "out of memory", statement: statement)
      return
    }
    let code = unsafe sqlite3_extended_errcode(database)
    let text = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? ""
    let isSystem = code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN || code & 0xFF == SQLITE_FULL
    self.init(
      code: code, text: text, statement: statement,
      systemError: isSystem ? unsafe sqlite3_system_errno(database) : 0)
  }
}
