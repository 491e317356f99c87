internal import CDBus

/// The only C callbacks: libdbus's watches, timeouts and messages.
extension BusLoop {
  private static func from(_ pointer: UnsafeMutableRawPointer?) -> BusLoop? {
    guard let pointer = unsafe pointer else { return nil }
    let loop = unsafe Unmanaged<BusLoop>.fromOpaque(pointer).takeUnretainedValue()
    loop.executor.assertCurrent()
    return loop
  }

  /// Lets libdbus call us. It holds a reference to the loop until ``removeCallbacks(_:)``.
  func installCallbacks(_ raw: OpaquePointer) {
    let me = unsafe Unmanaged.passRetained(self).toOpaque()
    // Whether a watch is wanted is asked each time before waiting, so switching it needs no call.
    _ = unsafe dbus_connection_set_watch_functions(
      raw,
      { watch, data in
        guard let watch = unsafe watch, let loop = unsafe BusLoop.from(data) else { return 0 }
        unsafe loop.watches.append(watch)
        return 1
      },
      { watch, data in
        guard let watch = unsafe watch, let loop = unsafe BusLoop.from(data) else { return }
        unsafe loop.watches.removeAll { $0 == watch }
      },
      { _, _ in }, me, nil)
    _ = unsafe dbus_connection_set_timeout_functions(
      raw,
      { timeout, data in
        guard let timeout = unsafe timeout, let loop = unsafe BusLoop.from(data) else { return 0 }
        unsafe BusTimeout.start(timeout, loop.executor)
        return 1
      },
      { timeout, _ in unsafe timeout.map { unsafe BusTimeout.end($0) } },
      { timeout, data in
        guard let timeout = unsafe timeout, let loop = unsafe BusLoop.from(data) else { return }
        unsafe BusTimeout.end(timeout)
        unsafe BusTimeout.start(timeout, loop.executor)
      }, me, nil)
    unsafe dbus_connection_set_dispatch_status_function(
      raw,
      { _, status, data in
        guard status == DBUS_DISPATCH_DATA_REMAINS, let loop = unsafe BusLoop.from(data) else { return }
        loop.mayDispatch = true
      }, me, nil)
    _ = unsafe dbus_connection_add_filter(raw, BusLoop.filter, me, nil)
  }

  /// Ends what `installCallbacks(_:)` began; the caller holds a reference of its own.
  func removeCallbacks(_ raw: OpaquePointer) {
    let me = unsafe Unmanaged.passUnretained(self)
    unsafe dbus_connection_remove_filter(raw, BusLoop.filter, me.toOpaque())
    unsafe dbus_connection_set_dispatch_status_function(raw, nil, nil, nil)
    _ = unsafe dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)
    _ = unsafe dbus_connection_set_timeout_functions(raw, nil, nil, nil, nil, nil)
    unsafe me.release()
  }

  private static let filter: DBusHandleMessageFunction = { _, message, data in
    guard let message = unsafe message, let loop = unsafe BusLoop.from(data) else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    loop.receive(unsafe ReceivedMessage(borrowing: message))
    return DBUS_HANDLER_RESULT_HANDLED
  }
}

/// One libdbus timeout, which is the timeout's data; on the connection's thread only.
///
/// Calls have no such timeout: ``Deadlines`` serves them all at less cost.
@safe private final class BusTimeout {
  /// Nil once libdbus has taken the timeout back or switched it off.
  private var timeout: OpaquePointer?

  private init(_ timeout: OpaquePointer) { unsafe self.timeout = unsafe timeout }

  static func start(_ timeout: OpaquePointer, _ executor: BusExecutor) {
    guard unsafe dbus_timeout_get_enabled(timeout) != 0 else { return }
    let me = unsafe BusTimeout(timeout)
    unsafe dbus_timeout_set_data(
      timeout, Unmanaged.passRetained(me).toOpaque(), { unsafe Unmanaged<BusTimeout>.fromOpaque($0!).release() })
    me.schedule(executor)
  }

  static func end(_ timeout: OpaquePointer) {
    guard let data = unsafe dbus_timeout_get_data(timeout) else { return }
    unsafe Unmanaged<BusTimeout>.fromOpaque(data).takeUnretainedValue().timeout = nil
    unsafe dbus_timeout_set_data(timeout, nil, nil)
  }

  private func schedule(_ executor: BusExecutor) {
    guard let timeout = unsafe timeout else { return }
    let interval = unsafe UInt64(max(1, dbus_timeout_get_interval(timeout)))
    executor.schedule(at: monotonicTime() + interval * 1_000_000) { [self] in
      guard let timeout = unsafe self.timeout else { return }
      _ = unsafe dbus_timeout_handle(timeout)
      schedule(executor)
    }
  }
}
