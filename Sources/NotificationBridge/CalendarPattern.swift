/// A ``CalendarRule`` that was checked, as a pattern over wall-clock time: seconds since 1970 as if the clock on the
/// wall showed GMT.
///
/// The units that are set must match. Units below the lowest that is set have their least value, so that `hour 8`
/// means 08:00:00 and `month 6` the first of June at midnight; all others are free. Of days that match a week, month,
/// quarter or year in a row, the first is meant when no smaller unit is set.
struct CalendarPattern: Sendable {
  /// Whether the hour is fixed, by the rule itself or as a unit below its lowest. A free hour makes a rule that
  /// matches many times a day.
  var fixesHour: Bool { hour != nil }

  private var year, month, day, weekday, weekdayOrdinal, quarter: Int?
  private var weekOfMonth, weekOfYear, yearForWeekOfYear, dayOfYear: Int?
  private var hour, minute, second: Int?
  /// No day is set but something above it: the first day of each run is meant.
  private let firstOfRunOnly: Bool
  private let weeks: GregorianDay.Weeks

  /// The years in which dates are looked for.
  static let years = 1...9999
  /// After so many years the calendar repeats itself, weekdays and all: what did not match until then never will.
  private static let cycle = 400

  /// Nil for a rule that is empty, contradicts itself in one unit (month 13, 30 February), or needs a calendar that is
  /// not known here (see ``NextFireDate``).
  init?(_ rule: CalendarRule) {
    guard let calendar = CalendarKind(rule) else { return nil }
    weeks = calendar.weeks
    year = rule.year.flatMap { calendar.gregorianYear($0) }
    yearForWeekOfYear = rule.yearForWeekOfYear.flatMap { calendar.gregorianYear($0) }
    guard (rule.year == nil) == (year == nil), (rule.yearForWeekOfYear == nil) == (yearForWeekOfYear == nil)
    else { return nil }
    month = rule.month
    day = rule.day
    weekday = rule.weekday
    weekdayOrdinal = rule.weekdayOrdinal
    quarter = rule.quarter
    weekOfMonth = rule.weekOfMonth
    weekOfYear = rule.weekOfYear
    dayOfYear = rule.dayOfYear

    let namesDay = day != nil || weekday != nil || dayOfYear != nil
    // The first day of an era lies behind us; so it adds nothing.
    let namesMore =
      year != nil || month != nil || weekdayOrdinal != nil || quarter != nil || weekOfMonth != nil
      || weekOfYear != nil || yearForWeekOfYear != nil
    let namesSecond = rule.second != nil || rule.nanosecond != nil
    let namesTime = rule.hour != nil || rule.minute != nil || namesSecond
    guard namesDay || namesMore || namesTime else { return nil }
    firstOfRunOnly = namesMore && !namesDay && !namesTime
    hour = namesTime ? rule.hour : 0
    minute = rule.minute ?? (namesSecond ? nil : 0)
    second = rule.second ?? (rule.nanosecond != nil ? nil : 0)

    func fits(_ value: Int?, _ range: ClosedRange<Int>) -> Bool { value.map(range.contains) ?? true }
    guard fits(year, Self.years), fits(yearForWeekOfYear, Self.years), fits(month, 1...12), fits(day, 1...31),
      fits(weekday, 1...7), fits(weekdayOrdinal, 1...5), fits(quarter, 1...4), fits(weekOfMonth, 0...6),
      fits(weekOfYear, 1...53), fits(dayOfYear, 1...366), fits(hour, 0...23), fits(minute, 0...59),
      fits(second, 0...59), fits(rule.nanosecond, 0...999_999_999)
    else { return nil }
    if let month, let day, day > GregorianDay.length(ofMonth: month, year: year ?? 2000) { return nil }
  }

  /// The first wall-clock time from `start` on that matches; nil when none ever does.
  func next(from start: Int64) -> Int64? {
    let today = start.quotient(by: secondsPerDay)
    guard let first = firstDay(from: today) else { return nil }
    if first == today {
      if let time = time(from: Int(start - today * secondsPerDay)) { return today * secondsPerDay + Int64(time) }
      guard let later = firstDay(from: today + 1) else { return nil }
      return later * secondsPerDay + earliestTime
    }
    return first * secondsPerDay + earliestTime
  }

  private var earliestTime: Int64 { Int64(((hour ?? 0) * 60 + (minute ?? 0)) * 60 + (second ?? 0)) }

  /// The first matching second of a day from `start` on.
  private func time(from start: Int) -> Int? {
    for candidate in Self.values(hour, from: start / 3600, to: 23) {
      let startMinute = candidate == start / 3600 ? start / 60 % 60 : 0
      for minute in Self.values(minute, from: startMinute, to: 59) {
        let base = (candidate * 60 + minute) * 60
        if let second = Self.values(second, from: max(0, start - base), to: 59).first { return base + second }
      }
    }
    return nil
  }

  /// `fixed` alone when it is in `first...last`, all of `first...last` when it is nil.
  private static func values(_ fixed: Int?, from first: Int, to last: Int) -> Range<Int> {
    guard first <= last else { return 0..<0 }
    guard let fixed else { return first..<last + 1 }
    return (first...last).contains(fixed) ? fixed..<fixed + 1 : 0..<0
  }

  /// The number of the first matching day from day number `start` on.
  private func firstDay(from start: Int64) -> Int64? {
    guard start <= Self.lastDay else { return nil }
    let origin = GregorianDay(number: max(start, Self.firstDay))
    let span: Range<Int>
    if let yearForWeekOfYear {
      // A week's year differs from the date's by one at most.
      span = Self.values(
        year, from: max(yearForWeekOfYear - 1, origin.year), to: min(yearForWeekOfYear + 1, Self.years.upperBound))
    } else {
      let end = year ?? origin.year + Self.cycle
      span = Self.values(year, from: origin.year, to: min(end, Self.years.upperBound))
    }
    for year in span {
      for month in Self.values(month, from: year == origin.year ? origin.month : 1, to: 12) {
        if let quarter, (month + 2) / 3 != quarter { continue }
        let isOrigin = year == origin.year && month == origin.month
        let length = GregorianDay.length(ofMonth: month, year: year)
        for day in Self.values(day, from: isOrigin ? origin.day : 1, to: length) {
          if let date = GregorianDay(year: year, month: month, day: day), isMeant(date) { return date.number }
        }
      }
    }
    return nil
  }

  private static let firstDay = GregorianDay(year: years.lowerBound, month: 1, day: 1)?.number ?? 0
  private static let lastDay = GregorianDay(year: years.upperBound, month: 12, day: 31)?.number ?? 0

  private func isMeant(_ date: GregorianDay) -> Bool {
    matches(date) && !(firstOfRunOnly && matches(GregorianDay(number: date.number - 1)))
  }

  /// Whether all units of a day and above match.
  private func matches(_ date: GregorianDay) -> Bool {
    func agrees(_ wanted: Int?, _ found: @autoclosure () -> Int) -> Bool { wanted.map { $0 == found() } ?? true }
    guard agrees(year, date.year), agrees(month, date.month), agrees(day, date.day), agrees(weekday, date.weekday),
      agrees(weekdayOrdinal, date.weekdayOrdinal), agrees(quarter, date.quarter), agrees(dayOfYear, date.dayOfYear),
      agrees(weekOfMonth, date.weekOfMonth(weeks))
    else { return false }
    guard weekOfYear != nil || yearForWeekOfYear != nil else { return true }
    let week = date.weekOfYear(weeks)
    return agrees(weekOfYear, week.week) && agrees(yearForWeekOfYear, week.year)
  }
}

/// What a rule's calendar means for a Gregorian search.
private struct CalendarKind {
  var weeks = GregorianDay.Weeks.gregorian
  /// What to add to a year of that calendar.
  var yearShift = 0

  /// Nil when the rule's era is over or its calendar is not known, unless the rule sets nothing but weekday and time,
  /// which are the same in all calendars.
  init?(_ rule: CalendarRule) {
    let eras: ClosedRange<Int>
    switch rule.calendar?.lowercased() ?? "gregorian" {
    case "gregorian": eras = 1...1
    case "iso8601":
      weeks = .iso8601
      eras = 1...1
    case "buddhist":
      yearShift = -543
      eras = 0...0
    case "republicofchina", "roc":
      yearShift = 1911
      eras = 1...1
    case "japanese":
      // Reiwa, the present era; the earlier ones are over.
      yearShift = 2018
      eras = 236...236
    default:
      let sets = [
        rule.era, rule.year, rule.month, rule.day, rule.weekdayOrdinal, rule.quarter, rule.weekOfMonth,
        rule.weekOfYear, rule.yearForWeekOfYear, rule.dayOfYear,
      ]
      guard sets.allSatisfy({ $0 == nil }) else { return nil }
      return
    }
    if let era = rule.era, !eras.contains(era) { return nil }
  }

  func gregorianYear(_ year: Int) -> Int? {
    let (sum, overflow) = year.addingReportingOverflow(yearShift)
    return overflow ? nil : sum
  }
}

let secondsPerDay: Int64 = 86400

extension Int64 {
  /// The quotient rounded down; `divisor` is above 0.
  func quotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
