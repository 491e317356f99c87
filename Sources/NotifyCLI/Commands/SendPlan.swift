internal import FoundationEssentials
internal import NotificationBridge

/// What `send` is to do, read from its arguments and checked: nothing is sent before all of it is right.
struct SendPlan: Sendable {
  var request: RequestRecord
  var application: ApplicationRecord
  var waits = false
  /// Milliseconds; nil: for ever.
  var timeout: Int?
  var printsIdentifier = false
  var json = false
  /// Without the resident bridge, whatever there is.
  var isDirect = false
  /// What has to be said to the user although it is no error.
  var notes: [String] = []
  /// The same, where there is no resident bridge.
  var directNotes: [String] = []

  /// A request that is shown and not waited for.
  init(_ request: RequestRecord, from application: ApplicationRecord) {
    self.request = request
    self.application = application
  }

  init(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) {
    var content = ContentRecord()
    var desktop = DesktopOptions()
    var identifier: String?
    var actions: [ActionRecord] = []
    var app: String?
    for number in invocation.repaired {
      notes.append("argument \(number) is not UTF-8 text; what is not was replaced by U+FFFD")
    }
    if let name = arguments["request"] {
      let file = try RequestFile(name)
      (content, desktop, identifier, actions, app) = (
        file.content, file.desktop, file.identifier, file.actions, file.app
      )
      notes += file.notes
    }
    try Self.readText(arguments, &content, &notes)
    try Self.readDesktop(arguments, &content, &desktop)
    for name in arguments.all("image") {
      content.attachments.append(try Self.attachment(name, number: content.attachments.count + 1))
    }
    for text in arguments.all("action") { actions.append(try Self.action(text)) }
    for text in arguments.all("reply") { actions.append(try Self.reply(text)) }
    try Self.check(actions)
    if !actions.isEmpty { desktop.actions = actions }
    for text in arguments.all("user-info") { try Self.readUserInfo(text, &content.userInfo) }
    if let text = arguments["id"] { identifier = text }
    if let identifier, identifier.isEmpty { throw UsageError("--id is empty: give the notification a name") }
    if identifier != nil {
      directNotes.append(
        "--id: without the resident bridge, another process cannot replace or remove this notification")
    }
    waits = arguments.has("wait") || !actions.isEmpty && !arguments.has("detach")
    if arguments.has("detach") {
      if arguments.has("wait") { throw UsageError("--wait and --detach exclude each other") }
      if !actions.isEmpty { directNotes.append("--detach: without the resident bridge, nobody hears of the buttons") }
    }
    if let text = arguments["timeout"] { timeout = try Durations.milliseconds(text, option: "--timeout") }
    printsIdentifier = arguments.has("print-id")
    json = arguments.has("json")
    application = Identity.application(app: arguments["app"] ?? app, environment: invocation.environment)
    desktop.reportsDismissal = true
    isDirect = arguments.has("direct")
    let trigger = try ScheduleOptions.trigger(arguments)
    if trigger != nil, isDirect { throw UsageError("--direct and a schedule exclude each other") }
    if trigger != nil, !arguments.has("wait") { waits = false }
    request = RequestRecord(
      identifier: identifier ?? UUID().uuidString, content: content, trigger: trigger, desktop: desktop)
  }

  // MARK: Text

  private static func readText(
    _ arguments: ParsedArguments, _ content: inout ContentRecord, _ notes: inout [String]
  ) throws(UsageError) {
    var operands = arguments.operands[...]
    if let title = arguments["title"] ?? operands.popFirst() { content.title = title }
    if let body = arguments["body"] { content.body = body }
    if let body = operands.popFirst() {
      if arguments.has("body") { throw UsageError("the body was given twice: \(body.quotedForPeople) and --body") }
      content.body = body
    }
    if let name = arguments["body-file"] {
      if !content.body.isEmpty { throw UsageError("the body was given twice: --body-file and another") }
      let (text, wasRepaired) = try FileInput.text(name, option: "--body-file")
      content.body = text.hasSuffix("\n") ? String(text.dropLast()) : text
      if wasRepaired { notes.append("--body-file is not UTF-8 text; what is not was replaced by U+FFFD") }
    }
    if let extra = operands.first {
      throw UsageError("too many arguments, from \(extra.quotedForPeople) on: quote a text that has spaces")
    }
    if let subtitle = arguments["subtitle"] { content.subtitle = subtitle }
    if content.title.isEmpty, content.subtitle.isEmpty, content.body.isEmpty {
      throw UsageError("there is nothing to show: give a title")
    }
  }

  // MARK: The rest of the content

  private static func readDesktop(
    _ arguments: ParsedArguments, _ content: inout ContentRecord, _ desktop: inout DesktopOptions
  ) throws(UsageError) {
    if let text = arguments["level"] { content.interruptionLevel = try level(text) }
    if let text = arguments["urgency"] { desktop.urgency = try urgency(text) }
    if let text = arguments["category"] { desktop.category = text }
    if let text = arguments["thread"] { content.threadIdentifier = text }
    if let text = arguments["sound"] { content.sound = try sound(text) }
    if let text = arguments["icon"] { desktop.icon = try icon(text) }
    if let text = arguments["progress"] { desktop.progress = try progress(text) }
    if let text = arguments["expire-time"] {
      desktop.lifetime = try Durations.lifetime(text, option: "--expire-time")
    }
    if arguments.has("transient") { desktop.transient = true }
    for text in arguments.all("hint") { desktop.hints.append(try hint(text)) }
  }

  static func level(_ text: String) throws(UsageError) -> InterruptionLevel {
    guard let level = InterruptionLevel(rawValue: text) else {
      let names = InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--level \(text.quotedForPeople) is unknown: give one of \(names)")
    }
    return level
  }

  static func urgency(_ text: String) throws(UsageError) -> Int {
    let names = ["low", "normal", "critical"]
    guard let urgency = names.firstIndex(of: text) ?? ["0", "1", "2"].firstIndex(of: text) else {
      throw UsageError("--urgency \(text.quotedForPeople) is unknown: give low, normal or critical")
    }
    return urgency
  }

  static func sound(_ text: String) throws(UsageError) -> SoundRecord? {
    switch text {
    case "none": return nil
    case "default": return SoundRecord()
    case _ where text.contains("/"): return SoundRecord(.file(try FileInput.file(text, option: "--sound")))
    case "": throw UsageError("--sound is empty: give default, none, a name or a path")
    default: return SoundRecord(.theme(text))
    }
  }

  static func icon(_ text: String) throws(UsageError) -> String {
    if text.hasPrefix("file://") || !text.contains("/") { return text }
    return FileURI.text(path: try FileInput.file(text, option: "--icon"))
  }

  static func progress(_ text: String) throws(UsageError) -> Int {
    guard let number = Int(text), (0...100).contains(number) else {
      throw UsageError("--progress \(text.quotedForPeople) is no whole number from 0 to 100")
    }
    return number
  }

  static func hint(_ text: String) throws(UsageError) -> HintRecord {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, !parts[1].isEmpty else {
      throw UsageError("--hint \(text.quotedForPeople) is not of the form TYPE:NAME:VALUE")
    }
    let value: HintRecord.Value? =
      switch parts[0] {
      case "boolean", "bool": ["true": .boolean(true), "false": .boolean(false)][parts[2]]
      case "int", "int32": Int32(parts[2]).map { .int32($0) }
      case "byte": UInt8(parts[2]).map { .byte($0) }
      case "double": Double(parts[2]).map { .double($0) }
      case "string": .string(parts[2])
      default: throw UsageError("--hint \(text.quotedForPeople): unknown type \(parts[0].quotedForPeople)")
      }
    guard let value else {
      throw UsageError("--hint \(text.quotedForPeople): \(parts[2].quotedForPeople) is no \(parts[0])")
    }
    return HintRecord(name: parts[1], value: value)
  }

  static func attachment(_ name: String, number: Int) throws(UsageError) -> AttachmentRecord {
    let (path, type) = try FileInput.picture(name)
    return AttachmentRecord(identifier: "image-\(number)", path: path, type: type.identifier)
  }

  // MARK: Actions

  private static func action(_ text: String) throws(UsageError) -> ActionRecord {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError("--action \(text.quotedForPeople) is not of the form KEY=LABEL")
    }
    return ActionRecord(identifier: parts[0], title: parts[1])
  }

  private static func reply(_ text: String) throws(UsageError) -> ActionRecord {
    let parts = text.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, !parts[0].isEmpty else {
      throw UsageError("--reply \(text.quotedForPeople) is not of the form KEY=LABEL or KEY=LABEL=PLACEHOLDER")
    }
    let input = ActionRecord.TextInput(buttonTitle: "", placeholder: parts.count == 3 ? parts[2] : "")
    return ActionRecord(identifier: parts[0], title: parts[1], textInput: input)
  }

  private static func check(_ actions: [ActionRecord]) throws(UsageError) {
    if actions.count > Translator.actionLimit {
      throw UsageError("\(actions.count) actions are too many: \(Translator.actionLimit) at most")
    }
    var seen: Set<String> = []
    for action in actions where !seen.insert(action.identifier).inserted {
      throw UsageError("the action key \(action.identifier.quotedForPeople) was given twice")
    }
    if let reserved = actions.first(where: { $0.identifier == "default" }) {
      throw UsageError(
        "the action key \(reserved.identifier.quotedForPeople) stands for the click on the notification: choose another"
      )
    }
  }

  private static func readUserInfo(
    _ text: String, _ userInfo: inout [String: PropertyValue]
  ) throws(UsageError) {
    if text.hasPrefix("{") {
      guard let object = try? JSONDecoder().decode([String: PropertyValue].self, from: Data(text.utf8)) else {
        throw UsageError("--user-info \(text.quotedForPeople): \(JSONFault.reason(Array(text.utf8)))")
      }
      userInfo.merge(object) { _, new in new }
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError("--user-info \(text.quotedForPeople) is neither KEY=VALUE nor a JSON object")
    }
    userInfo[parts[0]] = .string(parts[1])
  }
}
