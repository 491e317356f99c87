import Foundation
import NotificationBridge

/// The same numbers for the same seed: a failing round can be run again.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Makes records of all shapes that their documents allow.
struct RecordGenerator {
  var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &numbers) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &numbers)! }

  mutating func maybe<Value>(_ value: (inout RecordGenerator) -> Value) -> Value? {
    chance(40) ? value(&self) : nil
  }

  mutating func list<Value>(_ limit: Int, _ value: (inout RecordGenerator) -> Value) -> [Value] {
    (0..<Int.random(in: 0...limit, using: &numbers)).map { _ in value(&self) }
  }

  mutating func text() -> String {
    if chance(4) { return String(repeating: "long text, ", count: Int.random(in: 1...900, using: &numbers)) }
    let pieces = [
      "a", "Hello", " ", "\"", "\\", "\n", "\t", "\r", "\0", "\u{1}", "\u{1F}", "\u{7F}", "/", "<b>", "%s",
      "'; DROP TABLE",
      "ä", "e\u{301}", "é", "日本語", "👩‍👩‍👧",
      "\u{FFFD}", "\u{2028}", "\u{10FFFF}", "ﬃ", "$date", "{}", "\u{202E}", "Ω", "Å",
      "null",
    ]
    return list(6) { $0.pick(pieces) }.joined()
  }

  mutating func name() -> String {
    let text = text()
    return text.isEmpty ? "x" : text
  }

  mutating func date() -> Date {
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0:
      pick([.distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0)])
    case 1: Date(timeIntervalSince1970: Double(Int.random(in: 0..<4_000_000_000, using: &numbers)))
    // All the bits that there are.
    default: Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9..<3e9, using: &numbers))
    }
  }

  mutating func double() -> Double {
    if chance(30) {
      return pick([
        0, -0.0, 1, 0.1, 1e16, 1e22, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        9_007_199_254_740_992,
        .infinity, -.infinity, .pi, 100,
      ])
    }
    while true {
      let number = Double(bitPattern: numbers.next())
      if !number.isNaN { return number }
    }
  }

  mutating func side() -> Double { Double.random(in: 0...1, using: &numbers) }

  mutating func integer() -> Int64 {
    if chance(50) {
      let edges: [Int64] = [0, 1, -1, .max, .min, .max - 1, .min + 1, 10, 99, 9_007_199_254_740_993]
      return pick(edges)
    }
    return Int64(bitPattern: numbers.next())
  }

  mutating func value(_ depth: Int = 0) -> PropertyValue {
    switch Int.random(in: 0..<(depth > 3 ? 7 : 9), using: &numbers) {
    case 0: .null
    case 1: .boolean(chance(50))
    case 2: .integer(integer())
    case 3: .double(double())
    case 4: .string(text())
    case 5: .date(date())
    case 6: .data(Data(list(40) { UInt8.random(in: 0...255, using: &$0.numbers) }))
    case 7: .array(list(4) { $0.value(depth + 1) })
    default: .dictionary(dictionary(depth + 1))
    }
  }

  mutating func dictionary(_ depth: Int = 0) -> [String: PropertyValue] {
    // Keys that look like our own tags, too.
    if chance(15) { return [pick(["$date", "$data", "$number", "$object", "$", "$x"]): value(depth)] }
    var result = Dictionary(list(4) { ($0.text(), $0.value(depth)) }, uniquingKeysWith: { $1 })
    if chance(10) { result["$object"] = value(depth) }
    return result
  }

  mutating func content() -> ContentRecord {
    var content = ContentRecord()
    content.title = text()
    content.subtitle = text()
    content.body = text()
    content.badge = maybe { Int.random(in: 0...Int.max, using: &$0.numbers) }
    content.sound = maybe {
      let sources: [SoundRecord.Source] = [.standard, .named($0.text()), .file($0.text()), .theme($0.text())]
      return SoundRecord(
        $0.pick(sources), isCritical: $0.chance(50), volume: $0.maybe { Double.random(in: 0...1, using: &$0.numbers) })
    }
    content.launchImageName = text()
    content.userInfo = dictionary()
    content.attachments = list(2) {
      AttachmentRecord(
        identifier: $0.text(), path: $0.text(), type: $0.text(), thumbnailHidden: $0.chance(50),
        clippingRect: $0.maybe {
          AttachmentRecord.Rect(x: $0.side(), y: $0.side(), width: $0.side(), height: $0.side())
        },
        thumbnailTime: $0.maybe { $0.double() }, thumbnailTimeIsSeconds: $0.chance(50))
    }
    content.categoryIdentifier = text()
    content.threadIdentifier = text()
    content.summaryArgument = text()
    content.summaryArgumentCount = Int(integer())
    content.targetContentIdentifier = maybe { $0.text() }
    content.interruptionLevel = pick(InterruptionLevel.allCases)
    content.relevanceScore = double()
    content.filterCriteria = maybe { $0.text() }
    return content
  }

  mutating func trigger() -> TriggerRecord {
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0: return .interval(seconds: Double.random(in: 60...1e9, using: &numbers), repeats: chance(50))
    case 1:
      var rule = CalendarRule()
      for unit in [
        \CalendarRule.era, \.year, \.month, \.day, \.hour, \.minute, \.second, \.nanosecond, \.weekday,
        \.weekdayOrdinal,
        \.quarter, \.weekOfMonth, \.weekOfYear, \.yearForWeekOfYear, \.dayOfYear,
      ] {
        rule[keyPath: unit] = maybe { Int($0.integer()) }
      }
      rule.calendar = maybe { $0.text() }
      rule.timeZone = maybe { $0.text() }
      return .calendar(rule, repeats: chance(50))
    default: return .push
    }
  }

  mutating func action() -> ActionRecord {
    var action = ActionRecord(
      identifier: text(), title: text(), options: .init(rawValue: UInt.random(in: 0..<8, using: &numbers)),
      textInput: maybe { ActionRecord.TextInput(buttonTitle: $0.text(), placeholder: $0.text()) })
    action.iconName = maybe { $0.text() }
    return action
  }

  mutating func desktop() -> DesktopOptions {
    var desktop = DesktopOptions()
    desktop.icon = maybe { $0.text() }
    desktop.urgency = maybe { Int.random(in: 0...2, using: &$0.numbers) }
    desktop.category = maybe { $0.text() }
    desktop.progress = maybe { Int.random(in: 0...100, using: &$0.numbers) }
    desktop.lifetime = maybe { Int.random(in: 0...Int(Int32.max), using: &$0.numbers) }
    desktop.transient = chance(30)
    desktop.hints = list(3) {
      let values: [HintRecord.Value] = [
        .boolean($0.chance(50)), .int32(Int32.random(in: .min ... .max, using: &$0.numbers)),
        .byte(UInt8.random(in: 0...255, using: &$0.numbers)), .double($0.double()), .string($0.text()),
      ]
      return HintRecord(name: $0.text(), value: $0.pick(values))
    }
    desktop.actions = maybe { $0.list(10) { $0.action() } }
    desktop.reportsDismissal = chance(30)
    return desktop
  }

  mutating func request(_ identifier: String) -> RequestRecord {
    RequestRecord(
      identifier: identifier, content: content(), trigger: maybe { $0.trigger() },
      desktop: chance(50) ? DesktopOptions() : desktop())
  }

  mutating func application(_ identifier: String) -> ApplicationRecord {
    ApplicationRecord(identifier: identifier, name: text(), isKnown: chance(50), icon: text())
  }

  mutating func category() -> CategoryRecord {
    var category = CategoryRecord(
      identifier: text(), actions: list(4) { $0.action() },
      options: .init(rawValue: UInt.random(in: 0..<32, using: &numbers)))
    category.intentIdentifiers = list(2) { $0.text() }
    category.hiddenPreviewsBodyPlaceholder = text()
    category.categorySummaryFormat = text()
    return category
  }

  mutating func authorization() -> AuthorizationRecord {
    var record = AuthorizationRecord()
    record.status = pick([.notDetermined, .denied, .authorized, .provisional])
    record.options = .init(rawValue: UInt.random(in: 0..<128, using: &numbers))
    return record
  }

  mutating func response(_ key: NotificationKey) -> ResponseRecord {
    ResponseRecord(
      id: uuid(),
      notification: NotificationRecord(
        application: application(key.application), request: request(key.identifier), date: date()),
      action: pick([.default, .dismiss, .settings, .custom(text())]), text: maybe { $0.text() },
      activationToken: maybe { $0.text() })
  }

  mutating func uuid() -> UUID {
    let (first, second) = (numbers.next(), numbers.next())
    let bytes =
      (0..<8).map { UInt8(truncatingIfNeeded: first >> ($0 * 8)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: second >> ($0 * 8)) }
    return unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  mutating func event(_ sequence: Int64) -> HistoryRecord {
    HistoryRecord(
      sequence: sequence, date: Date(timeIntervalSinceReferenceDate: 7e8 + Double.random(in: 0..<1e5, using: &numbers)),
      application: name(), identifier: text(), event: pick(HistoryRecord.Event.allCases),
      detail: chance(50) ? [:] : dictionary())
  }
}
