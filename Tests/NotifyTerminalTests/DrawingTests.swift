import FreedesktopNotifications
import Testing

@testable import NotifyTerminal

@Suite struct DrawingTests {
  /// What a terminal of that size shows.
  private func screen(
    _ scene: Scene, columns: Int = 60, rows: Int = 20, depth: ColourDepth = .full
  ) -> TestTerminal {
    let size = ScreenSize(columns: columns, rows: rows)
    var terminal = TestTerminal(size: size)
    var painter = Painter(depth: depth)
    var screen = Screen()
    terminal.feed(painter.paint(screen.compose(scene.model, size: size), size: size))
    return terminal
  }

  private func picture(_ side: Int = 32) throws -> Hint {
    let pixels = (0..<side * side).flatMap { index -> [UInt8] in [UInt8(index % 256), UInt8(index / side % 256), 90] }
    return .imageData(
      try #require(ImageData(width: side, height: side, hasAlpha: false, pixels: pixels)), name: .current)
  }

  @Test func aCardShowsWhatThereIs() throws {
    var scene = Scene()
    _ = scene.show(
      try received(
        "Lunch?", body: "At <b>noon</b>", app: "Mail", actions: yesNo + [reply],
        hints: [.progress(50), .urgency(.critical)])
    )
    let terminal = screen(scene)
    #expect(terminal.faults == [])
    #expect(
      terminal.lines == [
        " Notifications                                       1 open",
        "┏━ ▲ Mail ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 14:05 ━┓",
        "┃ Lunch?                                                   ┃",
        "┃ At noon                                                  ┃",
        "┃ ████████████████████···················· 50 %            ┃",
        "┃                                                          ┃",
        "┃ [1 Yes] [2 No] [3 Reply…] [⏎ Open]                       ┃",
        "┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛",
      ] + Array(repeating: "", count: 11) + [" 1-3 press  ⏎ open  r reply  d dismiss  q quit"])
  }

  @Test func aTypedReplyAndItsCursorAreSeen() throws {
    var scene = Scene()
    _ = scene.show(
      try received(actions: [reply], hints: [.replyPlaceholder("Answer Ada"), .replySubmitLabel("Tell her")]))
    _ = scene.press(.text("r"))
    var terminal = screen(scene)
    #expect(terminal.text.contains("› Answer Ada"))
    #expect(terminal.text.contains("⏎ Tell her"))
    _ = scene.press(.paste("漢x"))
    terminal = screen(scene)
    #expect(terminal.faults == [])
    #expect(terminal.isCursorVisible)
    let row = try #require(terminal.lines.firstIndex { $0.contains("› 漢x") })
    #expect(terminal.cursor == Frame.Position(row: row, column: 2 + 2 + 3))
  }

  @Test func picturesAreDrawnWithHalfBlocksBesideTheText() throws {
    var scene = Scene()
    _ = scene.show(try received("Photo", body: "Beside it", hints: [try picture()]))
    let terminal = screen(scene)
    #expect(terminal.faults == [])
    #expect(terminal.lines[2].contains("▀▀▀▀▀▀▀▀"))
    #expect(terminal.lines[2].hasSuffix("┃"))
    #expect(terminal.lines[2].contains("Photo"))
    #expect(terminal.styles.contains { $0.contains("38;2;") })
    #expect(screen(scene, depth: .indexed).styles.allSatisfy { !$0.contains(";2;") })
  }

  @Test func withoutColoursNoneIsSent() throws {
    var scene = Scene()
    _ = scene.show(try received(actions: yesNo, hints: [.progress(10)]))
    #expect(screen(scene, depth: .none).styles.isSubset(of: ["0", "0;1", "0;7"]))
  }

  @Test func hostileTextNeverBreaksTheFrame() throws {
    var numbers = TestNumbers(3)
    for round in 0..<150 {
      var scene = Scene()
      for _ in 0...(round % 3) {
        let actions = [
          Action(key: numbers.hostileText(2), label: numbers.hostileText(4)),
          Action(key: "default", label: numbers.hostileText(3)),
          Action(key: "inline-reply", label: numbers.hostileText(3)),
        ]
        _ = scene.show(
          try received(
            numbers.hostileText(round % 20), body: numbers.hostileText(round), app: numbers.hostileText(5),
            actions: actions, hints: [.replyPlaceholder(numbers.hostileText(3)), try picture(8)]))
      }
      if round % 2 == 0 { _ = scene.press(.text("r"), .paste(numbers.hostileText(5))) }
      let columns = 20 + Int(numbers.next() % 90)
      let rows = 1 + Int(numbers.next() % 40)
      let terminal = screen(scene, columns: columns, rows: rows)
      #expect(terminal.faults == [])
      let width = min(columns, Screen.maximumWidth)
      for cells in terminal.cells where "┃│".contains(cells[0]) && rows >= 7 { #expect(cells[width - 1] == cells[0]) }
    }
  }

  @Test func anySizeOfTerminalIsDrawnOn() throws {
    var scene = Scene()
    for index in 0..<12 {
      _ = scene.show(
        try received(
          "Number \(index)", body: String(repeating: "text ", count: 60), actions: yesNo, hints: [try picture()]))
    }
    for columns in [1, 2, 5, 19, 20, 21, 40, 200] {
      for rows in [1, 2, 6, 7, 8, 10, 50] {
        #expect(screen(scene, columns: columns, rows: rows).faults == [])
      }
    }
  }

  @Test func theFocusedCardIsAlwaysSeenWhole() throws {
    var scene = Scene()
    for index in 0..<40 { _ = scene.show(try received("Number \(index)", actions: yesNo, timeout: .never)) }
    let size = ScreenSize(columns: 50, rows: 15)
    var view = Screen()
    for key in Array(repeating: Key.up, count: 45) + Array(repeating: .down, count: 45) + [.home, .pageDown, .end] {
      _ = scene.press(key)
      let frame = view.compose(scene.model, size: size)
      var terminal = TestTerminal(size: size)
      var painter = Painter(depth: .full)
      terminal.feed(painter.paint(frame, size: size))
      #expect(frame.rows.count == size.rows)
      #expect(terminal.lines.contains { $0.hasPrefix("┏") } && terminal.lines.contains { $0.hasPrefix("┗") })
      #expect(terminal.text.contains("Number \(try #require(scene.model.focus) - 1)"))
    }
  }

  @Test func theChosenOneOfManyButtonsIsSeen() throws {
    var scene = Scene()
    let actions = (1...32).map { Action(key: "k\($0)", label: "Button number \($0)") }
    _ = scene.show(try received("Many", body: "Text", actions: actions))
    for number in 1...32 {
      _ = scene.press(.right)
      let terminal = screen(scene, columns: 30, rows: 12)
      #expect(terminal.faults == [])
      #expect(terminal.text.contains("Button number \(number)]"))
      #expect(terminal.line(10).hasPrefix("┗"))
    }
  }

  @Test func aTooLongBodyIsCutAndButtonsStay() throws {
    var scene = Scene()
    _ = scene.show(try received("Long", body: String(repeating: "word ", count: 400), actions: yesNo))
    let terminal = screen(scene, rows: 12)
    #expect(terminal.text.contains("[1 Yes] [2 No]"))
    #expect(terminal.text.contains("…"))
    #expect(terminal.line(10).hasPrefix("┗"))
  }

  @Test func onlyLinesThatChangedAreSent() throws {
    var scene = Scene()
    _ = scene.show(try received("One", actions: yesNo))
    let size = ScreenSize(columns: 60, rows: 20)
    var painter = Painter(depth: .full)
    var view = Screen()
    var terminal = TestTerminal(size: size)
    let first = painter.paint(view.compose(scene.model, size: size), size: size)
    terminal.feed(first)
    #expect(painter.paint(view.compose(scene.model, size: size), size: size) == "")
    _ = scene.press(.right)
    let second = painter.paint(view.compose(scene.model, size: size), size: size)
    #expect(second.utf8.count < first.utf8.count / 2)
    terminal.feed(second)
    _ = scene.press(.text("d"))
    terminal.feed(painter.paint(view.compose(scene.model, size: size), size: size))
    #expect(terminal.faults == [])
    #expect(!terminal.text.contains("┃") && terminal.line(0).contains("dismissed: One"))
  }

  @Test(arguments: [(0, "····"), (100, "████"), (50, "██··"), (1, "·"), (99, "█")])
  func progressIsABar(percent: Int, part: String) {
    let bar = Card.bar(percent, columns: 10, colour: Colour(1, 2, 3)).text
    #expect(bar.contains(part) && bar.hasSuffix("\(percent) %"))
    for columns in 1...60 where columns > 8 {
      #expect(Card.bar(percent, columns: columns, colour: Colour(1, 2, 3)).width <= columns)
    }
  }
}
