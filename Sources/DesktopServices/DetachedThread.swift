internal import CLinux

/// Threads of this target's own.
enum DetachedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which takes none of the process's signals.
  /// - Parameter name: at most 15 bytes, for people who look at the process.
  /// - Returns: false if the system allows no more threads.
  static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(Body(body))
    let error = unsafe clinux_start_thread(
      name,
      { box in
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      unsafe box.release()
      return false
    }
    return true
  }
}
