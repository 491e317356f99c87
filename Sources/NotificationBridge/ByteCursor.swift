/// A place in a text that is read from its beginning to its end, and what was expected there.
struct ByteCursor {
  let bytes: [UInt8]
  var position = 0
  /// How messages begin: what is wrong with the whole.
  private let fault: String

  init(_ bytes: [UInt8], fault: String) {
    self.bytes = bytes
    self.fault = fault
  }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  var isAtEnd: Bool { position >= bytes.count }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  func starts(with text: String) -> Bool { bytes[min(position, bytes.count)...].starts(with: text.utf8) }

  mutating func take(_ text: String) -> Bool {
    guard starts(with: text) else { return false }
    position += text.utf8.count
    return true
  }

  /// Goes behind the next `text`; false, and to the end, if there is none.
  mutating func skip(past text: String) -> Bool {
    while !isAtEnd {
      if take(text) { return true }
      position += 1
    }
    return false
  }

  mutating func skipSpace() {
    while let byte = peek, PropertyList.isSpace(byte) { position += 1 }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where `position` is, for people.
  var place: String {
    let before = bytes[..<min(position, bytes.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return "line \(line), byte \(before.count - start + 1)"
  }

  func wrong(_ expected: String) -> BridgeError {
    BridgeError(.invalidRequest, "\(fault): \(place): expected \(expected)")
  }
}
