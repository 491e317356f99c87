/// Things to do later, one timer for the next due one; nothing wakes while there is nothing to do.
///
/// For the engine alone: it asks ``next`` after each change and runs what is due.
struct Deadlines<Item: Sendable>: Sendable {
  /// Names one entry, to take it out again.
  struct Ticket: Sendable, Hashable { fileprivate let number: UInt64 }

  private struct Waiting: Sendable {
    let at: ContinuousClock.Instant
    let number: UInt64
    let item: Item
  }

  private var waiting: [Waiting] = []
  private var issued: UInt64 = 0

  /// When the next one is due; nil if there is none.
  var next: ContinuousClock.Instant? { waiting.first?.at }

  /// Adds one. Cheap at the end, where most belong, since each kind has one constant delay.
  mutating func add(_ item: Item, at instant: ContinuousClock.Instant) -> Ticket {
    issued += 1
    var index = waiting.count
    while index > 0, waiting[index - 1].at > instant { index -= 1 }
    waiting.insert(Waiting(at: instant, number: issued, item: item), at: index)
    return Ticket(number: issued)
  }

  /// Takes one out; one that is gone already is ignored.
  mutating func remove(_ ticket: Ticket?) {
    guard let ticket, let index = waiting.firstIndex(where: { $0.number == ticket.number }) else { return }
    waiting.remove(at: index)
  }

  /// Takes out what is due at `instant`, in order.
  mutating func due(at instant: ContinuousClock.Instant) -> [Item] {
    let count = waiting.prefix { $0.at <= instant }.count
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count).map(\.item)
  }
}
