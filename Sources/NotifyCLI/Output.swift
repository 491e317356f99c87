internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// Standard output carries results alone, standard error all the rest. Nothing is buffered.
enum Output {
  /// A result, on a line of its own.
  /// - Returns: false when nobody reads it.
  @discardableResult
  static func result(_ text: String) -> Bool {
    if write(text + "\n", to: STDOUT_FILENO) { return true }
    if errno != EPIPE { loss.store(errno, ordering: .relaxed) }
    return false
  }

  /// Why a result could not be written, a full disk for example; 0 if all were, or nobody wanted to read more.
  private static let loss = Atomic<Int32>(0)

  /// Says so if a result could not be written.
  /// - Returns: whether all were.
  static func reportLoss() -> Bool {
    let code = loss.load(ordering: .relaxed)
    if code == 0 { return true }
    message("the result cannot be written to standard output: \(unsafe String(cString: strerror(code)))")
    return false
  }

  /// A message for people, named after the program.
  static func message(_ text: String) { write("notify-bridge: \(text)\n", to: STDERR_FILENO) }

  /// A result as one line of JSON.
  /// - Returns: false when nobody reads it.
  @discardableResult
  static func json(_ value: some Encodable) -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return result(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      message("the result cannot be written as JSON: \(error)")
      return true
    }
  }

  /// Writes all of `text`, however often the call is interrupted; a reader that has gone is no error of ours.
  /// - Returns: false when it has gone.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool { write(Array(text.utf8), to: descriptor) }

  /// As ``write(_:to:)-(String,_)``, of bytes.
  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        // The caller's end does not block; that is no reason to spin.
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&output, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// The engine's messages, from a level up, on standard error.
struct StandardErrorLog: BridgeLog {
  var level = LogLevel.warning

  func write(_ level: LogLevel, _ text: String) {
    if level >= self.level { Output.message(text) }
  }
}
