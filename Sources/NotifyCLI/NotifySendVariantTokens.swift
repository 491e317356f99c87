/// The tokens of GLib's text format for values.
struct NotifySendVariantTokens {
  private let bytes: [UInt8]
  private var position = 0
  private var next: Range<Int>?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token, which stays; nil at the end.
  mutating func peek() -> ArraySlice<UInt8>? {
    if let next { return bytes[next] }
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    guard position < bytes.count else { return nil }
    let range = position..<end(from: position)
    next = range
    return bytes[range]
  }

  /// Moves over the token that was peeked at.
  mutating func skip() {
    if let next { position = next.upperBound }
    next = nil
  }

  /// Moves over the next token if it is this one.
  mutating func take(_ text: StaticString) -> Bool {
    guard let token = peek(), token.elementsEqual(text.description.utf8) else { return false }
    skip()
    return true
  }

  /// Where the token that begins at `start` ends.
  private func end(from start: Int) -> Int {
    let first = bytes[start]
    switch first {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return runEnd(from: start) { Self.isAlphanumeric($0) || "-+.".utf8.contains($0) }
    case UInt8(ascii: "b") where start + 1 < bytes.count && Self.isQuote(bytes[start + 1]):
      return quotedEnd(from: start + 1)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return runEnd(from: start, while: Self.isAlphanumeric)
    case _ where Self.isQuote(first): return quotedEnd(from: start)
    case UInt8(ascii: "@"): return typeEnd(from: start + 1)
    default: return start + 1
    }
  }

  private func runEnd(from start: Int, while belongs: (UInt8) -> Bool) -> Int {
    bytes[start...].firstIndex { !belongs($0) } ?? bytes.count
  }

  /// Behind the closing quote; the end of the text when there is none.
  private func quotedEnd(from quote: Int) -> Int {
    var index = quote + 1
    while index < bytes.count {
      if bytes[index] == bytes[quote] { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  /// A type ends at a blank, a comma, a colon, a closing angle or square bracket, or a bracket that it did not open.
  private func typeEnd(from start: Int) -> Int {
    var open = 0
    for index in start..<bytes.count {
      let byte = bytes[index]
      if Self.isBlank(byte) || ",:>]".utf8.contains(byte) { return index }
      if "({".utf8.contains(byte) {
        open += 1
      } else if ")}".utf8.contains(byte) {
        if open == 0 { return index }
        open -= 1
      }
    }
    return bytes.count
  }

  /// The content of a quoted token; nil where it is not closed or an escape is wrong.
  ///
  /// `\uXXXX` and `\UXXXXXXXX` are characters, a backslash before a newline joins lines.
  static func text(_ token: ArraySlice<UInt8>) -> [UInt8]? {
    unquoted(token) { text, position in
      let length = text[position] == UInt8(ascii: "u") ? 4 : text[position] == UInt8(ascii: "U") ? 8 : 0
      if length == 0 { return [] }
      let start = position + 1
      guard start + length <= text.endIndex else { return nil }
      let digits = text[start..<start + length]
      guard let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), digits.first != UInt8(ascii: "+"),
        let scalar = UnicodeScalar(code), code != 0
      else { return nil }
      position = start + length
      return Array(String(scalar).utf8)
    }
  }

  /// The content of a byte string's quoted part, as far as a C string of it goes. `\ooo` is a byte.
  static func byteString(_ token: ArraySlice<UInt8>) -> [UInt8]? {
    let content = unquoted(token) { text, position in
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(text[position]) else { return [] }
      return [NotifySendEscapes.octal(text, at: &position)]
    }
    return content.map(NotifySendEscapes.untilNUL)
  }

  /// - Parameter special: at the byte behind a backslash: what it stands for, moving behind it; nothing where it is
  ///   no special escape; nil where it is wrong.
  private static func unquoted(
    _ token: ArraySlice<UInt8>, special: (ArraySlice<UInt8>, inout Int) -> [UInt8]?
  ) -> [UInt8]? {
    guard token.count >= 2, let quote = token.first, token.last == quote else { return nil }
    let text = token.dropFirst().dropLast()
    var result: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      // The closing quote itself was escaped.
      guard position < text.endIndex else { return nil }
      guard let bytes = special(text, &position) else { return nil }
      if !bytes.isEmpty {
        result += bytes
        continue
      }
      switch text[position] {
      case UInt8(ascii: "a"): result.append(0x07)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0c)
      case UInt8(ascii: "n"): result.append(0x0a)
      case UInt8(ascii: "r"): result.append(0x0d)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "v"): result.append(0x0b)
      case 0x0a: break
      case let other: result.append(other)
      }
      position += 1
    }
    return result
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }
  private static func isBlank(_ byte: UInt8) -> Bool { " \t\n\u{c}\r".utf8.contains(byte) }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
