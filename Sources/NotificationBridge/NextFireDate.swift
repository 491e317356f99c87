public import FoundationEssentials

/// When a trigger fires next: pure date arithmetic on wall-clock time and the rules of zones.
///
/// A calendar rule matches the clock on the wall in its own zone, or in the system's when it names none; so the answer
/// for the latter changes with the system's zone, and is to be asked for again then.
///
/// - Units that are set must match; units below the lowest that is set are at their least value (`hour 8`: 08:00:00);
///   all others are free. `weekday`, `weekdayOrdinal`, `weekOfMonth`, `weekOfYear`, `yearForWeekOfYear`, `quarter`,
///   `dayOfYear`, `era` and `nanosecond` count like the others. A week, month, quarter or year without a day in it
///   means its first day.
/// - A day that a month or year lacks (31st, 29 February, a day that a zone left out) is skipped to the next month or
///   year that has it; the hour stays.
/// - A time that does not exist, where clocks go forward, moves to the next instant that exists (02:30 to 03:00). A
///   time that exists twice, where clocks go back, is the first of the two. So a rule with an hour fires once a day.
/// - A rule without an hour (`minute 30`) fires whenever the clock on the wall matches: in an hour that exists twice
///   both times, in one that does not exist not at all.
/// - Calendars: `gregorian` (weeks begin on Sunday and the first is that of 1 January), `iso8601` (weeks of that
///   standard), and `buddhist`, `republicOfChina` and `japanese` (present era), which differ in the year alone. In any
///   other, rules of weekday and time work, and those with a date never match: a date that is silently taken for a
///   Gregorian one would be wrong.
///
/// Never matched are: a rule with nothing set (Apple does not say what it means), a unit out of its range, a date that
/// does not exist in any year, a zone that is not known or is the path of a file, years outside 1…9999. The search ends
/// after 400 years, in which the calendar repeats itself; it takes microseconds for daily rules and some milliseconds
/// for hopeless ones.
///
/// Source: Apple, UNCalendarNotificationTrigger and UNTimeIntervalNotificationTrigger; the rest is our choice.
public struct NextFireDate: Sendable {
  private let zones: any ZoneRules

  public init(zones: any ZoneRules) { self.zones = zones }

  /// The first date after `after`, never `after` itself, that matches `rule`; nil when none does.
  public func next(after: Date, rule: CalendarRule) -> Date? {
    guard let pattern = CalendarPattern(rule), let floor = Self.seconds(after) else { return nil }
    // Requests name zones, no files: what reads those trusts them. The system's own setting may lead to one.
    guard rule.timeZone?.hasPrefix("/") != true else { return nil }
    let zone = rule.timeZone ?? zones.current
    guard zones.knows(zone) else { return nil }
    let fraction = Double(rule.nanosecond ?? 0) / 1e9
    func date(_ instant: Int64) -> Date { Date(timeIntervalSince1970: Double(instant) + fraction) }
    let search = WallClockSearch(pattern: pattern, zones: zones, zone: zone)
    return search.next(from: date(floor) > after ? floor : floor + 1).map(date)
  }

  /// The first date after `after` on which a trigger fires that was added at `added`; nil when it does not fire then
  /// any more, or never.
  ///
  /// One that does not repeat has one date only, counted from `added`: with `after` equal to `added` the answer is the
  /// date it is or was due. Intervals count real seconds from `added`, whatever clocks and zones did meanwhile. An
  /// interval of 0 or less, or below 60 when repeating, and a push trigger have no date.
  public func next(after: Date, trigger: TriggerRecord, added: Date) -> Date? {
    switch trigger {
    case .push: return nil
    case .calendar(let rule, repeats: true): return next(after: after, rule: rule)
    case .calendar(let rule, repeats: false):
      guard let due = next(after: added, rule: rule), due > after else { return nil }
      return due
    case .interval(let seconds, let repeats):
      guard seconds > 0, seconds.isFinite, !repeats || seconds >= 60 else { return nil }
      guard Self.seconds(after) != nil, Self.seconds(added) != nil else { return nil }
      // So far back that seconds no longer count, the search below would not end.
      let (after, added) = (max(after, Self.yearOne), max(added, Self.yearOne))
      let first = added + seconds
      if first > after { return Self.seconds(first) == nil ? nil : first }
      guard repeats else { return nil }
      var count = (after.timeIntervalSince(added) / seconds).rounded(.down)
      // Rounding may be off by one at most.
      while added + count * seconds <= after { count += 1 }
      return added + count * seconds
    }
  }

  /// The whole seconds of a date, rounded down; the year 1 for one before it, nil for one that is no number or lies
  /// after the year 9999.
  private static func seconds(_ date: Date) -> Int64? {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, seconds < 253_402_300_800 else { return nil }
    return Int64(max(seconds, yearOne.timeIntervalSince1970).rounded(.down))
  }

  private static let yearOne = Date(timeIntervalSince1970: -62_135_596_800)
}

/// Looks for the instants at which the clock on a zone's walls matches a pattern.
private struct WallClockSearch {
  let pattern: CalendarPattern
  let zones: any ZoneRules
  let zone: String

  /// No zone's offset ever changed by more, nor is any further from Greenwich.
  private static let longestShift: Int64 = 26 * 3600

  /// The first matching instant from `start` on.
  func next(from start: Int64) -> Int64? {
    pattern.fixesHour ? nextOncePerWallClock(from: start) : nextByInstant(from: start)
  }

  private func offset(_ instant: Int64) -> Int64 { Int64(zones.offset(of: zone, at: instant)) }
  private func instant(_ wallClock: Int64) -> Int64 { zones.instant(of: wallClock, in: zone) }

  /// Every wall-clock time has one instant, and later ones have no earlier instants; so it is enough to find where to
  /// begin.
  private func nextOncePerWallClock(from start: Int64) -> Int64? {
    var wallClock = start - 1 + offset(start - 1) + 1
    if instant(wallClock) < start {
      // In an hour that exists twice, the second time: all until its end had their instant before.
      wallClock = first(after: wallClock, through: wallClock + 2 * Self.longestShift) { instant($0) >= start }
    }
    // Each turn leaves a day behind that the zone does not have; none left out more than one.
    for _ in 0..<8 {
      guard let match = pattern.next(from: wallClock) else { return nil }
      let found = instant(match)
      let day = match.quotient(by: secondsPerDay)
      let foundDay = (found + offset(found)).quotient(by: secondsPerDay)
      guard foundDay > day, instant(day * secondsPerDay) == found else { return found }
      wallClock = (day + 1) * secondsPerDay
    }
    return nil
  }

  /// Every instant counts whose wall-clock time matches.
  private func nextByInstant(from start: Int64) -> Int64? {
    var start = start
    // Each turn leaves a change of the zone's offset behind or comes within a day of the match.
    for _ in 0..<64 {
      let shift = offset(start)
      let match = pattern.next(from: start + shift)
      let end = min(match.map { $0 - shift } ?? .max, start + Self.longestShift)
      if offset(end) != shift {
        // Until the change nothing matches; after it the clock shows something else.
        start = first(after: start, through: end) { offset($0) != shift }
        continue
      }
      guard let match else { return nil }
      if match - shift == end { return end }
      // Far away: until a day before it no offset lets the clock show it, nor anything that matches.
      start = match - shift - Self.longestShift
    }
    return nil
  }

  /// The first number in `low+1...high` for which `holds`, when it holds for `high` and, once it does, goes on to.
  private func first(after low: Int64, through high: Int64, where holds: (Int64) -> Bool) -> Int64 {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}
