/// What may become of one Unicode scalar that somebody else wrote, and how many columns it takes.
///
/// The widths follow what `wcwidth` gives on common systems; where terminals disagree the larger number counts, so that
/// a text never takes more room than was kept for it. Sources: Unicode Standard Annex 11 (East Asian Width), Unicode
/// Technical Standard 51 (emoji), and ECMA-48 for what a terminal takes as a command.
enum ScalarClass: Hashable {
  /// Drawn, one column.
  case narrow
  /// Drawn, two columns.
  case wide
  /// Drawn on top of what stands before it, no column of its own.
  case mark
  /// Half of a flag: two of them make one picture of two columns.
  case regionalIndicator
  /// U+FE0F: asks for the coloured form, two columns wide, of the character before it.
  case emojiSelector
  /// U+200C and U+200D: kept only inside scripts that are spelled with them.
  case joiner
  /// Begins a new line.
  case newline
  /// A horizontal tab.
  case tab
  /// Has no picture and a meaning that does not matter here: left out.
  case invisible
  /// Could move the cursor, change the terminal or turn the reading order: drawn as this stand-in instead.
  case standIn(Unicode.Scalar)

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7e: self = .narrow
    case 0x09: self = .tab
    case 0x0a, 0x0d, 0x2028, 0x2029: self = .newline
    // Every other C0 control has a picture of its name: ESC is ␛.
    case 0x00...0x1f: self = .standIn(Unicode.Scalar(0x2400 + scalar.value) ?? Self.replacement)
    case 0x7f: self = .standIn("\u{2421}")
    // C1: a terminal may read U+009B as "ESC [".
    case 0x80...0x9f: self = .standIn(Self.replacement)
    // Embeddings and overrides of the reading order can make a text read as another.
    case 0x202a...0x202e: self = .standIn(Self.replacement)
    case 0x200c, 0x200d: self = .joiner
    case 0xfe0f: self = .emojiSelector
    case 0x1f1e6...0x1f1ff: self = .regionalIndicator
    // Vowels and finals of conjoining Hangul join the syllable before them.
    case 0x1161...0x11ff, 0xd7b0...0xd7ff: self = .mark
    default: self = Self.byProperties(scalar)
    }
  }

  /// U+FFFD.
  static let replacement: Unicode.Scalar = "\u{fffd}"

  private static func byProperties(_ scalar: Unicode.Scalar) -> ScalarClass {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return .invisible }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return .mark
    case .control, .surrogate, .unassigned: return .standIn(replacement)
    // Arabic and other number signs are "format" characters that are seen; the rest of them are not.
    case .format: return isNumberSign(scalar) ? .narrow : .standIn(replacement)
    default: return isWide(scalar) ? .wide : .narrow
    }
  }

  private static func isNumberSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x0605, 0x06dd, 0x070f, 0x0890...0x0891, 0x08e2, 0x110bd, 0x110cd: true
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    var low = 0
    var high = wideRanges.count
    while low < high {
      let middle = (low + high) / 2
      if wideRanges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count && wideRanges[low].contains(scalar.value)
  }

  /// Blocks of East Asian width W and F, whole; emoji are known by their property.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3040...0xa4cf,
    0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60,
    0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1d300...0x1d376, 0x1f200...0x1f265,
    0x20000...0x2fffd, 0x30000...0x3fffd,
  ]
}
