public import FoundationEssentials

/// Where the engine keeps what must survive it. All calls are made by the engine, on its executor, one at a time, and
/// block until they are done.
public protocol EngineStore: Sendable {
  /// What was kept. Called once, before anything else.
  /// - Throws: ``BridgeError`` with code `store`.
  func load() throws(BridgeError) -> StoredState
  /// Makes all changes, in order, or none.
  /// - Parameter durably: a power cut does not undo them; otherwise only the end of this process does not.
  /// - Throws: ``BridgeError`` with code `store`.
  func commit(_ changes: [StoreChange], durably: Bool) throws(BridgeError)
  /// A pending request in full; nil if there is none of that name.
  /// - Throws: ``BridgeError`` with code `store`.
  func pendingRequest(_ key: NotificationKey) throws(BridgeError) -> (RequestRecord, ApplicationRecord)?
  /// The paths of the files that pending requests need.
  /// - Throws: ``BridgeError`` with code `store`.
  func pendingAttachments() throws(BridgeError) -> Set<String>
  /// What happened after the event of that number, oldest first.
  /// - Parameters:
  ///   - application: nil: of all.
  ///   - newest: the last ones instead of the first ones, when there are more than `limit`.
  /// - Throws: ``BridgeError`` with code `store`.
  func history(
    after sequence: Int64, application: String?, limit: Int, newest: Bool
  ) throws(BridgeError) -> [HistoryRecord]
}

/// Everything that was kept.
public struct StoredState: Sendable {
  public var pending: [PendingEntry] = []
  public var queued: [QueuedRow] = []
  public var delivered: [DeliveredRow] = []
  public var responses: [ResponseRow] = []
  public var categories: [String: [CategoryRecord]] = [:]
  public var authorizations: [String: AuthorizationRecord] = [:]
  public var badges: [String: Int] = [:]
  /// Applications that fetch their responses themselves once they are started.
  public var fetching: Set<String> = []
  /// The highest number of a delivery so far.
  public var lastNumber: UInt64 = 0
  /// The highest number of an event so far.
  public var lastSequence: Int64 = 0

  public init() {}
}

/// One change. See ``EngineStore/commit(_:durably:)``.
public enum StoreChange: Sendable {
  /// Adds a pending request or takes the place of the one with its key.
  indirect case putPending(PendingRow)
  /// A repeating request, or one whose zone changed, has a new date.
  case movePending(NotificationKey, firedAt: Date?, due: Date)
  case removePending(NotificationKey)
  /// Adds a queued delivery or takes the place of the one with its number.
  indirect case putQueued(QueuedRow)
  case markQueued(number: UInt64, isInFlight: Bool)
  case removeQueued(number: UInt64)
  /// Adds a delivered notification or takes the place of the one with its key.
  indirect case putDelivered(DeliveredRow)
  case markDelivered(NotificationKey, place: DaemonPlace?, isOpen: Bool)
  case removeDelivered(NotificationKey)
  indirect case putResponse(ResponseRow)
  case markResponse(UUID, ResponseRow.State)
  case removeResponse(UUID)
  /// An empty list takes the application's categories away.
  case setCategories(String, [CategoryRecord])
  case setAuthorization(String, AuthorizationRecord)
  case setBadge(String, Int)
  case setFetching(String)
  indirect case note(HistoryRecord)
}

extension StoreChange {
  /// Of changes that could not be made, those that the next commit makes: removals and marks, which are small and true
  /// whenever they are made. What was to be added is not: who asked for it was told that it is not kept. A request
  /// whose place something new was to take stays.
  static func toRepeat(_ changes: [StoreChange]) -> [StoreChange] {
    var added: Set<NotificationKey> = []
    let kept = changes.reversed().filter { change in
      switch change {
      case .putPending(let row):
        added.insert(row.entry.key)
        return false
      case .removePending(let key), .movePending(let key, firedAt: _, due: _): return !added.contains(key)
      case .markQueued, .removeQueued, .markDelivered, .removeDelivered, .markResponse, .removeResponse: return true
      case .putQueued, .putDelivered, .putResponse, .setCategories, .setAuthorization, .setBadge, .setFetching, .note:
        return false
      }
    }
    return kept.prefix(50_000).reversed()
  }
}

/// A pending request.
public struct PendingRow: Sendable {
  public var request: RequestRecord
  public var application: ApplicationRecord
  public var entry: PendingEntry

  public init(request: RequestRecord, application: ApplicationRecord, entry: PendingEntry) {
    self.request = request
    self.application = application
    self.entry = entry
  }
}

/// When a pending request is due, without the request itself.
public struct PendingEntry: Sendable, Hashable {
  public var key: NotificationKey
  public var addedAt: Date
  /// When it was delivered last; nil: not yet.
  public var firedAt: Date?
  public var due: Date
  /// The order in which requests were added.
  public var order: UInt64
  /// Its date follows the system's zone.
  public var followsZone: Bool

  public init(
    key: NotificationKey, addedAt: Date, firedAt: Date? = nil, due: Date, order: UInt64, followsZone: Bool
  ) {
    self.key = key
    self.addedAt = addedAt
    self.firedAt = firedAt
    self.due = due
    self.order = order
    self.followsZone = followsZone
  }
}

/// A delivery that the daemon has not accepted yet.
public struct QueuedRow: Sendable {
  public var number: UInt64
  public var request: RequestRecord
  public var application: ApplicationRecord
  /// Set when it was shown before.
  public var shownAt: Date?
  /// `Notify` was called, or is about to be.
  public var isInFlight: Bool

  public init(
    number: UInt64, request: RequestRecord, application: ApplicationRecord, shownAt: Date? = nil,
    isInFlight: Bool = false
  ) {
    self.number = number
    self.request = request
    self.application = application
    self.shownAt = shownAt
    self.isInFlight = isInFlight
  }
}

/// A daemon's number and the run of the daemon that it belongs to: it is void in any other.
public struct DaemonPlace: Sendable, Hashable {
  public var serverID: UInt32
  /// The bus's own identifier and the daemon's unique name on it.
  public var run: String

  public init(serverID: UInt32, run: String) {
    self.serverID = serverID
    self.run = run
  }
}

/// A delivered notification.
public struct DeliveredRow: Sendable {
  public var record: NotificationRecord
  public var place: DaemonPlace?
  /// False: the daemon closed it by its time.
  public var isOpen: Bool
  /// The keys that were sent, each as ``Translator/ActionMeaning/word``.
  public var keys: [String: String]
  public var reportsDismissal: Bool
  public var number: UInt64

  public init(
    record: NotificationRecord, place: DaemonPlace?, isOpen: Bool, keys: [String: String], reportsDismissal: Bool,
    number: UInt64
  ) {
    self.record = record
    self.place = place
    self.isOpen = isOpen
    self.keys = keys
    self.reportsDismissal = reportsDismissal
    self.number = number
  }

  public var key: NotificationKey {
    NotificationKey(application: record.application.identifier, identifier: record.request.identifier)
  }
}

/// A response that nobody has dealt with yet.
public struct ResponseRow: Sendable {
  /// How far it is.
  public enum State: Sendable, Hashable {
    /// It waits for somebody who takes it.
    case waiting
    /// A handler was started for it, or is about to be.
    case handling(handler: String)
  }

  public var response: ResponseRecord
  public var state: State

  public init(response: ResponseRecord, state: State = .waiting) {
    self.response = response
    self.state = state
  }
}

/// Something that happened to a notification.
public struct HistoryRecord: Sendable, Hashable {
  /// What happened. The words are part of the bus interface and of `watch`'s output.
  public enum Event: String, Sendable, Hashable, CaseIterable {
    /// It waits for its trigger.
    case added
    /// The daemon has accepted it.
    case delivered
    /// The user acted; ``HistoryRecord/detail`` has the action and the text of a reply.
    case responded
    case dismissed, expired, closed, replaced
    /// The daemon that showed it has gone.
    case lost
    /// Somebody removed it.
    case removed
    /// It could not be delivered; the detail says why.
    case failed
    /// It was in flight when the bridge ended, and was posted again: it may have appeared twice.
    case repeated
    /// A handler ran; the detail has its name and status.
    case handled
    /// A handler was in flight when the bridge, or what ran it, ended: nobody knows how far it came, and it is not run
    /// again; the detail says why.
    case uncertain
  }

  /// Rises with each event; 0 until it is kept.
  public var sequence: Int64
  public var date: Date
  public var application: String
  public var identifier: String
  public var event: Event
  public var detail: [String: PropertyValue]

  public init(
    sequence: Int64 = 0, date: Date, application: String, identifier: String, event: Event,
    detail: [String: PropertyValue] = [:]
  ) {
    self.sequence = sequence
    self.date = date
    self.application = application
    self.identifier = identifier
    self.event = event
    self.detail = detail
  }
}

extension HistoryRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.integer("sequence", Int(sequence))
    writer.number("date", date.timeIntervalSince1970)
    writer.text("application", application)
    writer.text("identifier", identifier)
    writer.text("event", event.rawValue)
    if !detail.isEmpty { writer.set("detail", .dictionary(detail)) }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    var detail: [String: PropertyValue] = [:]
    if case .dictionary(let entries)? = reader.value("detail") { detail = entries }
    self.init(
      sequence: Int64(try reader.integer("sequence") ?? 0),
      date: Date(timeIntervalSince1970: try reader.needed("date", try reader.number("date"), "seconds since 1970")),
      application: try reader.needed("application", try reader.text("application"), "text"),
      identifier: try reader.needed("identifier", try reader.text("identifier"), "text"),
      event: try reader.needed("event", try reader.word("event", of: Event.self), "an event"), detail: detail)
  }
}

extension Translator.ActionMeaning {
  /// How it is kept.
  public var word: String {
    switch self {
    case .default: "default"
    case .settings: "settings"
    case .button(let identifier): "button:" + identifier
    case .textInput(let identifier): "text:" + identifier
    case .attachment(let index): "attachment:\(index)"
    }
  }

  /// Reads what ``word`` gave; nil for anything else.
  public init?(word: String) {
    switch word {
    case "default": self = .default
    case "settings": self = .settings
    case _ where word.hasPrefix("button:"): self = .button(identifier: String(word.dropFirst("button:".count)))
    case _ where word.hasPrefix("text:"): self = .textInput(identifier: String(word.dropFirst("text:".count)))
    case _ where word.hasPrefix("attachment:"):
      guard let index = Int(word.dropFirst("attachment:".count)), index >= 0 else { return nil }
      self = .attachment(index: index)
    default: return nil
    }
  }
}
