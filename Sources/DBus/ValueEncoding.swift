internal import CDBus

/// Writes checked values into a message.
///
/// libdbus aborts the process when it is used wrongly, so everything was checked by ``BodySize`` before.
enum ValueEncoding {
  /// Appends `value`; false if memory or descriptors ran out. The message is then to be thrown away.
  static func append(_ value: Value, to iterator: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    switch value {
    case .byte(let number): unsafe basic(CDBUS_TYPE_BYTE, number, iterator)
    case .boolean(let flag): unsafe basic(CDBUS_TYPE_BOOLEAN, dbus_bool_t(flag ? 1 : 0), iterator)
    case .int16(let number): unsafe basic(CDBUS_TYPE_INT16, number, iterator)
    case .uint16(let number): unsafe basic(CDBUS_TYPE_UINT16, number, iterator)
    case .int32(let number): unsafe basic(CDBUS_TYPE_INT32, number, iterator)
    case .uint32(let number): unsafe basic(CDBUS_TYPE_UINT32, number, iterator)
    case .int64(let number): unsafe basic(CDBUS_TYPE_INT64, number, iterator)
    case .uint64(let number): unsafe basic(CDBUS_TYPE_UINT64, number, iterator)
    case .double(let number): unsafe basic(CDBUS_TYPE_DOUBLE, number, iterator)
    case .unixFD(let descriptor): unsafe basic(CDBUS_TYPE_UNIX_FD, descriptor.rawValue, iterator)
    case .string(let text): unsafe self.text(CDBUS_TYPE_STRING, text, iterator)
    case .objectPath(let path): unsafe text(CDBUS_TYPE_OBJECT_PATH, path.text, iterator)
    case .signature(let signature): unsafe text(CDBUS_TYPE_SIGNATURE, signature.text, iterator)
    case .bytes(let bytes): unsafe self.bytes(bytes, iterator)
    case .array(let element, let elements):
      unsafe container(CDBUS_TYPE_ARRAY, element.text, iterator) { inner in
        elements.allSatisfy { unsafe append($0, to: inner) }
      }
    case .dictionary(let key, let value, let entries):
      unsafe container(CDBUS_TYPE_ARRAY, "{" + key.text + value.text + "}", iterator) { inner in
        entries.allSatisfy { entry in
          unsafe container(CDBUS_TYPE_DICT_ENTRY, nil, inner) { pair in
            unsafe append(entry.key, to: pair) && append(entry.value, to: pair)
          }
        }
      }
    case .structure(let members):
      unsafe container(CDBUS_TYPE_STRUCT, nil, iterator) { inner in
        members.allSatisfy { unsafe append($0, to: inner) }
      }
    case .variant(let inner):
      unsafe container(CDBUS_TYPE_VARIANT, inner.signature.text, iterator) { unsafe append(inner, to: $0) }
    }
  }

  private static func basic<Number: BitwiseCopyable>(
    _ type: Int, _ number: Number, _ iterator: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    var number = number
    return unsafe dbus_message_iter_append_basic(iterator, Int32(type), &number) != 0
  }

  private static func text(
    _ type: Int, _ text: String, _ iterator: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    unsafe text.withCString { pointer in
      var pointer = unsafe pointer
      return unsafe dbus_message_iter_append_basic(iterator, Int32(type), &pointer) != 0
    }
  }

  private static func bytes(_ bytes: [UInt8], _ iterator: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    unsafe container(CDBUS_TYPE_ARRAY, "y", iterator) { inner in
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard var start = buffer.baseAddress, !buffer.isEmpty else { return true }
        return unsafe dbus_message_iter_append_fixed_array(
          inner, Int32(CDBUS_TYPE_BYTE), &start, Int32(buffer.count)) != 0
      }
    }
  }

  private static func container(
    _ type: Int, _ contents: String?, _ iterator: UnsafeMutablePointer<DBusMessageIter>,
    _ fill: (UnsafeMutablePointer<DBusMessageIter>) -> Bool
  ) -> Bool {
    var inner = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_open_container(iterator, Int32(type), contents, &inner) != 0 else { return false }
    guard unsafe fill(&inner) else {
      unsafe dbus_message_iter_abandon_container(iterator, &inner)
      return false
    }
    return unsafe dbus_message_iter_close_container(iterator, &inner) != 0
  }
}
