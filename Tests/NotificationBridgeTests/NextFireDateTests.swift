import DesktopEnvironment
import Foundation
import Testing

@testable import NotificationBridge

@Suite("Next fire date")
struct NextFireDateTests {
  private let dates = NextFireDate(zones: SystemZones())

  private func rule(_ zone: String?, _ set: (inout CalendarRule) -> Void) -> CalendarRule {
    var rule = CalendarRule()
    rule.timeZone = zone
    set(&rule)
    return rule
  }

  /// The first `count` dates after `start`.
  private func series(_ rule: CalendarRule, after start: String, count: Int) -> [String] {
    var found: [String] = []
    var date = instant(start)
    while found.count < count, let next = dates.next(after: date, rule: rule) {
      found.append(text(next))
      date = next
    }
    return found
  }

  @Test("C074: a time that exists twice fires at the first of the two, once that day")
  func c074() {
    let daily = rule("America/New_York") {
      $0.hour = 1
      $0.minute = 30
    }
    #expect(
      series(daily, after: "2026-10-31T12:00:00Z", count: 3)
        == ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z", "2026-11-03T06:30:00Z"])
    // Asked between the two, and at the second.
    #expect(series(daily, after: "2026-11-01T06:00:00Z", count: 1) == ["2026-11-02T06:30:00Z"])
    #expect(series(daily, after: "2026-11-01T06:30:00Z", count: 1) == ["2026-11-02T06:30:00Z"])
  }

  @Test("C075: a time that does not exist fires at the next instant that does, once")
  func c075() {
    let daily = rule("America/New_York") {
      $0.hour = 2
      $0.minute = 30
    }
    #expect(
      series(daily, after: "2026-03-07T12:00:00Z", count: 3)
        == ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z", "2026-03-10T06:30:00Z"])
    #expect(series(daily, after: "2026-03-08T06:59:59Z", count: 1) == ["2026-03-08T07:00:00Z"])
    #expect(series(daily, after: "2026-03-08T07:00:00.5Z", count: 1) == ["2026-03-09T06:30:00Z"])
  }

  @Test("C076: a weekday rule set before a change of clocks means the wall clock after it")
  func c076() {
    let sundays = rule("Europe/Budapest") {
      $0.weekday = 1
      $0.hour = 14
      $0.minute = 31
    }
    #expect(series(sundays, after: "2021-03-23T10:00:00Z", count: 1) == ["2021-03-28T12:31:00Z"])
  }

  @Test("C077: without a zone a rule follows the system's; with one it does not")
  func c077() {
    let zones = TravellingZones("Europe/Berlin")
    let dates = NextFireDate(zones: zones)
    let floating = rule(nil) { $0.hour = 18 }
    let fixed = rule("GMT") { $0.hour = 18 }
    let noon = instant("2026-06-10T12:00:00Z")
    #expect(dates.next(after: noon, rule: floating).map(text) == "2026-06-10T16:00:00Z")
    #expect(dates.next(after: noon, rule: fixed).map(text) == "2026-06-10T18:00:00Z")
    zones.move(to: "America/New_York")
    #expect(dates.next(after: noon, rule: floating).map(text) == "2026-06-10T22:00:00Z")
    #expect(dates.next(after: noon, rule: fixed).map(text) == "2026-06-10T18:00:00Z")
  }

  @Test("C078: months without day 31 are skipped and the hour is kept")
  func c078() {
    let last = rule("UTC") {
      $0.day = 31
      $0.hour = 9
    }
    #expect(
      series(last, after: "2025-06-10T00:00:00Z", count: 8)
        == [
          "2025-07-31", "2025-08-31", "2025-10-31", "2025-12-31", "2026-01-31", "2026-03-31", "2026-05-31",
          "2026-07-31",
        ]
        .map { $0 + "T09:00:00Z" })
  }

  @Test("C079: years without 29 February are skipped")
  func c079() {
    let leap = rule("UTC") {
      $0.month = 2
      $0.day = 29
      $0.hour = 9
    }
    #expect(
      series(leap, after: "2025-01-01T00:00:00Z", count: 2) == ["2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z"])
    #expect(series(leap, after: "2096-03-01T00:00:00Z", count: 1) == ["2104-02-29T09:00:00Z"])
  }

  @Test("A rule without an hour counts both passes of an hour and none of an hour that is left out")
  func hourly() {
    let halfPast = rule("America/New_York") { $0.minute = 30 }
    #expect(
      series(halfPast, after: "2026-11-01T05:00:00Z", count: 3)
        == ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z"])
    #expect(
      series(halfPast, after: "2026-03-08T06:00:00Z", count: 2) == ["2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z"])
    // Cairo's clocks go back at midnight: the last hour of that day comes twice.
    let lastDay = rule("Africa/Cairo") {
      $0.year = 2026
      $0.month = 10
      $0.day = 29
      $0.minute = 59
    }
    #expect(
      series(lastDay, after: "2026-10-29T19:59:30Z", count: 5) == ["2026-10-29T20:59:00Z", "2026-10-29T21:59:00Z"])
  }

  @Test("Samoa's 30 December 2011 is a missing day")
  func skippedDay() {
    let daily = rule("Pacific/Apia") { $0.hour = 9 }
    #expect(
      series(daily, after: "2011-12-29T00:00:00Z", count: 3)
        == ["2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z", "2011-12-31T19:00:00Z"])
    let date = rule("Pacific/Apia") {
      $0.month = 12
      $0.day = 30
    }
    #expect(series(date, after: "2011-06-01T00:00:00Z", count: 1) == ["2012-12-29T10:00:00Z"])
  }

  @Test("A whole date that is past has no next date")
  func past() {
    let date = rule("UTC") {
      $0.year = 2025
      $0.month = 6
      $0.day = 10
      $0.hour = 9
    }
    #expect(series(date, after: "2025-06-10T08:59:59Z", count: 2) == ["2025-06-10T09:00:00Z"])
    #expect(dates.next(after: instant("2025-06-10T09:00:00Z"), rule: date) == nil)
  }

  @Test(
    "What can never match has no date",
    arguments: [
      "", "month=13", "month=0", "day=32", "day=0", "month=2 day=30", "month=4 day=31", "year=2027 month=2 day=29",
      "hour=24", "hour=-1", "minute=60", "second=60", "nanosecond=1000000000", "weekday=8", "weekday=0",
      "weekdayOrdinal=6", "quarter=5", "weekOfYear=54", "dayOfYear=367", "era=0", "era=2", "year=0", "year=10000",
      "month=1 quarter=2", "day=15 dayOfYear=1", "month=1 weekOfYear=20", "weekday=2 month=2 day=29 year=2028",
      "calendar=iso8601 weekOfYear=53 yearForWeekOfYear=2027", "calendar=hebrew month=1 day=1",
      "calendar=japanese era=235 year=31", "year=9223372036854775807", "calendar=japanese year=9223372036854775807",
      "calendar=buddhist year=-9223372036854775808", "zone=Mars/Olympus hour=8", "zone=../../etc/passwd hour=8",
    ])
  func never(_ text: String) throws {
    let rule = try CalendarRule(text: text)
    let clock = ContinuousClock()
    let took = clock.measure {
      #expect(dates.next(after: instant("2026-01-01T00:00:00Z"), rule: rule) == nil)
    }
    #expect(took < .seconds(5))
  }

  @Test(
    "The less usual units",
    arguments: [
      ("second=15", "2026-01-01T00:00:15Z"),
      ("nanosecond=500000000", "2026-01-01T00:00:00.500Z"),
      ("hour=8 second=30", "2026-01-01T08:00:30Z"),
      ("era=1 hour=8", "2026-01-01T08:00:00Z"),
      ("year=2030", "2030-01-01T00:00:00Z"),
      ("year=3000 month=5", "3000-05-01T00:00:00Z"),
      ("year=9999 month=12 day=31 hour=23", "9999-12-31T23:00:00Z"),
      ("quarter=1", "2027-01-01T00:00:00Z"),
      ("quarter=2", "2026-04-01T00:00:00Z"),
      ("weekOfMonth=2", "2026-01-04T00:00:00Z"),
      ("weekOfMonth=1 weekday=7 hour=6", "2026-01-03T06:00:00Z"),
      ("weekOfYear=2", "2026-01-04T00:00:00Z"),
      ("calendar=iso8601 weekOfYear=2", "2026-01-05T00:00:00Z"),
      ("calendar=iso8601 weekOfYear=53 weekday=1", "2027-01-03T00:00:00Z"),
      ("yearForWeekOfYear=2027", "2026-12-27T00:00:00Z"),
      ("calendar=iso8601 yearForWeekOfYear=2027", "2027-01-04T00:00:00Z"),
      ("weekday=2 weekdayOrdinal=1 hour=9", "2026-01-05T09:00:00Z"),
      ("weekday=1 month=2 day=29", "2032-02-29T00:00:00Z"),
      ("weekday=5 month=2 weekdayOrdinal=5", "2052-02-29T00:00:00Z"),
      ("dayOfYear=366", "2028-12-31T00:00:00Z"),
      ("calendar=buddhist year=2570 month=2 day=3", "2027-02-03T00:00:00Z"),
      ("calendar=japanese era=236 year=9 month=2", "2027-02-01T00:00:00Z"),
      ("calendar=republicOfChina year=116", "2027-01-01T00:00:00Z"),
      ("calendar=hebrew weekday=3 hour=7", "2026-01-06T07:00:00Z"),
      ("zone=GMT+0200 hour=8", "2026-01-01T06:00:00Z"),
      ("zone=Africa/Cairo month=4 day=24", "2026-04-23T22:00:00Z"),
    ])
  func units(_ text: String, _ expected: String) throws {
    var rule = try CalendarRule(text: text)
    rule.timeZone = rule.timeZone ?? "UTC"
    let found = try #require(dates.next(after: instant("2026-01-01T00:00:00Z"), rule: rule))
    #expect(found == instant(expected))
  }

  @Test("The date asked from is never the answer, fractions of seconds included")
  func strictlyAfter() throws {
    let daily = rule("UTC") { $0.hour = 8 }
    let due = instant("2026-01-01T08:00:00Z")
    #expect(dates.next(after: due - 0.000_001, rule: daily) == due)
    #expect(dates.next(after: due, rule: daily) == due + 86400)
    #expect(dates.next(after: due + 0.000_001, rule: daily) == due + 86400)
    let fraction = rule("UTC") { $0.nanosecond = 250_000_000 }
    #expect(dates.next(after: due, rule: fraction) == due + 0.25)
    #expect(dates.next(after: due + 0.25, rule: fraction) == due + 1.25)
  }

  @Test("Dates beyond the years in question, and what is no date, have no next")
  func extremes() {
    let daily = rule("America/New_York") { $0.hour = 8 }
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800] {
      #expect(dates.next(after: Date(timeIntervalSince1970: seconds), rule: daily) == nil)
    }
    #expect(dates.next(after: Date(timeIntervalSince1970: 253_402_300_799), rule: daily) == nil)
    #expect(dates.next(after: .distantPast, rule: daily) != nil)
    #expect(dates.next(after: Date(timeIntervalSince1970: -1e300), rule: daily) != nil)
  }

  @Test("Intervals count from when they were added")
  func intervals() {
    let added = instant("2026-03-08T06:30:00.25Z")
    let once = TriggerRecord.interval(seconds: 5, repeats: false)
    #expect(dates.next(after: added, trigger: once, added: added) == added + 5)
    #expect(dates.next(after: added + 4.9, trigger: once, added: added) == added + 5)
    #expect(dates.next(after: added + 5, trigger: once, added: added) == nil)
    let hourly = TriggerRecord.interval(seconds: 3600, repeats: true)
    #expect(dates.next(after: added - 100, trigger: hourly, added: added) == added + 3600)
    #expect(dates.next(after: added + 3600, trigger: hourly, added: added) == added + 7200)
    #expect(dates.next(after: added + 360_000.5, trigger: hourly, added: added) == added + 363_600)
    var date = added
    let odd = TriggerRecord.interval(seconds: 60.1, repeats: true)
    for _ in 0..<1000 {
      guard let next = dates.next(after: date, trigger: odd, added: added) else {
        Issue.record("no next date after \(date)")
        return
      }
      #expect(next > date && next < date + 60.2)
      date = next
    }
    #expect(abs(date.timeIntervalSince(added) - 60_100) < 0.01)
  }

  @Test("The search for an interval's date ends for every date that can be asked about", .timeLimit(.minutes(1)))
  func distantIntervals() {
    let hourly = TriggerRecord.interval(seconds: 3600, repeats: true)
    let added = instant("2026-01-01T00:00:00Z")
    for seconds in [-1e300, -1e18, -.greatestFiniteMagnitude] {
      let past = Date(timeIntervalSince1970: seconds)
      #expect(dates.next(after: past, trigger: hourly, added: added) == added + 3600)
      #expect(dates.next(after: added, trigger: hourly, added: past) ?? past > added)
      #expect(dates.next(after: past, trigger: hourly, added: past) != nil)
    }
  }

  @Test("A rule's zone is a name, never the path of a file: what reads those trusts what is in them")
  func zonePaths() throws {
    let utc = "/usr/share/zoneinfo/UTC"
    try #require(SystemZones().knows(utc))
    let noon = instant("2026-01-01T12:00:00Z")
    #expect(dates.next(after: noon, rule: rule(utc) { $0.hour = 9 }) == nil)
    #expect(dates.next(after: noon, rule: rule("UTC") { $0.hour = 9 }) != nil)
    #expect(NextFireDate(zones: TravellingZones(utc)).next(after: noon, rule: rule(nil) { $0.hour = 9 }) != nil)
  }

  @Test(
    "Intervals that Apple does not allow have no date",
    arguments: [
      TriggerRecord.interval(seconds: 0, repeats: false), .interval(seconds: -1, repeats: false),
      .interval(seconds: 59.9, repeats: true), .interval(seconds: .nan, repeats: true),
      .interval(seconds: .infinity, repeats: false), .interval(seconds: 1e300, repeats: true), .push,
    ])
  func badIntervals(_ trigger: TriggerRecord) {
    let added = instant("2026-01-01T00:00:00Z")
    #expect(dates.next(after: added, trigger: trigger, added: added) == nil)
  }

  @Test("A calendar trigger that does not repeat has one date, a repeating one goes on")
  func triggers() {
    let daily = rule("UTC") { $0.hour = 9 }
    let added = instant("2026-01-01T08:00:00Z")
    let due = instant("2026-01-01T09:00:00Z")
    let once = TriggerRecord.calendar(daily, repeats: false)
    #expect(dates.next(after: added, trigger: once, added: added) == due)
    #expect(dates.next(after: due, trigger: once, added: added) == nil)
    #expect(dates.next(after: due, trigger: .calendar(daily, repeats: true), added: added) == due + 86400)
  }
}
