import FoundationEssentials
import NotificationBridge

extension Session {
  /// Makes one change, within a transaction.
  func apply(_ change: StoreChange, _ counters: inout Counters) throws(BridgeError) {
    switch change {
    case .putPending(let row): try putPending(row)
    case .movePending(let key, let firedAt, let due):
      try database.run(
        "UPDATE pending SET fired = ?, due = ? WHERE application = ? AND identifier = ?",
        .optional(firedAt?.timeIntervalSinceReferenceDate), .real(due.timeIntervalSinceReferenceDate),
        .text(key.application.oneSpelling), .text(key.identifier.oneSpelling))
    case .removePending(let key):
      let names = (SQLValue.text(key.application.oneSpelling), SQLValue.text(key.identifier.oneSpelling))
      try database.run(
        """
        DELETE FROM pending_request
        WHERE id = (SELECT id FROM pending WHERE application = ? AND identifier = ?)
        """, names.0, names.1)
      try database.run("DELETE FROM pending WHERE application = ? AND identifier = ?", names.0, names.1)
    case .putQueued(let row):
      try database.run(
        "INSERT OR REPLACE INTO queued (id, request, sender, shown, in_flight) VALUES (?, ?, ?, ?, ?)",
        .integer(try kept(row.number)), .bytes(try JSONText.write(row.request.document)),
        .bytes(try JSONText.write(row.application.document)),
        .optional(row.shownAt?.timeIntervalSinceReferenceDate), .flag(row.isInFlight))
      counters.lastNumber = max(counters.lastNumber, row.number)
    case .markQueued(let number, let isInFlight):
      try database.run(
        "UPDATE queued SET in_flight = ? WHERE id = ?", .flag(isInFlight), .integer(try kept(number)))
    case .removeQueued(let number):
      try database.run("DELETE FROM queued WHERE id = ?", .integer(try kept(number)))
    case .putDelivered(let row):
      try putDelivered(row)
      counters.lastNumber = max(counters.lastNumber, row.number)
    case .markDelivered(let key, let place, let isOpen):
      try database.run(
        "UPDATE delivered SET server_id = ?, run = ?, is_open = ? WHERE application = ? AND identifier = ?",
        place.map { .integer(Int64($0.serverID)) } ?? .null, .optional(place?.run), .flag(isOpen),
        .text(key.application.oneSpelling), .text(key.identifier.oneSpelling))
    case .removeDelivered(let key):
      try database.run(
        "DELETE FROM delivered WHERE application = ? AND identifier = ?", .text(key.application.oneSpelling),
        .text(key.identifier.oneSpelling))
    case .putResponse(let row): try putResponse(row)
    case .markResponse(let id, let state):
      try database.run("UPDATE response SET handler = ? WHERE uuid = ?", handler(state), .text(id.uuidString))
    case .removeResponse(let id): try database.run("DELETE FROM response WHERE uuid = ?", .text(id.uuidString))
    case .note(let record): try note(record, &counters)
    case .setCategories, .setAuthorization, .setBadge, .setFetching: try set(change)
    }
  }

  private func set(_ change: StoreChange) throws(BridgeError) {
    switch change {
    case .setCategories(let application, let categories) where categories.isEmpty:
      try database.run("DELETE FROM categories WHERE application = ?", .text(application.oneSpelling))
    case .setCategories(let application, let categories):
      try database.run(
        "INSERT OR REPLACE INTO categories (application, categories) VALUES (?, ?)", .text(application.oneSpelling),
        .bytes(try JSONText.write(categories.map(\.document))))
    case .setAuthorization(let application, let record):
      try database.run(
        "INSERT OR REPLACE INTO authorization (application, record) VALUES (?, ?)", .text(application.oneSpelling),
        .bytes(try JSONText.write(record.document)))
    case .setBadge(let application, let count):
      try database.run(
        "INSERT OR REPLACE INTO badge (application, count) VALUES (?, ?)", .text(application.oneSpelling),
        .integer(Int64(count)))
    case .setFetching(let application):
      try database.run("INSERT OR IGNORE INTO fetching (application) VALUES (?)", .text(application.oneSpelling))
    default: break
    }
  }

  private func putPending(_ row: PendingRow) throws(BridgeError) {
    let entry = row.entry
    let names = (
      SQLValue.text(entry.key.application.oneSpelling), SQLValue.text(entry.key.identifier.oneSpelling)
    )
    try database.run(
      """
      INSERT INTO pending (application, identifier, added, fired, due, position, follows_zone)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (application, identifier) DO UPDATE SET added = excluded.added, fired = excluded.fired,
        due = excluded.due, position = excluded.position, follows_zone = excluded.follows_zone
      """, names.0, names.1, .real(entry.addedAt.timeIntervalSinceReferenceDate),
      .optional(entry.firedAt?.timeIntervalSinceReferenceDate), .real(entry.due.timeIntervalSinceReferenceDate),
      .integer(try kept(entry.order)), .flag(entry.followsZone))
    try database.run(
      """
      INSERT OR REPLACE INTO pending_request (id, request, sender)
      SELECT id, ?, ? FROM pending WHERE application = ? AND identifier = ?
      """, .bytes(try JSONText.write(row.request.document)), .bytes(try JSONText.write(row.application.document)),
      names.0, names.1)
  }

  private func putDelivered(_ row: DeliveredRow) throws(BridgeError) {
    let record = row.record
    try database.run(
      """
      INSERT OR REPLACE INTO delivered (application, identifier, date, request, sender, server_id, run, is_open, keys,
        reports_dismissal, number)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(row.key.application.oneSpelling), .text(row.key.identifier.oneSpelling),
      .real(record.date.timeIntervalSinceReferenceDate), .bytes(try JSONText.write(record.request.document)),
      .bytes(try JSONText.write(record.application.document)), row.place.map { .integer(Int64($0.serverID)) } ?? .null,
      .optional(row.place?.run), .flag(row.isOpen),
      .bytes(try JSONText.write(row.keys.mapValues { .string($0) })), .flag(row.reportsDismissal),
      .integer(try kept(row.number)))
  }

  private func putResponse(_ row: ResponseRow) throws(BridgeError) {
    try database.run(
      """
      INSERT INTO response (uuid, date, response, handler) VALUES (?, ?, ?, ?)
      ON CONFLICT (uuid) DO UPDATE SET date = excluded.date, response = excluded.response, handler = excluded.handler
      """, .text(row.response.id.uuidString), .real(row.response.notification.date.timeIntervalSinceReferenceDate),
      .bytes(try JSONText.write(row.response.document)), handler(row.state))
  }

  private func handler(_ state: ResponseRow.State) -> SQLValue {
    switch state {
    case .waiting: .null
    case .handling(let handler): .text(handler)
    }
  }

  /// SQLite's integers have a sign.
  private func kept(_ number: UInt64) throws(BridgeError) -> Int64 {
    guard let kept = Int64(exactly: number) else {
      throw BridgeError(.store, "the number \(number) is beyond what the store can keep")
    }
    return kept
  }
}
