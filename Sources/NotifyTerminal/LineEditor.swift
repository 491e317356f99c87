/// One line of text being typed.
struct LineEditor: Sendable, Hashable {
  private var before: [Character] = []
  private var after: [Character] = []

  /// The largest size of the text in UTF-8.
  static let sizeLimit = 16 << 10

  /// What was typed.
  var text: String { String(before) + String(after) }
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// Inserts at the cursor; line ends become spaces, other control characters are left out, and what would go over the
  /// size limit is.
  mutating func insert(_ text: String) {
    var room = Self.sizeLimit - self.text.utf8.count
    for character in text {
      let clean = Self.clean(character)
      room -= clean.utf8.count
      if room < 0 { return }
      // What is typed may join the character before it: an accent for example.
      let joined = String(before.suffix(1)) + clean
      before.removeLast(min(1, before.count))
      before += joined
    }
  }

  private static func clean(_ character: Character) -> String {
    if character.isNewline || character == "\t" { return " " }
    let scalars = character.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Does what an editing key does; false for a key that does not edit.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .text(let text), .paste(let text): insert(text)
    case .left: if let last = before.popLast() { after.insert(last, at: 0) }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"):
      after = before + after
      before = []
    case .end, .control("e"):
      before += after
      after = []
    case .backspace: before.removeLast(min(1, before.count))
    case .delete, .control("d"): after.removeFirst(min(1, after.count))
    case .control("u"): before = []
    case .control("k"): after = []
    case .control("w"):
      while before.last?.isWhitespace == true { before.removeLast() }
      while let last = before.last, !last.isWhitespace { before.removeLast() }
    default: return false
    }
    return true
  }

  /// The part that is seen in a field of `columns` columns (at least 3), and the cursor's column within it.
  func view(columns: Int) -> (glyphs: [Glyph], cursor: Int) {
    let left = [Glyph](String(before))
    let right = [Glyph](String(after))
    // The cursor keeps one column for itself, at the end at the latest.
    let room = max(2, columns) - 1
    var start = left.count
    var cursor = 0
    while start > 0, cursor + left[start - 1].width <= (right.isEmpty ? room : room * 3 / 4) {
      start -= 1
      cursor += left[start].width
    }
    var glyphs = Array(left[start...])
    var used = cursor
    for glyph in right {
      if used + glyph.width > room { break }
      glyphs.append(glyph)
      used += glyph.width
    }
    return (glyphs, cursor)
  }
}
