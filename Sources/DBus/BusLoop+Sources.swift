internal import CDBus
internal import Dispatch
internal import Glibc

/// libdbus's watches and timeouts as dispatch sources; the only C callbacks.
extension BusLoop {
  private static func from(_ pointer: UnsafeMutableRawPointer?) -> BusLoop? {
    guard let pointer = unsafe pointer else { return nil }
    let loop = unsafe Unmanaged<BusLoop>.fromOpaque(pointer).takeUnretainedValue()
    loop.executor.assertCurrent()
    return loop
  }

  /// Lets libdbus call us. It holds a reference to the loop until ``removeCallbacks(_:)``.
  func installCallbacks() {
    guard let raw = unsafe raw else { return }
    let me = unsafe Unmanaged.passRetained(self).toOpaque()
    _ = unsafe dbus_connection_set_watch_functions(
      raw,
      { watch, data in
        guard let watch = unsafe watch, let loop = unsafe BusLoop.from(data) else { return 0 }
        unsafe loop.addWatch(watch)
        return 1
      },
      { watch, _ in unsafe watch.map { unsafe WatchSource.end($0) } },
      { watch, _ in unsafe watch.map { unsafe WatchSource.toggle($0) } }, me, nil)
    _ = unsafe dbus_connection_set_timeout_functions(
      raw,
      { timeout, data in
        guard let timeout = unsafe timeout, let loop = unsafe BusLoop.from(data) else { return 0 }
        unsafe loop.addTimeout(timeout)
        return 1
      },
      { timeout, _ in unsafe timeout.map { unsafe TimeoutSource.end($0) } },
      { timeout, data in
        guard let timeout = unsafe timeout, let loop = unsafe BusLoop.from(data) else { return }
        unsafe TimeoutSource.end(timeout)
        unsafe loop.addTimeout(timeout)
      }, me, nil)
    unsafe dbus_connection_set_dispatch_status_function(
      raw,
      { _, status, data in
        guard status == DBUS_DISPATCH_DATA_REMAINS, let loop = unsafe BusLoop.from(data) else {
          return
        }
        loop.scheduleTurn()
      }, me, nil)
    _ = unsafe dbus_connection_add_filter(raw, BusLoop.filter, me, nil)
    // Something may have arrived before there was anyone to tell.
    if unsafe dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS { scheduleTurn() }
  }

  /// Ends what `installCallbacks()` began; the caller holds a reference of its own.
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

  private func addWatch(_ watch: OpaquePointer) {
    unsafe dbus_watch_set_data(
      watch, Unmanaged.passRetained(WatchSource(watch, self)).toOpaque(),
      { unsafe Unmanaged<WatchSource>.fromOpaque($0!).release() })
    unsafe WatchSource.toggle(watch)
  }

  private func addTimeout(_ timeout: OpaquePointer) {
    guard unsafe dbus_timeout_get_enabled(timeout) != 0 else { return }
    unsafe dbus_timeout_set_data(
      timeout, Unmanaged.passRetained(TimeoutSource(timeout, self)).toOpaque(),
      { unsafe Unmanaged<TimeoutSource>.fromOpaque($0!).release() })
  }

  /// The socket can be read.
  ///
  /// It is read again while there is more, and what arrived is dispatched in between: libdbus reads only a few
  /// kilobytes at a time, and the way back through the dispatch library costs more than asking the socket.
  fileprivate func read(_ source: WatchSource) {
    executor.assertCurrent()
    for _ in 0..<64 {
      guard handle(source) else { break }
      dispatch()
      guard source.isReady else { break }
    }
    endTurn()
  }

  /// Writes what libdbus wants to write, as long as the socket takes it; then its dispatch source tells when to go on.
  /// - Returns: true if something was tried.
  func write() -> Bool {
    executor.assertCurrent()
    guard let writer, writer.isEnabled else { return false }
    for _ in 0..<512 where writer.isEnabled {
      if !writer.isReady {
        writer.setRunning(true)
        return true
      }
      _ = handle(writer)
      writes += 1
    }
    if writer.isEnabled { scheduleTurn() }
    return true
  }

  /// Lets libdbus read or write once; false if it does not want to.
  private func handle(_ source: WatchSource) -> Bool {
    guard source.isEnabled, let watch = unsafe source.watch else { return false }
    isHandling = true
    defer { isHandling = false }
    _ = unsafe dbus_watch_handle(watch, source.flags)
    return true
  }

  fileprivate func handle(_ source: TimeoutSource) {
    executor.assertCurrent()
    guard let timeout = unsafe source.timeout else { return }
    isHandling = true
    _ = unsafe dbus_timeout_handle(timeout)
    isHandling = false
    turn()
  }
}

/// One libdbus watch: the socket's read or write side. It lives as the watch's data, touched on the connection's queue
/// only.
///
/// Each has a descriptor of its own: libdbus may close the socket at any time, and two dispatch sources of one
/// descriptor can lose events (seen with libdispatch 6.3 on Linux: a readable socket that was never told of).
@safe final class WatchSource: @unchecked Sendable {
  /// Nil once libdbus has taken the watch back.
  fileprivate private(set) var watch: OpaquePointer?
  fileprivate let flags: UInt32
  private weak var loop: BusLoop?
  private var source: (any DispatchSourceProtocol)?
  private var isRunning = false
  private let descriptor: Int32

  fileprivate init(_ watch: OpaquePointer, _ loop: BusLoop) {
    unsafe self.watch = unsafe watch
    self.loop = loop
    flags = unsafe dbus_watch_get_flags(watch)
    descriptor = unsafe dbus_watch_get_unix_fd(watch)
  }

  private var reads: Bool { flags & DBUS_WATCH_READABLE.rawValue != 0 }

  /// True while libdbus wants to read or write.
  fileprivate var isEnabled: Bool {
    guard let watch = unsafe watch else { return false }
    return unsafe dbus_watch_get_enabled(watch) != 0
  }

  /// True if the socket can be read or written right now.
  fileprivate var isReady: Bool {
    guard unsafe watch != nil else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(reads ? POLLIN : POLLOUT), revents: 0)
    return unsafe Glibc.poll(&poll, 1, 0) > 0
  }

  private static func of(_ watch: OpaquePointer) -> WatchSource? {
    guard let data = unsafe dbus_watch_get_data(watch) else { return nil }
    return unsafe Unmanaged<WatchSource>.fromOpaque(data).takeUnretainedValue()
  }

  /// Follows the watch being switched on or off.
  fileprivate static func toggle(_ watch: OpaquePointer) {
    guard let me = unsafe of(watch) else { return }
    let isEnabled = me.isEnabled
    if me.reads || !isEnabled { return me.setRunning(isEnabled) }
    // Mostly the socket takes all at once: the dispatch source is used only when it does not.
    me.loop?.writer = me
    me.loop?.scheduleTurn()
  }

  /// Lets go of the watch.
  fileprivate static func end(_ watch: OpaquePointer) {
    guard let me = unsafe of(watch) else { return }
    me.end()
    unsafe dbus_watch_set_data(watch, nil, nil)
  }

  fileprivate func setRunning(_ on: Bool) {
    if on == isRunning { return }
    if on, source == nil { source = makeSource() }
    guard let source else { return }
    isRunning = on
    if on { source.resume() } else { source.suspend() }
  }

  private func makeSource() -> (any DispatchSourceProtocol)? {
    guard let loop, let own = try? OwnedDescriptor(duplicating: descriptor) else { return nil }
    let queue = loop.executor.queue
    let source: any DispatchSourceProtocol
    if reads {
      source = DispatchSource.makeReadSource(fileDescriptor: own.rawValue, queue: queue)
      source.setEventHandler { [weak self] in
        if let self { self.loop?.read(self) }
      }
    } else {
      source = DispatchSource.makeWriteSource(fileDescriptor: own.rawValue, queue: queue)
      source.setEventHandler { [weak self] in
        self?.setRunning(false)
        self?.loop?.turn()
      }
    }
    // The source must let go of the descriptor before it is closed.
    source.setCancelHandler { withExtendedLifetime(own) {} }
    return source
  }

  private func end() {
    unsafe watch = nil
    if loop?.writer === self { loop?.writer = nil }
    source?.cancel()
    // Only a source that runs can be cancelled to its end.
    if !isRunning { source?.resume() }
    isRunning = true
    source = nil
  }
}

/// One libdbus timeout. It lives as the timeout's data, touched on the connection's queue only.
@safe private final class TimeoutSource: @unchecked Sendable {
  /// Nil once libdbus has taken the timeout back.
  private(set) var timeout: OpaquePointer?
  private let source: any DispatchSourceTimer

  init(_ timeout: OpaquePointer, _ loop: BusLoop) {
    unsafe self.timeout = unsafe timeout
    source = DispatchSource.makeTimerSource(queue: loop.executor.queue)
    let interval = DispatchTimeInterval.milliseconds(unsafe max(1, Int(dbus_timeout_get_interval(timeout))))
    source.schedule(deadline: .now() + interval, repeating: interval)
    source.setEventHandler { [weak self, weak loop] in
      if let self { loop?.handle(self) }
    }
    source.resume()
  }

  /// Lets go of the timeout.
  static func end(_ timeout: OpaquePointer) {
    guard let data = unsafe dbus_timeout_get_data(timeout) else { return }
    let me = unsafe Unmanaged<TimeoutSource>.fromOpaque(data).takeUnretainedValue()
    unsafe me.timeout = nil
    me.source.cancel()
    unsafe dbus_timeout_set_data(timeout, nil, nil)
  }
}
