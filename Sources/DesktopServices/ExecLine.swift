/// The value of an `Exec` key, as desktop entries want it: words, some of them in quotes. There is no shell.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key".
public enum ExecLine {
  /// Splits it into words.
  /// - Throws: ``ExecError`` for a quote that is not closed, a field code, and when there is no program.
  public static func split(_ text: String) throws(ExecError) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var characters = text.unicodeScalars.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\"" where !isQuoted:
        guard word == nil else { throw ExecError(message: "a quote must begin a word") }
        isQuoted = true
        word = ""
      case "\"":
        isQuoted = false
      case "\\" where isQuoted:
        guard let next = characters.next(), "\"`$\\".unicodeScalars.contains(next) else {
          throw ExecError(message: "between quotes a backslash stands only before \", `, $ and \\")
        }
        word?.unicodeScalars.append(next)
      case "%":
        guard characters.next() == "%" else {
          throw ExecError(message: "there are no field codes: write %% for a percent sign")
        }
        word = (word ?? "") + "%"
      case " " where !isQuoted, "\t" where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default:
        word = word ?? ""
        word?.unicodeScalars.append(character)
      }
    }
    if isQuoted { throw ExecError(message: "a quote is not closed") }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else { throw ExecError(message: "it names no program") }
    return words
  }

  /// The value that ``split(_:)`` makes these words of.
  public static func text(_ words: [String]) -> String {
    words.map { word in
      let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy { !reserved.contains($0) }
      let text = word.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "%": "%%"
        case "\"", "`", "$", "\\": "\\" + String(scalar)
        default: String(scalar)
        }
      }.joined()
      return isPlain ? text : "\"" + text + "\""
    }.joined(separator: " ")
  }

  /// Characters that may only stand between quotes. Source: as above, "reserved characters".
  private static let reserved = Set(" \t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)

  /// The words of a desktop entry's own `Exec`, its field codes for files and the like left out.
  public static func application(_ text: String) throws(ExecError) -> [String] {
    // Field codes stand alone or within a word; none of ours has a file to open.
    var plain = ""
    var characters = text.unicodeScalars.makeIterator()
    while let character = characters.next() {
      guard character == "%" else {
        plain.unicodeScalars.append(character)
        continue
      }
      if characters.next() == "%" { plain += "%%" }
    }
    return try split(plain)
  }
}

/// Why an `Exec` line cannot be split.
public struct ExecError: Error {
  public let message: String
}
