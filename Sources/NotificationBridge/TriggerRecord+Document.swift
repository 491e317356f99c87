extension TriggerRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    switch self {
    case .interval(let seconds, let repeats):
      writer.number("interval", seconds)
      writer.flag("repeats", repeats)
    case .calendar(let rule, let repeats):
      writer.document("calendar", rule)
      writer.flag("repeats", repeats)
    case .push: writer.flag("push", true)
    }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    let repeats = try reader.flag("repeats") ?? false
    if let seconds = try reader.number("interval") {
      guard seconds > 0, seconds.isFinite else { throw reader.wrong("interval", "above 0 (seconds)") }
      guard !repeats || seconds >= 60 else { throw reader.wrong("interval", "at least 60 (seconds) when it repeats") }
      self = .interval(seconds: seconds, repeats: repeats)
    } else if let rule = try reader.document("calendar") {
      self = .calendar(try CalendarRule(rule), repeats: repeats)
    } else if try reader.flag("push") == true {
      self = .push
    } else {
      throw BridgeError(.invalidRequest, "\(reader.path) must have 'interval', 'calendar' or 'push'")
    }
  }
}

extension CalendarRule: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.integer("era", era)
    writer.integer("year", year)
    writer.integer("month", month)
    writer.integer("day", day)
    writer.integer("hour", hour)
    writer.integer("minute", minute)
    writer.integer("second", second)
    writer.integer("nanosecond", nanosecond)
    writer.integer("weekday", weekday)
    writer.integer("weekdayOrdinal", weekdayOrdinal)
    writer.integer("quarter", quarter)
    writer.integer("weekOfMonth", weekOfMonth)
    writer.integer("weekOfYear", weekOfYear)
    writer.integer("yearForWeekOfYear", yearForWeekOfYear)
    writer.integer("dayOfYear", dayOfYear)
    writer.text("calendar", calendar)
    writer.text("timeZone", timeZone)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    era = try reader.integer("era")
    year = try reader.integer("year")
    month = try reader.integer("month")
    day = try reader.integer("day")
    hour = try reader.integer("hour")
    minute = try reader.integer("minute")
    second = try reader.integer("second")
    nanosecond = try reader.integer("nanosecond")
    weekday = try reader.integer("weekday")
    weekdayOrdinal = try reader.integer("weekdayOrdinal")
    quarter = try reader.integer("quarter")
    weekOfMonth = try reader.integer("weekOfMonth")
    weekOfYear = try reader.integer("weekOfYear")
    yearForWeekOfYear = try reader.integer("yearForWeekOfYear")
    dayOfYear = try reader.integer("dayOfYear")
    calendar = try reader.text("calendar")
    timeZone = try reader.text("timeZone")
  }
}
