internal import CDBus

/// An open connection on its way to its loop.
@safe struct OpenedConnection: ~Copyable, @unchecked Sendable {
  // Unchecked since it has one owner at a time and libdbus locks a connection that has no callbacks yet.
  private let raw: OpaquePointer

  /// Connects the socket; authentication goes on in the loop.
  /// - Throws: ``BusError`` with code `notConnected`, or `noAddress` for an address that only asks to start a bus.
  init(to address: BusAddress) throws(BusError) {
    let text = try address.withoutStarting()
    _ = Self.prepareLibrary
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    defer { unsafe dbus_error_free(&error) }
    guard let raw = unsafe dbus_connection_open_private(text, &error) else {
      let name = unsafe error.name.map { unsafe String(cString: $0) }
      let cause = unsafe error.message.map { unsafe String(cString: $0) } ?? "it cannot be connected to"
      throw BusError(
        .notConnected, "the bus at \(address): \(cause)", name: name.flatMap { name in try? ErrorName(name) })
    }
    unsafe self.raw = unsafe raw
  }

  deinit {
    unsafe dbus_connection_close(raw)
    unsafe dbus_connection_unref(raw)
  }

  /// Gives the C connection away.
  consuming func release() -> OpaquePointer {
    let raw = unsafe raw
    discard self
    return unsafe raw
  }

  /// Once per process: locks in libdbus, and no touching of the process's SIGPIPE (libdbus sends without it anyway).
  private static let prepareLibrary: Bool = {
    dbus_connection_set_change_sigpipe(0)
    return dbus_threads_init_default() != 0
  }()
}

extension BusAddress {
  /// The address as libdbus gets it: nothing in it may start a bus.
  fileprivate func withoutStarting() throws(BusError) -> String {
    if text.utf8.contains(0) { throw BusError(.notConnected, "the bus address '\(text)' is not valid") }
    let parts = text.split(separator: ";")
    let allowed = parts.filter { !$0.hasPrefix("autolaunch:") }
    if parts.isEmpty { throw BusError(.notConnected, "the bus address '\(text)' is empty") }
    if allowed.isEmpty {
      throw BusError(.noAddress, "the bus address '\(text)' asks to start a bus, which is never done")
    }
    // Joining costs a short-lived sender a twentieth of its time, for nothing in nearly all cases.
    return allowed.count == parts.count ? text : allowed.joined(separator: ";")
  }

  /// True if connecting never waits for a network or another program.
  ///
  /// Read by bytes, since a short-lived sender does it at each start.
  var connectsAtOnce: Bool {
    var rest = text.utf8[...]
    while true {
      guard rest.starts(with: "unix:".utf8) else { return rest.isEmpty }
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return true }
      rest = rest[rest.index(after: end)...]
    }
  }
}

/// Carries an open connection into a closure.
final class OpenedBox: @unchecked Sendable {
  // Unchecked since one thread makes the box and hands it to the connection's thread, where it is opened.
  private var opened: OpenedConnection?

  init(_ opened: consuming OpenedConnection) { self.opened = consume opened }

  /// Nil if it was taken before.
  func take() -> OpenedConnection? { opened.take() }
}
