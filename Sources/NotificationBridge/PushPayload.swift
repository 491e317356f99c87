internal import FoundationEssentials

/// The payload of a remote notification, read key by key: what is wrong is said, and what can be shown is shown.
///
/// Source: Apple, "Generating a remote notification" and "Payload key reference".
public struct PushPayload: Sendable, Hashable {
  /// What is shown; nil for a background update.
  public var content: ContentRecord?
  /// The application is to be told, and nothing is shown.
  public var isBackground = false
  /// A service extension may change it before it is shown.
  public var isMutable = false
  /// The application that a simulator's `.apns` file names.
  public var targetBundle: String?
  /// What was wrong or not known, a sentence each, the key named.
  public private(set) var notes: [String] = []

  /// The most bytes that a payload may have.
  public static let sizeLimit = 4096

  /// Reads a payload.
  /// - Parameters:
  ///   - bytes: JSON in UTF-8, at most ``sizeLimit`` of them.
  ///   - strings: the application's text for a key of its string tables; nil: it has none.
  /// - Throws: ``BridgeError`` with code `invalidRequest`: it is too large, no JSON object, or has no `aps` dictionary.
  public init(_ bytes: [UInt8], strings: (String) -> String? = { _ in nil }) throws(BridgeError) {
    guard bytes.count <= Self.sizeLimit else {
      throw BridgeError(
        .invalidRequest, "the payload has \(bytes.count) bytes: \(Self.sizeLimit) are allowed")
    }
    let object: [String: PropertyValue]
    do {
      object = try JSONDecoder().decode([String: PropertyValue].self, from: Data(bytes))
    } catch {
      throw BridgeError(.invalidRequest, "the payload is no JSON object", cause: error)
    }
    try self.init(object, strings: strings)
  }

  /// Reads a payload that was parsed before.
  public init(
    _ object: [String: PropertyValue], strings: (String) -> String? = { _ in nil }
  ) throws(BridgeError) {
    switch object["Simulator Target Bundle"] {
    case nil, .null?: break
    case .string(let name)? where !name.isEmpty: targetBundle = name
    default: notes.append("'Simulator Target Bundle' is left out: it must be the text of an application's identifier")
    }
    guard case .dictionary(let aps)? = object["aps"] else {
      throw BridgeError(
        .invalidRequest,
        object["aps"] == nil ? "the payload has no 'aps' dictionary" : "'aps' must be a dictionary")
    }
    var content = ContentRecord()
    content.userInfo = object.filter { $0.key != "Simulator Target Bundle" }
    read(aps, into: &content, strings)
    let hasAlert = !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty
    let shows = hasAlert || content.sound != nil || content.badge != nil
    if !shows, flag("content-available", aps) {
      isBackground = true
    } else if shows {
      self.content = content
    } else {
      throw BridgeError(.invalidRequest, "'aps' has nothing to show: neither alert, sound, badge nor content-available")
    }
    isMutable = flag("mutable-content", aps) && hasAlert
  }

  private static let known: Set<String> = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
    "interruption-level", "relevance-score", "filter-criteria", "summary-arg", "summary-arg-count", "url-args",
  ]
  /// Those of Live Activities, which no desktop has.
  private static let ofActivities: Set<String> = [
    "stale-date", "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
  ]

  private mutating func read(
    _ aps: [String: PropertyValue], into content: inout ContentRecord, _ strings: (String) -> String?
  ) {
    for key in aps.keys.sorted() where !Self.known.contains(key) {
      notes.append(
        Self.ofActivities.contains(key)
          ? "'aps.\(key)' is of Live Activities, which there are none of here"
          : "'aps.\(key)' is unknown and ignored" + Self.suggestion(key))
    }
    switch aps["alert"] {
    case nil, .null?: break
    case .string(let text)?: content.body = text
    case .dictionary(let alert)?: read(alert: alert, into: &content, strings)
    default: wrong("alert", "text or a dictionary")
    }
    content.badge = badge(aps)
    content.sound = sound(aps["sound"])
    content.threadIdentifier = text("thread-id", aps) ?? ""
    content.categoryIdentifier = text("category", aps) ?? ""
    content.targetContentIdentifier = text("target-content-id", aps)
    content.filterCriteria = text("filter-criteria", aps)
    if let word = text("interruption-level", aps) {
      if let level = InterruptionLevel(rawValue: word) {
        content.interruptionLevel = level
      } else {
        wrong("interruption-level", "one of " + InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", "))
      }
    }
    if let score = number("relevance-score", aps) {
      if (0...1).contains(score) { content.relevanceScore = score } else { wrong("relevance-score", "from 0 to 1") }
    }
    if content.sound?.isCritical == true { content.interruptionLevel = .critical }
    readSummary(aps, "", &content)
  }

  private mutating func readSummary(_ entries: [String: PropertyValue], _ path: String, _ content: inout ContentRecord)
  {
    if let argument = text("summary-arg", entries, path) { content.summaryArgument = argument }
    if let count = number("summary-arg-count", entries, path) {
      if let whole = Int(exactly: count), whole > 0 {
        content.summaryArgumentCount = whole
      } else {
        wrong(path + "summary-arg-count", "a whole number above 0")
      }
    }
  }

  // MARK: The alert

  private static let knownInAlert: Set<String> = [
    "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
    "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "summary-arg", "summary-arg-count",
  ]

  private mutating func read(
    alert: [String: PropertyValue], into content: inout ContentRecord, _ strings: (String) -> String?
  ) {
    for key in alert.keys.sorted() where !Self.knownInAlert.contains(key) {
      notes.append("'aps.alert.\(key)' is unknown and ignored")
    }
    content.title = text(alert, "title", key: "title-loc-key", arguments: "title-loc-args", strings)
    content.subtitle = text(alert, "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args", strings)
    content.body = text(alert, "body", key: "loc-key", arguments: "loc-args", strings)
    content.launchImageName = text("launch-image", alert, "alert.") ?? ""
    readSummary(alert, "alert.", &content)
  }

  /// A text as it stands there, or, if there is a key, from the string tables: an unknown key shows itself.
  private mutating func text(
    _ alert: [String: PropertyValue], _ plain: String, key: String, arguments: String, _ strings: (String) -> String?
  ) -> String {
    let literal = text(plain, alert, "alert.")
    guard let name = text(key, alert, "alert.") else { return literal ?? "" }
    var values: [String] = []
    switch alert[arguments] {
    case nil, .null?: break
    case .array(let elements)?:
      for element in elements { values.append(Self.argument(element)) }
    default: wrong("alert." + arguments, "an array of texts")
    }
    guard let format = strings(name) else {
      notes.append("'aps.alert.\(key)' is \(name.quotedForPeople), which the application's string tables do not have")
      return name
    }
    return FormatFiller.fill(format, values)
  }

  private static func argument(_ value: PropertyValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    default: ""
    }
  }

  // MARK: Single keys

  private mutating func badge(_ aps: [String: PropertyValue]) -> Int? {
    guard let number = number("badge", aps) else { return nil }
    guard let count = Int(exactly: number), (0...Int(Int32.max)).contains(count) else {
      wrong("badge", "a whole number from 0")
      return nil
    }
    return count
  }

  private mutating func sound(_ value: PropertyValue?) -> SoundRecord? {
    switch value {
    case nil, .null?: return nil
    case .string(let name)?: return name.isEmpty ? nil : SoundRecord(Self.source(name))
    case .dictionary(let entries)?:
      let name = text("name", entries, "sound.") ?? "default"
      var volume = number("volume", entries, "sound.")
      if let given = volume, !(0...1).contains(given) {
        wrong("sound.volume", "from 0 to 1")
        volume = nil
      }
      return SoundRecord(Self.source(name), isCritical: flag("critical", entries, "sound."), volume: volume)
    default:
      wrong("sound", "the name of a sound or a dictionary")
      return nil
    }
  }

  /// A sound is named, and never a path.
  private static func source(_ name: String) -> SoundRecord.Source { name == "default" ? .standard : .named(name) }

  private mutating func text(_ key: String, _ entries: [String: PropertyValue], _ path: String = "") -> String? {
    switch entries[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default:
      wrong(path + key, "text")
      return nil
    }
  }

  private mutating func number(_ key: String, _ entries: [String: PropertyValue], _ path: String = "") -> Double? {
    switch entries[key] {
    case nil, .null?: return nil
    case .integer(let number)?: return Double(number)
    case .double(let number)?: return number
    default:
      wrong(path + key, "a number")
      return nil
    }
  }

  /// Apple's flags are the numbers 1 and 0; JSON's own are taken too.
  private mutating func flag(_ key: String, _ entries: [String: PropertyValue], _ path: String = "") -> Bool {
    switch entries[key] {
    case nil, .null?, .integer(0)?, .boolean(false)?: return false
    case .integer(1)?, .boolean(true)?: return true
    case .double(let number)? where number == 1: return true
    case .double(let number)? where number == 0: return false
    default:
      wrong(path + key, "1 or 0")
      return false
    }
  }

  private mutating func wrong(_ key: String, _ expected: String) {
    notes.append("'aps.\(key)' is left out: it must be \(expected)")
  }

  /// `content_available` for `content-available`.
  private static func suggestion(_ key: String) -> String {
    let dashed = String(key.map { $0 == "_" ? "-" : $0 }).lowercased()
    return known.contains(dashed) && dashed != key ? "; 'aps.\(dashed)' is known" : ""
  }
}

/// Arguments put into the places of an application's text. Nothing is ever read that is not there.
///
/// Source: Apple, "Payload key reference": `%@` is the next argument, `%n$@` the nth.
public enum FormatFiller {
  /// `%%` is a percent sign; every other use of one stays as it is, and a missing argument is empty.
  public static func fill(_ format: String, _ arguments: [String]) -> String {
    var result = ""
    var rest = Substring(format)
    var position = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if rest.hasPrefix("%") {
        result += "%"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("@") {
        result += arguments.indices.contains(position) ? arguments[position] : ""
        position += 1
        rest = rest.dropFirst()
      } else if let number = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
        result += number > 0 && arguments.indices.contains(number - 1) ? arguments[number - 1] : ""
        rest = rest.dropFirst(digits.count + 2)
      } else {
        result += "%"
      }
    }
    return result + rest
  }
}
