import Testing

@testable import NotifyTerminal

@Suite struct KeyTests {
  private static let input: [UInt8] = Array(
    "a\u{1b}[A\u{1b}OB\r\u{7f}é漢👍\u{1b}[3~\u{1b}[200~1\rq\u{1b}[C\u{1b}[201~\u{1b}[1;5C\u{3}\t\u{1b}[Z\u{1b}xq".utf8)
  private static let keys: [Key] = [
    .text("a"), .up, .down, .enter, .backspace, .text("é"), .text("漢"), .text("👍"), .delete, .paste("1\rq\u{1b}[C"),
    .unknown, .control("c"), .tab, .backTab, .unknown, .text("q"),
  ]

  @Test func bytesBecomeKeys() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Self.input) == Self.keys)
    #expect(!decoder.isWaiting)
  }

  @Test func howBytesAreCutMakesNoDifference() {
    for size in 1...7 {
      var decoder = KeyDecoder()
      var keys: [Key] = []
      for start in stride(from: 0, to: Self.input.count, by: size) {
        keys += decoder.feed(Self.input[start..<min(start + size, Self.input.count)])
      }
      #expect(keys == Self.keys)
    }
  }

  @Test func aLoneEscapeIsTheEscapeKeyOnceNothingFollows() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == [])
  }

  @Test func anUnfinishedSequenceDoesNothing() {
    var decoder = KeyDecoder()
    _ = decoder.feed("\u{1b}[1;".utf8)
    #expect(decoder.flush() == [.unknown])
    #expect(decoder.feed("q".utf8) == [.text("q")])
  }

  @Test func pastedTextNeverIsAKey() {
    var decoder = KeyDecoder()
    #expect(decoder.feed("\u{1b}[200~1q\u{3}".utf8) == [])
    #expect(!decoder.isWaiting)
    #expect(decoder.feed("d\u{1b}[201".utf8) == [])
    #expect(decoder.feed("~".utf8) == [.paste("1q\u{3}d")])
  }

  @Test func noBytesMakeAControlCharacterAText() {
    var numbers = TestNumbers(2)
    var decoder = KeyDecoder()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
        Bool.random(using: &numbers) ? UInt8.random(in: 0...255, using: &numbers) : 0x1b
      }
      for case .text(let text) in decoder.feed(bytes) + decoder.flush() {
        #expect(text.unicodeScalars.count == 1)
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }
}

@Suite struct LineEditorTests {
  private func edited(_ keys: [Key]) -> LineEditor {
    var editor = LineEditor()
    for key in keys { _ = editor.handle(key) }
    return editor
  }

  @Test(
    arguments: [
      ([Key.text("a"), .text("b"), .left, .text("x")], "axb"), ([.paste("one two"), .control("w")], "one "),
      ([.paste("ab"), .home, .delete], "b"), ([.paste("ab"), .left, .backspace], "b"),
      ([.paste("abc"), .control("u")], ""),
      ([.paste("abc"), .home, .right, .control("k")], "a"), ([.paste("a\r\nb\tc\u{1b}[31m\0")], "a b c[31m"),
      ([.text("e"), .text("\u{301}"), .backspace], ""), ([.text("👨"), .text("\u{200d}"), .text("👩"), .backspace], ""),
      ([.backspace, .delete, .left, .right, .control("w"), .text("k")], "k"),
    ] as [([Key], String)])
  func keysEdit(keys: [Key], text: String) { #expect(edited(keys).text == text) }

  @Test func theTextIsBounded() {
    var editor = LineEditor()
    editor.insert(String(repeating: "é", count: 100_000))
    #expect(editor.text.utf8.count == LineEditor.sizeLimit)
    editor.insert("x")
    #expect(editor.text.utf8.count == LineEditor.sizeLimit)
  }

  @Test func theCursorIsAlwaysInTheField() {
    for text in ["", "short", "漢字漢字漢字漢字漢字漢字", String(repeating: "long text ", count: 20)] {
      for columns in [3, 8, 20] {
        var editor = edited([.paste(text)])
        for _ in 0...text.count {
          let view = editor.view(columns: columns)
          #expect(view.cursor < columns)
          #expect(view.glyphs.width <= columns)
          _ = editor.handle(.left)
        }
        #expect(editor.view(columns: columns).cursor == 0)
      }
    }
    #expect(edited([.paste("abc"), .left]).view(columns: 20).cursor == 2)
    #expect(edited([.paste("漢字")]).view(columns: 20).cursor == 4)
  }
}
