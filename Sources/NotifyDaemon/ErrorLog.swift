internal import Glibc
internal import NotificationBridge

/// Messages on standard error, one line each; with the journal's priorities where the journal reads them.
///
/// Source: sd-daemon(3), systemd.exec(5) `JOURNAL_STREAM`.
struct ErrorLog: BridgeLog {
  private let isJournal: Bool
  private let level: LogLevel

  init() {
    isJournal = Self.isJournalStream()
    level = unsafe getenv("NOTIFY_BRIDGE_DEBUG") == nil ? .info : .debug
  }

  func write(_ level: LogLevel, _ text: String) {
    guard level >= self.level else { return }
    let line = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).joined(separator: " ")
    let priority =
      switch level {
      case .debug: 7
      case .info: 6
      case .warning: 4
      case .error: 3
      }
    let bytes = Array((isJournal ? "<\(priority)>\(line)\n" : "notify-bridged: \(line)\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func isJournalStream() -> Bool {
    guard let text = unsafe getenv("JOURNAL_STREAM") else { return false }
    let parts = unsafe String(cString: text).split(separator: ":").compactMap { UInt64($0) }
    var status = stat()
    guard parts.count == 2, unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return UInt64(status.st_dev) == parts[0] && UInt64(status.st_ino) == parts[1]
  }
}
