/// How much colour a terminal shows.
enum ColourDepth: Sendable, Hashable {
  /// None; bold, underlined and so on still work.
  case none
  /// The 256 colours of xterm.
  case indexed
  /// Red, green and blue of 8 bits each.
  case full

  /// What the environment says: `NO_COLOR` (any text) for none, `COLORTERM` `truecolor` or `24bit` for all, a `TERM`
  /// with `256color` for 256, else none.
  init(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    if environment["NO_COLOR"]?.isEmpty == false || term.isEmpty || term == "dumb" {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") {
      self = .full
    } else {
      self = term.contains("256color") || term.contains("-direct") ? .indexed : .none
    }
  }
}

/// A colour as it is wanted; ``ColourDepth`` decides what is sent.
struct Colour: Sendable, Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The nearest of xterm's colours 16…255: a cube of six steps a side and a ramp of 24 greys.
  var index: UInt8 {
    let parts = [Int(red), Int(green), Int(blue)]
    let cube = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
    let cubeColour = cube.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    let grey = min(23, max(0, (parts.reduce(0, +) / 3 - 3) / 10))
    func distance(_ other: [Int]) -> Int { zip(parts, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
    let greyIsNearer = distance([8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey]) < distance(cubeColour)
    return UInt8(greyIsNearer ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2])
  }
}

/// How a glyph looks.
struct Style: Sendable, Hashable {
  struct Attributes: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    static let bold = Attributes(rawValue: 1)
    static let faint = Attributes(rawValue: 2)
    static let italic = Attributes(rawValue: 4)
    static let underlined = Attributes(rawValue: 8)
    static let reversed = Attributes(rawValue: 16)
  }

  var attributes: Attributes = []
  var foreground: Colour?
  var background: Colour?

  init(_ attributes: Attributes = [], _ foreground: Colour? = nil, on background: Colour? = nil) {
    self.attributes = attributes
    self.foreground = foreground
    self.background = background
  }

  /// The control sequence (ECMA-48 SGR) that sets exactly this style.
  func sequence(_ depth: ColourDepth) -> String {
    var codes = ["0"]
    let table: [(Attributes, String)] = [
      (.bold, "1"), (.faint, "2"), (.italic, "3"), (.underlined, "4"), (.reversed, "7"),
    ]
    for (attribute, code) in table where attributes.contains(attribute) { codes.append(code) }
    codes += Self.codes(foreground, "38", depth) + Self.codes(background, "48", depth)
    return "\u{1b}[" + codes.joined(separator: ";") + "m"
  }

  private static func codes(_ colour: Colour?, _ layer: String, _ depth: ColourDepth) -> [String] {
    guard let colour else { return [] }
    switch depth {
    case .none: return []
    case .indexed: return [layer, "5", "\(colour.index)"]
    case .full: return [layer, "2", "\(colour.red)", "\(colour.green)", "\(colour.blue)"]
    }
  }
}
