internal import BridgeControl
internal import FoundationEssentials
internal import NotificationBridge

/// The actions of delivered notifications: their own, else those of their category. Each application's categories are
/// asked for once.
struct ActionLookup {
  private let client: ControlClient
  private var known: [String: [String: CategoryRecord]] = [:]

  init(_ client: ControlClient) { self.client = client }

  nonisolated(nonsending) mutating func actions(
    of record: NotificationRecord
  ) async throws(BridgeError) -> [ActionRecord] {
    let name = record.request.content.categoryIdentifier
    if let actions = record.request.desktop.actions { return actions }
    if name.isEmpty { return [] }
    let application = record.application.identifier
    if known[application] == nil {
      let categories = try await client.categories(of: application)
      known[application] = Dictionary(categories.map { ($0.identifier, $0) }) { $1 }
    }
    return known[application]?[name]?.actions ?? []
  }
}

/// What `list` prints of a notification, and in which order.
enum Listing {
  /// Notifications of one thread, or of one application those that have none.
  struct Group {
    let application: String
    let thread: String
    var records: [NotificationRecord]

    /// What it is called.
    var title: String {
      application.onOneLine() + (thread.isEmpty ? "" : ", thread " + thread.onOneLine())
    }
  }

  /// Delivered notifications by thread, and by application where they have none: the newest first in each group, and the
  /// group with the newest first.
  static func groups(_ records: [NotificationRecord]) -> [Group] {
    var groups: [Group] = []
    var places: [[String]: Int] = [:]
    for record in newestFirst(records) {
      let name = [record.application.identifier, record.request.content.threadIdentifier]
      if let place = places[name] {
        groups[place].records.append(record)
      } else {
        places[name] = groups.count
        groups.append(Group(application: name[0], thread: name[1], records: [record]))
      }
    }
    return groups
  }

  /// Of two of one moment the one that came later is the newer.
  private static func newestFirst(_ records: [NotificationRecord]) -> [NotificationRecord] {
    records.enumerated().sorted { left, right in
      left.element.date != right.element.date
        ? left.element.date > right.element.date : left.offset > right.offset
    }.map(\.element)
  }

  /// What a notification says, on one line.
  static func text(_ content: ContentRecord) -> String {
    [content.title, content.subtitle, content.body].filter { !$0.isEmpty }.joined(separator: ": ").onOneLine()
  }

  /// One line of `--json`.
  struct Line: Encodable {
    let state: String
    let application, identifier: String
    var title, subtitle, body: String?
    var thread, category: String?
    /// Seconds since 1970.
    var delivered: Double?
    var due: Double?
    var repeats: Bool?
    var actions: [Action]?
    var userInfo: [String: PropertyValue]?

    struct Action: Encodable {
      let key, label: String
      let reply: Bool
    }

    private init(_ state: String, _ application: String, _ request: RequestRecord) {
      func text(_ text: String) -> String? { text.isEmpty ? nil : text }
      let content = request.content
      self.state = state
      self.application = application
      identifier = request.identifier
      (title, subtitle, body) = (text(content.title), text(content.subtitle), text(content.body))
      (thread, category) = (text(content.threadIdentifier), text(content.categoryIdentifier))
      userInfo = content.userInfo.isEmpty ? nil : content.userInfo
    }

    init(_ pending: ControlClient.Pending) {
      self.init("pending", pending.application, pending.request)
      due = pending.due
      repeats = pending.request.trigger?.repeats ?? false
    }

    init(_ record: NotificationRecord, _ actions: [ActionRecord]) {
      self.init("delivered", record.application.identifier, record.request)
      delivered = record.date.timeIntervalSince1970
      self.actions = actions.map { Action(key: $0.identifier, label: $0.title, reply: $0.textInput != nil) }
    }
  }
}
