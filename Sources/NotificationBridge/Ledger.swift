internal import FoundationEssentials
internal import FreedesktopNotifications

/// What is delivered, and under which number of the present daemon.
struct Ledger {
  /// One delivered notification.
  struct Entry: Sendable {
    var record: NotificationRecord
    var keys: [String: Translator.ActionMeaning]
    /// An explicit dismissal is a response.
    var reportsDismissal: Bool
    /// The category was not registered at the time.
    var lacksCategory: Bool
    var onOutcome: (@Sendable (Outcome) -> Void)?
    /// The present daemon's number; nil: not addressable, or the daemon that gave it is gone.
    var serverID: UInt32?
    /// False once the daemon has closed it by its time; it is still in the delivered list.
    var isOpen = true
    let acceptedAt: ContinuousClock.Instant
    /// Came ahead of an action.
    var activationToken: String?
    /// The text action whose text is awaited.
    var awaitsText: String?
    /// The order of delivery.
    let order: UInt64

    /// Whether it stays after an action, because its sender typed the hint.
    var isResident: Bool {
      record.request.desktop.hints.contains { $0.name == "resident" && $0.value == .boolean(true) }
    }
  }

  private(set) var entries: [NotificationKey: Entry] = [:]
  private var keys: [UInt32: NotificationKey] = [:]

  /// The entry of a number of the present daemon.
  func key(serverID: UInt32) -> NotificationKey? { keys[serverID] }

  subscript(key: NotificationKey) -> Entry? { entries[key] }

  /// Puts an entry in; the one that it replaces is handed back.
  mutating func insert(_ entry: Entry, for key: NotificationKey) -> Entry? {
    let old = remove(key)
    entries[key] = entry
    if let serverID = entry.serverID { keys[serverID] = key }
    return old
  }

  /// Changes an entry in place; its number stays.
  mutating func update(_ key: NotificationKey, _ change: (inout Entry) -> Void) {
    guard var entry = entries[key] else { return }
    change(&entry)
    entries[key] = entry
  }

  /// Takes an entry out.
  @discardableResult
  mutating func remove(_ key: NotificationKey) -> Entry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    if let serverID = entry.serverID, keys[serverID] == key { keys[serverID] = nil }
    return entry
  }

  /// Makes every number void, since the daemon that gave them is gone.
  mutating func forgetNumbers() {
    keys.removeAll()
    for key in Array(entries.keys) {
      update(key) {
        $0.serverID = nil
        $0.awaitsText = nil
      }
    }
  }

  /// The delivered notifications of an application, oldest first.
  func delivered(_ application: String) -> [Entry] {
    entries.filter { $0.key.application == application }.values.sorted { $0.order < $1.order }
  }
}
