internal import FoundationEssentials
internal import FreedesktopNotifications

/// A delivery on its way to the daemon.
struct Delivery: Sendable {
  let number: UInt64
  private let shared: Shared<Submission>
  var submission: Submission { shared.value }
  /// Nil while pictures and sounds are looked up.
  var media: Translator.Media?
  /// Nil while the application is asked how to present it.
  var conditions: Translator.Conditions?
  /// A content extension is drawing it.
  var awaitsExtension = false
  /// How often the daemon refused it.
  var refusals = 0
  /// Set when it was shown before: it keeps its date, and its sender is not told again.
  var shownAt: Date?
  /// Its sender was told that it waits.
  var isReported = false
  let queuedAt = ContinuousClock.now
  /// How often the daemon ended before it answered.
  var deaths = 0
  /// It was in flight when the bridge ended, and may have been shown.
  var mayBeDouble = false

  init(number: UInt64, submission: Submission, shownAt: Date? = nil) {
    self.number = number
    self.shownAt = shownAt
    shared = Shared(submission)
  }

  var key: NotificationKey { shared.value.key }
  /// Nothing has to be found out any more.
  var isPrepared: Bool { media != nil && conditions != nil && !awaitsExtension }
}

/// A `Notify` without an answer yet.
struct InFlight: Sendable {
  var delivery: Delivery
  let record: NotificationRecord
  let translation: Translator.Result
  let category: CategoryRecord?
  let postedAt: ContinuousClock.Instant
  /// It is to be closed once its number is known.
  var isWithdrawn = false
  var answerTicket: Deadlines<BridgeEngine.Deadline>.Ticket?
  /// The daemon was told of no time, and the engine takes it off.
  var isTimed = false
}

/// Deliveries in the order of acceptance.
struct Outbox {
  /// What is kept for the store; empty without one.
  var changes: [StoreChange] = []
  /// Whether there is a store.
  var isStored = false

  private var deliveries: [UInt64: Delivery] = [:]
  private var order: ArraySlice<UInt64> = []
  /// Those whose senders were not told that they wait, in order; what has gone since is skipped.
  private var unreported: ArraySlice<UInt64> = []

  var isEmpty: Bool { deliveries.isEmpty }
  var count: Int { deliveries.count }

  mutating func append(_ delivery: Delivery) {
    put(delivery)
    guard isStored else { return }
    changes.append(
      .putQueued(
        QueuedRow(
          number: delivery.number, request: delivery.submission.request,
          application: delivery.submission.application, shownAt: delivery.shownAt)))
  }

  /// Takes over one from the store.
  mutating func load(_ delivery: Delivery) { put(delivery) }

  private mutating func put(_ delivery: Delivery) {
    deliveries[delivery.number] = delivery
    order.append(delivery.number)
    if !delivery.isReported { unreported.append(delivery.number) }
  }

  /// Those whose senders have not been told yet that they wait; from now on they count as told.
  /// - Parameter limit: only those that have waited since then.
  mutating func takeUnreported(before limit: ContinuousClock.Instant? = nil) -> [Delivery] {
    var taken: [Delivery] = []
    while let number = unreported.first {
      if let delivery = deliveries[number], !delivery.isReported {
        if let limit, delivery.queuedAt > limit { break }
        deliveries[number]?.isReported = true
        taken.append(delivery)
      }
      unreported.removeFirst()
    }
    return taken
  }

  /// Since when the sender of the oldest one waits that has not been told.
  var oldestUnreported: ContinuousClock.Instant? {
    for number in unreported {
      if let delivery = deliveries[number], !delivery.isReported { return delivery.queuedAt }
    }
    return nil
  }

  /// Says that one that ``next(_:)`` took out is being posted.
  mutating func markInFlight(_ number: UInt64) {
    guard isStored else { return }
    if case .putQueued(var row)? = changes.last, row.number == number {
      row.isInFlight = true
      changes[changes.count - 1] = .putQueued(row)
    } else {
      changes.append(.markQueued(number: number, isInFlight: true))
    }
  }

  /// Says that one that ``next(_:)`` took out has come to its end.
  mutating func finish(_ number: UInt64) { if isStored { changes.append(.removeQueued(number: number)) } }

  /// Puts back one that the daemon refused or did not answer, ahead of all that came later.
  mutating func putBack(_ delivery: Delivery) {
    deliveries[delivery.number] = delivery
    let index = order.firstIndex { $0 > delivery.number } ?? order.endIndex
    order.insert(delivery.number, at: index)
    if !delivery.isReported { unreported.insert(delivery.number, at: unreported.startIndex) }
    // One that may have been shown stays marked so.
    if isStored, !delivery.mayBeDouble { changes.append(.markQueued(number: delivery.number, isInFlight: false)) }
  }

  /// Changes one that is still here.
  mutating func update(_ number: UInt64, _ change: (inout Delivery) -> Void) {
    guard var delivery = deliveries[number] else { return }
    change(&delivery)
    deliveries[number] = delivery
  }

  subscript(number: UInt64) -> Delivery? { deliveries[number] }

  /// All of them, in order.
  var all: [Delivery] { order.compactMap { deliveries[$0] } }

  /// Takes one out for good.
  @discardableResult
  mutating func remove(_ number: UInt64) -> Delivery? {
    guard let delivery = take(number) else { return nil }
    finish(number)
    return delivery
  }

  private mutating func take(_ number: UInt64) -> Delivery? {
    guard let delivery = deliveries.removeValue(forKey: number) else { return nil }
    if order.first == number {
      order.removeFirst()
    } else if let index = order.firstIndex(of: number) {
      order.remove(at: index)
    }
    return delivery
  }

  /// Takes out the first one that is prepared, is not behind an earlier one of the same name, and suits `isFree`; to be
  /// posted, see ``markInFlight(_:)``.
  mutating func next(_ isFree: (NotificationKey) -> Bool) -> Delivery? {
    if let number = order.first, let delivery = deliveries[number], delivery.isPrepared, isFree(delivery.key) {
      return take(number)
    }
    var held: Set<NotificationKey> = []
    for number in order {
      guard let delivery = deliveries[number] else { continue }
      if delivery.isPrepared, !held.contains(delivery.key), isFree(delivery.key) { return take(number) }
      held.insert(delivery.key)
    }
    return nil
  }

  /// The numbers of an application's deliveries with these identifiers, or all of them, in order.
  func numbers(of application: String, _ identifiers: Set<String>?) -> [UInt64] {
    order.filter { number in
      guard let key = deliveries[number]?.key, key.application == application else { return false }
      return identifiers?.contains(key.identifier) ?? true
    }
  }

  /// Takes out all.
  mutating func removeAll() -> [Delivery] {
    let all = all
    for delivery in all { remove(delivery.number) }
    return all
  }
}
