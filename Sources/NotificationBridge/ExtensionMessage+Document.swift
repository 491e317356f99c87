internal import FoundationEssentials

extension ExtensionMessage: Documented {
  /// The word for `type`.
  public var kind: String {
    switch self {
    case .request: "request"
    case .expire: "expire"
    case .notification: "notification"
    case .response: "response"
    case .control: "control"
    case .media: "media"
    case .content: "content"
    case .update: "update"
    case .done: "done"
    case .performDefaultAction: "performDefaultAction"
    case .dismiss: "dismiss"
    }
  }

  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    if case .update(let update) = self { writer = update.writer }
    writer.text("type", kind)
    switch self {
    case .request(let request, let application):
      writer.document("request", request)
      writer.document("application", application)
    case .notification(let notification, let actions):
      writer.document("notification", notification)
      writer.documents("actions", actions)
    case .response(let response): writer.document("response", response)
    case .control(let change):
      writer.text("identifier", change.identifier)
      if let value = change.value { writer.set("value", value) }
    case .media(let isPlaying): writer.set("isPlaying", .boolean(isPlaying))
    case .content(let content): writer.document("content", content)
    case .done(let decision): writer.text("option", decision.rawValue)
    case .expire, .update, .performDefaultAction, .dismiss: break
    }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    switch try reader.text("type") {
    case "request":
      self = .request(
        try RequestRecord(try reader.needed("request", try reader.document("request"), "a request")),
        try ApplicationRecord(try reader.needed("application", try reader.document("application"), "an application")))
    case "expire": self = .expire
    case "notification":
      self = .notification(
        try NotificationRecord(
          try reader.needed("notification", try reader.document("notification"), "a notification")),
        actions: try reader.records("actions", of: ActionRecord.self) ?? [])
    case "response":
      self = .response(
        try ResponseRecord(try reader.needed("response", try reader.document("response"), "a response")))
    case "control":
      self = .control(
        ContentControl.Change(
          identifier: try reader.needed("identifier", try reader.text("identifier"), "the control's"),
          value: reader.value("value")))
    case "media":
      self = .media(isPlaying: try reader.needed("isPlaying", try reader.flag("isPlaying"), "true or false"))
    case "content":
      self = .content(try ContentRecord(try reader.needed("content", try reader.document("content"), "a content")))
    case "update": self = .update(try ContentUpdate(reader))
    case "done":
      self = .done(
        try reader.needed(
          "option", try reader.word("option", of: ContentExtensionDecision.self), "what becomes of the notification"))
    case "performDefaultAction": self = .performDefaultAction
    case "dismiss": self = .dismiss
    default:
      throw reader.wrong(
        "type",
        "request, expire, notification, response, control, media, content, update, done, performDefaultAction or "
          + "dismiss")
    }
  }
}

extension ContentUpdate: Documented {
  public var document: [String: PropertyValue] { writer.entries }

  var writer: DocumentWriter {
    var writer = DocumentWriter()
    writer.document("content", content)
    // An empty list takes them away, no list leaves them.
    if let actions { writer.set("actions", .array(actions.map { .dictionary($0.document) })) }
    if let controls { writer.set("controls", .array(controls.map { .dictionary($0.document) })) }
    if let media {
      writer.set(
        "media", .dictionary(["button": .string(media.kind.rawValue), "isPlaying": .boolean(media.isPlaying)]))
    }
    if let preferredSize {
      writer.set("preferredSize", .array([.double(preferredSize.width), .double(preferredSize.height)]))
    }
    return writer
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    if let document = try reader.document("content") { content = try ContentRecord(document) }
    actions = try reader.records("actions", of: ActionRecord.self)
    controls = try reader.records("controls", of: ContentControl.self)
    if let document = try reader.document("media") {
      media = MediaButton(
        kind: try document.word("button", of: MediaButton.Kind.self) ?? .none,
        isPlaying: try document.flag("isPlaying") ?? false)
    }
    switch reader.value("preferredSize") {
    case nil: break
    case .array(let sides)? where sides.count == 2:
      guard let width = sides[0].number, let height = sides[1].number, width >= 0, height >= 0 else { fallthrough }
      preferredSize = Size(width: width, height: height)
    default: throw reader.wrong("preferredSize", "a width and a height")
    }
  }
}

extension ContentControl: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.text("title", title)
    switch kind {
    case .button: writer.text("kind", "button")
    case .switch(let isOn):
      writer.text("kind", "switch")
      writer.flag("isOn", isOn)
    case .choice(let options, let selected):
      writer.text("kind", "choice")
      writer.texts("options", options)
      writer.integer("selected", selected, unless: 0)
    }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    let kind: Kind
    switch try reader.text("kind") ?? "button" {
    case "button": kind = .button
    case "switch": kind = .switch(isOn: try reader.flag("isOn") ?? false)
    case "choice":
      let options = try reader.texts("options") ?? []
      let selected = try reader.integer("selected") ?? 0
      guard !options.isEmpty else { throw reader.wrong("options", "one or more texts") }
      guard options.indices.contains(selected) else {
        throw reader.wrong("selected", "the number of one of the options, from 0")
      }
      kind = .choice(options: options, selected: selected)
    default: throw reader.wrong("kind", "button, switch or choice")
    }
    self.init(
      identifier: try reader.needed("identifier", try reader.text("identifier"), "the name of the control"),
      title: try reader.text("title") ?? "", kind: kind)
  }
}

extension PropertyValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
