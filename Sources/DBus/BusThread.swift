internal import CLinux

/// Threads of this target's own.
enum BusThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which takes none of the process's signals.
  /// - Throws: ``BusError`` with code `notConnected` if the system allows no more threads.
  static func start(_ body: @escaping @Sendable () -> Void) throws(BusError) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    let error = unsafe clinux_start_thread(
      "notify-bridge",
      { box in
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      unsafe box.release()
      throw BusError(.notConnected, "a thread for the connection cannot be started (error \(error))")
    }
  }
}

/// Nanoseconds of the monotonic clock, which neither jumps nor counts a sleep of the machine.
func monotonicTime() -> UInt64 { clinux_monotonic_time() }
