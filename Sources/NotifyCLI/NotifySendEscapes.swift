/// The backslash escapes of a body, by the rules of GLib's `g_strcompress`.
enum NotifySendEscapes {
  /// Resolves `\b \f \n \r \t \v`, `\ooo` (one to three octal digits, modulo 256) and `\x` for any other byte `x`.
  /// The text ends where an octal escape gives a NUL, as a C string does.
  /// - Returns: the bytes, and whether a lone backslash at the end was left out.
  static func resolve(_ text: [UInt8]) -> (text: [UInt8], endsInBackslash: Bool) {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard position < text.count else { return (untilNUL(result), true) }
      let escaped = text[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0c)
      case UInt8(ascii: "n"): result.append(0x0a)
      case UInt8(ascii: "r"): result.append(0x0d)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "v"): result.append(0x0b)
      case _ where isOctal(escaped):
        position -= 1
        result.append(octal(text[...], at: &position))
      default: result.append(escaped)
      }
    }
    return (untilNUL(result), false)
  }

  /// One to three octal digits, modulo 256; `position` moves behind them and must be at the first.
  static func octal(_ text: ArraySlice<UInt8>, at position: inout Int) -> UInt8 {
    var number: UInt8 = 0
    let end = min(position + 3, text.endIndex)
    while position < end, isOctal(text[position]) {
      number = number << 3 | (text[position] - UInt8(ascii: "0"))
      position += 1
    }
    return number
  }

  private static func isOctal(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "7") }

  /// What a C string of these bytes holds.
  static func untilNUL(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix { $0 != 0 }) }
}
