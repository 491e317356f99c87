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
    /// A registered command runs.
    case handler(String)
  }

  struct Item: Sendable {
    let response: ResponseRecord
    var place = Place.free
    /// The application was started for it.
    var hasStarted = false
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

  subscript(id: UUID) -> Item? { items[id] }

  /// Those that nobody has, oldest first.
  func free(_ application: String? = nil) -> [Item] {
    order.compactMap { items[$0] }.filter {
      $0.place == .free && (application == nil || $0.key.application == application)
    }
  }

  /// All of them, oldest first.
  var all: [Item] { order.compactMap { items[$0] } }

  mutating func add(_ response: ResponseRecord) {
    load(Item(response: response))
    if isStored { changes.append(.putResponse(ResponseRow(response: response))) }
  }

  /// Takes over one from the store.
  mutating func load(_ item: Item) {
    items[item.response.id] = item
    order.append(item.response.id)
  }

  /// Forgets the oldest of an application's that nobody has taken, beyond a number of them.
  /// - Returns: the forgotten ones, oldest first.
  mutating func forgetOldest(of application: String, beyond limit: Int) -> [Item] {
    let free = free(application)
    guard free.count > limit else { return [] }
    let old = Array(free.prefix(free.count - limit))
    for item in old { remove(item.response.id) }
    return old
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
