@testable import NotifyTerminal

/// A terminal that knows exactly the control sequences this program may send, and notes everything else it is sent.
struct TestTerminal {
  let size: ScreenSize
  private(set) var cells: [[String]]
  private(set) var faults: [String] = []
  private(set) var cursor = Frame.Position(row: 0, column: 0)
  private(set) var isCursorVisible = true
  private(set) var styles: Set<String> = []

  init(size: ScreenSize) {
    self.size = size
    cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }

  /// What a line shows, without the spaces behind it.
  func line(_ row: Int) -> String {
    var text = cells[row].joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  var lines: [String] { cells.indices.map(line) }
  var text: String { lines.joined(separator: "\n") }

  mutating func feed(_ output: String) {
    var rest = Array(output.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1b}" {
        guard let length = sequence(rest) else {
          faults.append("a control sequence of another kind: \(rest.prefix(8).map(\.value))")
          return
        }
        rest = rest.dropFirst(length)
      } else {
        draw(scalar)
      }
    }
  }

  /// Obeys the sequence behind an escape; how long it is, nil if it is not one of ours.
  private mutating func sequence(_ rest: ArraySlice<Unicode.Scalar>) -> Int? {
    guard rest.first == "[" else { return nil }
    let body = rest.dropFirst().prefix { !("@"..."~").contains($0) }
    guard let final = rest.dropFirst(1 + body.count).first else { return nil }
    let text = body.map(String.init).joined()
    let numbers = text.split(separator: ";").map { Int($0) }
    switch final {
    case "H" where numbers.count == 2:
      guard let row = numbers[0], let column = numbers[1], (1...size.rows).contains(row) else { return nil }
      guard (1...size.columns).contains(column) else { return nil }
      cursor = Frame.Position(row: row - 1, column: column - 1)
    case "G":
      guard let column = numbers.first ?? nil, (1...size.columns).contains(column) else { return nil }
      cursor.column = column - 1
    case "K" where text == "2": cells[cursor.row] = Array(repeating: " ", count: size.columns)
    case "J" where text == "2": for row in cells.indices { cells[row] = Array(repeating: " ", count: size.columns) }
    case "m" where !numbers.contains(nil): styles.insert(text)
    case "h" where text == "?25": isCursorVisible = true
    case "l" where text == "?25": isCursorVisible = false
    default: return nil
    }
    return 2 + body.count
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: faults.append("a control character \(scalar.value)")
    case .format where scalar.value != 0x200c && scalar.value != 0x200d && ![.narrow].contains(ScalarClass(scalar)):
      faults.append("a format character \(scalar.value)")
    default: break
    }
    switch ScalarClass(scalar) {
    case .mark, .emojiSelector, .joiner:
      if cursor.column == 0 { return faults.append("a mark at the beginning of a line") }
      cells[cursor.row][cursor.column - 1].unicodeScalars.append(scalar)
    case .wide:
      guard cursor.column + 2 <= size.columns else { return faults.append("a line is too long") }
      cells[cursor.row][cursor.column] = String(scalar)
      cells[cursor.row][cursor.column + 1] = ""
      cursor.column += 2
    default:
      guard cursor.column < size.columns else { return faults.append("a line is too long") }
      cells[cursor.row][cursor.column] = String(scalar)
      cursor.column += 1
    }
  }
}

/// Numbers that look random and are the same on every run.
struct TestNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var number = state
    number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
    return number ^ (number >> 31)
  }

  /// Text full of what could harm a terminal.
  mutating func hostileText(_ length: Int) -> String {
    let pieces = [
      "\u{1b}[2J", "\u{1b}]0;title\u{7}", "\u{1b}[1;1H", "\u{9b}5A", "\u{90}q\u{9c}", "\u{1b}c", "\u{202e}evil",
      "\u{2066}", "\u{2069}", "\u{200b}", "\u{200d}", "\u{feff}", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
      "\u{301}",
      "漢字", "👨‍👩‍👧", "🇩🇪", "❤️", "1️⃣", "👍🏽", "\r\n", "\u{85}", "\u{2028}", "\0", "\u{7f}", "\u{8}\u{8}", "a", " ", "word ",
      "<b>", "</b>", "&#27;[31m", "&#x9b;", "<a href=\"\u{1b}]8;;x\">", "</a>", "&", "<", "ﷺ", "\u{1160}", "\u{e0041}",
      "नि‌ष", "한", "\u{ad}", "\u{034f}", "\t", "\u{fffe}", "\u{10ffff}",
    ]
    var text = ""
    for _ in 0..<length { text += pieces[Int(next() % UInt64(pieces.count))] }
    return text
  }
}
