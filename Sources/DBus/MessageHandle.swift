internal import CDBus

/// Owns one reference to a message to be sent. It never leaves this target.
///
/// Unchecked since the C message is built in `init` and afterwards only read, by the thread that sends it; libdbus
/// counts references atomically.
@safe final class MessageHandle: @unchecked Sendable {
  let raw: OpaquePointer
  /// True if the message carries file descriptors.
  let carriesDescriptors: Bool

  /// Takes over `raw` and appends `body` to it.
  private init(
    adopting raw: OpaquePointer?, body: [Value], headerSize: Int, maximumSize: Int
  ) throws(BusError) {
    guard let raw = unsafe raw else { throw Self.outOfMemory }
    unsafe self.raw = unsafe raw
    var size = BodySize()
    do {
      try size.add(body)
    } catch {
      carriesDescriptors = false
      throw error
    }
    carriesDescriptors = size.descriptors > 0
    if size.offset + headerSize > min(maximumSize, Limits.message) {
      throw BusError(.tooLarge, "the message would have \(size.offset + headerSize) bytes")
    }
    if body.isEmpty { return }
    var iterator = unsafe DBusMessageIter()
    unsafe dbus_message_iter_init_append(raw, &iterator)
    for value in body {
      guard unsafe ValueEncoding.append(value, to: &iterator) else {
        throw carriesDescriptors
          ? BusError(.invalidValue, "a file descriptor could not be duplicated") : Self.outOfMemory
      }
    }
  }

  deinit { unsafe dbus_message_unref(raw) }

  private static let outOfMemory = BusError(.tooLarge, "there is no memory for the message")
}

/// The four kinds of message that we send.
extension MessageHandle {
  /// A call; `wantsReply` false tells the peer not to answer.
  convenience init(_ call: MethodCall, wantsReply: Bool, maximumSize: Int) throws(BusError) {
    try Self.refuseLocal(call.path, call.interface)
    let raw = unsafe dbus_message_new_method_call(
      call.destination.text, call.path.text, call.interface.text, call.member.text)
    if let raw = unsafe raw {
      if !wantsReply { unsafe dbus_message_set_no_reply(raw, 1) }
      if !call.startsService { unsafe dbus_message_set_auto_start(raw, 0) }
    }
    try unsafe self.init(
      adopting: raw, body: call.body,
      headerSize: Limits.header(
        call.path.text, call.destination.text, call.interface.text, call.member.text),
      maximumSize: maximumSize)
  }

  /// A signal.
  convenience init(_ signal: Signal, maximumSize: Int) throws(BusError) {
    try Self.refuseLocal(signal.path, signal.interface)
    let raw = unsafe dbus_message_new_signal(signal.path.text, signal.interface.text, signal.member.text)
    if let raw = unsafe raw, let destination = signal.destination {
      _ = unsafe dbus_message_set_destination(raw, destination.text)
    }
    try unsafe self.init(
      adopting: raw, body: signal.body,
      headerSize: Limits.header(
        signal.path.text, signal.destination?.text ?? "", signal.interface.text, signal.member.text),
      maximumSize: maximumSize)
  }

  /// The answer to the call `serial` of `destination`; an error if `errorName` is given.
  convenience init(
    answering serial: UInt32, of destination: BusName?, errorName: ErrorName? = nil, body: [Value], maximumSize: Int
  ) throws(BusError) {
    let raw = unsafe dbus_message_new(
      errorName == nil ? DBUS_MESSAGE_TYPE_METHOD_RETURN : DBUS_MESSAGE_TYPE_ERROR)
    if let raw = unsafe raw {
      _ = unsafe dbus_message_set_reply_serial(raw, serial)
      unsafe dbus_message_set_no_reply(raw, 1)
      if let errorName { _ = unsafe dbus_message_set_error_name(raw, errorName.text) }
      if let destination { _ = unsafe dbus_message_set_destination(raw, destination.text) }
    }
    try unsafe self.init(
      adopting: raw, body: body, headerSize: Limits.header(destination?.text ?? "", errorName?.text ?? "", "", ""),
      maximumSize: maximumSize)
  }

  /// The bus ends the connection of whoever uses the names that libdbus keeps for itself.
  private static func refuseLocal(_ path: ObjectPath, _ interface: InterfaceName) throws(BusError) {
    if path.text == DBUS_PATH_LOCAL || interface.text == DBUS_INTERFACE_LOCAL {
      throw BusError(.invalidValue, "\(path) and \(interface) cannot be sent: the name is reserved")
    }
  }
}

/// What no message may exceed, in bytes. Source: D-Bus Specification, "Message Protocol" and "Marshaling".
enum Limits {
  static let message = 1 << 27
  static let array = 1 << 26
  /// Arrays, structs, dictionary entries and variants inside each other.
  static let depth = 64
  /// What any bus takes in one message (the system bus's default).
  static let descriptors = 16
  /// Values decoded from one message, so that a small message cannot take all memory.
  static let decodedValues = 1 << 20

  /// At least the size of a header with these texts.
  static func header(_ first: String, _ second: String, _ third: String, _ fourth: String) -> Int {
    first.utf8.count + second.utf8.count + third.utf8.count + fourth.utf8.count + 512
  }
}
