internal import Synchronization

/// One result for one task that awaits it. Cancelling that task ends the wait at once; the result then goes unheard.
final class Waiter<Success: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Result<Success, BusError>, Never>)
    case finished(Result<Success, BusError>)
  }

  private let state = Mutex(State.idle)

  /// Gives the result; only the first counts.
  func finish(_ result: Result<Success, BusError>) {
    let continuation: CheckedContinuation<Result<Success, BusError>, Never>? = state.withLock { state in
      switch state {
      case .idle:
        state = .finished(result)
        return nil
      case .waiting(let continuation):
        state = .finished(result)
        return continuation
      case .finished: return nil
      }
    }
    continuation?.resume(returning: result)
  }

  /// Waits for the result, once. `start` is not called if the task is cancelled already.
  nonisolated(nonsending) func result(start: () -> Void) async throws(BusError) -> Success {
    let result: Result<Success, BusError> = await withTaskCancellationHandler {
      if Task.isCancelled { return .failure(Self.cancelled) }
      start()
      return await withCheckedContinuation { continuation in
        let early: Result<Success, BusError>? = state.withLock { state in
          if case .finished(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      finish(.failure(Self.cancelled))
    }
    return try result.get()
  }

  private static var cancelled: BusError { BusError(.cancelled, "the task that waited was cancelled") }
}
