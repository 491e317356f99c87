internal import BridgeControl
internal import NotificationBridge

/// `remove`: takes notifications away, shown or yet to come.
enum RemoveCommand {
  static let spec = CommandSpec(
    name: "remove", summary: "Remove notifications, shown or scheduled.", operands: "ID… | --thread NAME | --all",
    options: [
      BridgeVerbs.app, OptionSpec("thread", value: "NAME", "all of that thread"),
      OptionSpec("all", "all of the application"), OptionSpec("pending", "only what is scheduled"),
      OptionSpec("delivered", "only what was shown"), SendOptions.help,
    ],
    details: """
      What is there no more is no error: the user may have closed it a moment ago.
      Status: 0 done, 2 wrong usage, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let what = try removal(arguments)
    let application = BridgeVerbs.application(arguments, invocation)
    let (pending, delivered) = (arguments.has("pending"), arguments.has("delivered"))
    if pending, delivered { throw UsageError("--pending and --delivered exclude each other: leave out both") }
    if case .thread = what, pending || delivered {
      throw UsageError("--thread takes what is scheduled and what was shown: leave out --pending and --delivered")
    }
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      try await client.remove(what, of: application, pending: !delivered, delivered: !pending)
      return .success
    }
  }

  static func removal(_ arguments: ParsedArguments) throws(UsageError) -> ControlClient.Removal {
    var found: [ControlClient.Removal] = []
    if !arguments.operands.isEmpty {
      if arguments.operands.contains("") { throw UsageError("an identifier is empty") }
      found.append(.identifiers(arguments.operands))
    }
    if let thread = arguments["thread"] {
      if thread.isEmpty { throw UsageError("--thread is empty: name the thread") }
      found.append(.thread(thread))
    }
    if arguments.has("all") { found.append(.all) }
    guard let what = found.first else {
      throw UsageError("remove needs the identifiers of notifications, --thread or --all")
    }
    if found.count > 1 { throw UsageError("identifiers, --thread and --all exclude each other") }
    return what
  }
}
