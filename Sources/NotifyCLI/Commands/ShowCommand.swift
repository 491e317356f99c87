internal import BridgeControl
internal import NotificationBridge

/// `show`: shows a delivered notification once more.
enum ShowCommand {
  static let spec = CommandSpec(
    name: "show", summary: "Show a delivered notification once more.", operands: "ID",
    options: [BridgeVerbs.app, SendOptions.help],
    details: "For one whose popup has gone. Status: 0 done, 1 no such notification, 2 wrong usage, 3 no bus or bridge.")

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let key = try BridgeVerbs.key(arguments, invocation, "show")
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      try await client.show(key)
      return .success
    }
  }
}
