internal import DBus

/// What is known of a value's type before it is settled.
indirect enum NotifySendVariantShape: Hashable {
  /// Nothing: the element of an empty array.
  case unknown
  /// Some number type.
  case number
  /// A text, an object path or a signature.
  case text
  /// A type code such as `i`.
  case basic(UInt8)
  case variant
  case array(NotifySendVariantShape)
  case tuple([NotifySendVariantShape])
  case entry(key: NotifySendVariantShape, value: NotifySendVariantShape)

  /// Reads one complete type, or that of a dictionary's entry; nil for what is none, or cannot be sent.
  init?(signature: ArraySlice<UInt8>) {
    let text = String(decoding: signature, as: UTF8.self)
    let isEntry = text.hasPrefix("{")
    guard let signature = try? Signature(isEntry ? "a" + text : text), signature.isSingle else { return nil }
    var codes = signature.text.utf8[...]
    guard let shape = Self.take(from: &codes), codes.isEmpty else { return nil }
    if isEntry, case .array(let entry) = shape { self = entry } else { self = shape }
  }

  /// Takes one type from a signature that is known to be valid.
  private static func take(from codes: inout Substring.UTF8View) -> NotifySendVariantShape? {
    guard let code = codes.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "v"): return .variant
    case UInt8(ascii: "a"): return take(from: &codes).map(Self.array)
    case UInt8(ascii: "("):
      var members: [NotifySendVariantShape] = []
      while codes.first != UInt8(ascii: ")") {
        guard let member = take(from: &codes) else { return nil }
        members.append(member)
      }
      codes.removeFirst()
      return .tuple(members)
    case UInt8(ascii: "{"):
      guard let key = take(from: &codes), let value = take(from: &codes), codes.popFirst() != nil else { return nil }
      return .entry(key: key, value: value)
    default: return .basic(code)
    }
  }

  /// What both can be; nil if nothing.
  func merged(with other: NotifySendVariantShape) -> NotifySendVariantShape? {
    switch (self, other) {
    case _ where self == other: return self
    case (.unknown, let known), (let known, .unknown): return known
    case (.number, .basic(let code)), (.basic(let code), .number):
      return "ynqiuxthd".utf8.contains(code) ? .basic(code) : nil
    case (.text, .basic(let code)), (.basic(let code), .text): return "sog".utf8.contains(code) ? .basic(code) : nil
    case (.array(let left), .array(let right)): return left.merged(with: right).map(Self.array)
    case (.tuple(let left), .tuple(let right)):
      guard left.count == right.count else { return nil }
      var members: [NotifySendVariantShape] = []
      for (left, right) in zip(left, right) {
        guard let member = left.merged(with: right) else { return nil }
        members.append(member)
      }
      return .tuple(members)
    case (.entry(let key, let value), .entry(let otherKey, let otherValue)):
      guard let key = key.merged(with: otherKey), let value = value.merged(with: otherValue) else { return nil }
      return .entry(key: key, value: value)
    default: return nil
    }
  }

  /// With numbers as `int32` and texts as strings; nil where something stays unknown.
  var settled: NotifySendVariantShape? {
    switch self {
    case .unknown: return nil
    case .number: return .basic(UInt8(ascii: "i"))
    case .text: return .basic(UInt8(ascii: "s"))
    case .basic, .variant: return self
    case .array(let element): return element.settled.map(Self.array)
    case .tuple(let members):
      let settled = members.compactMap(\.settled)
      return settled.count == members.count ? .tuple(settled) : nil
    case .entry(let key, let value):
      guard let key = key.settled, let value = value.settled else { return nil }
      return .entry(key: key, value: value)
    }
  }

  /// The signature of a settled shape.
  var signature: String {
    switch self {
    case .unknown, .number, .text: ""
    case .basic(let code): String(UnicodeScalar(code))
    case .variant: "v"
    case .array(let element): "a" + element.signature
    case .tuple(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    }
  }

  /// Whether it can be a dictionary's key.
  var isKey: Bool {
    switch self {
    case .number, .text: true
    case .basic(let code): "bynqiuxthdsog".utf8.contains(code)
    default: false
    }
  }
}
