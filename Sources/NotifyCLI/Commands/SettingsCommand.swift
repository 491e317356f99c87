internal import BridgeControl
internal import NotificationBridge

/// `settings`: what an application may do, and what the desktop shows of it.
enum SettingsCommand {
  static let spec = CommandSpec(
    name: "settings", summary: "Say what an application may do and what the desktop shows of it.", operands: "[APP]",
    options: [
      BridgeVerbs.app, BridgeVerbs.json,
      OptionSpec("open", "have the running application show its own settings for notifications"),
      SendOptions.help,
    ],
    details: """
      What the desktop does not tell counts as not supported. The bridge's own settings are in
      notify-bridge.conf(5). Status: 0 printed or shown, 1 nobody shows them, 2 wrong usage,
      3 no bus or bridge.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    try BridgeVerbs.limit(arguments, 1, "settings")
    if arguments.has("app"), let operand = arguments.operands.first {
      throw UsageError("the application was given twice: \(operand.quotedForPeople) and --app")
    }
    let application =
      Identity.application(
        app: arguments.operands.first ?? arguments["app"], environment: invocation.environment
      ).identifier
    let json = arguments.has("json")
    let opens = arguments.has("open")
    return BridgeHost.run(invocation) { client throws(BridgeError) in
      if opens { return try await open(application, client) }
      let settings = try await client.settings(of: application)
      if json {
        Output.json(Line(application, settings))
      } else {
        for (name, words) in lines(settings) { Output.result(name.padded(to: 21) + words) }
      }
      return .success
    }
  }

  private static func open(_ application: String, _ client: ControlClient) async throws(BridgeError) -> ExitStatus {
    if try await client.openSettings(of: application) > 0 { return .success }
    Output.message(
      "no running program of \(application.quotedForPeople) has settings of its own: one that asked for the permission "
        + "with providesAppNotificationSettings has")
    return .failure
  }

  /// Each setting and what it says, for people.
  static func lines(_ settings: SettingsRecord) -> [(String, String)] {
    let status =
      switch settings.authorization.status {
      case .notDetermined: "not asked yet: notifications are shown"
      case .denied: "denied: nothing is shown"
      case .authorized: "granted"
      case .provisional: "granted for the time being: shown quietly"
      }
    let previews =
      switch settings.previews {
      case .always: "always shown"
      case .whenAuthenticated: "hidden while the session is locked"
      case .never: "never shown"
      }
    return [
      ("authorization", status), ("popups", words(settings.alert)), ("sounds", words(settings.sound)),
      ("badge", words(settings.badge)), ("notification list", words(settings.notificationCenter)),
      ("lock screen", words(settings.lockScreen)), ("critical ones", words(settings.criticalAlert)),
      ("time-sensitive ones", words(settings.timeSensitive)), ("what they say", previews),
    ]
  }

  private static func words(_ setting: SettingsRecord.Setting) -> String {
    switch setting {
    case .notSupported: "not supported, or the desktop does not tell"
    case .disabled: "off"
    case .enabled: "on"
    }
  }

  /// The names are those of the bus interface.
  private struct Line: Encodable {
    let application: String
    let authorization: String
    let alert, sound, badge, notificationCenter, lockScreen, criticalAlert, timeSensitive: String
    let previews: String

    init(_ application: String, _ settings: SettingsRecord) {
      self.application = application
      authorization = settings.authorization.status.rawValue
      alert = settings.alert.rawValue
      sound = settings.sound.rawValue
      badge = settings.badge.rawValue
      notificationCenter = settings.notificationCenter.rawValue
      lockScreen = settings.lockScreen.rawValue
      criticalAlert = settings.criticalAlert.rawValue
      timeSensitive = settings.timeSensitive.rawValue
      previews = settings.previews.rawValue
    }
  }
}
