internal import BridgeControl
internal import NotificationBridge

/// `badge`: prints or sets the number on an application's icon.
enum BadgeCommand {
  static let spec = CommandSpec(
    name: "badge", summary: "Print or set the number on an application's icon.", operands: "[NUMBER]",
    options: [BridgeVerbs.app, BridgeVerbs.json, SendOptions.help],
    details: """
      0 hides it; what was never set is printed as 0. Docks and panels that know LauncherEntry show it for an
      application with a desktop entry: name that with --app. Status: 0 done, 2 wrong usage, 3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 1, "badge")
    let application = BridgeVerbs.application(arguments, invocation)
    var count: Int?
    if let text = arguments.operands.first {
      count = try BridgeVerbs.number(text, "the badge", 0...Int(Int32.max))
    }
    let json = arguments.has("json")
    return BridgeHost.run(invocation) { [count] client throws(BridgeError) in
      if let count {
        try await client.setBadge(count, of: application)
        return .success
      }
      let badge = try await client.badge(of: application) ?? 0
      if json {
        Output.json(Badge(application: application, badge: badge))
      } else {
        Output.result(String(badge))
      }
      return .success
    }
  }

  private struct Badge: Encodable {
    let application: String
    let badge: Int
  }
}
