internal import Dispatch
internal import NotificationBridge
internal import Synchronization

/// What a `send` waits for, one after the other. For one waiter. (A stream would do, but costs a fortieth of the start.)
final class SendWait: Sendable {
  enum News: Sendable {
    case accepted(Result<DeliveryReport, BridgeError>)
    case ended(Outcome)
    case timeIsUp
  }

  private struct State: Sendable {
    var news: [News] = []
    var waiter: CheckedContinuation<News, Never>?
  }
  private let state = Mutex(State())

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
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { self.give(news) }
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
}
