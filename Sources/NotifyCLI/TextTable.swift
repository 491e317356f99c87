/// A table for people: columns as wide as what stands in them.
enum TextTable {
  /// The rows as lines, two spaces between the columns, none behind the last.
  static func lines(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, text) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], text.count)
      }
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        line += column == row.count - 1 ? text : text.padded(to: widths[column]) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension String {
  /// Text of others made fit for a place on a line: line breaks and tabs are spaces, other control characters are
  /// visible, and what is beyond `limit` characters is cut.
  func onOneLine(limit: Int = 60) -> String {
    var result = ""
    for (index, character) in self.enumerated() {
      if index == limit { return result + "…" }
      for scalar in character.unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        switch scalar {
        case "\n", "\r", "\t", "\u{2028}", "\u{2029}": result += " "
        case _ where isControl || scalar.properties.generalCategory == .format && scalar.value != 0x200D:
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
