import NotificationBridge
import Testing

@testable import NotifyCLI

/// `--in`, `--at`, `--every` and `--on` as people write them.
@Suite struct ScheduleTests {
  private func trigger(_ arguments: String...) throws -> TriggerRecord? {
    try ScheduleOptions.trigger(try ParsedArguments(arguments, for: SendOptions.send))
  }

  private func rule(_ arguments: String...) throws -> CalendarRule {
    guard case .calendar(let rule, _)? = try ScheduleOptions.trigger(ParsedArguments(arguments, for: SendOptions.send))
    else { throw UsageError("no calendar") }
    return rule
  }

  @Test(
    "times add up their units; a number alone is seconds",
    arguments: [
      ("90", 90.0), ("45s", 45), ("10m", 600), ("1h30m", 5400), ("2d", 172_800), ("1w", 604_800), ("1.5h", 5400),
      ("1m30", 90),
    ])
  func times(text: String, seconds: Double) throws {
    #expect(try trigger("--in", text) == .interval(seconds: seconds, repeats: false))
  }

  @Test(
    "what is no time is named", arguments: ["", "0", "-5", "5x", "m", "1..5s", "h5", "nan", "1e5", "999999999999w"])
  func noTimes(text: String) throws {
    let error = #expect(throws: UsageError.self) { try trigger("--in=" + text) }
    #expect(error?.message.contains("--in") == true)
  }

  @Test("C081: --every below 60 s is refused, and 60 is said; 60 repeats")
  func every() throws {
    #expect(try trigger("--every", "60") == .interval(seconds: 60, repeats: true))
    for text in ["5", "59s", "0"] {
      #expect(throws: UsageError.self) { try trigger("--every", text) }
    }
    let error = #expect(throws: UsageError.self) { try trigger("--every", "5") }
    #expect(error?.message.contains("60") == true)
  }

  @Test("dates: a day and a time, a time alone, seconds, a T, a Z, a zone")
  func at() throws {
    var expected = CalendarRule()
    (expected.year, expected.month, expected.day) = (2026, 12, 24)
    (expected.hour, expected.minute, expected.second) = (18, 0, 0)
    #expect(try rule("--at", "2026-12-24 18:00") == expected)
    #expect(try rule("--at", "2026-12-24T18:00") == expected)
    expected.timeZone = "Europe/Berlin"
    #expect(try rule("--at", "2026-12-24 18:00", "--zone", "Europe/Berlin") == expected)
    expected.timeZone = "GMT"
    expected.second = 30
    #expect(try rule("--at", "2026-12-24T18:00:30Z") == expected)
    var time = CalendarRule()
    (time.hour, time.minute, time.second) = (7, 5, 0)
    #expect(try rule("--at", "7:05") == time)
  }

  @Test(
    "what is no date is named",
    arguments: [
      "", "tomorrow", "24:00", "12:60", "2026-13-01 10:00", "2026-00-01 10:00", "2026-02-32 10:00", "26-1 10:00",
      "2026-12-24", "10", "10:00 11:00 12:00", "2026-12-24 10:00:99",
    ])
  func noDates(text: String) throws {
    let error = #expect(throws: UsageError.self) { try trigger("--at=" + text) }
    #expect(error?.message.contains("--at") == true)
  }

  @Test("units that must match; weekdays by their names")
  func on() throws {
    var monday = CalendarRule()
    (monday.weekday, monday.hour) = (2, 9)
    #expect(try rule("--on", "weekday=mon hour=9") == monday)
    #expect(try rule("--on", "weekday=Monday hour=9") == monday)
    var first = CalendarRule()
    (first.day, first.hour, first.minute) = (1, 8, 30)
    #expect(try trigger("--on", "day=1 hour=8 minute=30") == .calendar(first, repeats: true))
  }

  @Test(
    "units that are wrong are named",
    arguments: ["", "hour", "hour=24", "weekday=2", "weekday=mo", "fortnight=1", "day=0", "hour=x", "minute=-1"])
  func wrongUnits(text: String) throws {
    let error = #expect(throws: UsageError.self) { try trigger("--on=" + text) }
    #expect(error?.message.contains("--on") == true)
  }

  @Test("they exclude each other, and --zone goes with dates alone")
  func exclusive() throws {
    #expect(throws: UsageError.self) { try trigger("--in", "5", "--at", "18:00") }
    #expect(throws: UsageError.self) { try trigger("--in", "5", "--zone", "GMT") }
    #expect(throws: UsageError.self) { try trigger("--at", "2026-12-24T18:00Z", "--zone", "GMT") }
    #expect(try trigger() == nil)
  }
}
