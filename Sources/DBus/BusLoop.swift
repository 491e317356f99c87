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
  /// The write side, once libdbus has wanted to write.
  var writer: WatchSource?
  /// True while what libdbus tells of itself needs no answer, since whoever called it ends its turn anyway.
  var isHandling = false
  /// Counts what was written later than at once, to tell a slow bus from one that stands still.
  var writes = 0
  private var turnIsScheduled = false
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

  private func lookWhetherSent() {
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
    writer = nil
  }

  /// Does what is to be done outside of C callbacks: hands over what arrived, writes what is to be written.
  func turn() {
    dispatch()
    endTurn()
  }

  /// The second half of ``turn()``.
  func endTurn() {
    if write(), let raw = unsafe raw, unsafe dbus_connection_get_dispatch_status(raw) != DBUS_DISPATCH_COMPLETE {
      // Writing showed that the connection has ended.
      scheduleTurn()
    }
    lookWhetherSent()
  }

  /// Plans a ``turn()``; allowed inside a C callback.
  func scheduleTurn() {
    if isHandling || turnIsScheduled { return }
    turnIsScheduled = true
    executor.queue.async {
      self.turnIsScheduled = false
      self.turn()
    }
  }

  /// Hands what arrived to the owner. Never called from inside a C callback.
  func dispatch() {
    executor.assertCurrent()
    guard !isHandling else { return }
    isHandling = true
    var status = DBUS_DISPATCH_DATA_REMAINS
    for _ in 0..<256 where status == DBUS_DISPATCH_DATA_REMAINS {
      guard let raw = unsafe raw else { break }
      status = unsafe dbus_connection_dispatch(raw)
    }
    isHandling = false
    // Let other work on the queue have its turn, or memory become free.
    if unsafe raw != nil, status != DBUS_DISPATCH_COMPLETE { scheduleTurn() }
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
    return allowed.joined(separator: ";")
  }

  /// True if connecting never waits for a network or another program.
  var connectsAtOnce: Bool { text.split(separator: ";").allSatisfy { $0.hasPrefix("unix:") } }
}

/// Carries an open connection into a closure.
final class OpenedBox: @unchecked Sendable {
  // Unchecked since one thread makes the box and hands it to the queue, where it is opened.
  private var opened: OpenedConnection?

  init(_ opened: consuming OpenedConnection) { self.opened = consume opened }

  /// Nil if it was taken before.
  func take() -> OpenedConnection? { opened.take() }
}
