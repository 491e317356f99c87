/// Reads the markup of a notification's body: `b`, `i`, `u`, `a href` and `img alt`, and the XML entities.
///
/// Tolerant: what is not well-formed markup of these elements is text and is shown as it is, a lone `<` or `&` and an
/// element that is never closed included. It takes time in proportion to the text.
/// Source: Desktop Notifications Specification, "Markup".
enum BodyMarkup {
  /// A piece of text with the elements around it.
  struct Span: Sendable, Hashable {
    var text: String
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isLink = false
    /// True for words that the sender did not write as text: where a link leads, what a picture shows.
    var isRemark = false
  }

  /// As much of a body is read; far more than is shown.
  static let sizeLimit = 32 << 10

  static func parse(_ body: String) -> [Span] {
    let scalars = Array(body.unicodeScalars.prefix(sizeLimit))
    return spans(matched(tokens(scalars)))
  }

  private enum Token {
    case text(String)
    case open(name: String, value: String?, source: String)
    case close(name: String, source: String)
    case picture(String?)
  }

  // MARK: Tokens

  private static func tokens(_ scalars: [Unicode.Scalar]) -> [Token] {
    var result: [Token] = []
    var text = String.UnicodeScalarView()
    var position = 0
    func flush() {
      if !text.isEmpty { result.append(.text(String(text))) }
      text = String.UnicodeScalarView()
    }
    while position < scalars.count {
      if scalars[position] == "<", let (token, end) = tag(scalars, from: position) {
        flush()
        result.append(token)
        position = end
      } else if scalars[position] == "&", let (scalar, end) = entity(scalars, from: position) {
        text.append(scalar)
        position = end
      } else {
        text.append(scalars[position])
        position += 1
      }
    }
    flush()
    return result
  }

  /// The longest tag that is looked for, so that many a lone `<` costs little.
  private static let tagLimit = 2048

  /// The tag that begins at `start`, and where it ends; nil if there is none that we know.
  private static func tag(_ scalars: [Unicode.Scalar], from start: Int) -> (Token, Int)? {
    var position = start + 1
    let limit = min(scalars.count, start + tagLimit)
    let closes = position < limit && scalars[position] == "/"
    if closes { position += 1 }
    let name = word(scalars, &position, limit).lowercased()
    guard ["b", "i", "u", "a", "img"].contains(name) else { return nil }
    let wanted = name == "a" ? "href" : "alt"
    var value: String?
    while true {
      let gap = skipSpaces(scalars, &position, limit)
      guard position < limit else { return nil }
      if scalars[position] == ">" || (scalars[position] == "/" && !closes) { break }
      guard gap, !closes else { return nil }
      let key = word(scalars, &position, limit).lowercased()
      guard !key.isEmpty, position + 1 < limit, scalars[position] == "=" else { return nil }
      let quote = scalars[position + 1]
      guard quote == "\"" || quote == "'" else { return nil }
      let first = position + 2
      guard let last = scalars[first..<limit].firstIndex(of: quote) else { return nil }
      if key == wanted { value = decoded(scalars[first..<last]) }
      position = last + 1
    }
    let isEmpty = scalars[position] == "/"
    if isEmpty { position += 1 }
    guard position < limit, scalars[position] == ">" else { return nil }
    var source = String.UnicodeScalarView()
    source.append(contentsOf: scalars[start...position])
    if name == "img" { return closes ? nil : (.picture(value), position + 1) }
    if isEmpty { return (.text(""), position + 1) }
    let token: Token =
      closes ? .close(name: name, source: String(source)) : .open(name: name, value: value, source: String(source))
    return (token, position + 1)
  }

  private static func word(_ scalars: [Unicode.Scalar], _ position: inout Int, _ limit: Int) -> String {
    var text = String.UnicodeScalarView()
    while position < limit, text.count < 32 {
      let scalar = scalars[position]
      guard scalar.isASCII, scalar.properties.isAlphabetic || scalar == "-" || scalar == "_" else { break }
      text.append(scalar)
      position += 1
    }
    return String(text)
  }

  private static func skipSpaces(_ scalars: [Unicode.Scalar], _ position: inout Int, _ limit: Int) -> Bool {
    let start = position
    while position < limit, scalars[position].properties.isWhitespace { position += 1 }
    return position > start
  }

  // MARK: Entities

  /// The character that the entity at `start` stands for, and where it ends; nil if it is none.
  private static func entity(_ scalars: [Unicode.Scalar], from start: Int) -> (Unicode.Scalar, Int)? {
    let limit = min(scalars.count, start + 12)
    guard let end = scalars[start..<limit].firstIndex(of: ";") else { return nil }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars[(start + 1)..<end])
    let text = String(name)
    let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let scalar = named[text] { return (scalar, end + 1) }
    guard text.hasPrefix("#") else { return nil }
    let digits = text.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let number, let scalar = Unicode.Scalar(number) else { return nil }
    return (scalar, end + 1)
  }

  private static func decoded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    let all = Array(scalars)
    var text = String.UnicodeScalarView()
    var position = 0
    while position < all.count {
      if all[position] == "&", let (scalar, end) = entity(all, from: position) {
        text.append(scalar)
        position = end
      } else {
        text.append(all[position])
        position += 1
      }
    }
    return String(text)
  }

  // MARK: Elements

  /// Turns into text every tag that has no partner, and every one that would cross another element.
  private static func matched(_ tokens: [Token]) -> [Token] {
    var result = tokens
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if case .open = token { open.append(index) }
      guard case .close(let name, let source) = token else { continue }
      // Elements are nested a few deep at most; further out no partner is looked for.
      let partner = open.suffix(16).last { index in
        if case .open(name, _, _) = tokens[index] { true } else { false }
      }
      guard let partner else {
        result[index] = .text(source)
        continue
      }
      while let last = open.popLast(), last != partner {
        if case .open(_, _, let source) = tokens[last] { result[last] = .text(source) }
      }
    }
    for index in open {
      if case .open(_, _, let source) = tokens[index] { result[index] = .text(source) }
    }
    return result
  }

  private static func spans(_ tokens: [Token]) -> [Span] {
    var result: [Span] = []
    var depth = ["b": 0, "i": 0, "u": 0, "a": 0]
    var links: [(target: String?, start: Int)] = []
    func add(_ text: String, isRemark: Bool = false) {
      if text.isEmpty { return }
      let span = Span(
        text: text, isBold: depth["b", default: 0] > 0, isItalic: depth["i", default: 0] > 0,
        isUnderlined: depth["u", default: 0] > 0, isLink: !isRemark && depth["a", default: 0] > 0, isRemark: isRemark)
      if let last = result.last, last.isLike(span), links.last?.start != result.count {
        result[result.count - 1].text += text
      } else {
        result.append(span)
      }
    }
    for token in tokens {
      switch token {
      case .text(let text): add(text)
      case .picture(let text): if let text, !text.isEmpty { add("[\(text)]", isRemark: true) }
      case .open(let name, let value, _):
        depth[name, default: 0] += 1
        if name == "a" { links.append((value, result.count)) }
      case .close(let name, _):
        depth[name, default: 0] -= 1
        guard name == "a", let link = links.popLast() else { continue }
        // A link says where it leads, so that it cannot pretend to lead elsewhere and a terminal can offer to open it.
        let shown = result[min(link.start, result.count)...].map(\.text).joined()
        if let target = link.target, !target.isEmpty, target != shown { add(" (\(target))", isRemark: true) }
      }
    }
    return result
  }
}

extension BodyMarkup.Span {
  /// True if both look the same.
  fileprivate func isLike(_ other: Self) -> Bool {
    isBold == other.isBold && isItalic == other.isItalic && isUnderlined == other.isUnderlined
      && isLink == other.isLink && isRemark == other.isRemark
  }
}
