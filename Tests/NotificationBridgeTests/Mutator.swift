import Foundation
import NotificationBridge

/// Changes inputs at random, the same way for the same seed.
struct Mutator: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameter index: of the input: each has numbers of its own, so that one can be made again alone.
  init(seed: UInt64, index: Int) { state = seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95 }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int) -> Int { limit <= 1 ? 0 : Int(next() % UInt64(limit)) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: Bytes

  private static let tokens: [[UInt8]] =
    [
      "0", "-1", "1e999", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e308", "0.5",
      "null", "true", "\"\"", "[]", "{}", "\\ud83d", "\\u0000", "\\U00e4", "\\777", "%@", "%1$@", "%#@n@", "%*d",
      "%.99f",
      "%9223372036854775807$@", "\"", "\\", "{", "}", "[", "]", ":", ",", ";", "=", "(", ")", "<", ">", "</", "/>",
      "<!--",
      "-->", "<![CDATA[", "]]>", "&#x110000;", "&amp;", "<dict>", "<array/>", "<key>", "<integer>", "<?xml", "/*", "*/",
      "//",
      "\u{FEFF}", "\u{202E}", "👩‍👩‍👧", "\0", "\"aps\":", "\"$date\":", "\"$data\":",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0xAF], [0xFF, 0xFE], [0xFE, 0xFF], [0xF0, 0x9F]]

  /// - Parameter others: inputs to take parts from.
  mutating func changed(_ input: [UInt8], with others: [[UInt8]], limit: Int) -> [UInt8] {
    var bytes = input
    for _ in 0...(below(2) == 0 ? 0 : below(4)) {
      let start = below(bytes.count + 1)
      let end = min(start + below(below(8) == 0 ? 200 : 12), bytes.count)
      switch below(9) {
      case 0: if start < bytes.count { bytes[start] ^= 1 << UInt8(below(8)) }
      case 1: if start < bytes.count { bytes[start] = UInt8(below(256)) }
      case 2: bytes.removeSubrange(start..<end)
      case 3: bytes.insert(contentsOf: Array(bytes[start..<end]), at: below(bytes.count + 1))
      case 4: bytes.replaceSubrange(start..<end, with: pick(Self.tokens))
      case 5: bytes.insert(contentsOf: pick(Self.tokens), at: start)
      case 6:
        let other = pick(others)
        let from = below(other.count + 1)
        bytes.replaceSubrange(start..<end, with: other[from..<min(from + below(100), other.count)])
      case 7: bytes.insert(contentsOf: Array(repeating: pick(Self.tokens), count: below(120)).joined(), at: start)
      default: if below(4) == 0 { bytes = Array(bytes[..<start]) }
      }
    }
    return Array(bytes.prefix(limit))
  }

  // MARK: Values

  private static let values: [PropertyValue] = [
    .null, .boolean(true), .boolean(false), .integer(0), .integer(-1), .integer(.max), .integer(.min),
    .integer(1 << 31),
    .integer(1 << 32), .integer(256), .integer(60), .double(0), .double(-0.0), .double(.nan), .double(.infinity),
    .double(-.infinity),
    .double(1e300), .double(-1e300), .double(.leastNonzeroMagnitude), .double(0.5), .double(9.3e18), .string(""),
    .string("\0"), .string("%@ %u %s"), .string("../../etc"), .string(String(repeating: "ä<&>", count: 3000)),
    .string("gregorian"), .string("passive"), .string("GMT"), .date(Date(timeIntervalSince1970: 1e300)),
    .data(Data([0])), .array([]),
    .dictionary([:]),
  ]

  /// The same value with some of what is in it replaced, taken out or exchanged.
  mutating func changed(_ value: PropertyValue) -> PropertyValue {
    if below(12) == 0 { return pick(Self.values) }
    switch value {
    case .array(var elements):
      if below(6) == 0 { elements.append(pick(Self.values)) }
      if below(8) == 0, !elements.isEmpty { elements.remove(at: below(elements.count)) }
      if below(8) == 0, let first = elements.first, first.size < 100 {
        elements += Array(repeating: first, count: below(20))
      }
      return .array(elements.map { changed($0) })
    case .dictionary(let entries):
      // In order: a dictionary's own order is another in each process.
      var result: [String: PropertyValue] = [:]
      let keys = entries.keys.sorted()
      for key in keys where below(25) != 0 {
        result[below(30) == 0 ? pick(keys) : key] = below(3) == 0 ? changed(entries[key] ?? .null) : entries[key]
      }
      return .dictionary(result)
    case .integer(let number):
      return below(4) == 0
        ? .integer(Int64(truncatingIfNeeded: next() >> UInt64(below(64)))) : .integer(number &+ Int64(below(5)) &- 2)
    case .double: return .double(Double(bitPattern: next()))
    case .string(let text):
      return .string(String(decoding: changed(Array(text.utf8), with: Self.tokens, limit: 10_000), as: UTF8.self))
    default: return pick(Self.values)
    }
  }
}
