extension RequestRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.document("content", content)
    writer.document("trigger", trigger)
    if desktop != DesktopOptions() { writer.document("desktop", desktop) }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    let identifier = try reader.needed("identifier", try reader.text("identifier"), "the notification's name")
    guard !identifier.isEmpty else { throw reader.wrong("identifier", "the notification's name, and not empty") }
    self.init(
      identifier: identifier,
      content: try reader.document("content").map { reader throws(BridgeError) in try ContentRecord(reader) }
        ?? .init(),
      trigger: try reader.document("trigger").map { reader throws(BridgeError) in try TriggerRecord(reader) },
      desktop: try reader.document("desktop").map { reader throws(BridgeError) in try DesktopOptions(reader) }
        ?? .init())
  }
}

extension ContentRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("title", title, unless: "")
    writer.text("subtitle", subtitle, unless: "")
    writer.text("body", body, unless: "")
    writer.integer("badge", badge)
    writer.document("sound", sound)
    writer.text("launchImageName", launchImageName, unless: "")
    if !userInfo.isEmpty { writer.set("userInfo", .dictionary(userInfo)) }
    writer.documents("attachments", attachments)
    writer.text("categoryIdentifier", categoryIdentifier, unless: "")
    writer.text("threadIdentifier", threadIdentifier, unless: "")
    writer.text("summaryArgument", summaryArgument, unless: "")
    writer.integer("summaryArgumentCount", summaryArgumentCount, unless: 1)
    writer.text("targetContentIdentifier", targetContentIdentifier)
    writer.text("interruptionLevel", interruptionLevel.rawValue, unless: InterruptionLevel.active.rawValue)
    writer.number("relevanceScore", relevanceScore, unless: 0)
    writer.text("filterCriteria", filterCriteria)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    title = try reader.text("title") ?? ""
    subtitle = try reader.text("subtitle") ?? ""
    body = try reader.text("body") ?? ""
    badge = try reader.integer("badge")
    if let badge, badge < 0 { throw reader.wrong("badge", "0 or more") }
    sound = try reader.document("sound").map { reader throws(BridgeError) in try SoundRecord(reader) }
    launchImageName = try reader.text("launchImageName") ?? ""
    switch reader.value("userInfo") {
    case nil: break
    case .dictionary(let entries)?: userInfo = entries
    default: throw reader.wrong("userInfo", "a dictionary")
    }
    attachments = try reader.records("attachments", of: AttachmentRecord.self) ?? []
    categoryIdentifier = try reader.text("categoryIdentifier") ?? ""
    threadIdentifier = try reader.text("threadIdentifier") ?? ""
    summaryArgument = try reader.text("summaryArgument") ?? ""
    summaryArgumentCount = try reader.integer("summaryArgumentCount") ?? 1
    targetContentIdentifier = try reader.text("targetContentIdentifier")
    interruptionLevel = try reader.word("interruptionLevel", of: InterruptionLevel.self) ?? .active
    relevanceScore = try reader.number("relevanceScore") ?? 0
    filterCriteria = try reader.text("filterCriteria")
  }
}

extension SoundRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    switch source {
    case .standard: break
    case .named(let name): writer.text("named", name)
    case .file(let path): writer.text("file", path)
    case .theme(let name): writer.text("theme", name)
    }
    writer.flag("critical", isCritical)
    writer.number("volume", volume)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    var source = Source.standard
    if let name = try reader.text("named") { source = .named(name) }
    if let name = try reader.text("theme") { source = .theme(name) }
    if let path = try reader.text("file") { source = .file(path) }
    let volume = try reader.number("volume")
    if let volume, !(0...1).contains(volume) { throw reader.wrong("volume", "from 0 to 1") }
    self.init(source, isCritical: try reader.flag("critical") ?? false, volume: volume)
  }
}

extension AttachmentRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("identifier", identifier)
    writer.text("path", path)
    writer.text("type", type)
    writer.flag("thumbnailHidden", thumbnailHidden)
    if let rect = clippingRect {
      writer.set("clippingRect", .array([rect.x, rect.y, rect.width, rect.height].map { .double($0) }))
    }
    writer.number("thumbnailTime", thumbnailTime)
    writer.flag("thumbnailTimeIsSeconds", thumbnailTimeIsSeconds)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    var rect: Rect?
    if let value = reader.value("clippingRect") {
      guard case .array(let sides) = value, sides.count == 4 else {
        throw reader.wrong("clippingRect", "four numbers from 0 to 1")
      }
      let numbers = sides.compactMap { side -> Double? in
        switch side {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
      }
      guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }) else {
        throw reader.wrong("clippingRect", "four numbers from 0 to 1")
      }
      rect = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    self.init(
      identifier: try reader.text("identifier") ?? "",
      path: try reader.needed("path", try reader.text("path"), "an absolute path"),
      type: try reader.needed("type", try reader.text("type"), "a uniform type identifier"),
      thumbnailHidden: try reader.flag("thumbnailHidden") ?? false, clippingRect: rect,
      thumbnailTime: try reader.number("thumbnailTime"),
      thumbnailTimeIsSeconds: try reader.flag("thumbnailTimeIsSeconds") ?? false)
  }
}

extension DesktopOptions: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("icon", icon)
    writer.integer("urgency", urgency)
    writer.text("category", category)
    writer.integer("progress", progress)
    writer.integer("lifetime", lifetime)
    writer.flag("transient", transient)
    writer.documents("hints", hints)
    if let actions { writer.set("actions", .array(actions.map { .dictionary($0.document) })) }
    writer.flag("reportsDismissal", reportsDismissal)
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    self.init()
    icon = try reader.text("icon")
    urgency = try reader.integer("urgency")
    if let urgency, !(0...2).contains(urgency) { throw reader.wrong("urgency", "0, 1 or 2") }
    category = try reader.text("category")
    progress = try reader.integer("progress")
    if let progress, !(0...100).contains(progress) { throw reader.wrong("progress", "from 0 to 100 (percent)") }
    lifetime = try reader.integer("lifetime")
    if let lifetime, !(0...Int(Int32.max)).contains(lifetime) {
      throw reader.wrong("lifetime", "from 0 to \(Int32.max) (milliseconds)")
    }
    transient = try reader.flag("transient") ?? false
    hints = try reader.records("hints", of: HintRecord.self) ?? []
    actions = try reader.records("actions", of: ActionRecord.self)
    if let actions, actions.count > Translator.actionLimit {
      throw BridgeError(
        .tooManyActions, "\(actions.count) actions are too many: \(Translator.actionLimit) at most")
    }
    reportsDismissal = try reader.flag("reportsDismissal") ?? false
  }
}

extension HintRecord: Documented {
  public var document: [String: PropertyValue] {
    var writer = DocumentWriter()
    writer.text("name", name)
    switch value {
    case .boolean(let flag): writer.set("boolean", .boolean(flag))
    case .int32(let number): writer.integer("int32", Int(number))
    case .byte(let number): writer.integer("byte", Int(number))
    case .double(let number): writer.number("double", number)
    case .string(let text): writer.text("string", text)
    }
    return writer.entries
  }

  public init(_ reader: DocumentReader) throws(BridgeError) {
    let name = try reader.needed("name", try reader.text("name"), "the name of the hint")
    let value: Value
    if let flag = try reader.flag("boolean") {
      value = .boolean(flag)
    } else if let number = try reader.integer("int32") {
      guard let number = Int32(exactly: number) else { throw reader.wrong("int32", "a number of 32 bits") }
      value = .int32(number)
    } else if let number = try reader.integer("byte") {
      guard let number = UInt8(exactly: number) else { throw reader.wrong("byte", "from 0 to 255") }
      value = .byte(number)
    } else if let number = try reader.number("double") {
      value = .double(number)
    } else if let text = try reader.text("string") {
      value = .string(text)
    } else {
      throw BridgeError(
        .invalidRequest, "\(reader.path) must have one of 'boolean', 'int32', 'byte', 'double' and 'string'")
    }
    self.init(name: name, value: value)
  }
}
