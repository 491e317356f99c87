/// Reads a payload's JSON as it stands: no key means anything here, and what a value cannot hold is said.
///
/// Strict, as push services are, but for a byte order mark. Source: RFC 8259.
struct PayloadReader {
  /// Deeper nesting is refused: values are visited recursively.
  static let depthLimit = 256

  /// What had to be changed, a sentence each.
  private(set) var notes: [String] = []
  private var cursor: ByteCursor
  /// The keys that lead to the present value, for notes.
  private var path: [String] = []

  /// - Throws: ``BridgeError`` with code `invalidRequest` for what is no UTF-8 text.
  /// - Parameter fault: how messages begin.
  init(_ bytes: [UInt8], fault: String = "the payload is no JSON object") throws(BridgeError) {
    cursor = ByteCursor(bytes, fault: fault)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw BridgeError(.invalidRequest, "\(fault): it is no text in UTF-8")
    }
    if cursor.take("\u{FEFF}") { notes.append("the payload has a byte order mark, which push services refuse") }
  }

  /// - Throws: ``BridgeError`` with code `invalidRequest`; the message says where, and what was expected.
  mutating func object() throws(BridgeError) -> [String: PropertyValue] {
    skipSpace()
    guard cursor.peek == UInt8(ascii: "{") else { throw cursor.wrong("'{'") }
    let entries = try entries(depth: 0)
    skipSpace()
    if !cursor.isAtEnd { throw cursor.wrong("nothing behind the object") }
    return entries
  }

  private mutating func skipSpace() {
    while let byte = cursor.peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { cursor.position += 1 }
  }

  private mutating func value(depth: Int) throws(BridgeError) -> PropertyValue {
    if depth > Self.depthLimit { throw cursor.wrong("at most \(Self.depthLimit) levels") }
    switch cursor.peek {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .dictionary(try entries(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
      return try number()
    default:
      if cursor.take("true") { return .boolean(true) }
      if cursor.take("false") { return .boolean(false) }
      if cursor.take("null") { return .null }
      throw cursor.wrong("a value")
    }
  }

  private mutating func entries(depth: Int) throws(BridgeError) -> [String: PropertyValue] {
    cursor.position += 1
    var entries: [String: PropertyValue] = [:]
    skipSpace()
    if cursor.take(UInt8(ascii: "}")) { return entries }
    while true {
      skipSpace()
      guard cursor.peek == UInt8(ascii: "\"") else { throw cursor.wrong("a key in quotation marks") }
      path.append("")
      let key = try string()
      path[path.count - 1] = key
      skipSpace()
      guard cursor.take(UInt8(ascii: ":")) else { throw cursor.wrong("':' behind the key \(key.quotedForPeople)") }
      skipSpace()
      let value = try value(depth: depth + 1)
      if entries.updateValue(value, forKey: key) != nil { note("stands there twice: the last one counts") }
      path.removeLast()
      skipSpace()
      if cursor.take(UInt8(ascii: "}")) { return entries }
      guard cursor.take(UInt8(ascii: ",")) else { throw cursor.wrong("',' or '}'") }
    }
  }

  private mutating func elements(depth: Int) throws(BridgeError) -> [PropertyValue] {
    cursor.position += 1
    var elements: [PropertyValue] = []
    skipSpace()
    if cursor.take(UInt8(ascii: "]")) { return elements }
    while true {
      skipSpace()
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if cursor.take(UInt8(ascii: "]")) { return elements }
      guard cursor.take(UInt8(ascii: ",")) else { throw cursor.wrong("',' or ']'") }
    }
  }

  private mutating func digits() -> Int {
    let start = cursor.position
    while let byte = cursor.peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { cursor.position += 1 }
    return cursor.position - start
  }

  private mutating func number() throws(BridgeError) -> PropertyValue {
    let start = cursor.position
    var isWhole = true
    _ = cursor.take(UInt8(ascii: "-"))
    let startsWithZero = cursor.peek == UInt8(ascii: "0")
    let count = digits()
    if count == 0 { throw cursor.wrong("digits of a number") }
    if startsWithZero, count > 1 { throw cursor.wrong("a number without zeros before it") }
    if cursor.take(UInt8(ascii: ".")) {
      isWhole = false
      if digits() == 0 { throw cursor.wrong("digits behind the point") }
    }
    if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
      isWhole = false
      if !cursor.take(UInt8(ascii: "+")) { _ = cursor.take(UInt8(ascii: "-")) }
      if digits() == 0 { throw cursor.wrong("digits of the exponent") }
    }
    let text = cursor.text(start..<cursor.position)
    if isWhole, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else {
      note("is \(text.quotedForPeople), which no number here can hold: null stands for it")
      return .null
    }
    return .double(number)
  }

  private mutating func string() throws(BridgeError) -> String {
    let start = cursor.position
    cursor.position += 1
    var result: [UInt8] = []
    while let byte = cursor.peek {
      cursor.position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result.append(contentsOf: try escape().utf8)
      case 0..<0x20:
        cursor.position -= 1
        throw cursor.wrong("an escape such as '\\n': control characters do not stand in text")
      default: result.append(byte)
      }
    }
    cursor.position = start
    throw cursor.wrong("a quotation mark that ends the text")
  }

  private mutating func escape() throws(BridgeError) -> String {
    let byte = cursor.peek
    cursor.position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return try character()
    default:
      cursor.position -= 1
      throw cursor.wrong("an escape of JSON: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
    }
  }

  private mutating func character() throws(BridgeError) -> String {
    let first = try codeUnit()
    if let scalar = UnicodeScalar(first) { return String(Character(scalar)) }
    if UTF16.isLeadSurrogate(first), cursor.starts(with: "\\u") {
      let before = cursor.position
      cursor.position += 2
      let second = try codeUnit()
      if UTF16.isTrailSurrogate(second) { return String(decoding: [first, second], as: UTF16.self) }
      cursor.position = before
    }
    note("has half of a surrogate pair, which is no character: U+FFFD stands for it")
    return "\u{FFFD}"
  }

  private mutating func codeUnit() throws(BridgeError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = cursor.peek.flatMap({ Character(UnicodeScalar($0)).hexDigitValue }) else {
        throw cursor.wrong("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      cursor.position += 1
    }
    return unit
  }

  private mutating func note(_ text: String) {
    let place = path.joined(separator: ".").quotedForPeople
    let note = "\(place) \(text)"
    // The same in every element of an array is said once.
    if !notes.contains(note), notes.count < PushPayload.noteLimit { notes.append(note) }
  }
}
