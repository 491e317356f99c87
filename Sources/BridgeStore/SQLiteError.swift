internal import CSQLite
internal import NotificationBridge

/// What SQLite answered to a statement that failed.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code: 11 or 267 for a damaged file, 13 for a full disk.
  public var code: Int32
  /// SQLite's own words.
  public var text: String
  /// The statement, without the values that were bound to it.
  public var statement: String?
  /// The system's error number; 0: it was no system call that failed.
  public var systemError: Int32

  public init(code: Int32, text: String, statement: String? = nil, systemError: Int32 = 0) {
    self.code = code
    self.text = text
    self.statement = statement
    self.systemError = systemError
  }

  /// The result code without its extension.
  public var primaryCode: Int32 { code & 0xFF }

  /// The file is not what SQLite wrote.
  public var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  public var description: String {
    var result = "SQLite error \(code), \(text)"
    if systemError != 0 { result += " (system error \(systemError))" }
    if let statement { result += ", in " + statement.quotedForPeople }
    return result
  }
}

extension BridgeError {
  /// The failure of a statement on a store, with the store's path and what to do.
  init(_ error: SQLiteError, path: String) {
    let name = path.quotedPath
    let message =
      switch error.primaryCode {
      case SQLITE_CORRUPT, SQLITE_NOTADB: "the store \(name) is damaged"
      case SQLITE_FULL: "there is no room on the disk for the store \(name)"
      case SQLITE_READONLY: "the store \(name) cannot be written: its file, folder or file system is read-only"
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: "the store \(name) cannot be opened"
      case SQLITE_BUSY, SQLITE_LOCKED: "the store \(name) is locked by another program; end that program's access to it"
      case SQLITE_IOERR: "the store \(name) cannot be read or written"
      default: "the store \(name) failed"
      }
    self.init(.store, message, cause: error)
  }

  /// The store's file is damaged.
  var isDamage: Bool { (cause as? SQLiteError)?.isDamage ?? false }
}
