internal import FoundationEssentials

/// Reads property lists in their text forms: XML, and the old style of `.strings` files.
///
/// Anything may stand in the bytes: what is no property list is an error that names the line. Binary property lists are
/// not read.
public enum PropertyList {
  /// The most bytes that are read.
  public static let sizeLimit = 4 << 20
  /// Deeper nesting is refused: values are visited recursively.
  public static let depthLimit = 64

  /// Reads a property list.
  ///
  /// In the old style every value that is no container or data is text, and a list of `key = value;` needs no braces
  /// around it. An empty text is an empty dictionary.
  /// - Parameter bytes: UTF-8 or UTF-16, with or without a byte order mark, at most ``sizeLimit`` of them.
  /// - Throws: ``BridgeError`` with code `invalidRequest`; the message says what was expected, and on which line.
  public static func read(_ bytes: [UInt8]) throws(BridgeError) -> PropertyValue {
    guard bytes.count <= sizeLimit else {
      throw BridgeError(
        .invalidRequest, "the property list has \(bytes.count) bytes: \(sizeLimit) are allowed")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      throw BridgeError(.invalidRequest, "the property list is a binary one: write it as XML (plutil -convert xml1)")
    }
    guard let text = text(bytes) else {
      throw BridgeError(.invalidRequest, "the property list is no text in UTF-8 or UTF-16")
    }
    if isXML(text) {
      var reader = XMLPropertyListReader(text)
      return try reader.document()
    }
    var reader = OldPropertyListReader(text)
    return try reader.document()
  }

  /// Reads a property list that is a dictionary, as an Info.plist or a table of strings.
  public static func dictionary(_ bytes: [UInt8]) throws(BridgeError) -> [String: PropertyValue] {
    guard case .dictionary(let entries) = try read(bytes) else {
      throw BridgeError(.invalidRequest, "the property list is no dictionary")
    }
    return entries
  }

  /// The text as UTF-8 without a byte order mark; nil for what is none.
  private static func text(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittle: Bool
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE), (_?, 0): isLittle = true
    case (0xFE, 0xFF), (0, _?): isLittle = false
    default:
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      return String(validating: text, as: UTF8.self) == nil ? nil : text
    }
    guard bytes.count % 2 == 0 else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    if units.first == 0xFEFF { units.removeFirst() }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// `<` begins data in the old style, whose digits are no tag.
  private static func isXML(_ text: [UInt8]) -> Bool {
    guard let start = text.firstIndex(where: { !isSpace($0) }), text[start] == UInt8(ascii: "<") else { return false }
    let rest = text[(start + 1)...]
    return rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") || rest.starts(with: "plist".utf8)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func cursor(_ text: [UInt8]) -> ByteCursor { ByteCursor(text, fault: "the property list cannot be read") }
}
