internal import CDBus

/// A message that libdbus lends for the length of one callback; it must not be kept.
@safe struct ReceivedMessage {
  private let raw: OpaquePointer

  /// Wraps `raw`, which stays libdbus's.
  init(borrowing raw: OpaquePointer) { unsafe self.raw = unsafe raw }

  /// Nil for a kind that the specification does not know (yet); such messages are to be ignored.
  var kind: MessageKind? {
    switch unsafe dbus_message_get_type(raw) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
    case DBUS_MESSAGE_TYPE_ERROR: .error
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: nil
    }
  }

  var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(raw) }

  /// True for the note that libdbus itself puts last when the connection has ended.
  var isDisconnectedNote: Bool {
    unsafe dbus_message_is_signal(raw, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }

  /// The message without its body. libdbus has checked every name in it.
  func head(_ kind: MessageKind, sequence: UInt64) -> Message {
    unsafe Message(
      kind: kind,
      sender: Self.text(dbus_message_get_sender(raw)).map(BusName.init(unchecked:)),
      destination: Self.text(dbus_message_get_destination(raw)).map(BusName.init(unchecked:)),
      path: Self.text(dbus_message_get_path(raw)).map(ObjectPath.init(unchecked:)),
      interface: Self.text(dbus_message_get_interface(raw)).map(InterfaceName.init(unchecked:)),
      member: Self.text(dbus_message_get_member(raw)).map(MemberName.init(unchecked:)),
      errorName: Self.text(dbus_message_get_error_name(raw)).map(ErrorName.init(unchecked:)),
      serial: dbus_message_get_serial(raw),
      replySerial: dbus_message_get_reply_serial(raw),
      wantsNoReply: dbus_message_get_no_reply(raw) != 0,
      sequence: sequence)
  }

  /// The arguments.
  /// - Throws: `tooLarge` for what could take all memory or all descriptors.
  func body() throws(BusError) -> [Value] {
    var iterator = unsafe DBusMessageIter()
    if unsafe dbus_message_iter_init(raw, &iterator) == 0 { return [] }
    var decoding = ValueDecoding()
    return try unsafe decoding.values(&iterator, depth: 0)
  }

  /// The signature of the arguments, without decoding them.
  var signature: String { unsafe Self.text(dbus_message_get_signature(raw)) ?? "" }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}
