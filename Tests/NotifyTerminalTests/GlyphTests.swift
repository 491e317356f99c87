import Testing

@testable import NotifyTerminal

@Suite struct GlyphTests {
  @Test func everyScalarBecomesNothingThatCommandsATerminal() {
    for number in UInt32(0)...0x10ffff where number < 0x3400 || number > 0xd7a4 && number < 0x20000 || number > 0xe0000
    {
      guard number < 0xe0200 || number % 0x1001 == 0, let scalar = Unicode.Scalar(number) else { continue }
      for glyph in [Glyph](String(scalar)) {
        #expect(glyph.width == 1 || glyph.width == 2)
        for drawn in glyph.text.unicodeScalars {
          let category = drawn.properties.generalCategory
          if category == .control || category == .lineSeparator || category == .paragraphSeparator
            || (0x202a...0x202e).contains(drawn.value) || (0x2066...0x2069).contains(drawn.value)
          {
            Issue.record("U+\(String(number, radix: 16)) was drawn as U+\(String(drawn.value, radix: 16))")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("\u{1b}[31m", "␛[31m"), ("a\u{7}b", "a␇b"), ("\u{9b}2J", "\u{fffd}2J"), ("\u{7f}", "␡"), ("\0", "␀"),
    ("abc\u{202e}dcb", "abc\u{fffd}dcb"), ("a\u{200b}b\u{feff}c", "abc"), ("\u{2068}Ada\u{2069}", "Ada"),
    ("a\nb\r\nc\rd\u{2028}e", "a b c d e"), ("a\tb", "a b"), ("\u{e0041}x", "x"), ("\u{fffe}", "\u{fffd}"),
    ("\u{301}x", "◌\u{301}x"), ("x \u{301}", "x ◌\u{301}"), ("soft\u{ad}hyphen", "softhyphen"),
  ])
  func whatCouldHarmIsLeftOutOrDrawnAsAStandIn(raw: String, drawn: String) {
    #expect([Glyph](raw).text == drawn)
  }

  @Test(arguments: [
    ("abc", 3), ("漢字", 4), ("ｆｕｌｌ", 8), ("한글", 4), ("한", 2), ("é", 1), ("e\u{301}", 1), ("👍", 2), ("❤", 1), ("❤️", 2),
    ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("👩‍🚀", 4), ("עברית", 5), ("ไทย", 3), ("กำ", 2), ("…", 1), ("─", 1), ("\u{3000}", 2), ("㍿", 2),
    ("①", 1), ("⌚", 2), ("🀄", 2), ("𠀀", 2),
  ])
  func widthsAreThoseOfCommonTerminals(text: String, width: Int) { #expect([Glyph](text).width == width) }

  @Test func joinersStayInsideWordsThatAreSpelledWithThemOnly() {
    #expect([Glyph]("می‌خواهم").text.unicodeScalars.contains("\u{200c}"))
    #expect([Glyph]("क्‍ष").text.unicodeScalars.contains("\u{200d}"))
    #expect(![Glyph]("pay\u{200d}pal").text.unicodeScalars.contains("\u{200d}"))
    #expect(![Glyph]("👨\u{200d}👩").text.unicodeScalars.contains("\u{200d}"))
    #expect([Glyph]("ش\u{200d}\u{200d}\u{200d}").text.unicodeScalars.filter { $0 == "\u{200d}" }.count == 1)
  }

  @Test func marksOnOneCharacterAreBounded() {
    let glyphs = [Glyph]("Z" + String(repeating: "\u{335}", count: 500) + "y")
    #expect(glyphs.count == 2)
    #expect(glyphs[0].text.unicodeScalars.count <= 5)
  }

  @Test func textIsCutWithAnEllipsisAtTheLimit() {
    #expect([Glyph]("abcdef", limit: 6).text == "abcdef")
    #expect([Glyph]("abcdefg", limit: 6).text == "abcde…")
    var builder = GlyphBuilder(limit: 3)
    builder.append("ab")
    #expect(!builder.isCut)
    builder.append("cd")
    #expect(builder.isCut)
    #expect(builder.glyphs.text == "ab…")
  }

  @Test func endlessInvisibleTextEnds() {
    let glyphs = [Glyph](String(repeating: "\u{200b}", count: 1_000_000) + "x", limit: 10)
    #expect(glyphs.text == "…")
  }

  @Test func marksAcrossPiecesGoOntoTheCharacterBefore() {
    var builder = GlyphBuilder()
    builder.append("e", style: Style([.bold]))
    builder.append("\u{301}x")
    #expect(builder.glyphs.map(\.text) == ["e\u{301}", "x"])
  }

  @Test func fittedTextNeverTakesMoreColumns() {
    for columns in 0...8 {
      for text in ["abcdefgh", "漢字漢字", "a漢b字", "", "🇩🇪🇫🇷🇪🇸"] {
        #expect([Glyph](text).fitted(to: columns).width <= columns)
      }
    }
    #expect([Glyph]("abcdefgh").fitted(to: 4).text == "abc…")
    #expect([Glyph]("漢字漢字").fitted(to: 4).text == "漢…")
  }
}
