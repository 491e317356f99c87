internal import DesktopServices
internal import NotificationBridge

/// `on`: the programs that the bridge runs when somebody acts on a notification.
enum OnCommand {
  static let spec = CommandSpec(
    name: "on", summary: "Add, list, remove or test the programs that are run when a notification is answered.",
    operands: "add NAME -- PROGRAM [ARG…] | list | remove NAME… | test NAME",
    options: [
      OptionSpec("app", short: "a", value: "ID", repeats: true, "add: only for that application; test: of that one"),
      OptionSpec(
        "category", short: "c", value: "NAME", repeats: true, "add: only for that category; test: of that one"),
      OptionSpec(
        "action", short: "A", value: "KEY", repeats: true,
        "add: only for that action, 'default' for the click, 'dismiss'; test: that one"),
      OptionSpec("timeout", value: "TIME", "add: how long it may run: seconds, or a number with ms, s, m, h (30s)"),
      OptionSpec("replace", "add: take the place of the handler of that name"),
      OptionSpec("reply", value: "TEXT", "test: what was typed"), BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      add writes NAME.handler into handlers.d in $XDG_CONFIG_HOME/notify-bridge; the bridge sees it at the next response.
      No shell reads it: give 'sh -c …' where you want one. The handlers are asked in the order of their names, and the
      first whose conditions fit takes the response; what it is given stands in notify-bridge.conf(5). One that waits
      for the notification, or its application, comes before them all.
      test runs a handler here and now with a made-up response and passes its output on.
      Status: 0 done, 1 no such handler, or it is broken, or failed its test, 2 wrong usage, or add found one of that name.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let folders = HandlerFolders(invocation.environment)
    guard let word = arguments.operands.first else { throw UsageError("on needs one of add, list, remove and test") }
    let operands = Array(arguments.operands.dropFirst())
    switch word {
    case "add":
      try refuse(["reply", "json"], arguments, word)
      return try OnAdd.run(operands, arguments, invocation, folders)
    case "list":
      try refuse(["app", "category", "action", "timeout", "replace", "reply"], arguments, word)
      if let extra = operands.first { throw UsageError("on list takes no arguments: \(extra.quotedForPeople)") }
      OnList.run(folders, json: arguments.has("json"))
      return .success
    case "remove":
      try refuse(["app", "category", "action", "timeout", "replace", "reply", "json"], arguments, word)
      return try OnAdd.remove(operands, folders)
    case "test":
      try refuse(["timeout", "replace", "json"], arguments, word)
      return try OnTest.run(operands, arguments, invocation, folders)
    default: throw UsageError("on \(word.quotedForPeople) is unknown: give one of add, list, remove and test")
    }
  }

  private static func refuse(
    _ options: [String], _ arguments: ParsedArguments, _ word: String
  ) throws(UsageError) {
    if let option = options.first(where: { arguments.has($0) }) { throw UsageError("on \(word) takes no --\(option)") }
  }

  /// The name of a handler as it was typed; the ending of its file may be there.
  static func name(_ text: String) throws(UsageError) -> String {
    let name = text.hasSuffix(".handler") ? String(text.dropLast(".handler".count)) : text
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0)
    }
    guard !name.isEmpty, isPlain, !name.hasPrefix("."), !name.hasPrefix("-"), name.utf8.count <= 200 else {
      throw UsageError(
        "\(text.quotedForPeople) cannot be the name of a handler: letters, digits, dots, hyphens and underscores can")
    }
    return name
  }
}

/// Where handlers' files are, the most important folder first, as the bridge looks for them.
struct HandlerFolders: Sendable {
  let user: String
  let system: [String]
  var all: [String] { [user] + system }
  /// The user's home.
  let home: String

  /// Source: XDG Base Directory Specification 0.8.
  init(_ environment: [String: String]) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    home = path("HOME") ?? UserID.home ?? "/"
    let ending = "/notify-bridge/handlers.d"
    user = (path("XDG_CONFIG_HOME") ?? (home == "/" ? "" : home) + "/.config") + ending
    let folders = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    system = (folders.isEmpty ? ["/etc/xdg"] : folders.map(String.init)).map { $0 + ending }
  }
}
