internal import Glibc

/// Times for people, in the zone of this process.
enum LocalTime {
  /// `2026-12-24 18:00:00`.
  /// - Parameter seconds: since 1970.
  static func text(_ seconds: Double) -> String {
    // Beyond that no calendar counts; also what no number is.
    guard abs(seconds) < 1e11 else { return "?" }
    var time = time_t(seconds.rounded(.down))
    var parts = unsafe tm()
    // Unlike localtime, localtime_r need not look at TZ.
    tzset()
    guard unsafe localtime_r(&time, &parts) != nil else { return "?" }
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let clock = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return date.map(twoDigits).joined(separator: "-") + " " + clock.map(twoDigits).joined(separator: ":")
  }

  /// `in 2 d 3 h`, `in 5 min 10 s`, `now`: the two largest units.
  static func until(_ seconds: Double, now: Double) -> String {
    let left = seconds - now
    guard left.isFinite, left < 1e11 else { return "?" }
    var rest = Int(left.rounded())
    if rest <= 0 { return "now" }
    var words: [String] = []
    for (name, size) in [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)] {
      let count = rest / size
      rest %= size
      if count > 0 { words.append("\(count) \(name)") } else if !words.isEmpty { break }
      if words.count == 2 { break }
    }
    return "in " + words.joined(separator: " ")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
