internal import Synchronization

/// Does things one after the other, away from its callers, on a thread that is there only while something is to be done.
/// They may block.
public final class SerialWork: Sendable {
  private struct State {
    var line: [@Sendable () -> Void] = []
    var isWorking = false
  }

  private let state = Mutex(State())

  public init() {}

  /// Does `body` behind everything given before. Where the system allows no thread, at once.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.line.append(body)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if starts, !BlockingWork.start({ self.work() }) { work() }
  }

  private func work() {
    while true {
      let batch = state.withLock { state in
        defer { state.line = [] }
        state.isWorking = !state.line.isEmpty
        return state.line
      }
      if batch.isEmpty { return }
      for body in batch { body() }
    }
  }
}
