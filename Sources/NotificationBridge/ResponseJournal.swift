internal import FoundationEssentials

/// Responses that nobody has dealt with yet, oldest first.
struct ResponseJournal {
  /// Where a response is.
  enum Place: Sendable, Hashable {
    /// Nobody has it.
    case free
    /// A waiting caller was given it, and has not said yet that it has it.
    case waiter(UInt64)
    /// The application was given it, and has not said yet that it has it.
    case application
    /// The content extension that draws the notification has it, or gets it once the session is unlocked.
    case `extension`
    /// A registered command runs.
    case handler(String)
  }

  struct Item: Sendable {
    let response: ResponseRecord
    var place = Place.free
    /// The application was started for it.
    var hasStarted = false
    /// Nobody known wants it.
    var isLeft = false
    var key: NotificationKey {
      NotificationKey(
        application: response.notification.application.identifier,
        identifier: response.notification.request.identifier)
    }
  }

  /// What is kept for the store; empty without one.
  var changes: [StoreChange] = []
  /// Whether there is a store.
  var isStored = false

  private var items: [UUID: Item] = [:]
  private var order: [UUID] = []
  /// Those that nobody wanted when they were offered, by application; some may have been taken since.
  private var left: [String: [UUID]] = [:]

  subscript(id: UUID) -> Item? { items[id] }

  /// Those that nobody has, oldest first.
  func free(_ application: String? = nil) -> [Item] {
    order.compactMap { items[$0] }.filter {
      $0.place == .free && (application == nil || $0.key.application == application)
    }
  }

  /// All of them, oldest first.
  var all: [Item] { order.compactMap { items[$0] } }

  /// Adds a response; one that is here already is free again.
  mutating func add(_ response: ResponseRecord) {
    guard items[response.id] == nil else { return place(response.id, .free) }
    load(Item(response: response))
    if isStored { changes.append(.putResponse(ResponseRow(response: response))) }
  }

  /// Takes over one from the store.
  mutating func load(_ item: Item) {
    items[item.response.id] = item
    order.append(item.response.id)
  }

  /// Notes that nobody known wants one of them: no handler, and no application that is there.
  /// - Returns: how many of the application's nobody wants now.
  mutating func leave(_ id: UUID) -> Int {
    guard let item = items[id], !item.isLeft else { return 0 }
    items[id]?.isLeft = true
    left[item.key.application, default: []].append(id)
    return left[item.key.application]?.count ?? 0
  }

  /// Forgets the oldest of an application's that nobody wants, beyond a number of them.
  /// - Returns: the forgotten ones, oldest first.
  mutating func forgetOldest(of application: String, beyond limit: Int) -> [Item] {
    let waiting = left[application, default: []].filter { items[$0]?.place == .free }
    left[application] = Array(waiting.suffix(limit))
    return waiting.dropLast(limit).compactMap { remove($0) }
  }

  mutating func place(_ id: UUID, _ place: Place) {
    guard let former = items[id]?.place, former != place else { return }
    items[id]?.place = place
    guard isStored else { return }
    // Who was given it without having said so is nobody's business after the bridge's end.
    switch (former, place) {
    case (_, .handler(let name)): changes.append(.markResponse(id, .handling(handler: name)))
    case (.handler, _): changes.append(.markResponse(id, .waiting))
    default: break
    }
  }

  mutating func setStarted(_ id: UUID) { items[id]?.hasStarted = true }

  @discardableResult
  mutating func remove(_ id: UUID) -> Item? {
    guard let item = items.removeValue(forKey: id) else { return nil }
    order.removeAll { $0 == id }
    if isStored { changes.append(.removeResponse(id)) }
    return item
  }
}
