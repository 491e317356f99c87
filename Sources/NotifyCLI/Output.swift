internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge

/// Standard output carries results alone, standard error all the rest. Nothing is buffered.
enum Output {
  /// A result, on a line of its own.
  /// - Returns: false when nobody reads it.
  @discardableResult
  static func result(_ text: String) -> Bool { write(text + "\n", to: STDOUT_FILENO) }

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
      } else if errno != EINTR, errno != EAGAIN {
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
