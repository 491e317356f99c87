internal import DBus
internal import Synchronization

/// Hears of one unit's jobs, and of the manager itself, while it is kept.
final class UnitWatch: Sendable {
  /// What may have changed; the unit's state is to be read anew.
  enum News: Sendable, Hashable {
    /// This job of the unit is over, with this result: `done`, `failed`, `canceled`, `timeout` and others.
    case jobRemoved(job: Value, result: String)
    /// The manager left the bus, or came back.
    case managerChanged
    /// The connection was lost.
    case disconnected
  }

  private struct State {
    var news: [News] = []
    var waiter: OneShot<News>?
  }

  private let state = Mutex(State())
  private let inbox: Inbox
  private let subscriptions: [Subscription]

  private final class Link: Sendable {
    let watch = Mutex<WeakWatch>(WeakWatch())
  }
  private struct WeakWatch { weak var watch: UnitWatch? }

  init(_ connection: BusConnection, unit: UnitName, owner: BusName) {
    let link = Link()
    inbox = Inbox { item in
      guard let watch = link.watch.withLock({ $0.watch }) else { return }
      switch item {
      case .signal(let message) where message.member == "JobRemoved":
        // (u id, o job, s unit, s result); only jobs of ours carry the unit's name.
        if message.body.count > 3, message.body[2].asString == unit.text {
          watch.add(.jobRemoved(job: message.body[1], result: message.body[3].asString ?? ""))
        }
      case .signal: watch.add(.managerChanged)
      case .disconnected: watch.add(.disconnected)
      case .reconnected, .reply, .subscriptionFailed: break
      }
    }
    // By its unique name: what others send in its place does not count. An owner that comes back under another name
    // after executing itself anew is noticed by the second rule, and the unit's state is read then.
    subscriptions = [
      MatchRule(sender: owner, path: .manager, interface: .manager, member: "JobRemoved"),
      MatchRule(
        sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: BusName.userManager.text),
    ].map { [inbox] in connection.subscribe($0, to: inbox) }
    link.watch.withLock { $0.watch = self }
  }

  /// The next news; nil when none came in time or the task was cancelled. For one caller.
  nonisolated(nonsending) func next(within limit: Duration) async -> News? {
    let waiter = OneShot<News>()
    let news = await waiter.value(within: limit) {
      let early: News? = state.withLock { state in
        if !state.news.isEmpty { return state.news.removeFirst() }
        state.waiter = waiter
        return nil
      }
      if let early { waiter.finish(early) }
    }
    // What comes from now on is for the next one who asks.
    return state.withLock { state in
      if state.waiter === waiter { state.waiter = nil }
      return news ?? (state.news.isEmpty ? nil : state.news.removeFirst())
    }
  }

  /// Waits until that job is over; false when that was not heard in time.
  nonisolated(nonsending) func isOver(_ job: Value, within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while let news = await next(within: ContinuousClock.now.duration(to: deadline)) {
      switch news {
      case .jobRemoved(job, _): return true
      case .jobRemoved: continue
      case .managerChanged, .disconnected: return false
      }
    }
    return false
  }

  private func add(_ news: News) {
    state.withLock { state in
      if let waiter = state.waiter, waiter.finishes(with: news) {
        state.waiter = nil
      } else {
        state.news.append(news)
      }
    }
  }
}
