internal import FoundationEssentials

/// The payload of a remote notification, read key by key: what is wrong is said, and what can be shown is shown.
///
/// Source: Apple, "Generating a remote notification" and "Payload key reference".
public struct PushPayload: Sendable, Hashable {
  /// What is shown; nil for a background update.
  public var content: ContentRecord?
  /// The application is to be told, whether or not anything is shown.
  public var tellsApplication = false
  /// Nothing is shown: the application is told, and no more.
  public var isBackground: Bool { content == nil }
  /// The whole payload but for the name of its application.
  public private(set) var userInfo: [String: PropertyValue] = [:]
  /// A service extension may change it before it is shown.
  public var isMutable = false
  /// The application that a simulator's `.apns` file names.
  public var targetBundle: String?
  /// What was wrong or not known, a sentence each, the key named.
  public private(set) var notes: [String] = []

  /// The most bytes that a payload may have.
  public static let sizeLimit = 4096
  /// How many things are said of one payload.
  static let noteLimit = 32

  /// The tables of the application that a payload is for.
  /// - Parameter target: the application that the payload names, if it does.
  /// - Returns: nil: it has none.
  public typealias Strings = (_ target: String?) -> StringTables?

  /// Reads a payload.
  /// - Parameters:
  ///   - bytes: JSON in UTF-8, at most ``sizeLimit`` of them.
  ///   - strings: asked when the payload names a key of the application's tables.
  /// - Throws: ``BridgeError`` with code `invalidRequest`: it is too large, no JSON object, has no `aps` dictionary, or
  ///   nothing to show or to do.
  public init(_ bytes: [UInt8], strings: Strings = { _ in nil }) throws(BridgeError) {
    guard bytes.count <= Self.sizeLimit else {
      throw BridgeError(
        .invalidRequest,
        "the payload has \(bytes.count) bytes: \(Self.sizeLimit) are allowed (5120 only for calls, which are no "
          + "notifications)")
    }
    var reader = try PayloadReader(bytes)
    let object = try reader.object()
    try self.init(object, notes: reader.notes, strings: strings)
  }

  /// Reads a payload that was parsed before.
  public init(_ object: [String: PropertyValue], strings: Strings = { _ in nil }) throws(BridgeError) {
    try self.init(object, notes: [], strings: strings)
  }

  private init(_ object: [String: PropertyValue], notes: [String], strings: Strings) throws(BridgeError) {
    self.notes = notes
    switch object["Simulator Target Bundle"] {
    case nil, .null?: break
    case .string(let name)? where !name.isEmpty: targetBundle = name
    default: note("'Simulator Target Bundle' is left out: it must be the text of an application's identifier")
    }
    guard case .dictionary(let aps)? = object["aps"] else {
      throw BridgeError(
        .invalidRequest,
        object["aps"] == nil ? "the payload has no 'aps' dictionary" : "'aps' must be a dictionary")
    }
    var content = ContentRecord()
    userInfo = object.filter { $0.key != "Simulator Target Bundle" }
    for (key, value) in userInfo {
      if let cut = value.cut(below: PropertyValue.depthLimit) {
        userInfo[key] = cut
        note("\(key.quotedForPeople) is nested over \(PropertyValue.depthLimit) levels deep: what is deeper is null")
      }
    }
    content.userInfo = userInfo
    read(aps, into: &content, strings)
    let hasAlert = !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty
    let shows = hasAlert || content.sound != nil || content.badge != nil
    tellsApplication = flag("content-available", aps)
    isMutable = flag("mutable-content", aps) && hasAlert
    if shows {
      self.content = content
    } else if !tellsApplication {
      throw BridgeError(
        .invalidRequest,
        (["'aps' has nothing to show: neither alert, sound, badge nor content-available"] + self.notes)
          .joined(separator: "; "))
    }
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
    _ aps: [String: PropertyValue], into content: inout ContentRecord, _ strings: Strings
  ) {
    for key in aps.keys.sorted() where !Self.known.contains(key) {
      note(
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
    "subtitle-loc-args", "loc-key", "loc-args", "action", "action-loc-key", "summary-arg", "summary-arg-count",
  ]

  private mutating func read(
    alert: [String: PropertyValue], into content: inout ContentRecord, _ strings: Strings
  ) {
    for key in alert.keys.sorted() where !Self.knownInAlert.contains(key) {
      note("'aps.alert.\(key)' is unknown and ignored")
    }
    content.title = text(alert, "title", key: "title-loc-key", arguments: "title-loc-args", strings)
    content.subtitle = text(alert, "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args", strings)
    content.body = text(alert, "body", key: "loc-key", arguments: "loc-args", strings)
    content.launchImageName = text("launch-image", alert, "alert.") ?? ""
    readSummary(alert, "alert.", &content)
  }

  /// A text as it stands there, or, if there is a key, from the string tables: an unknown key shows itself.
  private mutating func text(
    _ alert: [String: PropertyValue], _ plain: String, key: String, arguments: String, _ strings: Strings
  ) -> String {
    let literal = text(plain, alert, "alert.")
    guard let name = text(key, alert, "alert.") else { return literal ?? "" }
    var values: [PropertyValue] = []
    switch alert[arguments] {
    case nil, .null?: break
    case .array(let elements)?:
      values = elements
      if elements.contains(where: \.isContainer) {
        wrong("alert." + arguments, "an array of texts and numbers", part: " partly")
      }
    default: wrong("alert." + arguments, "an array of texts")
    }
    var found: [String] = []
    let text = strings(targetBundle)?.text(name, values, notes: &found)
    for text in found { note(text) }
    if let text { return text }
    note("'aps.alert.\(key)' is \(name.quotedForPeople), which the application's string tables do not have")
    return literal ?? name
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

  private mutating func wrong(_ key: String, _ expected: String, part: String = "") {
    note("'aps.\(key)' is\(part) left out: it must be \(expected)")
  }

  private mutating func note(_ text: String) {
    if notes.count < Self.noteLimit, !notes.contains(text) { notes.append(text) }
  }

  /// `content_available` for `content-available`.
  private static func suggestion(_ key: String) -> String {
    let dashed = String(key.map { $0 == "_" ? "-" : $0 }).lowercased()
    return known.contains(dashed) && dashed != key ? "; 'aps.\(dashed)' is known" : ""
  }
}
