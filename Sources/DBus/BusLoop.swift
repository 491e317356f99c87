internal import CDBus
internal import Dispatch

/// What a loop tells its owner, always on the connection's queue.
protocol BusLoopOwner: AnyObject {
  /// A message arrived; `message` must not be kept.
  func loop(_ loop: BusLoop, received message: ReceivedMessage)
  /// The connection has ended by itself. It comes once, behind all messages that arrived.
  func loopEnded(_ loop: BusLoop)
  /// All that was to be sent has left; only told after ``BusLoop/tellWhenSent()``.
  func loopHasSentAll(_ loop: BusLoop)
}

/// The one class that holds the C connection, from its opening to its end; there is a new one after a loss.
///
/// Unchecked since every stored property is touched on the executor's queue only: each entry, the C callbacks
/// included, asserts it.
@safe final class BusLoop: @unchecked Sendable {
  let executor: BusExecutor
  weak var owner: (any BusLoopOwner)?
  /// Nil once closed.
  var raw: OpaquePointer?
  /// The dispatch side's own duplicate of the socket, so that libdbus may close its descriptor at any time.
  var socket: OwnedDescriptor?
  /// True while new dispatch states need not be told, since whoever called libdbus dispatches anyway.
  var isHandling = false
  private var dispatchIsScheduled = false
  private var tellsWhenSent = false
  private var hasEnded = false

  /// Takes over an open connection and begins to serve it.
  init(_ opened: consuming OpenedConnection, executor: BusExecutor, owner: any BusLoopOwner, maximumMessageSize: Int) {
    self.executor = executor
    self.owner = owner
    executor.assertCurrent()
    let raw = unsafe opened.release()
    unsafe self.raw = unsafe raw
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    unsafe dbus_connection_set_max_message_size(raw, min(maximumMessageSize, Limits.message))
    unsafe dbus_connection_set_route_peer_messages(raw, 0)
    installCallbacks()
  }

  /// Queues a message.
  /// - Returns: its serial; nil if the transport cannot carry its descriptors or there is no memory.
  func send(_ message: MessageHandle) -> UInt32? {
    executor.assertCurrent()
    guard let raw = unsafe raw else { return nil }
    var serial: UInt32 = 0
    guard unsafe dbus_connection_send(raw, message.raw, &serial) != 0 else { return nil }
    return serial
  }

  /// False on a transport that passes no descriptors; known once the bus has answered `Hello`.
  var passesDescriptors: Bool {
    guard let raw = unsafe raw else { return false }
    return unsafe dbus_connection_can_send_type(raw, Int32(CDBUS_TYPE_UNIX_FD)) != 0
  }

  /// False until the bus has taken our credentials.
  var isAuthenticated: Bool {
    guard let raw = unsafe raw else { return false }
    return unsafe dbus_connection_get_is_authenticated(raw) != 0
  }

  /// Lets the owner know when nothing is left to be sent, at once if that is so already.
  func tellWhenSent() {
    executor.assertCurrent()
    tellsWhenSent = true
    lookWhetherSent()
  }

  /// To be called when something may have been written.
  func lookWhetherSent() {
    guard tellsWhenSent, let raw = unsafe raw, unsafe dbus_connection_has_messages_to_send(raw) == 0 else { return }
    tellsWhenSent = false
    owner?.loopHasSentAll(self)
  }

  /// Ends the connection; what is not sent yet is lost. The owner hears nothing more.
  func close() {
    executor.assertCurrent()
    guard let raw = unsafe raw else { return }
    unsafe self.raw = nil
    hasEnded = true
    owner = nil
    unsafe dbus_connection_close(raw)
    unsafe removeCallbacks(raw)
    unsafe dbus_connection_unref(raw)
    socket = nil
  }

  /// Hands what arrived to the owner. Never called from inside a C callback.
  func dispatch() {
    executor.assertCurrent()
    isHandling = true
    defer { isHandling = false }
    for _ in 0..<256 {
      guard let raw = unsafe raw else { return }
      guard unsafe dbus_connection_dispatch(raw) == DBUS_DISPATCH_DATA_REMAINS else { return }
    }
    // Let other work on the queue have its turn.
    scheduleDispatch()
  }

  /// Plans a `dispatch()`; allowed inside a C callback.
  func scheduleDispatch() {
    if dispatchIsScheduled { return }
    dispatchIsScheduled = true
    executor.queue.async {
      self.dispatchIsScheduled = false
      self.dispatch()
    }
  }

  /// Takes a message from libdbus, in the order of arrival.
  func receive(_ message: ReceivedMessage) {
    if message.isDisconnectedNote {
      if hasEnded { return }
      hasEnded = true
      owner?.loopEnded(self)
    } else {
      owner?.loop(self, received: message)
    }
  }
}

/// An open connection on its way to its loop.
@safe struct OpenedConnection: ~Copyable, @unchecked Sendable {
  // Unchecked since it has one owner at a time and libdbus locks a connection that has no callbacks yet.
  private let raw: OpaquePointer

  /// Connects the socket; authentication goes on in the loop.
  /// - Throws: ``BusError`` with code `notConnected`, or `noAddress` for an address that asks to start a bus.
  init(to address: BusAddress) throws(BusError) {
    try address.check()
    _ = Self.prepareLibrary
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    defer { unsafe dbus_error_free(&error) }
    guard let raw = unsafe dbus_connection_open_private(address.text, &error) else {
      let name = unsafe error.name.map { unsafe String(cString: $0) }
      let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "it cannot be connected to"
      throw BusError(
        .notConnected, "the bus at \(address): \(text)", name: name.flatMap { name in try? ErrorName(name) })
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
  /// Refuses what libdbus would take in a way that we do not want.
  fileprivate func check() throws(BusError) {
    if text.isEmpty || text.utf8.contains(0) { throw BusError(.notConnected, "the bus address '\(text)' is not valid") }
    for part in text.split(separator: ";") where part.hasPrefix("autolaunch:") {
      throw BusError(.noAddress, "the bus address '\(text)' asks to start a bus, which is never done")
    }
  }
}
