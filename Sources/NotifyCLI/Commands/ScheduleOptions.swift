internal import FoundationEssentials
internal import NotificationBridge

/// When `send` is to show its notification.
enum ScheduleOptions {
  /// Nil: now.
  static func trigger(_ arguments: ParsedArguments) throws(UsageError) -> TriggerRecord? {
    let given = ["in", "at", "every", "on"].filter { arguments.has($0) }
    if given.count > 1 { throw UsageError("--\(given[0]) and --\(given[1]) exclude each other") }
    let zone = arguments["zone"]
    if zone != nil, !arguments.has("at"), !arguments.has("on") {
      throw UsageError("--zone goes with --at or --on")
    }
    guard let option = given.first, let text = arguments[option] else { return nil }
    switch option {
    case "in": return .interval(seconds: try seconds(text, "--in"), repeats: false)
    case "every":
      let seconds = try seconds(text, "--every")
      guard seconds >= 60 else {
        throw UsageError("--every \(text.quotedForPeople) is too short: at least 60 seconds must lie between")
      }
      return .interval(seconds: seconds, repeats: true)
    case "at": return .calendar(try date(text, zone), repeats: false)
    default: return .calendar(try units(text, zone), repeats: true)
    }
  }

  /// `90`, `10m`, `1h30m`, `2d`: seconds.
  static func seconds(_ text: String, _ option: String) throws(UsageError) -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    var total = 0.0
    var number = ""
    for character in text {
      if character.isASCII, character.isNumber || character == "." {
        number.append(character)
      } else if let unit = units[character], let value = Double(number) {
        total += value * unit
        number = ""
      } else {
        throw wrongTime(text, option)
      }
    }
    if !number.isEmpty {
      guard let value = Double(number) else { throw wrongTime(text, option) }
      total += value
    }
    guard total > 0, total <= 100 * 365 * 86_400 else { throw wrongTime(text, option) }
    return total
  }

  private static func wrongTime(_ text: String, _ option: String) -> UsageError {
    UsageError("\(option) \(text.quotedForPeople) is no time above 0: give 90, 45s, 10m, 1h30m, 2d or 1w")
  }

  /// `2026-12-24 18:00[:30]`, with a `T` between and a `Z` behind it too; or `18:00`.
  static func date(_ text: String, _ zone: String?) throws(UsageError) -> CalendarRule {
    var rule = CalendarRule()
    rule.timeZone = zone
    var rest = text[...]
    if rest.hasSuffix("Z") {
      guard zone == nil else { throw UsageError("--at \(text.quotedForPeople) has a zone already: leave out --zone") }
      rule.timeZone = "GMT"
      rest = rest.dropLast()
    }
    let parts = rest.split(whereSeparator: { $0 == " " || $0 == "T" }).map(String.init)
    let wrong = UsageError("--at \(text.quotedForPeople) is no date: give '2026-12-24 18:00' or '18:00'")
    guard let clock = parts.last, (1...2).contains(parts.count) else { throw wrong }
    if parts.count == 2 {
      let day = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard day.count == 3, let year = day[0], let month = day[1], let number = day[2], (1970...9999).contains(year),
        (1...12).contains(month), (1...31).contains(number)
      else { throw wrong }
      (rule.year, rule.month, rule.day) = (year, month, number)
    }
    let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(time.count), let hour = time[0], let minute = time[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { throw wrong }
    (rule.hour, rule.minute, rule.second) = (hour, minute, 0)
    if time.count == 3 {
      guard let second = time[2], (0...59).contains(second) else { throw wrong }
      rule.second = second
    }
    return rule
  }

  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// `weekday=mon hour=9`.
  static func units(_ text: String, _ zone: String?) throws(UsageError) -> CalendarRule {
    var rule = CalendarRule()
    rule.timeZone = zone
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("--on \(text.quotedForPeople): \(String(word).quotedForPeople) is not of the form UNIT=NUMBER")
      }
      try set(parts[0], parts[1], text, &rule)
    }
    if rule == CalendarRule() || text.isEmpty {
      throw UsageError("--on is empty: give units such as 'weekday=mon hour=9'")
    }
    return rule
  }

  private static func set(
    _ unit: String, _ value: String, _ text: String, _ rule: inout CalendarRule
  ) throws(UsageError) {
    func number(_ range: ClosedRange<Int>) throws(UsageError) -> Int {
      guard let number = Int(value), range.contains(number) else {
        throw UsageError(
          "--on \(text.quotedForPeople): \(unit) must be from \(range.lowerBound) to \(range.upperBound), not "
            + value.quotedForPeople)
      }
      return number
    }
    switch unit {
    case "year": rule.year = try number(1970...9999)
    case "month": rule.month = try number(1...12)
    case "day": rule.day = try number(1...31)
    case "hour": rule.hour = try number(0...23)
    case "minute": rule.minute = try number(0...59)
    case "second": rule.second = try number(0...59)
    case "weekday":
      guard let index = weekdays.firstIndex(of: String(value.lowercased().prefix(3))), value.count >= 3 else {
        throw UsageError(
          "--on \(text.quotedForPeople): weekday must be one of \(weekdays.joined(separator: ", ")), not "
            + value.quotedForPeople)
      }
      rule.weekday = index + 1
    default:
      throw UsageError(
        "--on \(text.quotedForPeople): unknown unit \(unit.quotedForPeople): year, month, day, weekday, hour, minute "
          + "and second are known")
    }
  }
}
