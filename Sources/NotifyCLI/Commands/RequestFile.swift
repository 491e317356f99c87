internal import FoundationEssentials
internal import NotificationBridge

/// A whole request as JSON, for `--request`: an object whose keys are those of the options.
///
/// ```json
/// { "title": "Build finished", "subtitle": "main", "body": "All green", "id": "build", "level": "active",
///   "actions": [ { "key": "open", "label": "Open" },
///                { "key": "say", "label": "Comment", "reply": true, "placeholder": "…" } ],
///   "images": [ "/tmp/chart.png" ], "expire-time": 5000, "user-info": { "number": 7 } }
/// ```
struct RequestFile {
  var content = ContentRecord()
  var desktop = DesktopOptions()
  var identifier: String?
  var actions: [ActionRecord] = []
  var app: String?
  var notes: [String] = []

  init(_ name: String) throws(UsageError) {
    let (text, wasRepaired) = try FileInput.text(name, option: "--request")
    if wasRepaired { notes.append("--request is not UTF-8 text; what is not was replaced by U+FFFD") }
    let object: [String: PropertyValue]
    do {
      object = try JSONDecoder().decode([String: PropertyValue].self, from: Data(text.utf8))
    } catch {
      throw UsageError("--request \(name.quotedForPeople): \(JSONFault.reason(Array(text.utf8)))")
    }
    for (key, value) in object.sorted(by: { $0.key < $1.key }) { try take(key, value) }
  }

  private mutating func take(_ key: String, _ value: PropertyValue) throws(UsageError) {
    switch key {
    case "title": content.title = try text(key, value)
    case "subtitle": content.subtitle = try text(key, value)
    case "body": content.body = try text(key, value)
    case "id": identifier = try text(key, value)
    case "app": app = try text(key, value)
    case "icon": desktop.icon = try SendPlan.icon(try text(key, value))
    case "images":
      for name in try list(key, value) {
        content.attachments.append(
          try SendPlan.attachment(try text(key, name), number: content.attachments.count + 1))
      }
    case "level": content.interruptionLevel = try SendPlan.level(try text(key, value))
    case "urgency": desktop.urgency = try SendPlan.urgency(try text(key, value))
    case "category": desktop.category = try text(key, value)
    case "thread": content.threadIdentifier = try text(key, value)
    case "sound": content.sound = try SendPlan.sound(try text(key, value))
    case "progress": desktop.progress = try SendPlan.progress(try textOrNumber(key, value))
    case "expire-time":
      desktop.lifetime = try Durations.lifetime(try textOrNumber(key, value), option: "expire-time")
    case "transient":
      guard case .boolean(let flag) = value else { throw wrong(key, "true or false") }
      desktop.transient = flag
    case "hints": for hint in try list(key, value) { desktop.hints.append(try SendPlan.hint(try text(key, hint))) }
    case "user-info":
      guard case .dictionary(let entries) = value else { throw wrong(key, "an object") }
      content.userInfo = entries
    case "actions": for action in try list(key, value) { actions.append(try self.action(action)) }
    default: throw UsageError("--request: unknown key \(key.quotedForPeople)")
    }
  }

  private func action(_ value: PropertyValue) throws(UsageError) -> ActionRecord {
    guard case .dictionary(let entries) = value, case .string(let key)? = entries["key"],
      case .string(let label)? = entries["label"], !key.isEmpty
    else { throw wrong("actions", "objects with the texts 'key' and 'label'") }
    var action = ActionRecord(identifier: key, title: label)
    for (name, value) in entries where name != "key" && name != "label" {
      switch (name, value) {
      case ("icon", .string(let icon)): action.iconName = icon
      case ("destructive", .boolean(let flag)): if flag { action.options.insert(.destructive) }
      case ("reply", .boolean(false)): break
      case ("reply", .boolean(true)):
        if action.textInput == nil { action.textInput = .init(buttonTitle: "", placeholder: "") }
      case ("placeholder", .string(let text)):
        action.textInput = .init(buttonTitle: action.textInput?.buttonTitle ?? "", placeholder: text)
      case ("button", .string(let text)):
        action.textInput = .init(buttonTitle: text, placeholder: action.textInput?.placeholder ?? "")
      default: throw UsageError("--request: unknown or wrong entry \(name.quotedForPeople) in 'actions'")
      }
    }
    return action
  }

  private func text(_ key: String, _ value: PropertyValue) throws(UsageError) -> String {
    guard case .string(let text) = value else { throw wrong(key, "text") }
    return text
  }

  private func textOrNumber(_ key: String, _ value: PropertyValue) throws(UsageError) -> String {
    if case .integer(let number) = value { return String(number) }
    return try text(key, value)
  }

  private func list(_ key: String, _ value: PropertyValue) throws(UsageError) -> [PropertyValue] {
    guard case .array(let elements) = value else { throw wrong(key, "an array") }
    return elements
  }

  private func wrong(_ key: String, _ expected: String) -> UsageError {
    UsageError("--request: the value of \(key.quotedForPeople) must be \(expected)")
  }
}
