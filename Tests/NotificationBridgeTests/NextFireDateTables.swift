import DesktopEnvironment
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import NotificationBridge

@Suite("Next fire date against other searches")
struct NextFireDateTables {
  @Test("Agrees with a search from minute to minute by Python's zoneinfo")
  func differential() throws {
    let zones = SystemZones()
    let dates = NextFireDate(zones: zones)
    let file = try #require(Bundle.module.url(forResource: "fire-dates", withExtension: "tsv", subdirectory: "Data"))
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count >= 1000)
    #expect(Set(lines.map { $0.prefix { $0 != "\t" } }).count >= 12)
    let searched = instant("2029-01-01T00:00:00Z")
    var following = 0
    for line in lines {
      let cells = line.split(separator: "\t").map(String.init)
      try #require(cells.count == 4)
      var rule = try CalendarRule(text: cells[2])
      // Those of the present zone without its name, too: they follow it.
      for zone in cells[0] == zones.current ? [cells[0], nil] : [cells[0]] {
        rule.timeZone = zone
        let found = dates.next(after: instant(cells[1]), rule: rule)
        let shown = found.flatMap { $0 < searched ? text($0) : nil } ?? "-"
        #expect(shown == cells[3], "\(line)")
        if zone == nil { following += 1 }
      }
    }
    if ProcessInfo.processInfo.environment[Self.isChild] != nil {
      #expect(following > 50, "\(zones.current) has \(following) rows")
    }
  }

  /// Set for a run of these tests within a test.
  private static let isChild = "NOTIFY_BRIDGE_TEST_CHILD"

  @Test(
    "The same, and all that is known of dates, in a process of another zone", .timeLimit(.minutes(2)),
    .enabled(if: ProcessInfo.processInfo.environment[isChild] == nil, "it is the run within"),
    arguments: ["Europe/Berlin", "America/New_York"])
  func otherZone(zone: String) async throws {
    // The tests' own program, by its name, for its libraries and resources are found from there.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let result = try await BinaryRunner.run(
      program, ["--testing-library", "swift-testing", "--filter", "NotificationBridgeTests.NextFireDate"],
      environment: ["TZ": zone, Self.isChild: "1"], timeLimit: .seconds(100))
    let output = result.output + result.errors
    #expect(result.status == 0, "\(output.suffix(4_000))")
    // A run of no tests ends well, too.
    let count = output.firstMatch(of: /Test run with (\d+) tests in \d+ suites? passed/).flatMap { Int($0.1) }
    #expect(count ?? 0 >= 15, "\(output.suffix(1_000))")
  }

  @Test("Days have the weekdays and week numbers of Foundation's calendars")
  func days() throws {
    for (identifier, weeks) in [
      (Calendar.Identifier.gregorian, GregorianDay.Weeks.gregorian), (.iso8601, .iso8601),
    ] {
      var calendar = Calendar(identifier: identifier)
      calendar.timeZone = .gmt
      calendar.firstWeekday = weeks.first
      calendar.minimumDaysInFirstWeek = weeks.minimumDays
      // From 1970 to 2100.
      for number in stride(from: Int64(0), to: 47_847, by: 1) {
        let day = GregorianDay(number: number)
        let parts = calendar.dateComponents(
          [.year, .month, .day, .weekday, .weekdayOrdinal, .weekOfMonth, .weekOfYear, .yearForWeekOfYear, .dayOfYear],
          from: Date(timeIntervalSince1970: Double(number) * 86400))
        let week = day.weekOfYear(weeks)
        let found = [
          day.year, day.month, day.day, day.weekday, day.weekdayOrdinal, day.weekOfMonth(weeks), week.week, week.year,
          day.dayOfYear,
        ]
        let expected = [
          parts.year, parts.month, parts.day, parts.weekday, parts.weekdayOrdinal, parts.weekOfMonth, parts.weekOfYear,
          parts.yearForWeekOfYear, parts.dayOfYear,
        ]
        try #require(found == expected, "\(identifier) day \(number)")
        try #require(GregorianDay(year: day.year, month: day.month, day: day.day) == day)
      }
    }
  }

  @Test("Asked from instant to instant, a daily rule fires once each wall-clock day, whatever the zone does")
  func everyDay() throws {
    let zones = SystemZones()
    let dates = NextFireDate(zones: zones)
    for zone in ["America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo"] {
      for (hour, minute) in [(0, 0), (2, 15), (23, 59)] {
        var rule = CalendarRule()
        rule.timeZone = zone
        rule.hour = hour
        rule.minute = minute
        // Past the end of the tz database's tables and into the rules for all time after.
        var date = instant("2036-01-01T12:00:00Z")
        let end = instant("2041-01-01T00:00:00Z")
        var lastDay: Int64?
        while date < end {
          date = try #require(dates.next(after: date, rule: rule))
          let seconds = Int64(date.timeIntervalSince1970)
          let wallClock = seconds + Int64(zones.offset(of: zone, at: seconds))
          let day = wallClock.quotient(by: 86400)
          if let lastDay { try #require(day == lastDay + 1, "\(zone) \(text(date))") }
          lastDay = day
          let late = wallClock - day * 86400 - Int64(hour * 3600 + minute * 60)
          try #require(late >= 0 && late <= 3600, "\(zone) \(text(date))")
        }
      }
    }
  }
}

/// Real rules, with a system that can be moved.
final class TravellingZones: ZoneRules {
  private let rules = SystemZones()
  private let place: Mutex<String>

  init(_ place: String) { self.place = Mutex(place) }

  func move(to place: String) { self.place.withLock { $0 = place } }

  var current: String { place.withLock { $0 } }
  func knows(_ zone: String) -> Bool { rules.knows(zone) }
  func offset(of zone: String, at instant: Int64) -> Int { rules.offset(of: zone, at: instant) }
  func instant(of wallClock: Int64, in zone: String) -> Int64 { rules.instant(of: wallClock, in: zone) }
}

/// A rule written as `hour=8 minute=30`.
extension CalendarRule {
  init(text: String) throws {
    self.init()
    for pair in text.split(separator: " ") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      switch parts[0] {
      case "calendar": calendar = parts[1]
      case "zone": timeZone = parts[1]
      default:
        let units: [String: WritableKeyPath<CalendarRule, Int?>] = [
          "era": \.era, "year": \.year, "month": \.month, "day": \.day, "hour": \.hour, "minute": \.minute,
          "second": \.second, "nanosecond": \.nanosecond, "weekday": \.weekday, "weekdayOrdinal": \.weekdayOrdinal,
          "quarter": \.quarter, "weekOfMonth": \.weekOfMonth, "weekOfYear": \.weekOfYear,
          "yearForWeekOfYear": \.yearForWeekOfYear, "dayOfYear": \.dayOfYear,
        ]
        let value = Int(parts[1])
        try #require(value != nil)
        self[keyPath: try #require(units[parts[0]])] = value
      }
    }
  }
}

/// The instant of a text such as `2026-03-08T07:00:00Z`, with a fraction or without.
func instant(_ text: String) -> Date {
  let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
  guard let date = try? style.parse(text) else { preconditionFailure("not a date: \(text)") }
  return date
}

func text(_ date: Date) -> String { date.formatted(.iso8601) }
