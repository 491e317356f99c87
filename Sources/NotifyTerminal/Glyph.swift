/// What is drawn as one piece: a character with the marks on it, made safe.
///
/// Everything this program writes to a terminal is made of glyphs and of its own control sequences. A glyph can only be
/// had from a ``GlyphBuilder``, which lets nothing through that a terminal would take as a command.
struct Glyph: Sendable, Hashable {
  /// No control character in it, but that of ``isNewline``.
  let text: String
  /// In columns: 0 (a new line), 1 or 2.
  let width: Int
  var style: Style

  fileprivate init(text: String, width: Int, style: Style) {
    self.text = text
    self.width = width
    self.style = style
  }

  /// True for the end of a line; never drawn.
  var isNewline: Bool { width == 0 }
  /// True for a place where a line may be broken and the glyph left out.
  var isSpace: Bool { text == " " }
}

/// Turns text that anybody may have written into glyphs, at most a given number of them.
struct GlyphBuilder {
  /// What becomes of the end of a line.
  enum Newlines { case kept, spaces }

  private(set) var glyphs: [Glyph] = []
  /// True when text was left out because there was too much of it; an ellipsis then stands at the end.
  private(set) var isCut = false
  private let newlines: Newlines
  private let limit: Int
  private var marks = 0
  private var lastScalar: Unicode.Scalar?
  private var opensFlag = false
  /// How many scalars may still be looked at, so that a long text without a picture costs no more than a short one.
  private var patience: Int

  /// As many marks are drawn on one character; languages need up to three.
  private static let markLimit = 4

  /// - Parameter limit: the largest number of glyphs, at least 1.
  init(newlines: Newlines = .spaces, limit: Int = 4096) {
    self.newlines = newlines
    self.limit = max(1, limit)
    patience = 16 * self.limit
  }

  /// Adds text behind what is there; marks at its beginning go onto the last character of what is there.
  mutating func append(_ text: some StringProtocol, style: Style = Style()) {
    append(text.unicodeScalars, style: style)
  }

  /// Adds text behind what is there.
  mutating func append(_ scalars: some Sequence<Unicode.Scalar>, style: Style) {
    for scalar in scalars {
      if isCut { return }
      patience -= 1
      if patience < 0 { return cut() }
      add(scalar, style)
      lastScalar = scalar
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar, _ style: Style) {
    let kind = ScalarClass(scalar)
    switch kind {
    case .narrow: base(String(scalar), 1, style)
    case .wide: base(String(scalar), 2, style)
    case .tab: base(" ", 1, style)
    case .standIn(let picture): base(String(picture), 1, style)
    case .invisible: break
    case .newline:
      if scalar == "\n", lastScalar == "\r" { return }
      newlines == .kept ? base("\n", 0, style) : base(" ", 1, style)
    case .mark: mark(scalar, style)
    case .emojiSelector:
      if let last = glyphs.last, lastScalar?.properties.isEmoji == true, !last.isNewline {
        replaceLast(last.text + String(scalar), width: 2)
      }
    case .joiner:
      // Persian and the Indic scripts are spelled with them; between pictures they only make widths uncertain.
      if let last = glyphs.last, let before = lastScalar, Self.takesJoiner(before) {
        replaceLast(last.text + String(scalar), width: last.width)
      }
    case .regionalIndicator:
      if opensFlag, let last = glyphs.last {
        replaceLast(last.text + String(scalar), width: 2)
        opensFlag = false
        return
      }
      base(String(scalar), 1, style)
      opensFlag = !isCut
      return
    }
    if kind != .invisible { opensFlag = false }
  }

  private static func takesJoiner(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return scalar.value >= 0x600 && !properties.isDefaultIgnorableCodePoint
      && (properties.isAlphabetic || properties.generalCategory == .nonspacingMark)
  }

  private mutating func base(_ text: String, _ width: Int, _ style: Style) {
    if glyphs.count == limit { return cut() }
    glyphs.append(Glyph(text: text, width: width, style: style))
    marks = 0
  }

  private mutating func mark(_ scalar: Unicode.Scalar, _ style: Style) {
    if glyphs.last?.isNewline ?? true || glyphs.last?.isSpace == true {
      base("\u{25cc}", 1, style)
      if isCut { return }
    }
    marks += 1
    guard marks <= Self.markLimit, let last = glyphs.last else { return }
    replaceLast(last.text + String(scalar), width: last.width)
  }

  private mutating func replaceLast(_ text: String, width: Int) {
    let last = glyphs.removeLast()
    glyphs.append(Glyph(text: text, width: width, style: last.style))
  }

  private mutating func cut() {
    isCut = true
    let style = glyphs.last?.style ?? Style()
    if glyphs.count == limit { glyphs.removeLast() }
    glyphs.append(Glyph(text: "…", width: 1, style: style))
  }
}

extension [Glyph] {
  /// Glyphs of one line of text: line ends become spaces.
  init(_ text: some StringProtocol, style: Style = Style(), limit: Int = 4096) {
    var builder = GlyphBuilder(newlines: .spaces, limit: limit)
    builder.append(text, style: style)
    self = builder.glyphs
  }

  /// In columns.
  var width: Int { reduce(0) { $0 + $1.width } }

  /// The text alone.
  var text: String { map(\.text).joined() }

  /// As much of the beginning as fits; an ellipsis stands for the rest.
  func fitted(to columns: Int) -> [Glyph] {
    if width <= columns { return self }
    if columns < 1 { return [] }
    var result: [Glyph] = []
    var used = 0
    for glyph in self {
      if used + glyph.width > columns - 1 { break }
      result.append(glyph)
      used += glyph.width
    }
    return result + [Glyph]("…", style: (result.last ?? self[0]).style)
  }

  /// The same text with another style.
  func styled(_ style: Style) -> [Glyph] {
    map { glyph in
      var glyph = glyph
      glyph.style = style
      return glyph
    }
  }
}
