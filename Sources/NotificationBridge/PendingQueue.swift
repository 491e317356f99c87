internal import FoundationEssentials

/// Requests that wait for their trigger, and when each is due. Tells no time itself.
struct PendingQueue {
  /// One waiting request.
  struct Item: Sendable {
    var submission: Submission
    let addedAt: Date
    /// When it was delivered last; nil: not yet.
    var firedAt: Date?
    var due: Date
    let order: UInt64
  }

  private let dates: NextFireDate
  private var items: [NotificationKey: Item] = [:]

  init(zones: any ZoneRules) { dates = NextFireDate(zones: zones) }

  /// When the next one is due; nil if none waits.
  var next: Date? { items.values.map(\.due).min() }

  /// Adds one; the one of the same name is replaced.
  /// - Returns: when it is due; nil if never, and then nothing was added.
  mutating func insert(_ submission: Submission, now: Date, order: UInt64) -> Date? {
    guard let trigger = submission.request.trigger, let due = first(trigger, after: now) else { return nil }
    items[submission.key] = Item(submission: submission, addedAt: now, firedAt: nil, due: due, order: order)
    return due
  }

  mutating func remove(_ key: NotificationKey) -> Submission? { items.removeValue(forKey: key)?.submission }

  /// An application's requests, the soonest first, each with its due date.
  func list(_ application: String) -> [(request: RequestRecord, due: Date)] {
    items.filter { $0.key.application == application }.values
      .sorted { ($0.due, $0.order) < ($1.due, $1.order) }
      .map { ($0.submission.request, $0.due) }
  }

  /// Takes out those of an application that go over `limit`: the soonest stay.
  mutating func dropBeyond(_ limit: Int, of application: String) -> [Submission] {
    let mine = items.filter { $0.key.application == application }
    guard mine.count > limit else { return [] }
    let late = mine.sorted { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }[limit...]
    return late.compactMap { items.removeValue(forKey: $0.key)?.submission }
  }

  /// Takes out what is due at `now`, in due order; repeating ones stay with their next date, however many were missed.
  mutating func due(at now: Date) -> [Submission] {
    let fired = items.values.filter { $0.due <= now }.sorted { ($0.due, $0.order) < ($1.due, $1.order) }
    for var item in fired {
      let key = item.submission.key
      guard let trigger = item.submission.request.trigger, trigger.repeats,
        let next = following(trigger, item, after: now)
      else {
        items[key] = nil
        continue
      }
      item.firedAt = item.due
      item.due = next
      items[key] = item
    }
    return fired.map(\.submission)
  }

  /// Computes calendar dates anew, after the clock or the zone was changed.
  mutating func recompute() {
    for (key, item) in items {
      guard case .calendar(let rule, _) = item.submission.request.trigger,
        let due = dates.next(after: item.firedAt ?? item.addedAt, rule: rule)
      else { continue }
      items[key]?.due = due
    }
  }

  private func first(_ trigger: TriggerRecord, after now: Date) -> Date? {
    switch trigger {
    case .interval(let seconds, let repeats):
      guard seconds > 0, seconds.isFinite, !repeats || seconds >= 60 else { return nil }
      return now.addingTimeInterval(seconds)
    case .calendar(let rule, _): return dates.next(after: now, rule: rule)
    case .push: return nil
    }
  }

  private func following(_ trigger: TriggerRecord, _ item: Item, after now: Date) -> Date? {
    switch trigger {
    case .interval(let seconds, _):
      let passed = (now.timeIntervalSince(item.addedAt) / seconds).rounded(.down)
      return item.addedAt.addingTimeInterval((passed + 1) * seconds)
    case .calendar(let rule, _): return dates.next(after: max(now, item.due), rule: rule)
    case .push: return nil
    }
  }
}
