internal import BridgeControl
internal import NotificationBridge

/// `history`: what happened to notifications.
enum HistoryCommand {
  static let spec = CommandSpec(
    name: "history", summary: "Print what happened to notifications, oldest first.",
    options: [
      OptionSpec("number", short: "n", value: "N", "the last N events (20; at most 1000)"), BridgeVerbs.app,
      BridgeVerbs.allApps, BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      Times are local; in --json they are seconds since 1970. How much is kept says [history] in
      notify-bridge.conf(5). Status: 0 printed, 2 wrong usage, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 0, "history")
    let application = try BridgeVerbs.applications(arguments, invocation)
    let limit = try BridgeVerbs.number(arguments["number"] ?? "20", "--number", 1...1_000)
    let json = arguments.has("json")
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      let events = try await client.history(after: 0, application: application, limit: limit)
      if json {
        for event in events { Output.json(EventLine.JSON(event)) }
      } else {
        let rows = events.map { EventLine.row($0, namesApplication: application.isEmpty) }
        for line in TextTable.lines(rows) { Output.result(line) }
      }
      return .success
    }
  }
}
