/// Times as people write them.
public enum TimeSpan {
  /// `30`, `30s`, `500ms`, `5m`, `1h`; nil for anything else, and for 0.
  public static func duration(_ text: String) -> Duration? {
    let units: [(String, Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
    let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1_000)
    let number = text.dropLast(unit.0.count)
    guard !number.isEmpty, number.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 == 46 }), let value = Double(number),
      value > 0, value * unit.1 <= 86_400_000
    else { return nil }
    return .milliseconds(Int(value * unit.1))
  }

  /// What ``duration(_:)`` reads as that, to the millisecond.
  public static func text(_ time: Duration) -> String {
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
