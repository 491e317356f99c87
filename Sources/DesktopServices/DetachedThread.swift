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

/// Work that may block for as long as a file system, a library or a peer likes: on a thread of its own, with a limit
/// for whoever waits for it.
enum BlockingWork {
  /// How many may be under way; more are refused, so that a file system that hangs does not cost ever more threads.
  private static let limit = 16
  private static let running = Atomic(0)

  /// What `body` gives; nil when it takes longer than `time` (it then runs on, unheard) or too much is under way.
  nonisolated(nonsending) static func result<Value: Sendable>(
    within time: Duration, _ body: @escaping @Sendable () -> Value?
  ) async -> Value? {
    let answer = OneShot<Value>()
    return await answer.value(within: time) {
      if !start({ answer.finish(body()) }) { answer.finish(nil) }
    }
  }

  /// Starts `body` on a thread of its own; false if too much is under way.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    if running.add(1, ordering: .relaxed).newValue <= limit,
      DetachedThread.start(
        name: "nb-work",
        {
          body()
          running.subtract(1, ordering: .relaxed)
        })
    {
      return true
    }
    running.subtract(1, ordering: .relaxed)
    return false
  }
}
