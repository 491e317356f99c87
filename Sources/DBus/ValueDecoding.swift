internal import CDBus

/// Reads the values of a received message. libdbus has checked lengths, texts, names and nesting; sizes are bounded
/// here once more.
struct ValueDecoding {
  private var budget = Limits.decodedValues

  /// All values from the iterator's place to the end of its container.
  mutating func values(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int
  ) throws(BusError) -> [Value] {
    var result: [Value] = []
    while unsafe dbus_message_iter_get_arg_type(iterator) != Int32(CDBUS_TYPE_INVALID) {
      result.append(try unsafe value(iterator, depth: depth))
      unsafe dbus_message_iter_next(iterator)
    }
    return result
  }

  private mutating func value(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int
  ) throws(BusError) -> Value {
    budget -= 1
    if budget < 0 { throw BusError(.tooLarge, "a received message has too many values") }
    if depth > Limits.depth { throw BusError(.tooLarge, "a received message is nested too deep") }
    switch unsafe Int(dbus_message_iter_get_arg_type(iterator)) {
    case CDBUS_TYPE_BYTE: return unsafe .byte(Self.basic(iterator, 0))
    case CDBUS_TYPE_BOOLEAN: return unsafe .boolean(Self.basic(iterator, dbus_bool_t(0)) != 0)
    case CDBUS_TYPE_INT16: return unsafe .int16(Self.basic(iterator, 0))
    case CDBUS_TYPE_UINT16: return unsafe .uint16(Self.basic(iterator, 0))
    case CDBUS_TYPE_INT32: return unsafe .int32(Self.basic(iterator, 0))
    case CDBUS_TYPE_UINT32: return unsafe .uint32(Self.basic(iterator, 0))
    case CDBUS_TYPE_INT64: return unsafe .int64(Self.basic(iterator, 0))
    case CDBUS_TYPE_UINT64: return unsafe .uint64(Self.basic(iterator, 0))
    case CDBUS_TYPE_DOUBLE: return unsafe .double(Self.basic(iterator, 0))
    case CDBUS_TYPE_STRING: return unsafe .string(Self.text(iterator))
    case CDBUS_TYPE_OBJECT_PATH: return unsafe .objectPath(ObjectPath(unchecked: Self.text(iterator)))
    case CDBUS_TYPE_SIGNATURE: return unsafe .signature(Signature(unchecked: Self.text(iterator)))
    case CDBUS_TYPE_UNIX_FD: return try unsafe Self.descriptor(iterator)
    case CDBUS_TYPE_ARRAY: return try unsafe array(iterator, depth: depth)
    case CDBUS_TYPE_STRUCT: return .structure(try unsafe inside(iterator, depth: depth))
    case CDBUS_TYPE_VARIANT:
      guard let inner = try unsafe inside(iterator, depth: depth).first else { break }
      return .variant(inner)
    default: break
    }
    throw BusError(.unexpectedReply, "a received message has a type that is not known")
  }

  private mutating func inside(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int
  ) throws(BusError) -> [Value] {
    var inner = unsafe DBusMessageIter()
    unsafe dbus_message_iter_recurse(iterator, &inner)
    return try unsafe values(&inner, depth: depth + 1)
  }

  private mutating func array(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int
  ) throws(BusError) -> Value {
    switch unsafe Int(dbus_message_iter_get_element_type(iterator)) {
    case CDBUS_TYPE_BYTE: return unsafe .bytes(Self.bytes(iterator))
    case CDBUS_TYPE_STRING: return .array(of: "s", try unsafe inside(iterator, depth: depth))
    case CDBUS_TYPE_DICT_ENTRY:
      // "a{", a key of one letter, the value's type, "}".
      let type = Array(unsafe Self.signature(iterator).utf8.dropFirst(2).dropLast())
      let key = Signature(unchecked: String(decoding: type.prefix(1), as: UTF8.self))
      let value = Signature(unchecked: String(decoding: type.dropFirst(), as: UTF8.self))
      return .dictionary(key: key, value: value, try unsafe entries(iterator, depth: depth))
    default:
      let element = Signature(unchecked: String(unsafe Self.signature(iterator).dropFirst()))
      return .array(of: element, try unsafe inside(iterator, depth: depth))
    }
  }

  private mutating func entries(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, depth: Int
  ) throws(BusError) -> [Value.Entry] {
    var entry = unsafe DBusMessageIter()
    unsafe dbus_message_iter_recurse(iterator, &entry)
    var result: [Value.Entry] = []
    while unsafe dbus_message_iter_get_arg_type(&entry) == Int32(CDBUS_TYPE_DICT_ENTRY) {
      let pair = try unsafe inside(&entry, depth: depth + 1)
      if pair.count == 2 { result.append(Value.Entry(pair[0], pair[1])) }
      unsafe dbus_message_iter_next(&entry)
    }
    return result
  }

  private static func basic<Number: BitwiseCopyable>(_ iterator: UnsafeMutablePointer<DBusMessageIter>, _ zero: Number)
    -> Number
  {
    var number = zero
    unsafe dbus_message_iter_get_basic(iterator, &number)
    return number
  }

  private static func text(_ iterator: UnsafeMutablePointer<DBusMessageIter>) -> String {
    var pointer: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(iterator, &pointer)
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }

  private static func descriptor(_ iterator: UnsafeMutablePointer<DBusMessageIter>) throws(BusError) -> Value {
    // libdbus hands out a duplicate, or -1 when no more can be opened.
    let descriptor = unsafe basic(iterator, Int32(-1))
    if descriptor < 0 { throw BusError(.tooLarge, "a received file descriptor could not be duplicated") }
    return .unixFD(OwnedDescriptor(adopting: descriptor))
  }

  private static func bytes(_ iterator: UnsafeMutablePointer<DBusMessageIter>) -> [UInt8] {
    var inner = unsafe DBusMessageIter()
    unsafe dbus_message_iter_recurse(iterator, &inner)
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    unsafe dbus_message_iter_get_fixed_array(&inner, &start, &count)
    guard let start = unsafe start, count > 0 else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private static func signature(_ iterator: UnsafeMutablePointer<DBusMessageIter>) -> String {
    guard let text = unsafe dbus_message_iter_get_signature(iterator) else { return "" }
    defer { unsafe dbus_free(text) }
    return unsafe String(cString: text)
  }
}
