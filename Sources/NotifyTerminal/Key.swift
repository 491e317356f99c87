/// A key that was pressed, or text that was pasted.
enum Key: Sendable, Hashable {
  /// One printable character.
  case text(String)
  /// Text between the marks of a bracketed paste.
  case paste(String)
  case enter, tab, backTab, escape, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// A letter with the control key.
  case control(Character)
  /// Anything else: it is taken off the input and does nothing.
  case unknown
}

/// Turns the bytes of a terminal into keys. Bytes may come in any pieces.
///
/// Source: ECMA-48 5.4 for the form of control sequences, xterm's documentation for which key sends which.
struct KeyDecoder: Sendable {
  private var bytes: [UInt8] = []
  /// The text of a paste that has begun.
  private var paste: [UInt8]?

  /// As much of a paste is kept.
  static let pasteLimit = 64 << 10
  /// The longest control sequence that is waited for.
  private static let sequenceLimit = 64

  /// True while a lone escape byte may be the escape key or the beginning of a sequence; when nothing follows for a
  /// moment, call ``flush()``.
  var isWaiting: Bool { paste == nil && !bytes.isEmpty }

  /// Takes what was read and gives the keys that are complete.
  mutating func feed(_ input: some Sequence<UInt8>) -> [Key] {
    bytes += input
    var keys: [Key] = []
    var position = 0
    while position < bytes.count {
      if paste != nil {
        guard takePaste(&position, &keys) else { break }
        continue
      }
      guard let (key, length) = next(bytes[position...]) else { break }
      position += length
      if key == .paste("") { paste = [] } else { keys.append(key) }
    }
    bytes.removeFirst(position)
    return keys
  }

  /// Nothing more came: an escape byte was the escape key; anything else that is not complete is dropped.
  mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    let isEscape = bytes == [0x1b]
    bytes = []
    return [isEscape ? .escape : .unknown]
  }

  /// Moves what belongs to a paste out of `bytes`; false when more must come.
  private mutating func takePaste(_ position: inout Int, _ keys: inout [Key]) -> Bool {
    let mark = Array("\u{1b}[201~".utf8)
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.first == 0x1b {
        if rest.starts(with: mark) {
          position += mark.count
          keys.append(.paste(String(decoding: paste ?? [], as: UTF8.self)))
          paste = nil
          return true
        }
        if mark.starts(with: rest) { return false }
      }
      if let count = paste?.count, count < Self.pasteLimit { paste?.append(bytes[position]) }
      position += 1
    }
    return true
  }

  /// The first key and how many bytes it takes; nil when more must come.
  private func next(_ rest: ArraySlice<UInt8>) -> (Key, Int)? {
    guard let first = rest.first else { return nil }
    switch first {
    case 0x1b: return escape(rest)
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7f, 0x08: return (.backspace, 1)
    case 0x01...0x1a: return (.control(Character(UnicodeScalar(first + 0x60))), 1)
    case 0x00...0x1f: return (.unknown, 1)
    case 0x20...0x7e: return (.text(String(UnicodeScalar(first))), 1)
    default: return multibyte(rest, first)
    }
  }

  private func multibyte(_ rest: ArraySlice<UInt8>, _ first: UInt8) -> (Key, Int)? {
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard (0xc2...0xf4).contains(first) else { return (.unknown, 1) }
    let bytes = rest.prefix(length)
    let isBroken = bytes.dropFirst().contains { $0 & 0xc0 != 0x80 }
    if isBroken { return (.unknown, 1) }
    guard bytes.count == length else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return (.unknown, length) }
    return (.text(text), length)
  }

  private func escape(_ rest: ArraySlice<UInt8>) -> (Key, Int)? {
    let bytes = Array(rest.prefix(Self.sequenceLimit))
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
        return bytes.count == Self.sequenceLimit ? (.unknown, bytes.count) : nil
      }
      return (Self.key(parameters: String(decoding: bytes[2..<end], as: UTF8.self), final: bytes[end]), end + 1)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (Self.key(parameters: "", final: bytes[2]), 3)
    case 0x1b: return (.escape, 1)
    // Alt with a key: never the key alone, which could press something.
    default: return (.unknown, 2)
    }
  }

  private static func key(parameters: String, final: UInt8) -> Key {
    switch (parameters, Character(UnicodeScalar(final))) {
    case ("", "A"): .up
    case ("", "B"): .down
    case ("", "C"): .right
    case ("", "D"): .left
    case ("", "H"), ("1", "~"), ("7", "~"): .home
    case ("", "F"), ("4", "~"), ("8", "~"): .end
    case ("", "M"): .enter
    case ("", "Z"): .backTab
    case ("3", "~"): .delete
    case ("5", "~"): .pageUp
    case ("6", "~"): .pageDown
    case ("200", "~"): .paste("")
    default: .unknown
    }
  }
}
