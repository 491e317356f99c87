/// A day of the Gregorian calendar, taken as if it had always been in use.
///
/// FoundationEssentials' `Calendar` could tell the same, but searching day by day through it costs several
/// microseconds a step.
struct GregorianDay: Sendable, Hashable {
  /// Days since 1 January 1970.
  let number: Int64
  let year: Int
  /// 1…12.
  let month: Int
  /// 1…31.
  let day: Int

  /// How weeks are counted.
  struct Weeks: Sendable, Hashable {
    /// 1 is Sunday.
    var first: Int
    /// So many days of a week must lie in a month or year for the week to be its first.
    var minimumDays: Int

    /// The Gregorian calendar's, as Apple's calendar has them without a locale.
    static let gregorian = Weeks(first: 1, minimumDays: 1)
    /// ISO 8601's.
    static let iso8601 = Weeks(first: 2, minimumDays: 4)

    /// The number of the week in which the `index`th day (from 0) of a month or year lies, when its weekday is
    /// `weekday`; 0: it belongs to the last week of the one before.
    func number(index: Int, weekday: Int) -> Int {
      let start = (weekday - first - index) % 7
      let daysBefore = start < 0 ? start + 7 : start
      let place = index + daysBefore
      return (place < 0 ? (place - 6) / 7 : place / 7) + (7 - daysBefore >= minimumDays ? 1 : 0)
    }
  }

  /// The day with a number.
  init(number: Int64) {
    let sinceYearOne = number + Self.daysBefore(year: 1970)
    var year = Int((sinceYearOne * 400) / 146_097) + 1
    while Self.daysBefore(year: year) > sinceYearOne { year -= 1 }
    while Self.daysBefore(year: year + 1) <= sinceYearOne { year += 1 }
    var rest = Int(sinceYearOne - Self.daysBefore(year: year))
    var month = 1
    while rest >= Self.length(ofMonth: month, year: year) {
      rest -= Self.length(ofMonth: month, year: year)
      month += 1
    }
    self.number = number
    self.year = year
    self.month = month
    self.day = rest + 1
  }

  /// The day with a date; nil when the month lacks it.
  init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.number =
      Self.daysBefore(year: year) - Self.daysBefore(year: 1970)
      + Int64(Self.daysBefore(month: month, year: year) + day - 1)
  }

  /// 1 is Sunday.
  var weekday: Int { Int((number % 7 + 11) % 7) + 1 }
  /// 1…4.
  var quarter: Int { (month + 2) / 3 }
  /// 1…366.
  var dayOfYear: Int { Self.daysBefore(month: month, year: year) + day }
  /// The how-manieth of its weekday it is in its month: 1…5.
  var weekdayOrdinal: Int { (day + 6) / 7 }

  /// 0…6; 0 is possible only where a first week must have several days.
  func weekOfMonth(_ weeks: Weeks) -> Int { weeks.number(index: day - 1, weekday: weekday) }

  /// The week of the year and the year to which that week belongs.
  func weekOfYear(_ weeks: Weeks) -> (year: Int, week: Int) {
    let week = weeks.number(index: dayOfYear - 1, weekday: weekday)
    let length = Self.length(ofYear: year)
    if week == 0 {
      let before = Self.length(ofYear: year - 1)
      return (year - 1, weeks.number(index: before + dayOfYear - 1, weekday: weekday))
    }
    // The days of the last week that count as the next year's first.
    if dayOfYear + 7 > length, weeks.number(index: dayOfYear - 1 - length, weekday: weekday) == 1 {
      return (year + 1, 1)
    }
    return (year, week)
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
  static func length(ofYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

  /// The days of a month of 1…12.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days of a year before a month of 1…12.
  private static func daysBefore(month: Int, year: Int) -> Int {
    daysBeforeMonth[month - 1] + (month > 2 && isLeap(year) ? 1 : 0)
  }

  private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

  /// The days from 1 January of year 1 to that of `year`, which is at least 0.
  private static func daysBefore(year: Int) -> Int64 {
    let past = Int64(year) - 1
    func quotient(_ divisor: Int64) -> Int64 { past >= 0 ? past / divisor : (past - divisor + 1) / divisor }
    return past * 365 + quotient(4) - quotient(100) + quotient(400)
  }
}
