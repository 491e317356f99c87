internal import DBus
internal import FoundationEssentials
public import NotificationBridge

/// Documents on the bus: `a{sv}` with strings, booleans, `x`, `d`, `ay`, `av` and `a{sv}` in it.
///
/// A date is a dictionary with the one key `$date` (seconds since 1970), a null one with the one key `$null`, since the
/// bus has neither. Numbers of any integer type are taken.
enum RecordCoding {
  static func value(_ document: [String: PropertyValue]) -> Value {
    .properties(document.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) })
  }

  static func value(_ property: PropertyValue) -> Value {
    switch property {
    case .null: .properties([("$null", .boolean(true))])
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .int64(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text)
    case .date(let date): .properties([("$date", .double(date.timeIntervalSince1970))])
    case .data(let data): .bytes(Array(data))
    case .array(let elements): .array(of: "v", elements.map { .variant(value($0)) })
    case .dictionary(let entries): value(entries)
    }
  }

  static func values(_ documents: [[String: PropertyValue]]) -> Value {
    .array(of: "a{sv}", documents.map { value($0) })
  }

  /// Nil for anything but an `a{sv}` of types that documents have.
  static func document(_ value: Value) -> [String: PropertyValue]? {
    guard let entries = value.asProperties else { return nil }
    var document = [String: PropertyValue](minimumCapacity: entries.count)
    for (name, entry) in entries {
      guard let property = property(entry) else { return nil }
      document[name] = property
    }
    return document
  }

  /// Nil for anything but an `aa{sv}`.
  static func documents(_ value: Value) -> [[String: PropertyValue]]? {
    guard case .array(let element, let elements) = value, element == "a{sv}" else { return nil }
    var documents: [[String: PropertyValue]] = []
    for element in elements {
      guard let document = document(element) else { return nil }
      documents.append(document)
    }
    return documents
  }

  private static func property(_ value: Value) -> PropertyValue? {
    switch value {
    case .boolean(let flag): return .boolean(flag)
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .objectPath(let path): return .string(path.text)
    case .bytes(let bytes): return .data(Data(bytes))
    case .variant(let inner): return property(inner)
    case .array(_, let elements):
      var properties: [PropertyValue] = []
      for element in elements {
        guard let property = property(element) else { return nil }
        properties.append(property)
      }
      return .array(properties)
    case .dictionary:
      guard let entries = document(value) else { return nil }
      if entries.count == 1 {
        if case .double(let seconds)? = entries["$date"] { return .date(Date(timeIntervalSince1970: seconds)) }
        if entries["$null"] != nil { return .null }
      }
      return .dictionary(entries)
    default: return value.asInteger.map { .integer(Int64($0)) }
    }
  }
}

extension DeliveryReport: Documented {
  public var document: [String: PropertyValue] {
    var entries: [String: PropertyValue] = ["identifier": .string(identifier), "delivered": .boolean(isDelivered)]
    if let delay { entries["delay"] = .string(delay) }
    if let due { entries["due"] = .double(due.timeIntervalSince1970) }
    if !dropped.isEmpty {
      entries["dropped"] = .array(
        dropped.map { .dictionary(["part": .string($0.part.rawValue), "reason": .string($0.reason)]) })
    }
    return entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    var dropped: [Dropped] = []
    for part in try reader.documents("dropped") ?? [] {
      // A part that only a newer bridge knows is a part of the hints.
      let word = (try? part.word("part", of: Dropped.Part.self)) ?? .hint
      dropped.append(Dropped(word, try part.text("reason") ?? ""))
    }
    self.init(
      identifier: try reader.text("identifier") ?? "", isDelivered: try reader.flag("delivered") ?? false,
      delay: try reader.text("delay"), due: try reader.number("due").map { Date(timeIntervalSince1970: $0) },
      dropped: dropped)
  }
}

extension SettingsRecord: Documented {
  public var document: [String: PropertyValue] {
    [
      "authorization": .dictionary(authorization.document), "alert": .string(alert.rawValue),
      "sound": .string(sound.rawValue), "badge": .string(badge.rawValue),
      "notificationCenter": .string(notificationCenter.rawValue), "lockScreen": .string(lockScreen.rawValue),
      "criticalAlert": .string(criticalAlert.rawValue), "timeSensitive": .string(timeSensitive.rawValue),
      "previews": .string(previews.rawValue),
    ]
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    if let record = try reader.document("authorization") { authorization = try AuthorizationRecord(record) }
    alert = try reader.word("alert", of: Setting.self) ?? .notSupported
    sound = try reader.word("sound", of: Setting.self) ?? .notSupported
    badge = try reader.word("badge", of: Setting.self) ?? .notSupported
    notificationCenter = try reader.word("notificationCenter", of: Setting.self) ?? .notSupported
    lockScreen = try reader.word("lockScreen", of: Setting.self) ?? .notSupported
    criticalAlert = try reader.word("criticalAlert", of: Setting.self) ?? .notSupported
    timeSensitive = try reader.word("timeSensitive", of: Setting.self) ?? .notSupported
    previews = try reader.word("previews", of: Previews.self) ?? .always
  }
}

extension Outcome {
  /// The word for it on the bus.
  var word: String {
    switch self {
    case .responded: "responded"
    case .dismissed: "dismissed"
    case .expired: "expired"
    case .closed: "closed"
    case .replaced: "replaced"
    case .daemonLost: "daemon-lost"
    }
  }

  /// - Parameter response: what came along.
  init?(word: String, response: [String: PropertyValue]) {
    switch word {
    case "responded":
      guard let record = try? ResponseRecord(document: response, named: "response") else { return nil }
      self = .responded(record)
    case "dismissed": self = .dismissed
    case "expired": self = .expired
    case "closed": self = .closed
    case "replaced": self = .replaced
    case "daemon-lost": self = .daemonLost
    default: return nil
    }
  }
}
