internal import DBus

/// Values in GLib's text format (`g_variant_parse`), as `--hint=variant:NAME:VALUE` takes them.
///
/// Numbers, texts, byte strings (`b'…'`), booleans, arrays, tuples, dictionaries, variants (`<…>`), types (`@as []`) and
/// type words (`uint32 5`), with the same inference: numbers of an array agree on one type, whole ones become `int32`,
/// a dictionary's value type is that of its first value. Not taken, and refused as the daemon's bus would refuse
/// them: maybe types (`nothing`, `just`), the empty tuple, a dictionary entry outside an array. Not taken although the
/// real program sends them: handles (they would name a file descriptor that is not sent along).
///
/// Source: GLib Reference Manual, "GVariant Text Format".
enum NotifySendVariant {
  /// What was read, its types not yet settled.
  indirect enum Node {
    /// The token; what it means depends on its type.
    case number([UInt8])
    case text([UInt8])
    /// Without the NUL at its end.
    case byteString([UInt8])
    case boolean(Bool)
    case array([Node])
    case tuple([Node])
    case dictionary([(key: Node, value: Node)])
    case entry(key: Node, value: Node)
    case variant(Node)
    case typed(NotifySendVariantShape, Node)
  }

  /// A value that can be sent; nil where the text is no such value.
  static func parse(_ text: [UInt8]) -> Value? {
    var reader = Reader(tokens: NotifySendVariantTokens(text))
    guard let node = reader.value(depth: 0), reader.tokens.peek() == nil else { return nil }
    return node.settled()
  }

  /// Reads nodes from tokens; nil stands for a text that does not follow the grammar.
  struct Reader {
    var tokens: NotifySendVariantTokens

    /// How deep values may be nested; a bus takes 64 containers.
    static let deepest = 64

    mutating func value(depth: Int) -> Node? {
      guard depth <= Self.deepest, let token = tokens.peek(), let first = token.first else { return nil }
      switch first {
      case UInt8(ascii: "["): return array(depth: depth)
      case UInt8(ascii: "("): return tuple(depth: depth)
      case UInt8(ascii: "{"): return dictionary(depth: depth)
      case UInt8(ascii: "<"): return variant(depth: depth)
      case UInt8(ascii: "@"):
        tokens.skip()
        guard let shape = NotifySendVariantShape(signature: token.dropFirst()) else { return nil }
        return value(depth: depth + 1).map { .typed(shape, $0) }
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        tokens.skip()
        return NotifySendVariantTokens.text(token).map(Node.text)
      case UInt8(ascii: "b")
      where token.dropFirst().first == UInt8(ascii: "'") || token.dropFirst().first == UInt8(ascii: "\""):
        tokens.skip()
        return NotifySendVariantTokens.byteString(token.dropFirst()).map(Node.byteString)
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
        tokens.skip()
        return .number(Array(token))
      default:
        tokens.skip()
        return word(token, depth: depth)
      }
    }

    private mutating func word(_ token: ArraySlice<UInt8>, depth: Int) -> Node? {
      let type: UInt8
      switch String(decoding: token, as: UTF8.self) {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      case "inf", "nan": return .number(Array(token))
      case "boolean": type = UInt8(ascii: "b")
      case "byte": type = UInt8(ascii: "y")
      case "int16": type = UInt8(ascii: "n")
      case "uint16": type = UInt8(ascii: "q")
      case "int32": type = UInt8(ascii: "i")
      case "uint32": type = UInt8(ascii: "u")
      case "int64": type = UInt8(ascii: "x")
      case "uint64": type = UInt8(ascii: "t")
      case "double": type = UInt8(ascii: "d")
      case "string": type = UInt8(ascii: "s")
      case "objectpath": type = UInt8(ascii: "o")
      case "signature": type = UInt8(ascii: "g")
      default: return nil
      }
      return value(depth: depth + 1).map { .typed(.basic(type), $0) }
    }

    private mutating func array(depth: Int) -> Node? {
      tokens.skip()
      var elements: [Node] = []
      while !tokens.take("]") {
        if !elements.isEmpty, !tokens.take(",") { return nil }
        guard let element = value(depth: depth + 1) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    }

    /// The first member is always followed by a comma: `(1,)`.
    private mutating func tuple(depth: Int) -> Node? {
      tokens.skip()
      var members: [Node] = []
      while !tokens.take(")") {
        if members.count > 1, !tokens.take(",") { return nil }
        guard let member = value(depth: depth + 1) else { return nil }
        members.append(member)
        if members.count == 1, !tokens.take(",") { return nil }
      }
      return .tuple(members)
    }

    private mutating func dictionary(depth: Int) -> Node? {
      tokens.skip()
      var entries: [(key: Node, value: Node)] = []
      while !tokens.take("}") {
        if !entries.isEmpty, !tokens.take(",") { return nil }
        guard let key = value(depth: depth + 1) else { return nil }
        let isEntry = entries.isEmpty && tokens.take(",")
        guard isEntry || tokens.take(":"), let value = value(depth: depth + 1) else { return nil }
        if isEntry { return tokens.take("}") ? .entry(key: key, value: value) : nil }
        entries.append((key, value))
      }
      return .dictionary(entries)
    }

    private mutating func variant(depth: Int) -> Node? {
      tokens.skip()
      guard let inner = value(depth: depth + 1), tokens.take(">") else { return nil }
      return .variant(inner)
    }
  }
}
