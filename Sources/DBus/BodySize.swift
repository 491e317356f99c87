/// Checks that a body can be sent and counts its bytes as they will be on the wire.
///
/// Source: D-Bus Specification, "Marshaling" (alignment, limits).
struct BodySize {
  /// Bytes so far.
  private(set) var offset = 0
  /// File descriptors so far.
  private(set) var descriptors = 0

  /// Adds all arguments of a message.
  /// - Throws: ``BusError`` with code `invalidValue` or `tooLarge`.
  mutating func add(_ body: [Value]) throws(BusError) {
    for value in body { try add(value, depth: 0) }
    // Each value's signature was checked on the way; only their sum can still be too long.
    if body.contains(where: \.isContainer) || body.count > 255 {
      // Not joined(): the library's is unspecialised, which costs a short-lived sender a twentieth of its time.
      var signature = ""
      for value in body { signature += value.signature.text }
      try Self.check(signature)
    }
  }

  private mutating func add(_ value: Value, depth: Int) throws(BusError) {
    if depth > Limits.depth { throw BusError(.invalidValue, "values are nested more than \(Limits.depth) deep") }
    switch value {
    case .byte: offset += 1
    case .int16, .uint16: add(2)
    case .boolean, .int32, .uint32: add(4)
    case .int64, .uint64, .double: add(8)
    case .string(let text):
      add(4)
      offset += try Self.length(text)
    case .objectPath(let path):
      if let fault = ObjectPath.fault(in: path.text) { throw BusError(.invalidValue, "the path \(path): \(fault)") }
      add(4)
      offset += path.text.utf8.count + 1
    case .signature(let signature):
      try Self.check(signature.text)
      offset += signature.text.utf8.count + 2
    case .unixFD:
      descriptors += 1
      if descriptors > Limits.descriptors {
        throw BusError(.tooLarge, "a message takes at most \(Limits.descriptors) file descriptors")
      }
      add(4)
    case .bytes(let bytes): try addArray(alignment: 1) { size throws(BusError) in size.offset += bytes.count }
    case .array(let element, let elements): try add(elements, of: element, depth: depth)
    case .dictionary(let key, let value, let entries): try add(entries, key, value, depth: depth)
    case .structure(let members):
      if members.isEmpty { throw BusError(.invalidValue, "a struct has no members") }
      align(8)
      for member in members { try add(member, depth: depth + 1) }
    case .variant(let inner):
      let signature = inner.signature.text
      if inner.isContainer { try Self.check(signature) }
      offset += signature.utf8.count + 2
      try add(inner, depth: depth + 1)
    }
  }

  private mutating func add(_ elements: [Value], of element: Signature, depth: Int) throws(BusError) {
    let type = try SingleType(element)
    try addArray(alignment: type.alignment) { size throws(BusError) in
      for value in elements {
        guard type.fits(value) else {
          throw BusError(.invalidValue, "an array of '\(element)' has an element '\(value.signature)'")
        }
        try size.add(value, depth: depth + 1)
      }
    }
  }

  private mutating func add(
    _ entries: [Value.Entry], _ key: Signature, _ value: Signature, depth: Int
  ) throws(BusError) {
    let keyType = try SingleType(key)
    let valueType = try SingleType(value)
    guard key.text.utf8.count == 1, key.text != "v" else {
      throw BusError(.invalidValue, "a dictionary's key has the type '\(key)', which is not basic")
    }
    try addArray(alignment: 8) { size throws(BusError) in
      for entry in entries {
        guard keyType.fits(entry.key), valueType.fits(entry.value) else {
          throw BusError(
            .invalidValue,
            "a dictionary of '\(key)' to '\(value)' has an entry '\(entry.key.signature)' to "
              + "'\(entry.value.signature)'")
        }
        size.align(8)
        try size.add(entry.key, depth: depth + 2)
        try size.add(entry.value, depth: depth + 2)
      }
    }
  }

  private mutating func addArray(
    alignment: Int, _ elements: (inout BodySize) throws(BusError) -> Void
  ) throws(BusError) {
    add(4)
    align(alignment)
    let start = offset
    try elements(&self)
    if offset - start > Limits.array { throw BusError(.tooLarge, "an array has \(offset - start) bytes") }
  }

  private mutating func align(_ alignment: Int) { offset = (offset + alignment - 1) & ~(alignment - 1) }

  private mutating func add(_ size: Int) {
    align(size)
    offset += size
  }

  /// The bytes of a text with its end.
  private static func length(_ text: String) throws(BusError) -> Int {
    if text.utf8.contains(0) { throw BusError(.invalidValue, "a text has a NUL character") }
    let count = text.utf8.count
    if count >= Limits.message { throw BusError(.tooLarge, "a text has \(count) bytes") }
    return count + 1
  }

  private static func check(_ signature: String) throws(BusError) {
    if let fault = Signature.fault(in: signature) {
      throw BusError(.invalidValue, "the signature '\(signature)' is not valid: \(fault)")
    }
  }
}

/// The one complete type of an array's elements or of a dictionary's keys or values.
private struct SingleType {
  let text: String
  let alignment: Int

  init(_ signature: Signature) throws(BusError) {
    guard signature.isSingle else {
      throw BusError(.invalidValue, "'\(signature)' is not one complete type")
    }
    text = signature.text
    alignment =
      switch text.utf8.first {
      case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
      case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("): 8
      case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
      default: 4
      }
  }

  func fits(_ value: Value) -> Bool { value.signature.text == text }
}

extension Value {
  /// True for what has other values inside.
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .dictionary, .structure, .variant: true
    default: false
    }
  }
}
