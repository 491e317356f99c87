/// Breaks text into lines.
enum Wrapping {
  /// Lines of at most `columns` columns: broken at spaces, else between wide characters, else anywhere.
  /// - Parameters:
  ///   - columns: at least 2.
  ///   - limit: the largest number of lines, at least 1; an ellipsis stands for the rest.
  static func lines(_ glyphs: [Glyph], columns: Int, limit: Int) -> [[Glyph]] {
    var result: [[Glyph]] = []
    for paragraph in glyphs.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      // One line more than is wanted tells that something is left out.
      result += wrap(paragraph, columns: max(2, columns), limit: limit + 1 - result.count)
      if result.count > limit { break }
    }
    guard result.count > limit else { return result }
    result.removeLast(result.count - limit)
    let last = result.removeLast()
    let style = last.last?.style ?? Style()
    result.append((last + [Glyph](last.isEmpty ? "…" : " …", style: style)).fitted(to: columns))
    return result
  }

  private static func wrap(_ paragraph: ArraySlice<Glyph>, columns: Int, limit: Int) -> [[Glyph]] {
    var result: [[Glyph]] = []
    var line: [Glyph] = []
    var width = 0
    /// How much of `line` stays when it must be broken, and the columns behind that.
    var breakAt = 0
    var tail = 0
    for glyph in paragraph {
      if width + glyph.width > columns {
        // Spaces at the place of a break are left out.
        if glyph.isSpace {
          result.append(trimmed(line))
          (line, width, breakAt, tail) = ([], 0, 0, 0)
          if result.count == limit { return result }
          continue
        }
        if glyph.width == 2 || line.last?.width == 2 || breakAt == 0 { (breakAt, tail) = (line.count, 0) }
        result.append(trimmed(Array(line[..<breakAt])))
        if result.count == limit { return result }
        line.removeFirst(breakAt)
        (width, breakAt, tail) = (tail, 0, 0)
      }
      if glyph.isSpace, line.isEmpty, !result.isEmpty { continue }
      line.append(glyph)
      width += glyph.width
      tail += glyph.width
      if glyph.isSpace || glyph.width == 2 { (breakAt, tail) = (line.count, 0) }
    }
    return result + [trimmed(line)]
  }

  private static func trimmed(_ line: [Glyph]) -> [Glyph] {
    var line = line
    while line.last?.isSpace == true { line.removeLast() }
    return line
  }
}
