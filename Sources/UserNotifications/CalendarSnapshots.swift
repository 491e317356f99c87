import NotificationBridge

extension CalendarRule {
  /// A rule without a zone follows the system's. So do components without a zone, those with
  /// `TimeZone.autoupdatingCurrent`, and those whose calendar has the zone that is current; a calendar with another
  /// zone, like a zone of the components' own, fixes it.
  init(_ components: DateComponents) {
    self.init()
    era = components.era
    year = components.year
    month = components.month
    day = components.day
    hour = components.hour
    minute = components.minute
    second = components.second
    nanosecond = components.nanosecond
    weekday = components.weekday
    weekdayOrdinal = components.weekdayOrdinal
    quarter = components.quarter
    weekOfMonth = components.weekOfMonth
    weekOfYear = components.weekOfYear
    yearForWeekOfYear = components.yearForWeekOfYear
    dayOfYear = components.dayOfYear
    calendar = components.calendar.map { Self.names[$0.identifier] ?? "\($0.identifier)" }
    let zone = components.timeZone ?? components.calendar.map(\.timeZone).flatMap { $0 == .current ? nil : $0 }
    timeZone = zone.flatMap { $0 == .autoupdatingCurrent ? nil : $0.identifier }
  }

  /// Names of calendars, as in Unicode's locale data.
  fileprivate static let names: [Calendar.Identifier: String] = [
    .gregorian: "gregorian", .buddhist: "buddhist", .chinese: "chinese", .coptic: "coptic",
    .ethiopicAmeteMihret: "ethiopic", .ethiopicAmeteAlem: "ethiopic-amete-alem", .hebrew: "hebrew",
    .iso8601: "iso8601", .indian: "indian", .islamic: "islamic", .islamicCivil: "islamic-civil",
    .islamicTabular: "islamic-tbla", .islamicUmmAlQura: "islamic-umalqura", .japanese: "japanese",
    .persian: "persian", .republicOfChina: "roc",
  ]
}

extension DateComponents {
  init(_ rule: CalendarRule) {
    let identifier = CalendarRule.names.first { $0.value == rule.calendar }?.key
    self.init(
      calendar: identifier.map { Calendar(identifier: $0) },
      timeZone: rule.timeZone.flatMap(TimeZone.init(identifier:)),
      era: rule.era, year: rule.year, month: rule.month, day: rule.day, hour: rule.hour, minute: rule.minute,
      second: rule.second, nanosecond: rule.nanosecond, weekday: rule.weekday, weekdayOrdinal: rule.weekdayOrdinal,
      quarter: rule.quarter, weekOfMonth: rule.weekOfMonth, weekOfYear: rule.weekOfYear,
      yearForWeekOfYear: rule.yearForWeekOfYear)
    dayOfYear = rule.dayOfYear
  }
}
