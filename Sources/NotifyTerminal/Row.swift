/// One line of the screen: pieces of text that begin at columns of their own, so that a terminal which draws a
/// character wider or narrower than we think cannot push what stands behind it out of place.
struct Row: Sendable, Hashable {
  struct Piece: Sendable, Hashable {
    /// From 0.
    var column: Int
    var glyphs: [Glyph]
  }

  private(set) var pieces: [Piece] = []

  init() {}

  init(_ glyphs: [Glyph], at column: Int = 0) { put(glyphs, at: column) }

  /// Adds text; later pieces are drawn over earlier ones. New lines are left out.
  mutating func put(_ glyphs: [Glyph], at column: Int) {
    let drawn = glyphs.filter { !$0.isNewline }
    if !drawn.isEmpty { pieces.append(Piece(column: max(0, column), glyphs: drawn)) }
  }

  /// Adds text whose last column is the one before `column`.
  mutating func put(_ glyphs: [Glyph], before column: Int) { put(glyphs, at: column - glyphs.width) }

  /// The same line further right.
  func moved(by columns: Int) -> Row {
    var row = Row()
    for piece in pieces { row.put(piece.glyphs, at: piece.column + columns) }
    return row
  }
}

/// A whole screen.
struct Frame: Sendable, Hashable {
  var rows: [Row] = []
  /// Where the cursor is seen, from 0; nil where it is not.
  var cursor: Position?

  struct Position: Sendable, Hashable {
    var row: Int
    var column: Int
  }
}

/// The size of a terminal.
struct ScreenSize: Sendable, Hashable {
  var columns: Int
  var rows: Int
}
