internal import BridgeControl
internal import FoundationEssentials
internal import NotificationBridge

/// `categories`: prints or sets an application's categories.
enum CategoriesCommand {
  static let spec = CommandSpec(
    name: "categories", summary: "Print or set the categories of an application: its buttons by name.",
    options: [
      OptionSpec("set", value: "FILE|-", completes: .file, "replace all of them by those of a file or standard input"),
      BridgeVerbs.app, BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      --set takes an array of objects, or an object a line as --json prints them, as in notify-bridge(1), CATEGORIES:
        [{"identifier": "message", "actions": [{"identifier": "read", "title": "Mark as read"},
          {"identifier": "say", "title": "Reply", "textInput": {"placeholder": "Your answer"}}]}]
      An empty array takes all away. Status: 0 done, 2 wrong usage or file, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 0, "categories")
    let application = BridgeVerbs.application(arguments, invocation)
    if let name = arguments["set"] {
      let records = try CategoriesFile.records(try FileInput.text(name, option: "--set").text, name)
      return BridgeHost.run(invocation) { client throws(BridgeError) in
        try await client.setCategories(records, of: application)
        return .success
      }
    }
    let json = arguments.has("json")
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      for category in try await client.categories(of: application).sorted(by: { $0.identifier < $1.identifier }) {
        if json {
          Output.json(category.document)
        } else {
          Output.result(category.identifier.onOneLine())
          for line in TextTable.lines(category.actions.map(row)) { Output.result("  " + line) }
        }
      }
      return .success
    }
  }

  private static func row(_ action: ActionRecord) -> [String] {
    var notes: [String] = []
    if let input = action.textInput {
      notes.append("takes text" + (input.placeholder.isEmpty ? "" : " (\(input.placeholder.onOneLine()))"))
    }
    if action.options.contains(.destructive) { notes.append("destructive") }
    if action.options.contains(.authenticationRequired) { notes.append("needs an unlocked session") }
    if action.options.contains(.foreground) { notes.append("opens the application") }
    return [action.identifier.onOneLine(), action.title.onOneLine(), notes.joined(separator: ", ")]
  }
}

/// Categories as JSON, for `categories --set`.
enum CategoriesFile {
  private static let keys: Set<String> = [
    "identifier", "actions", "intentIdentifiers", "hiddenPreviewsBodyPlaceholder", "categorySummaryFormat", "options",
  ]
  private static let actionKeys: Set<String> = ["identifier", "title", "options", "iconName", "textInput"]

  /// - Parameter name: of the file, for messages.
  static func records(_ text: String, _ name: String) throws(UsageError) -> [CategoryRecord] {
    var records: [CategoryRecord] = []
    var names: Set<String> = []
    for (index, value) in try values(text, name).enumerated() {
      let path = "categories[\(index)]"
      guard case .dictionary(let document) = value else {
        throw UsageError("--set \(name.quotedForPeople): \(path) must be an object")
      }
      try check(document, keys, path, name)
      if case .array(let actions)? = document["actions"] {
        for (number, action) in actions.enumerated() {
          guard case .dictionary(let entries) = action else { continue }
          try check(entries, actionKeys, "\(path).actions[\(number)]", name)
        }
      }
      do throws(BridgeError) {
        records.append(try CategoryRecord(document: document, named: path))
      } catch {
        throw UsageError("--set \(name.quotedForPeople): \(error)")
      }
      guard let record = records.last, names.insert(record.identifier).inserted else {
        throw UsageError("--set \(name.quotedForPeople): two categories are called alike, \(path) is the second")
      }
      if record.identifier.isEmpty { throw UsageError("--set \(name.quotedForPeople): \(path).identifier is empty") }
    }
    return records
  }

  /// An array, or an object a line.
  private static func values(_ text: String, _ name: String) throws(UsageError) -> [PropertyValue] {
    let decoder = JSONDecoder()
    if let values = try? decoder.decode([PropertyValue].self, from: Data(text.utf8)) { return values }
    var values: [PropertyValue] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy(\.isWhitespace) { continue }
      guard let value = try? decoder.decode(PropertyValue.self, from: Data(line.utf8)), case .dictionary = value else {
        throw UsageError(
          "--set \(name.quotedForPeople) is neither a JSON array nor an object a line: line \(index + 1) is none")
      }
      values.append(value)
    }
    return values
  }

  private static func check(
    _ document: [String: PropertyValue], _ known: Set<String>, _ path: String, _ name: String
  ) throws(UsageError) {
    guard let unknown = document.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw UsageError(
      "--set \(name.quotedForPeople): \(path) has the unknown key \(unknown.quotedForPeople); known are "
        + known.sorted().joined(separator: ", "))
  }
}
