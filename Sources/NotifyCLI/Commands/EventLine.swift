internal import FoundationEssentials
internal import NotificationBridge

/// An event of the history as `history` and `watch` print it.
enum EventLine {
  /// One line of JSON: what the bus interface has, but an action as its one word and dates as seconds since 1970.
  struct JSON: Encodable {
    let sequence: Int64
    let date: Double
    let application, identifier, event: String
    let detail: [String: PropertyValue]?

    init(_ record: HistoryRecord) {
      sequence = record.sequence
      date = record.date.timeIntervalSince1970
      application = record.application
      identifier = record.identifier
      event = record.event.rawValue
      var detail = record.detail.mapValues { value in
        if case .date(let date) = value { PropertyValue.double(date.timeIntervalSince1970) } else { value }
      }
      if let action = EventLine.action(record) { detail["action"] = .string(action) }
      self.detail = detail.isEmpty ? nil : detail
    }
  }

  /// A row of a table: when, what, whose, which, and what more is known.
  static func row(_ record: HistoryRecord, namesApplication: Bool) -> [String] {
    var row = [LocalTime.text(record.date.timeIntervalSince1970), record.event.rawValue]
    if namesApplication { row.append(record.application.onOneLine()) }
    return row + [record.identifier.onOneLine(), detail(record)]
  }

  /// The action of a response.
  private static func action(_ record: HistoryRecord) -> String? {
    guard case .dictionary(let document)? = record.detail["action"] else { return nil }
    return (try? ResponseRecord.Action(document: document, named: "action"))?.word
  }

  private static func detail(_ record: HistoryRecord) -> String {
    func text(_ name: String) -> String? {
      if case .string(let text)? = record.detail[name] { text } else { nil }
    }
    switch record.event {
    case .added:
      if case .date(let date)? = record.detail["due"] { return "due " + LocalTime.text(date.timeIntervalSince1970) }
      return ""
    case .delivered: return (text("title") ?? "").onOneLine()
    case .responded: return ([action(record), text("text")].compactMap { $0 }.joined(separator: ": ")).onOneLine()
    case .handled:
      return ((text("handler") ?? text("extension") ?? "") + ": " + (text("status").map(Self.ending) ?? "")).onOneLine()
    case .uncertain:
      return "nobody knows how far the handler \(text("handler") ?? "") came: \(text("reason") ?? "")".onOneLine(
        limit: 200)
    case .failed: return (text("reason") ?? "").onOneLine(limit: 200)
    case .repeated: return "it may have appeared twice"
    case .dismissed, .expired, .closed, .replaced, .lost, .removed: return ""
    }
  }

  private static func ending(_ status: String) -> String { Int(status) == nil ? status : "status " + status }
}
