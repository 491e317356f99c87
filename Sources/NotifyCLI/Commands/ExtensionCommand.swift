internal import ExtensionHost
internal import NotificationBridge

/// `extension`: the programs of applications that change or draw notifications.
enum ExtensionCommand {
  static let spec = CommandSpec(
    name: "extension", summary: "Make, check, install, list or remove programs that change or draw notifications.",
    operands: "new NAME | list | check FOLDER | install FOLDER | remove NAME…",
    options: [
      OptionSpec("service", "new: one that changes what is pushed before it is shown (if nothing is said)"),
      OptionSpec("content", "new: one that draws what is shown of its categories"),
      OptionSpec("shell", "new: written for sh (if nothing is said)"),
      OptionSpec("swift", "new: written in Swift, as for Apple's systems"),
      OptionSpec("app", short: "a", value: "ID", "the application that it belongs to"),
      OptionSpec("category", short: "c", value: "NAME", repeats: true, "new: a category that it draws"),
      OptionSpec(
        "package", value: "FOLDER", completes: .file, "new: where the Swift package notify-bridge is, for --swift"),
      OptionSpec("payload", value: "FILE|-", completes: .file, "check: with this APNs payload instead of a sample"),
      OptionSpec("replace", "install: take the place of the one of that name"),
      BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      new makes a folder NAME with a template that builds and passes check. check reads NAME.appex, says what is wrong
      with it key by key, runs it with a notification, and prints what it made of it. install copies it to
      notify-bridge/extensions/ID in $XDG_DATA_HOME, where the bridge finds it at the next notification; remove takes it
      away. list shows those of all applications, or of the one that is named. NOTIFY_BRIDGE_APP_ID stands in for --app.
      What extensions are told and say stands in notify-bridge-extension(7).
      Status: 0 done, 1 it is broken, gave no answer, is not there, or list found one that is broken, 2 wrong usage, or
      there is one of that name.
      """)

  /// Which options each word takes.
  private static let options: [String: Set<String>] = [
    "new": ["service", "content", "shell", "swift", "app", "category", "package"], "list": ["app", "json"],
    "check": ["app", "payload"], "install": ["app", "replace"], "remove": ["app"],
  ]

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let words = "new, list, check, install and remove"
    guard let word = arguments.operands.first else { throw UsageError("extension needs one of \(words)") }
    guard let allowed = options[word] else {
      throw UsageError("extension \(word.quotedForPeople) is unknown: give one of \(words)")
    }
    for option in spec.options where arguments.has(option.long) && !allowed.contains(option.long) {
      throw UsageError("extension \(word) takes no --\(option.long)")
    }
    let operands = Array(arguments.operands.dropFirst())
    let folders = ExtensionFolders(environment: invocation.environment, home: UserID.home ?? "/")
    switch word {
    case "new": return try ExtensionNew.run(operands, arguments, invocation)
    case "list":
      if let extra = operands.first { throw UsageError("extension list takes no arguments: \(extra.quotedForPeople)") }
      return ExtensionList.run(
        ExtensionCatalog(folders), application: arguments["app"], json: arguments.has("json"))
    case "check": return try ExtensionCheck.run(try folder(operands, word), arguments, invocation)
    case "install": return try ExtensionInstall.run(try folder(operands, word), arguments, invocation, folders)
    default: return try ExtensionInstall.remove(operands, arguments, invocation, folders)
    }
  }

  /// The one folder that a word takes, from the root.
  private static func folder(_ operands: [String], _ word: String) throws(UsageError) -> String {
    guard let operand = operands.first, operands.count == 1, !operand.isEmpty else {
      throw UsageError("extension \(word) needs one folder NAME\(ExtensionBundle.ending)")
    }
    var path = FileInput.absolute(operand)
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    return path
  }

  /// The application that is meant.
  /// - Throws: ``UsageError`` when none is named, or its name can be no folder's.
  static func application(
    _ arguments: ParsedArguments, _ invocation: Invocation, _ word: String
  ) throws(UsageError) -> String {
    guard let text = arguments["app"] ?? invocation.environment["NOTIFY_BRIDGE_APP_ID"], !text.isEmpty else {
      throw UsageError("extension \(word) needs the application that it belongs to: --app ID")
    }
    return try application(text)
  }

  /// An application's identifier, as it was typed.
  static func application(_ text: String) throws(UsageError) -> String {
    let identifier = text.hasSuffix(".desktop") ? String(text.dropLast(".desktop".count)) : text
    guard ExtensionFolders.canHaveFolder(identifier), isPlain(identifier) else {
      throw UsageError("\(text.quotedForPeople) cannot be an application's identifier: org.example.App is one")
    }
    return identifier
  }

  /// The name of an extension, as it was typed; the ending of its folder may be there.
  static func name(_ text: String) throws(UsageError) -> String {
    let name = text.hasSuffix(ExtensionBundle.ending) ? String(text.dropLast(ExtensionBundle.ending.count)) : text
    guard isPlain(name), name.utf8.count <= 100 else {
      throw UsageError(
        "\(text.quotedForPeople) cannot be the name of an extension: letters, digits, hyphens and underscores can, and "
          + "dots within")
    }
    return name
  }

  private static func isPlain(_ text: String) -> Bool {
    let isMade = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._-".utf8.contains(byte)
      }
    }
    return isMade && !text.isEmpty && !text.hasPrefix(".") && !text.hasPrefix("-")
  }
}
