internal import BridgeControl
internal import NotificationBridge

/// `act`: answers a notification as if its button had been pressed, also when its popup has gone.
enum ActCommand {
  static let spec = CommandSpec(
    name: "act", summary: "Answer a delivered notification, as if you had pressed its button.", operands: "ID [ACTION]",
    options: [
      BridgeVerbs.app,
      OptionSpec("reply", value: "TEXT", "what you type; without ACTION, for its one action that takes text"),
      SendOptions.help,
    ],
    details: """
      Without an action it is the click on the notification, 'default'. 'notify-bridge list --delivered' names the
      actions. Whoever waits for the notification, its application or a handler gets the response.
      Status: 0 done, 1 no such notification or action, 2 wrong usage, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 2, "act")
    let key = NotificationKey(
      application: BridgeVerbs.application(arguments, invocation),
      identifier: try BridgeVerbs.identifier(arguments, "act"))
    let action = arguments.operands.count == 2 ? arguments.operands[1] : nil
    let text = arguments["reply"]
    if action == "default", text != nil { throw UsageError("--reply needs an action that takes text, not 'default'") }
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      var action = action == "default" ? nil : action
      if action == nil, text != nil { action = try await textAction(of: key, client) }
      try await client.act(on: key, action: action, text: text)
      return .success
    }
  }

  /// The one action of a notification that takes text.
  private static func textAction(
    of key: NotificationKey, _ client: ControlClient
  ) async throws(BridgeError) -> String? {
    let delivered = try await client.delivered(key.application)
    // An unknown one is the bridge's to name.
    guard let record = delivered.first(where: { $0.request.identifier == key.identifier }) else { return nil }
    var lookup = ActionLookup(client)
    let takers = try await lookup.actions(of: record).filter { $0.textInput != nil }.map(\.identifier)
    guard takers.count == 1 else {
      throw BridgeError(
        .invalidRequest,
        takers.isEmpty
          ? "\(key.identifier.quotedForPeople) has no action that takes text"
          : "\(key.identifier.quotedForPeople) has several actions that take text: name one of "
            + takers.map(\.quotedForPeople).joined(separator: ", "))
    }
    return takers[0]
  }
}
