internal import FoundationEssentials

extension ApplicationRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.text("name", name)
    writer.flag("known", isKnown)
    writer.text("icon", icon, unless: "")
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    let identifier = try reader.needed("identifier", try reader.text("identifier"), "the application's identifier")
    guard !identifier.isEmpty else { throw reader.wrong("identifier", "the application's identifier, and not empty") }
    self.init(
      identifier: identifier, name: try reader.text("name") ?? identifier,
      isKnown: try reader.flag("known") ?? false, icon: try reader.text("icon") ?? "")
  }
}

extension NotificationRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.document("application", application)
    writer.document("request", request)
    writer.number("date", date.timeIntervalSince1970)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init(
      application: try ApplicationRecord(
        try reader.needed("application", try reader.document("application"), "the application")),
      request: try RequestRecord(try reader.needed("request", try reader.document("request"), "the request")),
      date: Date(timeIntervalSince1970: try reader.needed("date", try reader.number("date"), "seconds since 1970")))
  }
}

extension ResponseRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("id", id.uuidString)
    writer.document("notification", notification)
    writer.set("action", .dictionary(action.document))
    writer.text("text", text)
    writer.text("activationToken", activationToken)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    guard let text = try reader.text("id"), let id = UUID(uuidString: text) else {
      throw reader.wrong("id", "a UUID")
    }
    self.init(
      id: id,
      notification: try NotificationRecord(
        try reader.needed("notification", try reader.document("notification"), "the notification")),
      action: try Action(try reader.needed("action", try reader.document("action"), "the action")),
      text: try reader.text("text"), activationToken: try reader.text("activationToken"))
  }
}

extension ResponseRecord.Action: Documented {
  /// A word of ours and an identifier of the application's can be told apart.
  public var document: [String: PropertyValue] {
    switch self {
    case .default: ["kind": .string("default")]
    case .dismiss: ["kind": .string("dismiss")]
    case .settings: ["kind": .string("settings")]
    case .custom(let identifier): ["kind": .string("custom"), "identifier": .string(identifier)]
    }
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    switch try reader.text("kind") {
    case "default"?: self = .default
    case "dismiss"?: self = .dismiss
    case "settings"?: self = .settings
    case "custom"?:
      self = .custom(try reader.needed("identifier", try reader.text("identifier"), "the action's identifier"))
    default: throw reader.wrong("kind", "default, dismiss, settings or custom")
    }
  }
}

extension AuthorizationRecord: Documented {
  public var document: [String: PropertyValue] {
    ["status": .string(status.rawValue), "options": .integer(Int64(clamping: options.rawValue))]
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    guard let status = try reader.text("status").flatMap(Status.init) else {
      throw reader.wrong("status", "notDetermined, denied, authorized or provisional")
    }
    self.status = status
    options = Options(rawValue: UInt(clamping: try reader.integer("options") ?? 0))
  }
}
