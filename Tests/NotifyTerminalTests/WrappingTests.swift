import Testing

@testable import NotifyTerminal

@Suite struct WrappingTests {
  private func wrapped(_ text: String, _ columns: Int, limit: Int = 100) -> [String] {
    var builder = GlyphBuilder(newlines: .kept)
    builder.append(text)
    return Wrapping.lines(builder.glyphs, columns: columns, limit: limit).map(\.text)
  }

  @Test(arguments: [
    ("the quick brown fox", 10, ["the quick", "brown fox"]), ("abcdefghijkl", 5, ["abcde", "fghij", "kl"]),
    ("a abcdefghijkl", 5, ["a", "abcde", "fghij", "kl"]), ("one\n\ntwo", 10, ["one", "", "two"]), ("", 5, []),
    ("漢字漢字漢", 4, ["漢字", "漢字", "漢"]), ("ab漢字", 4, ["ab漢", "字"]), ("a漢字", 4, ["a漢", "字"]),
    ("exactly ten", 7, ["exactly", "ten"]),
    ("two  spaces", 4, ["two", "spac", "es"]), ("  indented", 10, ["  indented"]),
  ])
  func linesBreakAtSpacesElseAnywhere(text: String, columns: Int, lines: [String]) {
    #expect(wrapped(text, columns) == (text.isEmpty ? [""] : lines))
  }

  @Test func whatIsLeftOutIsMarked() {
    #expect(wrapped("one two three four", 5, limit: 2) == ["one", "two …"])
    #expect(wrapped("a\nb\nc", 5, limit: 2) == ["a", "b …"])
    #expect(wrapped("a\nb", 5, limit: 2) == ["a", "b"])
    #expect(wrapped("abcdefgh", 4, limit: 1) == ["abc…"])
    #expect(wrapped("\n\n\nx", 4, limit: 2) == ["", "…"])
  }

  @Test func noLineIsTooWideAndNoTextIsLost() {
    var numbers = TestNumbers(1)
    for round in 0..<300 {
      let text = numbers.hostileText(round % 40)
      var builder = GlyphBuilder(newlines: .kept)
      builder.append(text)
      for columns in [2, 3, 7, 40] {
        let lines = Wrapping.lines(builder.glyphs, columns: columns, limit: 10_000)
        #expect(lines.allSatisfy { $0.width <= columns })
        let before = builder.glyphs.filter { !$0.isSpace && !$0.isNewline }.text
        #expect(lines.joined().filter { !$0.isSpace }.map(\.text).joined() == before)
        #expect(Wrapping.lines(builder.glyphs, columns: columns, limit: 3).count <= 3)
      }
    }
  }
}
