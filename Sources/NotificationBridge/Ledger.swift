internal import FoundationEssentials
internal import FreedesktopNotifications

/// What is delivered, and under which number of the present daemon.
struct Ledger {
  /// One delivered notification.
  struct Entry: Sendable {
    private let shared: Shared<NotificationRecord>
    var record: NotificationRecord { shared.value }
    var keys: [String: Translator.ActionMeaning]
    /// An explicit dismissal is a response.
    var reportsDismissal: Bool
    /// The category was not registered at the time.
    var lacksCategory: Bool
    var onOutcome: (@Sendable (Outcome) -> Void)?
    /// Further ones who wait for its outcome.
    var waiters: [OutcomeWaiter] = []
    /// The present daemon's number; nil: not addressable, or the daemon that gave it is gone.
    var serverID: UInt32?
    /// Under which number of which daemon it was when the bridge ended; nil once that is settled.
    var formerPlace: DaemonPlace?
    /// False once the daemon has closed it by its time; it is still in the delivered list.
    var isOpen = true
    let acceptedAt: ContinuousClock.Instant
    /// Came ahead of an action.
    var activationToken: String?
    /// The text action whose text is awaited.
    var awaitsText: String?
    /// What the user did and its content extension has not decided on yet.
    var consultations = 0
    /// Its content extension keeps it, and the daemon is expected to close it all the same.
    var isAboutToClose = false
    /// What the daemon shows of it goes only with the whole notification: see ``ServerQuirks/keepsReplyField``.
    var isReplied = false
    /// Its buttons, where the daemon keeps them: see ``ServerQuirks/keepsFirstButtons``. Nil: not known.
    var buttons: [Action]?
    /// When the button of an attachment was pressed last.
    var attachmentPressedAt: ContinuousClock.Instant?
    /// It is shown without what it says, since the session is locked.
    var isHidden = false
    /// The order of delivery.
    let order: UInt64

    init(
      record: NotificationRecord, keys: [String: Translator.ActionMeaning], reportsDismissal: Bool, lacksCategory: Bool,
      onOutcome: (@Sendable (Outcome) -> Void)?, serverID: UInt32?, acceptedAt: ContinuousClock.Instant, order: UInt64
    ) {
      shared = Shared(record)
      self.keys = keys
      self.reportsDismissal = reportsDismissal
      self.lacksCategory = lacksCategory
      self.onOutcome = onOutcome
      self.serverID = serverID
      self.acceptedAt = acceptedAt
      self.order = order
    }

    /// Whether it stays after an action, because its sender typed the hint.
    var isResident: Bool {
      record.request.desktop.hints.contains { $0.name == "resident" && $0.value == .boolean(true) }
    }

    /// Whether it can be shown again when its daemon has gone: critical, or recent and with buttons.
    func isWorthShowing(now: Date) -> Bool {
      let request = record.request
      let isCritical = request.content.interruptionLevel == .critical || request.desktop.urgency == 2
      return isOpen && (isCritical || keys.count > 1 && record.date > now.addingTimeInterval(-3600))
    }
  }

  /// What is kept for the store; empty without one.
  var changes: [StoreChange] = []
  /// Whether there is a store.
  var isStored = false
  /// The run of the daemon whose numbers are valid; nil: not known.
  var run: String?

  private(set) var entries: [NotificationKey: Entry] = [:]
  private var keys: [UInt32: NotificationKey] = [:]
  /// The order of delivery of each application's; what has gone since is skipped.
  private var order: [String: ArraySlice<(number: UInt64, key: NotificationKey)>] = [:]
  private var counts: [String: Int] = [:]

  /// The entry of a number of the present daemon.
  func key(serverID: UInt32) -> NotificationKey? { keys[serverID] }

  subscript(key: NotificationKey) -> Entry? { entries[key] }

  /// The applications that have any.
  var applications: [String] { Array(counts.keys) }

  /// Puts an entry in; the one that it replaces is handed back.
  mutating func insert(_ entry: Entry, for key: NotificationKey) -> Entry? {
    let old = take(key)
    put(entry, for: key)
    if isStored { changes.append(.putDelivered(row(entry))) }
    return old
  }

  /// Takes over one from the store.
  mutating func load(_ entry: Entry, for key: NotificationKey) { put(entry, for: key) }

  private mutating func put(_ entry: Entry, for key: NotificationKey) {
    entries[key] = entry
    if let serverID = entry.serverID { keys[serverID] = key }
    var numbers = order.removeValue(forKey: key.application) ?? []
    // At the end, but for one that the daemon accepted late.
    var index = numbers.endIndex
    while index > numbers.startIndex, numbers[index - 1].number > entry.order { index -= 1 }
    numbers.insert((entry.order, key), at: index)
    order[key.application] = numbers
    counts[key.application, default: 0] += 1
  }

  private func row(_ entry: Entry) -> DeliveredRow {
    DeliveredRow(
      record: entry.record, place: place(entry), isOpen: entry.isOpen, keys: entry.keys.mapValues(\.word),
      reportsDismissal: entry.reportsDismissal, number: entry.order)
  }

  private func place(_ entry: Entry) -> DaemonPlace? {
    guard let serverID = entry.serverID, let run else { return nil }
    return DaemonPlace(serverID: serverID, run: run)
  }

  /// Changes an entry in place.
  mutating func update(_ key: NotificationKey, _ change: (inout Entry) -> Void) {
    guard var entry = entries[key] else { return }
    let (serverID, isOpen) = (entry.serverID, entry.isOpen)
    change(&entry)
    entries[key] = entry
    if entry.serverID != serverID {
      if let serverID, keys[serverID] == key { keys[serverID] = nil }
      if let serverID = entry.serverID { keys[serverID] = key }
    }
    if isStored, entry.serverID != serverID || entry.isOpen != isOpen {
      changes.append(.markDelivered(key, place: place(entry), isOpen: entry.isOpen))
    }
  }

  /// Takes an entry out.
  @discardableResult
  mutating func remove(_ key: NotificationKey) -> Entry? {
    guard let entry = take(key) else { return nil }
    if isStored { changes.append(.removeDelivered(key)) }
    return entry
  }

  private mutating func take(_ key: NotificationKey) -> Entry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    if let serverID = entry.serverID, keys[serverID] == key { keys[serverID] = nil }
    let count = (counts[key.application] ?? 1) - 1
    counts[key.application] = count == 0 ? nil : count
    if count == 0 { order[key.application] = nil }
    return entry
  }

  /// Makes every number void, since the daemon that gave them is gone.
  mutating func forgetNumbers() {
    keys.removeAll()
    for (key, entry) in entries where entry.serverID != nil {
      update(key) {
        $0.serverID = nil
        $0.awaitsText = nil
      }
    }
  }

  /// The delivered notifications of an application, oldest first.
  func delivered(_ application: String) -> [Entry] {
    (order[application] ?? []).compactMap { number, key in
      guard let entry = entries[key], entry.order == number else { return nil }
      return entry
    }
  }

  /// Takes out the oldest of an application's that go over a limit.
  /// - Parameters:
  ///   - limit: of those that the daemon shows no more.
  ///   - hardLimit: of all.
  mutating func trim(_ application: String, limit: Int, hardLimit: Int) {
    guard let count = counts[application], count > limit else { return }
    while let first = order[application]?.first {
      let isThere = entries[first.key]?.order == first.number
      let left = counts[application] ?? 0
      if isThere {
        guard left > limit, entries[first.key]?.isOpen == false || left > hardLimit else { return }
        remove(first.key)
      }
      if order[application]?.first?.number == first.number { order[application]?.removeFirst() }
    }
  }
}
