import FoundationEssentials
import NotificationBridge

/// Reads JSON text from its beginning to its end. See ``JSONText``. Anything may stand there.
struct JSONReader {
  private var position = 0

  mutating func document(_ bytes: Span<UInt8>) throws(BridgeError) -> PropertyValue {
    let value = try value(bytes, depth: 0)
    skipSpace(bytes)
    if position != bytes.count { throw wrong("nothing more") }
    return value
  }

  private func wrong(_ expected: String) -> BridgeError {
    BridgeError(.store, "no JSON text: \(expected) expected at byte \(position)")
  }

  private func peek(_ bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while let byte = peek(bytes), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard peek(bytes) == byte else { return false }
    position += 1
    return true
  }

  private mutating func word(_ word: StaticString, _ bytes: Span<UInt8>, _ value: PropertyValue) throws(BridgeError)
    -> PropertyValue
  {
    for offset in 0..<word.utf8CodeUnitCount {
      let expected = unsafe word.utf8Start[offset]
      if !take(expected, bytes) { throw wrong(word.description) }
    }
    return value
  }

  private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(BridgeError) -> PropertyValue {
    // A number within a date is two levels deeper than the date that it stands for.
    if depth > JSONText.depthLimit + 2 { throw wrong("less depth") }
    skipSpace(bytes)
    switch peek(bytes) {
    case UInt8(ascii: "\"")?: return .string(try string(bytes))
    case UInt8(ascii: "{")?: return try object(bytes, depth: depth)
    case UInt8(ascii: "[")?: return try array(bytes, depth: depth)
    case UInt8(ascii: "t")?: return try word("true", bytes, .boolean(true))
    case UInt8(ascii: "f")?: return try word("false", bytes, .boolean(false))
    case UInt8(ascii: "n")?: return try word("null", bytes, .null)
    default: return try number(bytes)
    }
  }

  private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(BridgeError) -> PropertyValue {
    position += 1
    var elements: [PropertyValue] = []
    skipSpace(bytes)
    if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
    while true {
      elements.append(try value(bytes, depth: depth + 1))
      skipSpace(bytes)
      if take(UInt8(ascii: "]"), bytes) { return .array(elements) }
      if !take(UInt8(ascii: ","), bytes) { throw wrong("',' or ']'") }
    }
  }

  private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(BridgeError) -> PropertyValue {
    let entries = try entries(bytes, depth: depth, isPlain: false)
    guard entries.count == 1, let (tag, value) = entries.first, tag.utf8.first == UInt8(ascii: "$") else {
      return .dictionary(entries)
    }
    switch (tag, value) {
    case (JSONText.date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (JSONText.data, .string(let text)):
      guard let data = Data(base64Encoded: text) else { throw wrong("base64") }
      return .data(data)
    case (JSONText.number, .string("nan")): return .double(.nan)
    case (JSONText.number, .string("inf")): return .double(.infinity)
    case (JSONText.number, .string("-inf")): return .double(-.infinity)
    case (JSONText.object, .dictionary): return value
    default: throw wrong("a known tag")
    }
  }

  /// - Parameter isPlain: no key among them is a tag.
  private mutating func entries(
    _ bytes: Span<UInt8>, depth: Int, isPlain: Bool
  ) throws(BridgeError) -> [String: PropertyValue] {
    position += 1
    var entries: [String: PropertyValue] = [:]
    skipSpace(bytes)
    if take(UInt8(ascii: "}"), bytes) { return entries }
    while true {
      skipSpace(bytes)
      guard peek(bytes) == UInt8(ascii: "\"") else { throw wrong("a name") }
      let name = try string(bytes)
      skipSpace(bytes)
      if !take(UInt8(ascii: ":"), bytes) { throw wrong("':'") }
      skipSpace(bytes)
      if !isPlain, name == JSONText.object, peek(bytes) == UInt8(ascii: "{") {
        entries[name] = .dictionary(try self.entries(bytes, depth: depth, isPlain: true))
      } else {
        entries[name] = try value(bytes, depth: depth + 1)
      }
      skipSpace(bytes)
      if take(UInt8(ascii: "}"), bytes) { return entries }
      if !take(UInt8(ascii: ","), bytes) { throw wrong("',' or '}'") }
    }
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(BridgeError) -> PropertyValue {
    let start = position
    var isWhole = true
    var isNegative = false
    var magnitude: UInt64 = 0
    var overflows = false
    scan: while let byte = peek(bytes) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, overSum) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        overflows = overflows || over || overSum
        magnitude = sum
      case UInt8(ascii: "-") where position == start: isNegative = true
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        isWhole = false
      default: break scan
      }
      position += 1
    }
    if position - start > (isNegative ? 1 : 0), isWhole, !overflows {
      if !isNegative, let number = Int64(exactly: magnitude) { return .integer(number) }
      if isNegative, magnitude <= 1 << 63 { return .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) }
    }
    guard let number = Double(text(bytes, start..<position)), number.isFinite else {
      position = start
      throw wrong("a value")
    }
    return .double(number)
  }

  private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0[range], as: UTF8.self) }
  }

  private mutating func string(_ bytes: Span<UInt8>) throws(BridgeError) -> String {
    position += 1
    let start = position
    while let byte = peek(bytes), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    if take(UInt8(ascii: "\""), bytes) { return text(bytes, start..<position - 1) }
    return try escapedString(bytes, from: start)
  }

  /// The rare kind: `position` is at the first backslash.
  private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(BridgeError) -> String {
    var result: [UInt8] = []
    for index in start..<position { result.append(bytes[index]) }
    while let byte = peek(bytes) {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result.append(contentsOf: try escape(bytes).utf8)
      default: result.append(byte)
      }
    }
    throw wrong("'\"'")
  }

  private mutating func escape(_ bytes: Span<UInt8>) throws(BridgeError) -> String {
    guard let byte = peek(bytes) else { throw wrong("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"):
      let first = try codeUnit(bytes)
      guard UTF16.isLeadSurrogate(first) else {
        // Half of a pair is no character.
        return UnicodeScalar(first).map { String($0) } ?? "\u{FFFD}"
      }
      guard take(UInt8(ascii: "\\"), bytes), take(UInt8(ascii: "u"), bytes) else { throw wrong("'\\u'") }
      return String(decoding: [first, try codeUnit(bytes)], as: UTF16.self)
    default: throw wrong("an escape")
    }
  }

  private mutating func codeUnit(_ bytes: Span<UInt8>) throws(BridgeError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek(bytes), let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw wrong("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
