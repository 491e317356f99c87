import Foundation
import NotificationBridge

/// What a store must hold after a row of changes, kept the simplest way.
struct StoreModel {
  var pending: [NotificationKey: PendingRow] = [:]
  var queued: [UInt64: QueuedRow] = [:]
  var delivered: [NotificationKey: DeliveredRow] = [:]
  var responses: [UUID: ResponseRow] = [:]
  var responseOrder: [UUID] = []
  var state = StoredState()
  var history: [HistoryRecord] = []

  mutating func apply(_ change: StoreChange) {
    switch change {
    case .putPending(let row): pending[row.entry.key] = row
    case .movePending(let key, let firedAt, let due):
      pending[key]?.entry.firedAt = firedAt
      pending[key]?.entry.due = due
    case .removePending(let key): pending[key] = nil
    case .putQueued(let row):
      queued[row.number] = row
      state.lastNumber = max(state.lastNumber, row.number)
    case .markQueued(let number, let isInFlight): queued[number]?.isInFlight = isInFlight
    case .removeQueued(let number): queued[number] = nil
    case .putDelivered(let row):
      delivered[row.key] = row
      state.lastNumber = max(state.lastNumber, row.number)
    case .markDelivered(let key, let place, let isOpen):
      delivered[key]?.place = place
      delivered[key]?.isOpen = isOpen
    case .removeDelivered(let key): delivered[key] = nil
    case .putResponse(let row):
      if responses.updateValue(row, forKey: row.response.id) == nil { responseOrder.append(row.response.id) }
    case .markResponse(let id, let mark): responses[id]?.state = mark
    case .removeResponse(let id):
      responses[id] = nil
      responseOrder.removeAll { $0 == id }
    case .setCategories(let application, let categories):
      state.categories[application] = categories.isEmpty ? nil : categories
    case .setAuthorization(let application, let record): state.authorizations[application] = record
    case .setBadge(let application, let count): state.badges[application] = count
    case .setFetching(let application): state.fetching.insert(application)
    case .note(let record):
      history.append(record)
      state.lastSequence = max(state.lastSequence, record.sequence)
    }
  }

  /// What differs between a store and the model; nil: nothing.
  func difference(from store: some EngineStore) throws -> String? {
    let found = try store.load()
    if Set(found.pending) != Set(pending.values.map(\.entry)) { return "pending entries" }
    for row in pending.values {
      guard let (request, application) = try store.pendingRequest(row.entry.key) else {
        return "no request for \(row.entry.key)"
      }
      if request != row.request { return "request \(request), not \(row.request)" }
      if application != row.application { return "application \(application)" }
    }
    if !found.queued.elementsEqual(queued.values.sorted { $0.number < $1.number }, by: Self.same) { return "queued" }
    if !found.delivered.elementsEqual(
      delivered.values.sorted { $0.number < $1.number },
      by: {
        $0.record == $1.record && $0.place == $1.place && $0.isOpen == $1.isOpen && $0.keys == $1.keys
          && $0.reportsDismissal == $1.reportsDismissal && $0.number == $1.number
      })
    {
      return "delivered"
    }
    if !found.responses.elementsEqual(
      responseOrder.compactMap { responses[$0] }, by: { $0.response == $1.response && $0.state == $1.state })
    {
      return "responses"
    }
    if found.categories != state.categories { return "categories" }
    if found.authorizations != state.authorizations { return "authorizations" }
    if found.badges != state.badges { return "badges" }
    if found.fetching != state.fetching { return "fetching" }
    if found.lastNumber != state.lastNumber { return "last number \(found.lastNumber), not \(state.lastNumber)" }
    if found.lastSequence != state.lastSequence { return "last sequence \(found.lastSequence)" }
    let events = try store.history(after: 0, application: nil, limit: .max, newest: false)
    return events == history ? nil : "history"
  }

  private static func same(_ left: QueuedRow, _ right: QueuedRow) -> Bool {
    left.number == right.number && left.request == right.request && left.application == right.application
      && left.shownAt == right.shownAt && left.isInFlight == right.isInFlight
  }
}

/// Makes changes to few names, so that they meet each other.
struct ChangeGenerator {
  var records: RecordGenerator
  private var number: UInt64 = 0
  private var sequence: Int64 = 0
  private var ids: [UUID] = []
  private let applications: [String]
  private let identifiers: [String]

  init(seed: UInt64) {
    var records = RecordGenerator(seed: seed)
    applications = ["org.example.App", "ü", "u\u{308}", "a\0b", records.name(), records.name()]
    identifiers = ["1", "é", "e\u{301}", "日本", records.name(), records.name(), records.name(), records.name()]
    self.records = records
  }

  mutating func key() -> NotificationKey {
    NotificationKey(application: records.pick(applications), identifier: records.pick(identifiers))
  }

  mutating func change() -> StoreChange {
    let key = key()
    switch Int.random(in: 0..<20, using: &records.numbers) {
    case 0...2:
      return .putPending(
        PendingRow(
          request: records.request(key.identifier), application: records.application(key.application),
          entry: PendingEntry(
            key: key, addedAt: records.date(), firedAt: records.maybe { $0.date() }, due: records.date(),
            order: UInt64.random(in: 0...UInt64(Int64.max), using: &records.numbers), followsZone: records.chance(50))))
    case 3: return .movePending(key, firedAt: records.maybe { $0.date() }, due: records.date())
    case 4: return .removePending(key)
    case 5, 6:
      if records.chance(70) { number += UInt64.random(in: 1...3, using: &records.numbers) }
      return .putQueued(
        QueuedRow(
          number: max(number, 1), request: records.request(key.identifier),
          application: records.application(key.application), shownAt: records.maybe { $0.date() },
          isInFlight: records.chance(50)))
    case 7: return .markQueued(number: anyNumber(), isInFlight: records.chance(50))
    case 8: return .removeQueued(number: anyNumber())
    case 9, 10:
      number += 1
      return .putDelivered(
        DeliveredRow(
          record: NotificationRecord(
            application: records.application(key.application), request: records.request(key.identifier),
            date: records.date()),
          place: records.maybe { DaemonPlace(serverID: .random(in: 0 ... .max, using: &$0.numbers), run: $0.text()) },
          isOpen: records.chance(50),
          keys: Dictionary(records.list(4) { ($0.text(), "button:" + $0.text()) }, uniquingKeysWith: { $1 }),
          reportsDismissal: records.chance(50), number: number))
    case 11:
      return .markDelivered(
        key,
        place: records.maybe { DaemonPlace(serverID: .random(in: 0 ... .max, using: &$0.numbers), run: $0.text()) },
        isOpen: records.chance(50))
    case 12: return .removeDelivered(key)
    case 13:
      let response = records.response(key)
      ids.append(response.id)
      return .putResponse(ResponseRow(response: response, state: state()))
    case 14: return .markResponse(ids.randomElement(using: &records.numbers) ?? UUID(), state())
    case 15: return .removeResponse(ids.randomElement(using: &records.numbers) ?? UUID())
    case 16: return .setCategories(key.application, records.list(3) { $0.category() })
    case 17: return .setAuthorization(key.application, records.authorization())
    case 18:
      return records.chance(50)
        ? .setBadge(key.application, Int(records.integer())) : .setFetching(key.application)
    default:
      sequence += Int64.random(in: 1...3, using: &records.numbers)
      return .note(records.event(sequence))
    }
  }

  private mutating func anyNumber() -> UInt64 { UInt64.random(in: 0...number + 1, using: &records.numbers) }

  private mutating func state() -> ResponseRow.State {
    records.chance(50) ? .waiting : .handling(handler: records.text())
  }
}
