import FoundationEssentials
import NotificationBridge

/// How much of the history is kept; what is over either limit goes, oldest first.
public struct HistoryLimits: Sendable, Hashable {
  /// How many entries, 0 or more; for a while a sixteenth more may be there.
  public var entries: Int
  /// How old, in days, 0 or more; counted back from the newest entry.
  public var days: Int

  public init(entries: Int = 1_000, days: Int = 30) {
    self.entries = max(entries, 0)
    self.days = max(days, 0)
  }

  /// By so many entries the limit may be passed, so that not each event has to look for the oldest.
  var slack: Int { min(entries / 16, 1_000) }
}

extension Session {
  /// Adds an event; one without a number gets the next.
  func note(_ record: HistoryRecord, _ counters: inout Counters) throws(BridgeError) {
    let sequence = record.sequence == 0 ? counters.lastSequence + 1 : record.sequence
    // A number that is there already means a damage; it must not keep what goes along from being kept.
    try database.run(
      "INSERT OR REPLACE INTO history (id, date, application, identifier, event, detail) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(sequence), .real(record.date.timeIntervalSinceReferenceDate), .text(record.application.oneSpelling),
      .text(record.identifier), .text(record.event.rawValue),
      record.detail.isEmpty ? .null : .bytes(try JSONText.write(record.detail)))
    counters.lastSequence = max(counters.lastSequence, sequence)
    counters.events += 1
    counters.newestEvent = max(counters.newestEvent, record.date)
  }

  /// Takes away what is over the limits.
  func pruneHistory(_ counters: inout Counters) throws(BridgeError) {
    if counters.newestEvent >= counters.nextAgePruning {
      let oldest = counters.newestEvent.addingTimeInterval(-86_400 * Double(limits.days))
      counters.events -= try database.run(
        "DELETE FROM history WHERE date < ?", .real(oldest.timeIntervalSinceReferenceDate))
      counters.nextAgePruning = counters.newestEvent.addingTimeInterval(3_600)
    }
    if counters.events > limits.entries + limits.slack {
      counters.events -= try database.run(
        "DELETE FROM history WHERE id IN (SELECT id FROM history ORDER BY id LIMIT ?)",
        .integer(Int64(counters.events - limits.entries)))
    }
  }

  /// See ``EngineStore/history(after:application:limit:newest:)``.
  func history(
    after sequence: Int64, application: String?, limit: Int, newest: Bool
  ) throws(BridgeError) -> [HistoryRecord] {
    var records: [HistoryRecord] = []
    var damaged: [(Int64, String)] = []
    let filter = application == nil ? "? IS NULL" : "application = ?"
    try database.query(
      """
      SELECT id, date, application, identifier, event, detail FROM history
      WHERE id > ? AND \(filter) ORDER BY id \(newest ? "DESC" : "ASC") LIMIT ?
      """, [.integer(sequence), .optional(application?.oneSpelling), .integer(Int64(max(limit, 0)))]
    ) { row in
      do throws(BridgeError) { records.append(try Self.event(row)) } catch {
        damaged.append((row.integer(0) ?? 0, "\(error)"))
      }
      return true
    }
    for (id, reason) in damaged { try setAside(id, of: "history", reason) }
    return newest ? records.reversed() : records
  }

  private static func event(_ row: Statement) throws(BridgeError) -> HistoryRecord {
    guard let sequence = row.integer(0), let date = row.date(1), let application = row.text(2),
      let identifier = row.text(3), let event = row.text(4).flatMap(HistoryRecord.Event.init)
    else { throw BridgeError(.store, "a column is not what it must be") }
    return HistoryRecord(
      sequence: sequence, date: date, application: application, identifier: identifier, event: event,
      detail: row.isNull(5) ? [:] : try row.document(5))
  }
}
