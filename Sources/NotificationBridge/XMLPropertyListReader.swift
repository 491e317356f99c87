internal import FoundationEssentials

/// Reads the XML form. Only what property lists are made of is XML here: entities of the document's own are refused.
///
/// Source: Apple, `PropertyList-1.0.dtd`; plist(5).
struct XMLPropertyListReader {
  private var cursor: ByteCursor

  init(_ text: [UInt8]) { cursor = PropertyList.cursor(text) }

  mutating func document() throws(BridgeError) -> PropertyValue {
    try prolog()
    let root = try open()
    guard root.name == "plist" else { throw cursor.wrong("<plist>") }
    guard !root.isEmpty, let first = try openOrClose("plist") else { throw cursor.wrong("a value in <plist>") }
    let value = try value(first, depth: 0)
    guard try openOrClose("plist") == nil else { throw cursor.wrong("</plist>") }
    try skipBlank()
    if !cursor.isAtEnd { throw cursor.wrong("nothing behind </plist>") }
    return value
  }

  private mutating func prolog() throws(BridgeError) {
    try skipBlank()
    if cursor.take("<?xml") {
      let start = cursor.position
      guard cursor.skip(past: "?>") else { throw cursor.wrong("'?>'") }
      let declaration = cursor.text(start..<cursor.position).lowercased()
      // The text was read as UTF-8 or UTF-16 by its bytes.
      guard !declaration.contains("encoding") || declaration.contains("utf") || declaration.contains("ascii") else {
        throw cursor.wrong("the encoding UTF-8")
      }
    }
    try skipBlank()
    guard cursor.take("<!DOCTYPE") else { return }
    while let byte = cursor.peek, byte != UInt8(ascii: ">") {
      if byte == UInt8(ascii: "[") { throw cursor.wrong("a document type without declarations of its own") }
      cursor.position += 1
    }
    guard cursor.take(UInt8(ascii: ">")) else { throw cursor.wrong("'>'") }
    try skipBlank()
  }

  // MARK: Values

  private mutating func value(_ tag: Tag, depth: Int) throws(BridgeError) -> PropertyValue {
    if depth > PropertyList.depthLimit { throw cursor.wrong("at most \(PropertyList.depthLimit) levels") }
    switch tag.name {
    case "dict": return .dictionary(tag.isEmpty ? [:] : try entries(depth: depth + 1))
    case "array": return .array(tag.isEmpty ? [] : try elements(depth: depth + 1))
    case "string": return .string(try content(tag))
    case "true", "false":
      guard try content(tag).isEmpty else { throw cursor.wrong("nothing in <\(tag.name)>") }
      return .boolean(tag.name == "true")
    case "integer":
      guard let number = Self.integer(Self.trimmed(try content(tag))) else {
        throw cursor.wrong("a whole number in <integer>")
      }
      return number
    case "real":
      guard let number = Double(Self.trimmed(try content(tag))), number.isFinite else {
        throw cursor.wrong("a finite number in <real>")
      }
      return .double(number)
    case "date":
      guard let date = Self.date(Self.trimmed(try content(tag))) else {
        throw cursor.wrong("a date as 2026-01-31T12:00:00Z in <date>")
      }
      return .date(date)
    case "data":
      let text = try content(tag).filter { !$0.isWhitespace }
      guard let data = Data(base64Encoded: text) else { throw cursor.wrong("base64 in <data>") }
      return .data(data)
    default:
      throw cursor.wrong("<dict>, <array>, <string>, <integer>, <real>, <true/>, <false/>, <date> or <data>")
    }
  }

  private mutating func entries(depth: Int) throws(BridgeError) -> [String: PropertyValue] {
    var entries: [String: PropertyValue] = [:]
    while let tag = try openOrClose("dict") {
      guard tag.name == "key" else { throw cursor.wrong("<key>") }
      let key = try content(tag)
      guard let tag = try openOrClose("dict") else { throw cursor.wrong("the value of \(key.quotedForPeople)") }
      entries[key] = try value(tag, depth: depth)
    }
    return entries
  }

  private mutating func elements(depth: Int) throws(BridgeError) -> [PropertyValue] {
    var elements: [PropertyValue] = []
    while let tag = try openOrClose("array") { elements.append(try value(tag, depth: depth)) }
    return elements
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  private static func integer(_ text: String) -> PropertyValue? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    // A second sign would be taken by the number.
    guard let first = digits.first, first.isHexDigit,
      let magnitude = isHex ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    else { return nil }
    if !isNegative { return Int64(exactly: magnitude).map { .integer($0) } ?? .double(Double(magnitude)) }
    return magnitude <= 1 << 63 ? .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) : .double(-Double(magnitude))
  }

  private static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var numbers = [0]
    for (byte, place) in zip(bytes, pattern) {
      if place == UInt8(ascii: "0"), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      } else if place == byte, place != UInt8(ascii: "0") {
        numbers.append(0)
      } else {
        return nil
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
    guard year >= 1, let date = GregorianDay(year: year, month: month, day: day), hour < 24, minute < 60, second < 61
    else { return nil }
    return Date(timeIntervalSince1970: Double(date.number * 86_400 + Int64(hour * 3600 + minute * 60 + second)))
  }

  // MARK: Tags and text

  private struct Tag: Equatable {
    var name: String
    /// It ends itself: `<dict/>`.
    var isEmpty: Bool
  }

  /// The next element within `parent`; nil at its end, which is taken.
  private mutating func openOrClose(_ parent: String) throws(BridgeError) -> Tag? {
    try skipBlank()
    guard cursor.starts(with: "</") else { return try open() }
    try close(parent)
    return nil
  }

  private mutating func open() throws(BridgeError) -> Tag {
    try skipBlank()
    guard cursor.take(UInt8(ascii: "<")) else { throw cursor.wrong("an element") }
    let name = try name()
    // Attributes say nothing that counts.
    var quote: UInt8?
    while let byte = cursor.peek {
      cursor.position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return Tag(name: name, isEmpty: cursor.bytes[cursor.position - 2] == UInt8(ascii: "/"))
      } else if byte == UInt8(ascii: "<") {
        break
      }
    }
    throw cursor.wrong("'>' at the end of <\(name)")
  }

  private mutating func close(_ name: String) throws(BridgeError) {
    guard cursor.take("</"), try self.name() == name else { throw cursor.wrong("</\(name)>") }
    cursor.skipSpace()
    guard cursor.take(UInt8(ascii: ">")) else { throw cursor.wrong("</\(name)>") }
  }

  private mutating func name() throws(BridgeError) -> String {
    let start = cursor.position
    while let byte = cursor.peek, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { cursor.position += 1 }
    guard cursor.position > start else { throw cursor.wrong("the name of an element") }
    return cursor.text(start..<cursor.position)
  }

  /// The text of an element, to behind its end.
  private mutating func content(_ tag: Tag) throws(BridgeError) -> String {
    if tag.isEmpty { return "" }
    var result: [UInt8] = []
    while let byte = cursor.peek {
      if byte == UInt8(ascii: "&") {
        result.append(contentsOf: try entity().utf8)
      } else if byte != UInt8(ascii: "<") {
        result.append(byte)
        cursor.position += 1
      } else if cursor.take("<![CDATA[") {
        let start = cursor.position
        guard cursor.skip(past: "]]>") else { throw cursor.wrong("']]>'") }
        result += cursor.bytes[start..<cursor.position - 3]
      } else if cursor.starts(with: "<!--") {
        try skipComment()
      } else {
        break
      }
    }
    try close(tag.name)
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func entity() throws(BridgeError) -> String {
    let start = cursor.position
    cursor.position += 1
    while let byte = cursor.peek, byte != UInt8(ascii: ";"), cursor.position - start < 12 { cursor.position += 1 }
    let name = cursor.text(start + 1..<cursor.position)
    guard cursor.take(UInt8(ascii: ";")) else {
      cursor.position = start
      throw cursor.wrong("an entity such as '&amp;': '&' alone is written that way")
    }
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
    guard name.hasPrefix("#"), digits.first?.isHexDigit == true,
      let scalar = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10).flatMap(UnicodeScalar.init)
    else {
      cursor.position = start
      throw cursor.wrong("an entity that every document has, not '&\(name);'")
    }
    return String(Character(scalar))
  }

  private mutating func skipBlank() throws(BridgeError) {
    while true {
      cursor.skipSpace()
      guard cursor.starts(with: "<!--") else { return }
      try skipComment()
    }
  }

  private mutating func skipComment() throws(BridgeError) {
    let start = cursor.position
    cursor.position += 4
    guard cursor.skip(past: "-->") else {
      cursor.position = start
      throw cursor.wrong("'-->' at the end of the comment")
    }
  }
}
