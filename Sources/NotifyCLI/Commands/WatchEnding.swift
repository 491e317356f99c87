internal import DBus
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Why a `watch` ends: by itself, by a signal, for its time, or since nobody reads any more. The first reason counts.
///
/// The reasons come on the executor, where the lines are written too, so that a line is whole or not there.
final class WatchEnding: Sendable {
  enum Reason: Sendable {
    case ended(ExitStatus)
    case timeLimit
    case noReader
    case signal(Int32)
  }

  private struct State: Sendable {
    var reason: Reason?
    var waiter: CheckedContinuation<Reason, Never>?
  }
  private let state = Mutex(State())
  private let executor: BusExecutor
  /// Its own queue: the threads of the global one are looked at once a second.
  private let queue = DispatchQueue(label: "notify-bridge.signals")
  /// Kept alive only; nobody touches them after the start.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  init(_ executor: BusExecutor) {
    self.executor = executor
    let numbers = [SIGINT, SIGTERM]
    let sources = numbers.map { [queue] in DispatchSource.makeSignalSource(signal: $0, queue: queue) }
    unsafe self.sources = sources
    for (source, number) in zip(sources, numbers) {
      // Here libdispatch sets a signal handler itself.
      source.setEventHandler { [weak self] in self?.signalled(number) }
      source.resume()
    }
    DispatchQueue(label: "notify-bridge.reader").async { [weak self] in
      // Without events asked for, it returns for nothing but an error: the reader of a pipe or socket has gone.
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while unsafe poll(&output, 1, -1) < 0, errno == EINTR {}
      self?.end(.noReader)
    }
  }

  /// Whether there is a reason: then nothing more is printed.
  var hasCome: Bool { state.withLock { $0.reason != nil } }

  func end(_ reason: Reason) { executor.perform { self.take(reason) } }

  func end(_ reason: Reason, after milliseconds: Int) {
    executor.perform(after: .milliseconds(milliseconds)) { self.take(reason) }
  }

  /// Waits for the reason.
  func next() async -> Reason {
    await withCheckedContinuation { waiter in
      let reason: Reason? = state.withLock { state in
        if state.reason == nil { state.waiter = waiter }
        return state.reason
      }
      if let reason { waiter.resume(returning: reason) }
    }
  }

  private func signalled(_ number: Int32) {
    end(.signal(number))
    // Whoever does not read a full pipe must not keep us.
    queue.asyncAfter(deadline: .now() + .seconds(1)) { _exit(128 + number) }
  }

  private func take(_ reason: Reason) {
    let waiter: CheckedContinuation<Reason, Never>? = state.withLock { state in
      if state.reason == nil { state.reason = reason }
      return state.waiter.take()
    }
    waiter?.resume(returning: reason)
  }
}
