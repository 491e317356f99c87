internal import FreedesktopNotifications

/// Small readings of bytes that the options and hints share.
enum NotifySendWords {
  /// `low`, `normal` or `critical` in any case of ASCII.
  static func urgency(_ word: [UInt8]) -> Urgency? {
    switch lowercased(word) {
    case "low": .low
    case "normal": .normal
    case "critical": .critical
    default: nil
    }
  }

  /// In lower case, ASCII letters alone; bytes that are no UTF-8 match nothing.
  static func lowercased(_ word: some Sequence<UInt8>) -> String {
    String(decoding: word.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Without ASCII space, tab, newline, form feed and carriage return at both ends.
  static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
    let blanks = Array(" \t\n\u{c}\r".utf8)
    guard let first = text.firstIndex(where: { !blanks.contains($0) }),
      let last = text.lastIndex(where: { !blanks.contains($0) })
    else { return [] }
    return Array(text[first...last])
  }

  /// The parts between separators, at most `limit`; the last one keeps further separators. An empty text has none.
  static func split(_ text: [UInt8], at separator: Character, limit: Int) -> [ArraySlice<UInt8>] {
    guard !text.isEmpty, let byte = separator.asciiValue else { return [] }
    return text.split(separator: byte, maxSplits: limit - 1, omittingEmptySubsequences: false)
  }
}
