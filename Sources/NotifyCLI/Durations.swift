internal import NotificationBridge

/// Times as typed: `1500` and `1500ms` are milliseconds, `1.5s`, `2m`, `1h` what they say.
enum Durations {
  /// Milliseconds, 0…2147483647.
  static func milliseconds(_ text: String, option: String) throws(UsageError) -> Int {
    let units: [(suffix: String, factor: Double)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    var number = text[...]
    var factor = 1.0
    if let unit = units.first(where: { text.hasSuffix($0.suffix) }) {
      number = text.dropLast(unit.suffix.count)
      factor = unit.factor
    }
    let isPlain = !number.isEmpty && number.utf8.allSatisfy { $0 >= 48 && $0 <= 57 || $0 == 46 }
    guard isPlain, let value = Double(number), value * factor <= Double(Int32.max) else {
      throw UsageError(
        "\(option) \(text.quotedForPeople) is no time: give milliseconds, or a number with ms, s, m or h")
    }
    return Int((value * factor).rounded())
  }

  /// The life of a notification in milliseconds; nil: the daemon decides; 0: it stays.
  static func lifetime(_ text: String, option: String) throws(UsageError) -> Int? {
    switch text {
    case "-1", "default": return nil
    case "never": return 0
    default: return try milliseconds(text, option: option)
    }
  }
}
