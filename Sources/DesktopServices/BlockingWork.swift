internal import Synchronization

/// Work that may block for as long as a file system, a library or a peer likes: on threads of their own, which go when
/// there is nothing more to do, and with a limit for whoever waits.
enum BlockingWork {
  private struct Line {
    var work: [@Sendable () -> Void] = []
    var threads = 0
  }

  /// More is not begun at once: a file system that hangs must not cost ever more threads.
  private static let limit = 16
  private static let line = Mutex(Line())

  /// What `body` gives; nil when that takes longer than `time`. Then it is not begun any more, or runs on unheard.
  nonisolated(nonsending) static func result<Value: Sendable>(
    within time: Duration, _ body: @escaping @Sendable () -> Value?
  ) async -> Value? {
    let answer = OneShot<Value>()
    return await answer.value(within: time) {
      let isStarted = start { if !answer.isFinished { answer.finish(body()) } }
      if !isStarted { answer.finish(nil) }
    }
  }

  /// Lets `body` run soon; false if the system allows no thread.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    line.withLock { line in
      line.work.append(body)
      if line.threads == limit || DetachedThread.start(name: "nb-work", work) {
        line.threads = min(line.threads + 1, limit)
        return true
      }
      if line.threads > 0 { return true }
      line.work.removeLast()
      return false
    }
  }

  private static func work() {
    while true {
      let body: (@Sendable () -> Void)? = line.withLock { line in
        if !line.work.isEmpty { return line.work.removeFirst() }
        line.threads -= 1
        return nil
      }
      guard let body else { return }
      body()
    }
  }
}
