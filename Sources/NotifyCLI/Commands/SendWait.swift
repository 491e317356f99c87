internal import DBus
internal import NotificationBridge
internal import Synchronization

/// What a command waits for, one after the other. For one waiter. (A stream would do, but costs a fortieth of the start.)
final class SendWait: Sendable {
  enum News: Sendable {
    case accepted(Result<DeliveryReport, BridgeError>)
    case ended(Outcome)
    case failed(BridgeError)
    case timeIsUp
  }

  private struct State: Sendable {
    var news: [News] = []
    var waiter: CheckedContinuation<News, Never>?
  }
  private let state = Mutex(State())
  let executor: BusExecutor

  init(_ executor: BusExecutor) { self.executor = executor }

  func give(_ news: News) {
    let waiter: CheckedContinuation<News, Never>? = state.withLock { state in
      guard let waiter = state.waiter.take() else {
        state.news.append(news)
        return nil
      }
      return waiter
    }
    waiter?.resume(returning: news)
  }

  /// Gives them after so many milliseconds.
  func give(_ news: News, after milliseconds: Int) {
    executor.perform(after: .milliseconds(milliseconds)) { self.give(news) }
  }

  func next() async -> News {
    await withCheckedContinuation { waiter in
      let news: News? = state.withLock { state in
        if !state.news.isEmpty { return state.news.removeFirst() }
        state.waiter = waiter
        return nil
      }
      if let news { waiter.resume(returning: news) }
    }
  }

  func pause(_ time: Duration) async {
    await withCheckedContinuation { continuation in executor.perform(after: time) { continuation.resume() } }
  }
}
