/// A string that follows one of the specification's grammars; it cannot be malformed once it exists.
///
/// Literals are checked too: a malformed literal is a mistake in the program and traps.
/// Source: D-Bus Specification, "Message Protocol", sections "Valid Object Paths" and "Valid Names".
public protocol CheckedName: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral, Comparable {
  /// The checked text.
  var text: String { get }
  /// Nil, or what is wrong with `text` as a short clause.
  static func fault(in text: String) -> String?
  /// For the conforming type's own use, after the check.
  init(unchecked text: String)
}

extension CheckedName {
  /// Takes `text` if it follows the grammar.
  /// - Throws: ``BusError`` with code `invalidName`.
  public init(_ text: some StringProtocol) throws(BusError) {
    let text = String(text)
    if let fault = Self.fault(in: text) {
      throw BusError(.invalidName, "\(Self.self) '\(text)' is not valid: \(fault)")
    }
    self.init(unchecked: text)
  }

  /// Takes a literal; a malformed one traps.
  public init(stringLiteral text: String) {
    if let fault = Self.fault(in: text) { preconditionFailure("\(Self.self) '\(text)': \(fault)") }
    self.init(unchecked: text)
  }

  /// The checked text.
  public var description: String { text }

  /// In byte order.
  public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// Where an element of a dotted name may have a hyphen or begin with a digit.
struct DottedGrammar {
  var allowsHyphen = false
  var allowsLeadingDigit = false

  /// Nil, or what is wrong: at least two elements of `[A-Za-z0-9_]` and what the grammar allows, 255 bytes at most.
  func fault(in text: Substring.UTF8View) -> String? {
    var elements = 1
    var atStart = true
    for byte in text {
      if byte == UInt8(ascii: ".") {
        if atStart { return "an element is empty" }
        elements += 1
        atStart = true
        continue
      }
      if byte.isASCIIDigit {
        if atStart, !allowsLeadingDigit { return "an element begins with a digit" }
      } else if !byte.isNameLetter, !(byte == UInt8(ascii: "-") && allowsHyphen) {
        return "it has a character that is not allowed"
      }
      atStart = false
    }
    if atStart { return "an element is empty" }
    return elements < 2 ? "it needs at least two elements" : nil
  }
}

extension UInt8 {
  /// `0` to `9`.
  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// `A` to `Z`, `a` to `z` and `_`.
  var isNameLetter: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") || self == UInt8(ascii: "_")
  }
}
