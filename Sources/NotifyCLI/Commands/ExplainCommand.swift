internal import BridgeControl
internal import DBus
internal import ExtensionHost
internal import FoundationEssentials
internal import FreedesktopNotifications
internal import NotificationBridge

/// `explain`: the call that `send` would make on the present daemon, and what would be dropped.
enum ExplainCommand {
  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let plan: SendPlan
    if let file = arguments["payload"] {
      plan = try self.plan(file, arguments, invocation)
    } else {
      plan = try SendPlan(arguments, invocation)
    }
    return Host.wait { await explain(plan, invocation.environment) }
  }

  /// What a payload asks for. What is wrong with it is said.
  private static func plan(
    _ file: String, _ arguments: ParsedArguments, _ invocation: Invocation
  ) throws(UsageError) -> SendPlan {
    let push = try Push(
      file: file, app: arguments["app"], collapseIdentifier: nil, strings: nil,
      environment: invocation.environmentForTexts)
    for note in push.payload.notes { Output.message("\(push.name): \(note)") }
    guard let content = push.payload.content else {
      throw UsageError("\(push.name) is a background update: no daemon is called for it")
    }
    return SendPlan(RequestRecord(identifier: "", content: content, trigger: nil), from: push.application)
  }

  private static func explain(_ plan: SendPlan, _ environment: [String: String]) async -> ExitStatus {
    let profile: ServerProfile
    var dates: [String] = []
    var category: CategoryRecord?
    do {
      let connection = try await Host.connect(environment)
      if let trigger = plan.request.trigger { dates = await self.dates(trigger, connection) }
      category = await registered(plan, connection)
      profile = try await DaemonServer(on: connection, listens: false).profile()
    } catch let error as BusProblem {
      Output.message(error.text)
      return .noDaemon
    } catch {
      Output.message("no notification daemon can be asked: \(error)")
      return .noDaemon
    }
    var media = Translator.Media()
    let pictures = plan.request.content.attachments
    media.picture = pictures.first.map { .file($0.path) }
    media.dropped = pictures.dropFirst().map {
      Dropped(.image, "\($0.path.quotedForPeople) left out: the daemon shows one picture")
    }
    let result = Translator(for: profile).translate(
      plan.request, from: plan.application, category: category, media: media)
    Output.result(text(profile))
    Output.result("\n" + text(result.notification))
    let actions = plan.request.desktop.actions ?? category?.actions ?? []
    let dropped = result.dropped + Translator.remarks(on: actions)
    if dropped.isEmpty {
      Output.result("\nAll of it is shown as asked.")
    } else {
      Output.result("\nNot shown as asked:\n" + dropped.map { "  \($0)" }.joined(separator: "\n"))
    }
    if let line = drawing(plan, environment) { Output.result("\n" + line) }
    if !dates.isEmpty { Output.result("\n" + dates.joined(separator: "\n")) }
    return .success
  }

  /// The category that a payload names, as its application has registered it with the resident bridge.
  private static func registered(_ plan: SendPlan, _ connection: BusConnection) async -> CategoryRecord? {
    let name = plan.request.content.categoryIdentifier
    guard !name.isEmpty else { return nil }
    let client = ControlClient(on: connection)
    do throws(BridgeError) {
      guard try await client.start() else { return nil }
      return try await client.categories(of: plan.application.identifier).first { $0.identifier == name }
    } catch {
      Output.message("the application's categories are not known: \(error)")
      return nil
    }
  }

  /// Which extension would draw it; nil: none.
  private static func drawing(_ plan: SendPlan, _ environment: [String: String]) -> String? {
    // The class that --category gives is none of the application's categories.
    let name = plan.request.content.categoryIdentifier
    guard !name.isEmpty else { return nil }
    let folders = ExtensionFolders(environment: environment, home: UserID.home ?? "/")
    let found = ExtensionCatalog(folders).extensions(of: plan.application.identifier)
    guard case .content(let content)? = found.content(for: name)?.kind else { return nil }
    var text = "drawn by the content extension \(content.name.quotedForPeople) of "
    text += "\(plan.application.identifier.quotedForPeople): height by width \(content.sizeRatio)"
    if content.hidesDefaultContent { text += "; the content above is hidden" }
    if content.overridesTitle { text += "; its title is the summary" }
    return text
  }

  /// When the schedule comes round, as the resident bridge reckons: it alone knows the time zones.
  private static func dates(_ trigger: TriggerRecord, _ connection: BusConnection) async -> [String] {
    let client = ControlClient(on: connection)
    do throws(BridgeError) {
      guard try await client.start() else { return ["Not scheduled: that needs the resident bridge notify-bridged"] }
      var lines: [String] = []
      var after = Date().timeIntervalSince1970
      for _ in 0..<(trigger.repeats ? 3 : 1) {
        after = try await client.nextDate(of: trigger, after: after)
        lines.append("shown at \(LocalTime.text(after))")
      }
      return lines
    } catch {
      return ["Not scheduled: \(error)"]
    }
  }

  /// One line each for who the daemon is and what it lists.
  static func text(_ profile: ServerProfile) -> String {
    let information = profile.information
    let name = "\(information.name) \(information.version)".quotedForPeople
    let words = profile.capabilitiesKnown ? profile.capabilities.description : "not told; plain text is assumed"
    return
      "daemon: \(name) of \(information.vendor.quotedForPeople), specification \(information.specVersion.quotedForPeople)\n"
      + "capabilities: \(words)"
  }

  private static func text(_ notification: Notification) -> String {
    let actions = notification.actions.map { "\($0.key.quotedForPeople) = \($0.label.quotedForPeople)" }
    let hints = notification.hints.map { "\($0.name.quotedForPeople) = \(text($0.value))" }
    let rows: [(String, [String])] = [
      ("app_name", [notification.appName.quotedForPeople]),
      ("replaces_id", [String(notification.replacesID)]),
      ("app_icon", [notification.appIcon.quotedForPeople]),
      ("summary", [notification.summary.quotedForPeople]),
      (
        "body",
        notification.body.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).quotedForPeople }
      ),
      ("actions", actions.isEmpty ? ["none"] : actions),
      ("hints", hints),
      ("expire_timeout", [text(notification.expireTimeout)]),
    ]
    return "org.freedesktop.Notifications.Notify\n"
      + rows.flatMap { name, lines in
        (lines.isEmpty ? ["''"] : lines).enumerated().map { index, line in
          "  " + (index == 0 ? name : "").padded(to: 16) + line
        }
      }.joined(separator: "\n")
  }

  private static func text(_ timeout: ExpireTimeout) -> String {
    switch timeout {
    case .serverDefault: "-1 (the daemon decides)"
    case .never: "0 (never)"
    case .after(let milliseconds): "\(milliseconds) ms"
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .string(let text): text.quotedForPeople
    case .boolean(let flag): "\(flag)"
    case .byte(let number): "byte \(number)"
    case .double(let number): "double \(number)"
    default: value.asInteger.map { "\(value.signature) \($0)" } ?? "a value of type \(value.signature)"
    }
  }
}

extension String {
  /// With spaces behind it, up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
