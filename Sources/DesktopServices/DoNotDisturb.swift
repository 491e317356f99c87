public import DBus
public import FreedesktopNotifications

/// Reads whether do-not-disturb is on, where the present daemon or desktop tells.
public struct DoNotDisturb: Sendable {
  private let connection: BusConnection
  private let desktop: String
  private let settings: SettingsTool

  /// - Parameters:
  ///   - connection: to the session bus.
  ///   - environment: `XDG_CURRENT_DESKTOP` tells the desktop; `gsettings` gets all of it.
  public init(connection: BusConnection, environment: [String: String]) {
    self.connection = connection
    desktop = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased()
    settings = SettingsTool(environment: environment)
  }

  /// - Returns: nil if it does not tell.
  public nonisolated(nonsending) func doNotDisturb(_ profile: ServerProfile) async -> Bool? {
    let name = profile.information.name.lowercased()
    switch true {
    case name.contains("plasma"): return await property("org.freedesktop.Notifications", "Inhibited")
    case name.contains("dunst"): return await property("org.dunstproject.cmd0", "paused")
    case name.contains("mako"): return await mako()
    case name.contains("sway"): return await swaync()
    case name.contains("budgie"): return await budgie()
    case name.contains("xfce"): return await xfce()
    case name.contains("gnome-shell"):
      return await settings.boolean("org.gnome.desktop.notifications", "show-banners").map { !$0 }
    case name.contains("cinnamon"):
      return await settings.boolean("org.cinnamon.desktop.notifications", "display-notifications").map { !$0 }
    case profile.information.vendor == "MATE" || desktop.contains("mate"):
      return await settings.boolean("org.mate.NotificationDaemon", "do-not-disturb")
    default: return nil
    }
  }

  /// A boolean property of the daemon's own object.
  private nonisolated(nonsending) func property(_ interface: String, _ name: String) async -> Bool? {
    await answer(
      to: MethodCall(
        to: NotificationService.name, at: NotificationService.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(interface), .string(name)]))?.first?.unwrapped.asBool
  }

  /// By convention the mode `do-not-disturb`.
  private nonisolated(nonsending) func mako() async -> Bool? {
    await answer(
      to: MethodCall(to: NotificationService.name, at: "/fr/emersion/Mako", "fr.emersion.Mako", "ListModes"))?
      .first?.asStrings?.contains("do-not-disturb")
  }

  private nonisolated(nonsending) func swaync() async -> Bool? {
    await answer(
      to: MethodCall(
        to: "org.erikreider.swaync.cc", at: "/org/erikreider/swaync/cc", "org.erikreider.swaync.cc", "GetDnd"))?
      .first?.asBool
  }

  private nonisolated(nonsending) func budgie() async -> Bool? {
    await answer(
      to: MethodCall(
        to: "org.budgie_desktop.Notifications", at: "/org/budgie_desktop/Notifications",
        "org.buddiesofbudgie.budgie.Dispatcher", "GetDoNotDisturb"))?.first?.asBool
  }

  private nonisolated(nonsending) func xfce() async -> Bool? {
    await answer(
      to: MethodCall(
        to: "org.xfce.Xfconf", at: "/org/xfce/Xfconf", "org.xfce.Xfconf", "GetProperty",
        [.string("xfce4-notifyd"), .string("/do-not-disturb")]))?.first?.unwrapped.asBool
  }

  /// The answer's values; nil for any failure, since what cannot be read is not known.
  private nonisolated(nonsending) func answer(to call: MethodCall) async -> [Value]? {
    var call = call
    call.startsService = false
    return try? await connection.call(call, timeout: .seconds(2)).body
  }
}
