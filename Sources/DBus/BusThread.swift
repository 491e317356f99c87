internal import CLinux
internal import Glibc

/// Threads of this target's own.
enum BusThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which takes none of the process's signals.
  /// - Throws: ``BusError`` with code `notConnected` if the system allows no more threads.
  static func start(_ body: @escaping @Sendable () -> Void) throws(BusError) {
    var all = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Body(body))
    let error = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box else { return nil }
        unsafe clinux_name_thread("notify-bridge")
        unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      unsafe box.release()
      throw BusError(.notConnected, "a thread for the connection cannot be started (error \(error))")
    }
    pthread_detach(thread)
  }
}

/// Nanoseconds of the monotonic clock, which neither jumps nor counts a sleep of the machine.
func monotonicTime() -> UInt64 { clinux_monotonic_time() }
