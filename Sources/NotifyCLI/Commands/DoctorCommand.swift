internal import BridgeControl
internal import DBus
internal import DesktopServices
internal import FreedesktopNotifications
internal import NotificationBridge

/// `doctor`: what there is, what is missing, and what to do about it.
enum DoctorCommand {
  static let spec = CommandSpec(
    name: "doctor", summary: "Say what bus, daemon and abilities there are, and what to do about what is missing.",
    options: [SendOptions.help],
    details:
      "Status: 0 if notifications can be shown, else 3. Nothing is shown; a daemon that the bus can start is started.")

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    if let extra = arguments.operands.first { throw UsageError("doctor takes no arguments: \(extra.quotedForPeople)") }
    return Host.wait { await examine(invocation.environment) }
  }

  /// How one point stands.
  private enum Mark: String { case good = "ok", note = "--", bad = "!!" }

  private static func line(_ mark: Mark, _ topic: String, _ text: String) {
    Output.result("\(mark.rawValue)  " + topic.padded(to: 16) + text)
  }

  private static func remedy(_ text: String) { Output.result("".padded(to: 20) + "→ " + text) }

  private static func examine(_ environment: [String: String]) async -> ExitStatus {
    let connection: BusConnection
    do throws(BusProblem) {
      connection = try await Host.connect(environment)
    } catch {
      line(.bad, "bus", error.message)
      remedy(error.remedy)
      return .noDaemon
    }
    let source =
      environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : "DBUS_SESSION_BUS_ADDRESS" }
      ?? "the usual socket"
    line(.good, "bus", "connected (address from \(source))")
    let profile: ServerProfile
    do throws(BusError) {
      profile = try await DaemonServer(on: connection, listens: false).profile()
    } catch {
      await explain(error, connection, environment)
      await reportBridge(connection)
      return .noDaemon
    }
    line(
      .good, "daemon", ExplainCommand.text(profile).split(separator: "\n").first.map { String($0.dropFirst(8)) } ?? "")
    report(profile)
    switch await DoNotDisturb(connection: connection, environment: environment).doNotDisturb(profile) {
    case true?: line(.note, "do not disturb", "on: only critical notifications appear on screen")
    case false?: line(.good, "do not disturb", "off")
    case nil: line(.note, "do not disturb", "this daemon does not tell")
    }
    await reportBridge(connection)
    return .success
  }

  /// The resident bridge, which is started if it can be.
  private static func reportBridge(_ connection: BusConnection) async {
    let client = ControlClient(on: connection)
    let status: DocumentReader
    do throws(BridgeError) {
      guard try await client.start() else {
        line(.note, "bridge", "not installed: clicks, schedules and names end with the program that sends")
        return
      }
      status = DocumentReader(try await client.status(), path: "status")
    } catch {
      line(.bad, "bridge", error.description)
      remedy("look at its log: journalctl --user -u notify-bridged, or start it in a terminal: notify-bridged")
      return
    }
    func count(_ name: String) -> Int { ((try? status.integer(name)) ?? nil) ?? 0 }
    let version = ((try? status.text("version")) ?? nil) ?? "?"
    line(.good, "bridge", "notify-bridged \(version) runs; \(count("pending")) scheduled")
    if count("queued") > 0 {
      line(.note, "waiting", "\(count("queued")) notifications wait for the daemon and are shown when it takes them")
    }
    for problem in ((try? status.texts("problems")) ?? nil) ?? [] { line(.bad, "problem", problem) }
  }

  private static func report(_ profile: ServerProfile) {
    let capabilities = profile.capabilities
    func ability(_ has: Bool, _ topic: String, _ yes: String, _ no: String) {
      line(has ? .good : .note, topic, has ? yes : no)
    }
    if !profile.capabilitiesKnown { line(.bad, "capabilities", "the daemon does not tell; plain text is assumed") }
    ability(capabilities.body, "body", "shown", "not shown: titles alone")
    ability(
      capabilities.bodyMarkup, "markup", "subtitles are bold", "none: subtitles are plain first lines")
    ability(capabilities.actions, "buttons", "shown", "none: nobody can press anything")
    ability(
      capabilities.inlineReply, "replies", "typed in the notification",
      "no text field: a text action is a plain button")
    let image = profile.information.imageDataName.rawValue
    let how = profile.quirks.takesImagePathAsIcon ? "the command's as the icon" : "the command's by their path"
    line(.good, "pictures", "the library's as \(image), \(how)")
    ability(
      capabilities.sound, "sound", "played by the daemon", "not played: the daemon plays none")
    ability(
      capabilities.persistence, "history", "kept after they left the screen",
      "the daemon does not say that it keeps any")
    if let limit = profile.quirks.bodyLimit {
      line(.note, "long texts", "cut after \(limit) bytes: this daemon is slow")
    }
  }

  /// Nobody answers: say why, as far as the bus knows.
  private static func explain(
    _ error: BusError, _ connection: BusConnection, _ environment: [String: String]
  ) async {
    let name = error.name?.text ?? ""
    switch true {
    case name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
      line(.bad, "daemon", "the bus starts one, but it ends before it answers: \(error.message)")
      remedy("start it in a terminal and read what it says; a daemon for another display or desktop often does this")
      remedy("the file that starts it: grep -rl org.freedesktop.Notifications /usr/share/dbus-1/services")
    case error.code == .timedOut:
      line(.bad, "daemon", "it does not answer: \(error)")
      remedy("restart it; 'busctl --user status org.freedesktop.Notifications' shows its process")
    default:
      line(.bad, "daemon", "none is running and the bus can start none")
      remedy("install one for your desktop: dunst (X11), mako (Wayland), xfce4-notifyd …; desktops bring their own")
      remedy("or run 'notify-bridge terminal' in a terminal of this session")
    }
    if environment["DISPLAY"] == nil, environment["WAYLAND_DISPLAY"] == nil {
      line(.note, "display", "neither DISPLAY nor WAYLAND_DISPLAY is set: graphical daemons cannot run from here")
    }
  }
}
