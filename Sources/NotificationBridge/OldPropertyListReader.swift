internal import FoundationEssentials

/// Reads the old style: `{ key = "text"; list = (a, b); data = <0fbd77>; }`, and `.strings` files, which are the inside
/// of a dictionary.
///
/// Source: Apple, "Property List Programming Guide: Old-Style ASCII Property Lists"; "Internationalization and
/// Localization Guide: Managing Strings Files".
struct OldPropertyListReader {
  private var cursor: ByteCursor

  init(_ text: [UInt8]) { cursor = PropertyList.cursor(text) }

  mutating func document() throws(BridgeError) -> PropertyValue {
    try skipBlank()
    if cursor.isAtEnd { return .dictionary([:]) }
    var result: PropertyValue
    switch cursor.peek {
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"): result = try value(depth: 0)
    default:
      let start = cursor.position
      let text = try string()
      try skipBlank()
      result = .string(text)
      if !cursor.isAtEnd {
        cursor.position = start
        result = .dictionary(try entries(until: nil, depth: 1))
      }
    }
    try skipBlank()
    if !cursor.isAtEnd { throw cursor.wrong("nothing more") }
    return result
  }

  private mutating func value(depth: Int) throws(BridgeError) -> PropertyValue {
    if depth > PropertyList.depthLimit { throw cursor.wrong("at most \(PropertyList.depthLimit) levels") }
    if cursor.take(UInt8(ascii: "{")) { return .dictionary(try entries(until: UInt8(ascii: "}"), depth: depth + 1)) }
    if cursor.take(UInt8(ascii: "(")) { return try array(depth: depth + 1) }
    if cursor.take(UInt8(ascii: "<")) { return try data() }
    return .string(try string())
  }

  /// - Parameter end: nil: the end of the text.
  private mutating func entries(until end: UInt8?, depth: Int) throws(BridgeError) -> [String: PropertyValue] {
    var entries: [String: PropertyValue] = [:]
    while true {
      try skipBlank()
      if let end, cursor.take(end) { return entries }
      if end == nil, cursor.isAtEnd { return entries }
      let key = try string()
      try skipBlank()
      // A key alone stands for itself.
      var entry = PropertyValue.string(key)
      if cursor.take(UInt8(ascii: "=")) {
        try skipBlank()
        entry = try value(depth: depth)
        try skipBlank()
      }
      entries[key] = entry
      if cursor.take(UInt8(ascii: ";")) { continue }
      // The last semicolon is often forgotten.
      if end == nil ? cursor.isAtEnd : cursor.peek == end { continue }
      throw cursor.wrong("';' behind the value of \(key.quotedForPeople)")
    }
  }

  private mutating func array(depth: Int) throws(BridgeError) -> PropertyValue {
    var elements: [PropertyValue] = []
    while true {
      try skipBlank()
      if cursor.take(UInt8(ascii: ")")) { return .array(elements) }
      elements.append(try value(depth: depth))
      try skipBlank()
      if cursor.take(UInt8(ascii: ",")) || cursor.peek == UInt8(ascii: ")") { continue }
      throw cursor.wrong("',' or ')'")
    }
  }

  private mutating func data() throws(BridgeError) -> PropertyValue {
    var data = Data()
    var half: UInt8?
    while let byte = cursor.peek {
      cursor.position += 1
      if byte == UInt8(ascii: ">") {
        if half != nil { throw cursor.wrong("two hexadecimal digits a byte") }
        return .data(data)
      }
      if PropertyList.isSpace(byte) { continue }
      guard let digit = Self.digit(byte) else { throw cursor.wrong("hexadecimal digits or '>'") }
      if let first = half {
        data.append(first << 4 | digit)
        half = nil
      } else {
        half = digit
      }
    }
    throw cursor.wrong("'>'")
  }

  // MARK: Text

  private mutating func string() throws(BridgeError) -> String {
    if let quote = cursor.peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      cursor.position += 1
      return try quoted(quote)
    }
    let start = cursor.position
    while let byte = cursor.peek, Self.isPlain(byte) { cursor.position += 1 }
    guard cursor.position > start else { throw cursor.wrong("text") }
    return cursor.text(start..<cursor.position)
  }

  private mutating func quoted(_ quote: UInt8) throws(BridgeError) -> String {
    let start = cursor.position
    var result: [UInt8] = []
    while let byte = cursor.peek {
      cursor.position += 1
      if byte == quote { return String(decoding: result, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(&result) } else { result.append(byte) }
    }
    cursor.position = start
    throw cursor.wrong("a quotation mark that ends the text")
  }

  private mutating func escape(_ result: inout [UInt8]) throws(BridgeError) {
    guard let byte = cursor.peek else { throw cursor.wrong("an escape") }
    cursor.position += 1
    switch byte {
    case UInt8(ascii: "a"): result.append(0x07)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "v"): result.append(0x0B)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "U"), UInt8(ascii: "u"): result.append(contentsOf: try codeUnits().utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = UInt32(byte - UInt8(ascii: "0"))
      for _ in 0..<2 {
        guard let next = cursor.peek, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(next) else { break }
        code = code << 3 | UInt32(next - UInt8(ascii: "0"))
        cursor.position += 1
      }
      result.append(contentsOf: String(UnicodeScalar(code).map(Character.init) ?? "\u{FFFD}").utf8)
    // A line that goes on, a quotation mark, a backslash; any other character stands for itself.
    default: result.append(byte)
    }
  }

  /// What `\U` names: a pair of two makes one character, half of one is none.
  private mutating func codeUnits() throws(BridgeError) -> String {
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), cursor.starts(with: "\\U") || cursor.starts(with: "\\u") {
      let before = cursor.position
      cursor.position += 2
      let next = try codeUnit()
      if UTF16.isTrailSurrogate(next) { units.append(next) } else { cursor.position = before }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func codeUnit() throws(BridgeError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = cursor.peek.flatMap(Self.digit) else { throw cursor.wrong("four hexadecimal digits") }
      unit = unit << 4 | UInt16(digit)
      cursor.position += 1
    }
    return unit
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// What text without quotation marks is made of.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"),
      UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Spaces and comments.
  private mutating func skipBlank() throws(BridgeError) {
    while true {
      cursor.skipSpace()
      if cursor.take("//") {
        while let byte = cursor.peek, byte != 0x0A, byte != 0x0D { cursor.position += 1 }
      } else if cursor.take("/*") {
        let start = cursor.position
        guard cursor.skip(past: "*/") else {
          cursor.position = start
          throw cursor.wrong("'*/' at the end of the comment")
        }
      } else {
        return
      }
    }
  }
}
