/// Which form of a text a number takes in a language.
///
/// Source: Unicode Technical Standard 35, "Language Plural Rules"; the rules themselves are CLDR's, see
/// Tests/Tools/make-plural-rules.py.
public struct PluralRules: Sendable, Hashable {
  /// The forms that a language may have.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    case zero, one, two, few, many, other
  }

  private let rule: Substring

  /// The rules of a language.
  /// - Parameter language: as in `pt-BR` or `sr_Latn_RS`; one that is not known has one form.
  public init(language: String) {
    let parts = language.split { $0 == "-" || $0 == "_" }
    let name = parts.first.map { $0.lowercased() } ?? ""
    let region = parts.dropFirst().map { "\(name)-\($0)" }
    rule = Self.rule(of: region) ?? Self.rule(of: [name]) ?? ""
  }

  private static func rule(of names: [String]) -> Substring? {
    for line in table.split(separator: "\n") {
      guard let bar = line.firstIndex(of: "|") else { continue }
      if line[..<bar].split(separator: " ").contains(where: { names.contains(String($0)) }) {
        return line[line.index(after: bar)...]
      }
    }
    return nil
  }

  /// The form for a number.
  public func category(of number: PluralNumber) -> Category {
    for part in rule.split(separator: ";") {
      guard let colon = part.firstIndex(of: ":") else { continue }
      let name = part[..<colon].split(separator: " ").first ?? ""
      if let category = Category(rawValue: String(name)), Self.holds(part[part.index(after: colon)...], number) {
        return category
      }
    }
    return .other
  }

  /// `n % 10 = 2..4 and n % 100 != 12..14 or …`: words with spaces between them; `and` binds closer.
  private static func holds(_ condition: Substring, _ number: PluralNumber) -> Bool {
    let words = condition.split(separator: " ")
    return words.split(separator: "or").contains { part in
      part.split(separator: "and").allSatisfy { relation(Array($0), number) }
    }
  }

  private static func relation(_ words: [Substring], _ number: PluralNumber) -> Bool {
    guard words.count == 3 || words.count == 5, var value = number.operand(words[0]) else { return false }
    if words.count == 5 {
      guard words[1] == "%", let modulus = Double(words[2]), modulus > 0 else { return false }
      value = value.truncatingRemainder(dividingBy: modulus)
    }
    let isListed = words[words.count - 1].split(separator: ",").contains { range in
      let ends = range.split(separator: ".").compactMap { Double($0) }
      guard let first = ends.first, let last = ends.last else { return false }
      // A fraction lies in no range: ranges are of whole numbers.
      return value.rounded() == value && value >= first && value <= last
    }
    return (words[words.count - 2] == "=") == isListed
  }
}

/// A number as it is written: rules look at its decimals too.
public struct PluralNumber: Sendable, Hashable {
  /// Its size, and the part before the point.
  private let absolute, whole: Double
  /// How many decimals it has, and what they are as a whole number; then the same without zeros at the end.
  private let places, decimals, shortPlaces, shortDecimals: Double

  public init(_ number: Int64) {
    absolute = Double(number.magnitude)
    whole = absolute
    (places, decimals, shortPlaces, shortDecimals) = (0, 0, 0, 0)
  }

  /// - Parameter text: digits, with a point and decimals or without; nil for anything else.
  public init?(_ text: String) {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      parts.count == 1 || !parts[1].isEmpty, let absolute = Double(digits), let whole = Double(first)
    else { return nil }
    let written = parts.count == 2 ? parts[1] : ""
    var short = written
    while short.hasSuffix("0") { short.removeLast() }
    self.absolute = absolute
    self.whole = whole
    places = Double(written.count)
    decimals = Double(written) ?? 0
    shortPlaces = Double(short.count)
    shortDecimals = Double(short) ?? 0
  }

  var isZero: Bool { absolute == 0 }

  /// Source: "Operands" in the same document; numbers are never written in compact form here.
  fileprivate func operand(_ name: Substring) -> Double? {
    switch name {
    case "n": absolute
    case "i": whole
    case "v": places
    case "f": decimals
    case "w": shortPlaces
    case "t": shortDecimals
    case "c", "e": 0
    default: nil
    }
  }
}
