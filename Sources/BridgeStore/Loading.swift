import CSQLite
import FoundationEssentials
import NotificationBridge

extension Statement {
  func date(_ column: Int32) -> Date? { real(column).map { Date(timeIntervalSinceReferenceDate: $0) } }

  /// - Throws: ``BridgeError`` with code `store` for anything but the JSON text of an object.
  func document(_ column: Int32) throws(BridgeError) -> [String: PropertyValue] {
    let value = try withBytes(column) { bytes throws(BridgeError) in try JSONText.read(bytes) }
    guard case .dictionary(let entries)? = value else {
      throw BridgeError(.store, "no JSON object in column \(column)")
    }
    return entries
  }

  func record<Record: Documented>(_ column: Int32, _ name: String) throws(BridgeError) -> Record {
    try Record(document: try document(column), named: name)
  }

  /// What a column must have.
  func needed<Value>(_ value: Value?, _ name: String) throws(BridgeError) -> Value {
    guard let value else { throw BridgeError(.store, "\(name) is not what it must be") }
    return value
  }
}

extension Session {
  /// See ``EngineStore/load()``.
  func load() throws(BridgeError) -> StoredState {
    var state = StoredState()
    state.lastNumber = lastNumber
    state.lastSequence = lastSequence
    try loadPending(&state)
    try each("queued", "SELECT id, request, sender, shown, in_flight FROM queued ORDER BY id") {
      row throws(BridgeError) in
      state.queued.append(
        QueuedRow(
          number: try row.needed(row.integer(0).flatMap { UInt64(exactly: $0) }, "number"),
          request: try row.record(1, "request"), application: try row.record(2, "application"), shownAt: row.date(3),
          isInFlight: try row.needed(row.flag(4), "in_flight")))
    }
    let delivered = """
      SELECT id, date, request, sender, server_id, run, is_open, keys, reports_dismissal, number FROM delivered
      ORDER BY number
      """
    try each("delivered", delivered) { row throws(BridgeError) in state.delivered.append(try Self.delivered(row)) }
    try each("response", "SELECT id, date, response, handler FROM response ORDER BY id") { row throws(BridgeError) in
      var response: ResponseRecord = try row.record(2, "response")
      response.notification.date = try row.needed(row.date(1), "date")
      state.responses.append(
        ResponseRow(response: response, state: row.text(3).map { .handling(handler: $0) } ?? .waiting))
    }
    try loadSettings(&state)
    return state
  }

  private func loadPending(_ state: inout StoredState) throws(BridgeError) {
    state.pending.reserveCapacity(Int(try database.integer("SELECT count(*) FROM pending") ?? 0))
    // Few applications have many requests: each name is kept once.
    var applications: [String: String] = [:]
    let text = "SELECT id, application, identifier, added, fired, due, position, follows_zone FROM pending"
    try each("pending", text) { row throws(BridgeError) in
      let application = try row.needed(row.text(1), "application")
      let shared = applications[application] ?? application
      if shared.utf8.count > 15 { applications[shared] = shared }
      if !row.isNull(4), row.real(4) == nil { throw BridgeError(.store, "fired is not what it must be") }
      state.pending.append(
        PendingEntry(
          key: NotificationKey(application: shared, identifier: try row.needed(row.text(2), "identifier")),
          addedAt: try row.needed(row.date(3), "added"), firedAt: row.date(4),
          due: try row.needed(row.date(5), "due"),
          order: try row.needed(row.integer(6).flatMap { UInt64(exactly: $0) }, "position"),
          followsZone: try row.needed(row.flag(7), "follows_zone")))
    }
  }

  private static func delivered(_ row: Statement) throws(BridgeError) -> DeliveredRow {
    var place: DaemonPlace?
    if let number = row.integer(4), let server = UInt32(exactly: number), let run = row.text(5) {
      place = DaemonPlace(serverID: server, run: run)
    }
    var keys: [String: String] = [:]
    for (key, value) in try row.document(7) {
      guard case .string(let word) = value else { throw BridgeError(.store, "keys are not what they must be") }
      keys[key] = word
    }
    return DeliveredRow(
      record: NotificationRecord(
        application: try row.record(3, "application"), request: try row.record(2, "request"),
        date: try row.needed(row.date(1), "date")), place: place, isOpen: try row.needed(row.flag(6), "is_open"),
      keys: keys, reportsDismissal: try row.needed(row.flag(8), "reports_dismissal"),
      number: try row.needed(row.integer(9).flatMap { UInt64(exactly: $0) }, "number"))
  }

  private func loadSettings(_ state: inout StoredState) throws(BridgeError) {
    try each("categories", "SELECT id, application, categories FROM categories") { row throws(BridgeError) in
      let value = try row.withBytes(2) { bytes throws(BridgeError) in try JSONText.read(bytes) }
      let reader = DocumentReader(value.map { ["categories": $0] } ?? [:], path: "categories")
      state.categories[try row.needed(row.text(1), "application")] = try row.needed(
        try reader.records("categories", of: CategoryRecord.self), "categories")
    }
    try each("authorization", "SELECT id, application, record FROM authorization") { row throws(BridgeError) in
      state.authorizations[try row.needed(row.text(1), "application")] = try row.record(2, "authorization")
    }
    try each("badge", "SELECT id, application, count FROM badge") { row throws(BridgeError) in
      state.badges[try row.needed(row.text(1), "application")] = Int(try row.needed(row.integer(2), "count"))
    }
    try each("fetching", "SELECT id, application FROM fetching") { row throws(BridgeError) in
      state.fetching.insert(try row.needed(row.text(1), "application"))
    }
  }

  /// See ``EngineStore/pendingRequest(_:)``.
  func pendingRequest(_ key: NotificationKey) throws(BridgeError) -> (RequestRecord, ApplicationRecord)? {
    var found: (RequestRecord, ApplicationRecord)?
    let text = """
      SELECT id, request, sender FROM pending_request
      WHERE id = (SELECT id FROM pending WHERE application = ? AND identifier = ?)
      """
    try each("pending_request", text, .text(key.application.oneSpelling), .text(key.identifier.oneSpelling)) {
      row throws(BridgeError) in
      found = (try row.record(1, "request"), try row.record(2, "application"))
    }
    if found == nil, try isInTable(key) {
      // What is salvaged is read without an index.
      throw BridgeError(
        SQLiteError(code: SQLITE_CORRUPT, text: "a pending request lacks its content or its place in the index"),
        path: database.path)
    }
    return found
  }

  /// See ``EngineStore/pendingAttachments()``. Few requests have files: only those are read that can have any.
  func pendingAttachments() throws(BridgeError) -> Set<String> {
    var paths: Set<String> = []
    let text = "SELECT id, request FROM pending_request WHERE request LIKE '%\"attachments\"%'"
    try each("pending_request", text) { row throws(BridgeError) in
      let request: RequestRecord = try row.record(1, "request")
      paths.formUnion(request.content.attachments.map(\.path))
    }
    return paths
  }

  private func isInTable(_ key: NotificationKey) throws(BridgeError) -> Bool {
    var isThere = false
    try database.query(
      "SELECT 1 FROM pending NOT INDEXED WHERE application = ? AND identifier = ?",
      [.text(key.application.oneSpelling), .text(key.identifier.oneSpelling)]
    ) { _ in
      isThere = true
      return false
    }
    return isThere
  }

  /// Reads the rows of a table; those that cannot be read are set aside.
  /// - Parameter text: a query whose first column is `id`.
  func each(
    _ table: String, _ text: String, _ values: SQLValue..., body: (Statement) throws(BridgeError) -> Void
  ) throws(BridgeError) {
    var damaged: [(Int64, String)] = []
    try database.query(text, values) { row in
      do throws(BridgeError) { try body(row) } catch { damaged.append((row.integer(0) ?? 0, "\(error)")) }
      return true
    }
    for (id, reason) in damaged { try setAside(id, of: table, reason) }
  }
}
