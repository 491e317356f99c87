/// Text and the specification's markup.
///
/// Source: Desktop Notifications Specification, "Markup".
public enum Markup {
  /// Makes plain text safe inside markup: `&`, `<` and `>` as entities, nothing else, since several daemons do not
  /// know more.
  public static func escape(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
    else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// Bold, of plain text.
  public static func bold(_ text: String) -> String { "<b>" + escape(text) + "</b>" }
}
