internal import NotificationBridge

/// `wait`: waits for how a notification ends that another process has sent.
enum WaitCommand {
  static let spec = CommandSpec(
    name: "wait", summary: "Wait for how a notification ends that was sent through the bridge.", operands: "ID",
    options: [
      BridgeVerbs.app,
      OptionSpec("timeout", value: "TIME", "wait no longer than that (status 15); the notification stays"),
      BridgeVerbs.json, SendOptions.help,
    ],
    details: """
      Prints what a waiting send prints: the action's key, 'default' for the click, the text of a reply behind a tab.
      A response that came before and that nobody took is printed at once; each is given to one alone. What was due to
      come later is waited for too. Status: that of send: 0, 10 to 15; 1 if there is no such notification.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let key = try BridgeVerbs.key(arguments, invocation, "wait")
    var timeout: Int?
    if let text = arguments["timeout"] { timeout = try Durations.milliseconds(text, option: "--timeout") }
    let json = arguments.has("json")
    return BridgeHost.session(invocation) { [timeout] session in
      let wait = SendWait(session.executor)
      if let timeout { wait.give(.timeIsUp, after: timeout) }
      return await BridgeWait(key, session.client, wait, json: json).run()
    }
  }
}
