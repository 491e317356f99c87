internal import DBus

extension NotifySendVariant.Node {
  /// The value, its open types settled; nil where they cannot be, or the value cannot be sent.
  func settled() -> Value? {
    guard let shape = shape?.settled, !isEntry, let signature = try? Signature(shape.signature), signature.isSingle
    else {
      return nil
    }
    return value(as: shape)
  }

  private var isEntry: Bool {
    switch self {
    case .entry: true
    case .typed(_, let inner): inner.isEntry
    default: false
    }
  }

  /// What the node says of its type; nil where its parts contradict each other.
  private var shape: NotifySendVariantShape? {
    switch self {
    case .number(let token): return Self.isFloating(token) ? .basic(UInt8(ascii: "d")) : .number
    case .text: return .text
    case .byteString: return .array(.basic(UInt8(ascii: "y")))
    case .boolean: return .basic(UInt8(ascii: "b"))
    case .variant: return .variant
    case .typed(let shape, _): return shape
    case .array(let elements): return Self.common(elements).map(NotifySendVariantShape.array)
    case .tuple(let members):
      let shapes = members.compactMap(\.shape)
      return shapes.count == members.count ? .tuple(shapes) : nil
    case .entry(let key, let value):
      guard let key = key.shape, key.isKey, let value = value.shape else { return nil }
      return .entry(key: key, value: value)
    case .dictionary(let entries):
      // GLib takes the type of the first value alone, and that of all keys.
      guard let first = entries.first else { return .array(.entry(key: .unknown, value: .unknown)) }
      guard let key = Self.common(entries.map(\.key)), key.isKey, let value = first.value.shape else { return nil }
      return .array(.entry(key: key, value: value))
    }
  }

  private static func common(_ nodes: [Self]) -> NotifySendVariantShape? {
    var common = NotifySendVariantShape.unknown
    for node in nodes {
      guard let shape = node.shape, let merged = common.merged(with: shape) else { return nil }
      common = merged
    }
    return common
  }

  /// Whether a number is written as a floating one.
  private static func isFloating(_ token: [UInt8]) -> Bool {
    if token.contains(UInt8(ascii: ".")) { return true }
    if token.contains(UInt8(ascii: "e")), !token.starts(with: "0x".utf8) { return true }
    let text = String(decoding: token, as: UTF8.self)
    return text.contains("inf") || text.contains("nan")
  }

  /// The value as this type, which is settled; nil where it is none.
  private func value(as shape: NotifySendVariantShape) -> Value? {
    switch (self, shape) {
    case (.typed(_, let inner), _): return inner.value(as: shape)
    case (.number(let token), .basic(let code)): return Self.number(token, as: code)
    case (.text(let bytes), .basic(let code)):
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      switch code {
      case UInt8(ascii: "s"): return .string(text)
      case UInt8(ascii: "o"): return (try? ObjectPath(text)).map(Value.objectPath)
      case UInt8(ascii: "g"): return (try? Signature(text)).map(Value.signature)
      default: return nil
      }
    case (.boolean(let flag), .basic(UInt8(ascii: "b"))): return .boolean(flag)
    case (.byteString(let bytes), .array(.basic(UInt8(ascii: "y")))): return .bytes(bytes + [0])
    case (.variant(let inner), .variant): return inner.settled().map(Value.variant)
    case (.tuple(let members), .tuple(let shapes)):
      guard members.count == shapes.count, !members.isEmpty else { return nil }
      let values = zip(members, shapes).compactMap { $0.value(as: $1) }
      return values.count == members.count ? .structure(values) : nil
    case (.dictionary(let entries), .array(.entry(let key, let value))):
      return Self.dictionary(entries, key: key, value: value)
    case (.array(let elements), .array(.entry(let key, let value))):
      let entries = elements.compactMap(\.asEntry)
      return entries.count == elements.count ? Self.dictionary(entries, key: key, value: value) : nil
    case (.array(let elements), .array(let element)): return Self.array(elements, of: element)
    default: return nil
    }
  }

  private var asEntry: (key: Self, value: Self)? {
    switch self {
    case .entry(let key, let value): (key, value)
    case .typed(_, let inner): inner.asEntry
    default: nil
    }
  }

  private static func array(_ elements: [Self], of element: NotifySendVariantShape) -> Value? {
    guard let signature = try? Signature(element.signature) else { return nil }
    let values = elements.compactMap { $0.value(as: element) }
    guard values.count == elements.count else { return nil }
    if signature != "y" { return .array(of: signature, values) }
    return .bytes(values.compactMap { if case .byte(let byte) = $0 { byte } else { nil } })
  }

  private static func dictionary(
    _ entries: [(key: Self, value: Self)], key: NotifySendVariantShape, value: NotifySendVariantShape
  ) -> Value? {
    guard let keyType = try? Signature(key.signature), let valueType = try? Signature(value.signature) else {
      return nil
    }
    var result: [Value.Entry] = []
    for entry in entries {
      guard let key = entry.key.value(as: key), let value = entry.value.value(as: value) else { return nil }
      result.append(Value.Entry(key, value))
    }
    return .dictionary(key: keyType, value: valueType, result)
  }

  private static func number(_ token: [UInt8], as code: UInt8) -> Value? {
    if code == UInt8(ascii: "d") { return NotifySendNumber.wholeDouble(token).map(Value.double) }
    // GLib takes a minus off first; so a second sign may follow it, and a minus alone is 0.
    let isNegative = token.first == UInt8(ascii: "-")
    let digits = isNegative ? token.dropFirst() : token[...]
    let zero = NotifySendNumber.Scanned(isNegative: false, magnitude: 0, isTooLarge: false, end: digits.endIndex)
    guard let scanned = digits.isEmpty ? zero : NotifySendNumber.scan(digits, base: 0), scanned.end == digits.endIndex,
      !scanned.isTooLarge
    else { return nil }
    let magnitude = scanned.isNegative ? 0 &- scanned.magnitude : scanned.magnitude
    guard isNegative, magnitude != 0 else {
      switch code {
      case UInt8(ascii: "y"): return UInt8(exactly: magnitude).map(Value.byte)
      case UInt8(ascii: "n"): return Int16(exactly: magnitude).map(Value.int16)
      case UInt8(ascii: "q"): return UInt16(exactly: magnitude).map(Value.uint16)
      case UInt8(ascii: "i"): return Int32(exactly: magnitude).map(Value.int32)
      case UInt8(ascii: "u"): return UInt32(exactly: magnitude).map(Value.uint32)
      case UInt8(ascii: "x"): return Int64(exactly: magnitude).map(Value.int64)
      case UInt8(ascii: "t"): return .uint64(magnitude)
      default: return nil
      }
    }
    guard magnitude <= UInt64(1) << 63 else { return nil }
    let negative = Int64(truncatingIfNeeded: 0 &- magnitude)
    switch code {
    case UInt8(ascii: "n"): return Int16(exactly: negative).map(Value.int16)
    case UInt8(ascii: "i"): return Int32(exactly: negative).map(Value.int32)
    case UInt8(ascii: "x"): return .int64(negative)
    default: return nil
    }
  }
}
