internal import CLinux
internal import Glibc
internal import Synchronization

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
    var all = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(
      Body {
        unsafe clinux_name_thread(name)
        body()
      })
    let error = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      unsafe box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
