/// Turns frames into what is sent to the terminal: only lines that changed, each as glyphs and these control sequences
/// (ECMA-48): cursor position, cursor column, erase line, erase screen, colours, and the cursor's visibility.
struct Painter {
  let depth: ColourDepth
  private var shown: Frame?

  init(depth: ColourDepth) { self.depth = depth }

  /// Forgets what the terminal shows, so that the next frame is painted whole.
  mutating func forget() { shown = nil }

  /// What makes the terminal show `frame`; empty if it does already.
  mutating func paint(_ frame: Frame, size: ScreenSize) -> String {
    if frame == shown { return "" }
    var output = "\u{1b}[?25l"
    if shown == nil { output += "\u{1b}[0m\u{1b}[2J" }
    for index in 0..<size.rows {
      let row = index < frame.rows.count ? frame.rows[index] : Row()
      let old = shown.map { index < $0.rows.count ? $0.rows[index] : Row() } ?? Row()
      if row != old { output += "\u{1b}[\(index + 1);1H\u{1b}[0m\u{1b}[2K" + text(row, columns: size.columns) }
    }
    if let cursor = frame.cursor {
      output += "\u{1b}[\(cursor.row + 1);\(cursor.column + 1)H\u{1b}[?25h"
    }
    shown = frame
    return output
  }

  private func text(_ row: Row, columns: Int) -> String {
    var output = ""
    for piece in row.pieces where piece.column < columns {
      output += "\u{1b}[\(piece.column + 1)G"
      var style: Style?
      var column = piece.column
      for glyph in piece.glyphs {
        column += glyph.width
        if column > columns { break }
        if glyph.style != style { output += glyph.style.sequence(depth) }
        style = glyph.style
        output += glyph.text
      }
    }
    return output + "\u{1b}[0m"
  }
}

/// The sequences around a session (xterm's documentation): the alternate screen, automatic wrapping off, so that
/// nothing that is wider than we think can push the screen up, and the marks around pasted text.
enum ScreenMode {
  static let enter = "\u{1b}[?1049h\u{1b}[?7l\u{1b}[?2004h\u{1b}[?25l"
  static let leave = "\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
}
