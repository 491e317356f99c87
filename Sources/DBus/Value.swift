/// A typed D-Bus value. It carries its own type, an empty array's and dictionary's element types included.
///
/// Source: D-Bus Specification, "Type System".
public enum Value: Sendable, Hashable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Text without NUL; sending one with NUL is an error, not a trap.
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  /// An open file; the value owns its own duplicate.
  case unixFD(OwnedDescriptor)
  /// `ay`: kept apart from other arrays since pictures are large. `ay` is never a ``array(of:_:)``.
  case bytes([UInt8])
  /// Elements of one type; each must have exactly the signature `of`.
  case array(of: Signature, [Value])
  /// Entries in order; keys are basic values of type `key`, values have exactly the signature `value`.
  indirect case dictionary(key: Signature, value: Signature, [Entry])
  /// At least one member.
  case structure([Value])
  indirect case variant(Value)

  /// A key and its value in a ``dictionary(key:value:_:)``.
  public struct Entry: Sendable, Hashable {
    public var key: Value
    public var value: Value

    public init(_ key: Value, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// `as`.
  public static func strings(_ texts: [String]) -> Value { .array(of: "s", texts.map { .string($0) }) }

  /// `a{sv}`, in the order given.
  public static func properties(_ entries: [(String, Value)]) -> Value {
    .dictionary(key: "s", value: "v", entries.map { Entry(.string($0), .variant($1)) })
  }

  /// The signature of this value.
  public var signature: Signature { Signature(unchecked: signatureText) }

  private var signatureText: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .bytes: "ay"
    case .array(let element, _): "a" + element.text
    case .dictionary(let key, let value, _): "a{" + key.text + value.text + "}"
    case .structure(let members): "(" + members.map(\.signatureText).joined() + ")"
    case .variant: "v"
    }
  }
}

/// Reading a value that a peer sent; each is nil where the type is another, and none ever traps.
extension Value {
  /// The text of a string.
  public var asString: String? { if case .string(let text) = self { text } else { nil } }
  /// An unsigned 32-bit number.
  public var asUInt32: UInt32? { if case .uint32(let number) = self { number } else { nil } }
  /// A signed 32-bit number.
  public var asInt32: Int32? { if case .int32(let number) = self { number } else { nil } }
  /// A boolean.
  public var asBool: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  /// The bytes of an `ay`.
  public var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  /// The members of a struct.
  public var asStructure: [Value]? { if case .structure(let members) = self { members } else { nil } }
  /// The elements of an array other than `ay`.
  public var asArray: [Value]? { if case .array(_, let elements) = self { elements } else { nil } }
  /// The value inside a variant, all nested variants taken off; any other value as it is.
  public var unwrapped: Value { if case .variant(let inner) = self { inner.unwrapped } else { self } }

  /// The texts of an `as`; nil for anything else.
  public var asStrings: [String]? {
    guard case .array(let element, let elements) = self, element == "s" else { return nil }
    return elements.compactMap(\.asString)
  }

  /// Any integer type's number, where it fits.
  public var asInteger: Int? {
    switch self {
    case .byte(let number): Int(number)
    case .int16(let number): Int(number)
    case .uint16(let number): Int(number)
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .int64(let number): Int(exactly: number)
    case .uint64(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The entries of an `a{sv}`, variants taken off; the last of a repeated key counts. Nil for anything else.
  public var asProperties: [String: Value]? {
    guard case .dictionary(let key, let value, let entries) = self, key == "s", value == "v" else { return nil }
    var result: [String: Value] = [:]
    for entry in entries {
      if let name = entry.key.asString { result[name] = entry.value.unwrapped }
    }
    return result
  }
}
