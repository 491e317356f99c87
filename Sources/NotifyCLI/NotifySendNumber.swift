internal import Glibc

/// Numbers as C reads them, since what is typed to notify-send goes through `strtol` and its relatives.
enum NotifySendNumber {
  /// What was read at the beginning of a text.
  struct Scanned: Sendable, Hashable {
    var isNegative: Bool
    /// `UInt64.max` when it is too large.
    var magnitude: UInt64
    /// It does not fit 64 bits without sign.
    var isTooLarge: Bool
    /// The index behind the last digit.
    var end: Int

    /// The number, where it fits.
    var asInt32: Int32? {
      if isTooLarge || magnitude > 1 << 31 { return nil }
      return Int32(exactly: isNegative ? -Int64(magnitude) : Int64(magnitude))
    }

    /// The low 32 bits, as C's conversion from `strtoull`'s result gives them; what is too large gives -1.
    var low32: Int32 {
      if isTooLarge { return -1 }
      return Int32(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
    }
  }

  /// Reads as `strtoull` does: blanks, a sign, a prefix (base 0: `0x` and `0`; base 16: `0x`), digits.
  /// - Returns: nil when there is no digit.
  static func scan(_ text: ArraySlice<UInt8>, base: UInt64) -> Scanned? {
    var position = text.startIndex
    while position < text.endIndex, isBlank(text[position]) { position += 1 }
    var isNegative = false
    if position < text.endIndex, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
      isNegative = text[position] == UInt8(ascii: "-")
      position += 1
    }
    var base = base
    if base == 0 || base == 16 {
      let rest = text[position...].prefix(3)
      let isHex =
        rest.count == 3 && rest.first == UInt8(ascii: "0")
        && rest.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        && rest.last.flatMap(digit).map { $0 < 16 } == true
      if isHex { position += 2 }
      if base == 0 { base = isHex ? 16 : rest.first == UInt8(ascii: "0") ? 8 : 10 }
    }
    let start = position
    var magnitude: UInt64 = 0
    var isTooLarge = false
    while position < text.endIndex, let digit = digit(text[position]), digit < base {
      let (product, high) = magnitude.multipliedReportingOverflow(by: base)
      let (sum, carry) = product.addingReportingOverflow(digit)
      isTooLarge = isTooLarge || high || carry
      magnitude = sum
      position += 1
    }
    if position == start { return nil }
    return Scanned(
      isNegative: isNegative, magnitude: isTooLarge ? .max : magnitude, isTooLarge: isTooLarge, end: position)
  }

  /// Reads as `strtod` does, in C's format first and in the locale's where that takes more (`1,5` in German).
  static func double(_ text: [UInt8]) -> Double {
    let plain = strtod(text)
    if plain.count == text.count { return plain.value }
    unsafe setlocale(LC_NUMERIC, "")
    defer { unsafe setlocale(LC_NUMERIC, "C") }
    let local = strtod(text)
    return local.count >= plain.count ? local.value : plain.value
  }

  /// The whole of `text` in C's format; nil where it is something else, too large, or too small to be exact.
  static func wholeDouble(_ text: [UInt8]) -> Double? {
    let (value, count, isOutOfRange) = strtod(text)
    if text.isEmpty || count != text.count || isOutOfRange && value != 0 { return nil }
    return value
  }

  /// The C function in the process's locale, which is C's unless somebody sets it; how many bytes it read.
  private static func strtod(_ text: [UInt8]) -> (value: Double, count: Int, isOutOfRange: Bool) {
    let bytes = text.map { CChar(bitPattern: $0) } + [0]
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return (0, 0, false) }
      var end: UnsafeMutablePointer<CChar>?
      errno = 0
      let value = unsafe Glibc.strtod(start, &end)
      let isOutOfRange = errno == ERANGE
      return (value, unsafe end.map { unsafe UnsafePointer($0) - start } ?? 0, isOutOfRange)
    }
  }

  static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
