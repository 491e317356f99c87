internal import CDBus
internal import Glibc

/// What a loop tells its owner, always on the connection's thread.
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
/// Unchecked since every stored property is touched on the executor's thread only: each entry, the C callbacks
/// included, asserts it.
@safe final class BusLoop: @unchecked Sendable {
  let executor: BusExecutor
  weak var owner: (any BusLoopOwner)?
  /// Nil once closed.
  private(set) var raw: OpaquePointer?
  /// The watches that libdbus has set up: one to read, one to write.
  var watches: [OpaquePointer] = unsafe []
  /// True if messages may wait to be dispatched.
  var mayDispatch = false
  /// Counts what was written later than at once, to tell a slow bus from one that stands still.
  private(set) var writes = 0
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
    unsafe installCallbacks(raw)
    mayDispatch = true
    executor.socket = self
  }

  /// Queues a message and writes as much as the socket takes.
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
    executor.socket = nil
    unsafe dbus_connection_close(raw)
    unsafe removeCallbacks(raw)
    unsafe dbus_connection_unref(raw)
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

extension BusLoop: PolledSocket {
  var hasMore: Bool { mayDispatch }

  func addDescriptors(to list: inout [pollfd]) {
    unsafe watches.forEach { watch in
      guard unsafe dbus_watch_get_enabled(watch) != 0 else { return }
      let flags = unsafe dbus_watch_get_flags(watch)
      let events =
        (flags & DBUS_WATCH_READABLE.rawValue != 0 ? POLLIN : 0)
        | (flags & DBUS_WATCH_WRITABLE.rawValue != 0 ? POLLOUT : 0)
      list.append(unsafe pollfd(fd: dbus_watch_get_unix_fd(watch), events: Int16(events), revents: 0))
    }
  }

  func serve(_ ready: ArraySlice<pollfd>) {
    executor.assertCurrent()
    for entry in ready where entry.revents != 0 { handle(entry) }
    if mayDispatch { dispatch() }
    lookWhetherSent()
  }

  /// Lets libdbus read or write, a few kilobytes at a time.
  private func handle(_ ready: pollfd) {
    let flags = Self.flags(ready.revents)
    // Looked up anew: libdbus may have taken a watch back while another was handled.
    let fitting = unsafe watches.first { watch in
      unsafe dbus_watch_get_enabled(watch) != 0 && dbus_watch_get_unix_fd(watch) == ready.fd
        && (ready.events & Int16(POLLIN) != 0)
          == (dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0)
    }
    guard let watch = unsafe fitting else { return }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { writes += 1 }
    _ = unsafe dbus_watch_handle(watch, flags)
  }

  private static func flags(_ events: Int16) -> UInt32 {
    let events = Int32(events)
    return (events & POLLIN != 0 ? DBUS_WATCH_READABLE.rawValue : 0)
      | (events & POLLOUT != 0 ? DBUS_WATCH_WRITABLE.rawValue : 0)
      | (events & (POLLERR | POLLNVAL) != 0 ? DBUS_WATCH_ERROR.rawValue : 0)
      | (events & POLLHUP != 0 ? DBUS_WATCH_HANGUP.rawValue : 0)
  }

  /// Hands what arrived to the owner. Never called from inside a C callback.
  private func dispatch() {
    // Let other work on the thread have its turn after some messages.
    for _ in 0..<256 {
      guard let raw = unsafe raw, unsafe dbus_connection_dispatch(raw) != DBUS_DISPATCH_COMPLETE else {
        mayDispatch = false
        return
      }
    }
  }
}
