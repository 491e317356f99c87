/// Makes text from anywhere fit to be shown. All functions are pure and keep text that is already fit as it is.
enum TextRules {
  /// Characters of a title.
  static let titleLimit = 256
  /// Bytes of a body.
  static let bodyLimit = 8192

  /// Takes out control characters but tab and newline; carriage returns become newlines.
  static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnfit) else { return text }
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        result.append("\n")
      } else if scalar == "\n", previous == "\r" {
        // The newline is there already.
      } else if !isUnfit(scalar) {
        result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }

  /// As ``clean(_:)``, on one line.
  static func oneLine(_ text: String) -> String {
    let text = clean(text)
    guard text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\t" || isLineBreak($0) }) else { return text }
    return text.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
  }

  /// At most `limit` characters, an ellipsis in the place of the rest.
  static func cut(_ text: String, characters limit: Int) -> (text: String, wasCut: Bool) {
    guard text.utf8.count > limit, let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end != text.endIndex
    else { return (text, false) }
    return (text.prefix(limit - 1) + "…", true)
  }

  /// Cut between characters so that the parts, each character weighing what `weight` says, stay within `limit` bytes,
  /// an ellipsis included.
  static func cut(
    _ text: String, bytes limit: Int, weight: (Character) -> Int
  ) -> (text: String, wasCut: Bool) {
    // No character weighs more than five times its bytes ('&').
    if text.utf8.count <= limit / 5 { return (text, false) }
    var used = 0
    var end = text.startIndex
    var fits = text.startIndex
    while end != text.endIndex {
      used += weight(text[end])
      if used > limit { return (text[..<fits] + "…", true) }
      end = text.index(after: end)
      if used <= limit - "…".utf8.count { fits = end }
    }
    return (text, false)
  }

  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value < 0x20 ? value != 0x09 && value != 0x0A : value >= 0x7F && value < 0xA0
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x2028 || scalar.value == 0x2029
  }
}
