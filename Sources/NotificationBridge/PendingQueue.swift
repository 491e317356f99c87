internal import FoundationEssentials

/// Requests that wait for their trigger, and when each is due. Tells no time itself.
///
/// With a store the requests themselves lie there, and here is only when each is due: a hundred thousand of them fit.
struct PendingQueue {
  /// One waiting request.
  struct Item: Sendable {
    var entry: PendingEntry
    /// A submission takes a kilobyte even where there is none, so the many items do not have it in them.
    private let box: Shared<Submission>?

    init(entry: PendingEntry, submission: Submission?) {
      self.entry = entry
      box = submission.map { Shared($0) }
    }

    /// Nil: it lies in the store.
    var submission: Submission? { box?.value }
  }

  /// What is kept for the store; empty without one.
  var changes: [StoreChange] = []
  /// Whether requests lie in a store.
  var isStored = false

  private let dates: NextFireDate
  private var items: [String: [String: Item]] = [:]
  private var heap = DueHeap()

  init(zones: any ZoneRules) { dates = NextFireDate(zones: zones) }

  /// When the next one is due; nil if none waits.
  mutating func next() -> Date? {
    dropStale()
    return heap.first?.due
  }

  /// How many there are in all.
  var count: Int { items.values.reduce(0) { $0 + $1.count } }

  /// How many an application has.
  func count(of application: String) -> Int { items[application]?.count ?? 0 }

  func item(_ key: NotificationKey) -> Item? { items[key.application]?[key.identifier] }

  /// The applications that have any.
  var applications: [String] { Array(items.keys) }

  /// Takes over what lies in the store.
  mutating func load(_ entries: [PendingEntry]) {
    for entry in entries { put(Item(entry: entry, submission: nil)) }
  }

  /// Adds one; the one of the same name is replaced.
  /// - Returns: when it is due; nil if never, and then nothing was added.
  mutating func insert(_ submission: Submission, now: Date, order: UInt64) -> Date? {
    guard let trigger = submission.request.trigger, let due = first(trigger, after: now) else { return nil }
    let entry = PendingEntry(
      key: submission.key, addedAt: now, due: due, order: order, followsZone: trigger.followsZone)
    if isStored {
      changes.append(
        .putPending(PendingRow(request: submission.request, application: submission.application, entry: entry)))
    }
    put(Item(entry: entry, submission: isStored ? nil : submission))
    return due
  }

  private mutating func put(_ item: Item) {
    items[item.entry.key.application, default: [:]][item.entry.key.identifier] = item
    heap.push(DueHeap.Element(item.entry))
  }

  /// Takes one out.
  /// - Returns: whether it was there.
  @discardableResult
  mutating func remove(_ key: NotificationKey) -> Bool {
    guard take(key) != nil else { return false }
    if isStored { changes.append(.removePending(key)) }
    return true
  }

  /// Takes back what was inserted in the place of `former` and could not be kept: the store has `former` still.
  mutating func takeBack(_ key: NotificationKey, order: UInt64, to former: PendingEntry?) {
    guard item(key)?.entry.order == order else { return }
    _ = take(key)
    if let former { load([former]) }
  }

  private mutating func take(_ key: NotificationKey) -> Item? {
    guard let item = items[key.application]?.removeValue(forKey: key.identifier) else { return nil }
    if items[key.application]?.isEmpty == true { items[key.application] = nil }
    return item
  }

  /// An application's requests, the soonest first.
  func list(_ application: String) -> [Item] {
    (items[application] ?? [:]).values.sorted { ($0.entry.due, $0.entry.order) < ($1.entry.due, $1.entry.order) }
  }

  /// Takes out those of an application that go over `limit`: the soonest stay.
  mutating func dropBeyond(_ limit: Int, of application: String) -> [NotificationKey] {
    guard count(of: application) > limit else { return [] }
    let late = list(application)[limit...].map(\.entry.key)
    for key in late { remove(key) }
    return late
  }

  /// The ones that are due at `now`, in due order. Each is to be given to ``fire(_:_:now:)``.
  mutating func due(at now: Date) -> [Item] {
    var fired: [Item] = []
    while true {
      dropStale()
      guard let first = heap.first, first.due <= now else { return fired }
      heap.popFirst()
      if let item = item(first.key) { fired.append(item) }
    }
  }

  /// Takes out one that is due, or, if it repeats, gives it its next date, however many were missed.
  mutating func fire(_ item: Item, _ trigger: TriggerRecord?, now: Date) {
    let key = item.entry.key
    guard let trigger, trigger.repeats, let next = following(trigger, item.entry, after: now) else {
      remove(key)
      return
    }
    var item = item
    // Its own date may have been missed long ago: from then on every date after it would count as missed too, when they
    // are computed anew.
    item.entry.firedAt = max(now, item.entry.due)
    item.entry.due = next
    put(item)
    if isStored { changes.append(.movePending(key, firedAt: item.entry.firedAt, due: next)) }
  }

  /// The keys of those whose date follows the system's zone.
  var followingZone: [NotificationKey] {
    items.values.flatMap { $0.values.filter(\.entry.followsZone).map(\.entry.key) }
  }

  /// Computes the date of one anew, after the zone was changed.
  mutating func recompute(_ key: NotificationKey, _ trigger: TriggerRecord) {
    guard var item = item(key), case .calendar(let rule, _) = trigger,
      let due = dates.next(after: item.entry.firedAt ?? item.entry.addedAt, rule: rule), due != item.entry.due
    else { return }
    item.entry.due = due
    put(item)
    if isStored { changes.append(.movePending(key, firedAt: item.entry.firedAt, due: due)) }
  }

  /// Takes off the heap what was removed or has another date by now.
  private mutating func dropStale() {
    while let first = heap.first {
      if let entry = item(first.key)?.entry, entry.due == first.due, entry.order == first.order { return }
      heap.popFirst()
    }
  }

  private func first(_ trigger: TriggerRecord, after now: Date) -> Date? {
    dates.next(after: now, trigger: trigger, added: now)
  }

  private func following(_ trigger: TriggerRecord, _ entry: PendingEntry, after now: Date) -> Date? {
    switch trigger {
    case .interval(let seconds, _):
      let passed = (now.timeIntervalSince(entry.addedAt) / seconds).rounded(.down)
      return entry.addedAt.addingTimeInterval((passed + 1) * seconds)
    case .calendar(let rule, _): return dates.next(after: max(now, entry.due), rule: rule)
    case .push: return nil
    }
  }
}

extension TriggerRecord {
  /// Whether its date changes with the system's zone.
  var followsZone: Bool {
    if case .calendar(let rule, _) = self { rule.timeZone == nil } else { false }
  }
}

/// The soonest first. What is no longer wanted stays until it comes up: taking it out would cost more.
private struct DueHeap {
  struct Element {
    let due: Date
    let order: UInt64
    let key: NotificationKey

    init(_ entry: PendingEntry) {
      due = entry.due
      order = entry.order
      key = entry.key
    }

    static func < (left: Element, right: Element) -> Bool { (left.due, left.order) < (right.due, right.order) }
  }

  private var elements: [Element] = []

  var first: Element? { elements.first }

  mutating func push(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard elements[index] < elements[parent] else { return }
      elements.swapAt(index, parent)
      index = parent
    }
  }

  mutating func popFirst() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      if least == index { return }
      elements.swapAt(index, least)
      index = least
    }
  }
}
