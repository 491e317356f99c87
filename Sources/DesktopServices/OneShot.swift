internal import Synchronization

/// One value for one task that waits for it with a time limit. Nil stands for none: too late, or cancelled.
final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Value?, Never>)
    case finished(Value?)
  }

  private let state = Mutex(State.idle)

  /// Whether there is a value, or will be none.
  var isFinished: Bool {
    state.withLock { state in
      if case .finished = state { return true }
      return false
    }
  }

  /// Gives the value, or nil for none; only the first counts.
  func finish(_ value: Value?) { _ = finishes(with: value) }

  /// ``finish(_:)``, telling whether this was the first.
  func finishes(with value: Value?) -> Bool {
    let (isFirst, continuation): (Bool, CheckedContinuation<Value?, Never>?) = state.withLock { state in
      defer { if case .finished = state {} else { state = .finished(value) } }
      switch state {
      case .idle: return (true, nil)
      case .waiting(let continuation): return (true, continuation)
      case .finished: return (false, nil)
      }
    }
    continuation?.resume(returning: value)
    return isFirst
  }

  /// Waits for the value, once. `start` is not called if the task is cancelled already.
  nonisolated(nonsending) func value(within limit: Duration, start: () -> Void = {}) async -> Value? {
    await withTaskCancellationHandler {
      if Task.isCancelled { return nil }
      start()
      let timer = ServiceTimer(after: limit) { [self] in finish(nil) }
      let value: Value? = await withCheckedContinuation { continuation in
        let early: Value?? = state.withLock { state in
          if case .finished(let value) = state { return value }
          state = .waiting(continuation)
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
      timer.cancel()
      return value
    } onCancel: {
      finish(nil)
    }
  }
}
