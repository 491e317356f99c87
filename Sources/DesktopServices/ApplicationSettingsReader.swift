public import DBus
public import FreedesktopNotifications
public import NotificationBridge

/// Reads ``DesktopSettings`` where the present daemon or desktop keeps them. Starts nothing but `gsettings`.
public struct ApplicationSettingsReader: Sendable {
  private let connection: BusConnection
  private let environment: [String: String]
  private let settings: SettingsTool

  /// - Parameters:
  ///   - session: a connection to the session bus.
  ///   - environment: tells the desktop and the folders of settings; `gsettings` gets all of it.
  public init(session: BusConnection, environment: [String: String]) {
    connection = session
    self.environment = environment
    settings = SettingsTool(environment: environment)
  }

  /// What is set for an application; takes some seconds at most.
  /// - Parameters:
  ///   - application: its id, the name of its desktop entry without `.desktop`.
  ///   - name: what it calls itself in its notifications; Xfce goes by it.
  ///   - profile: the present daemon.
  public nonisolated(nonsending) func settings(
    of application: String, name: String, _ profile: ServerProfile
  ) async -> DesktopSettings {
    let daemon = profile.information.name.lowercased()
    let vendor = profile.information.vendor.lowercased()
    let desktop = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased()
    switch true {
    case daemon.contains("plasma"): return await plasma(application)
    case daemon.contains("xfce"): return await xfce(application, name)
    case daemon.contains("gnome-shell"):
      var result = await gnome(application, "org.gnome.desktop.notifications")
      result.criticalInDoNotDisturb = true
      return result
    case daemon.contains("cinnamon"): return await gnome(application, "org.cinnamon.desktop.notifications")
    // Budgie keeps GNOME's.
    case daemon.contains("budgie"): return await gnome(application, "org.gnome.desktop.notifications")
    case daemon.contains("elementary") || desktop.contains("pantheon"): return await elementary(application)
    case vendor == "mate" || desktop.contains("mate"): return await mate()
    default: return DesktopSettings()
    }
  }

  // MARK: GSettings

  /// - Parameter schema: that of the desktop; those of applications are below it.
  private nonisolated(nonsending) func gnome(_ application: String, _ schema: String) async -> DesktopSettings {
    let path = "/" + schema.split(separator: ".").joined(separator: "/") + "/application/\(Self.pathPart(application))/"
    let keys = await settings.all(schema + ".application", at: path)
    var result = DesktopSettings()
    result.enabled = SettingsTool.boolean(keys["enable"])
    result.banners = SettingsTool.boolean(keys["show-banners"])
    result.sounds = SettingsTool.boolean(keys["enable-sound-alerts"])
    result.lockScreenDetails = SettingsTool.boolean(keys["details-in-lock-screen"])
    if let own = SettingsTool.boolean(keys["show-in-lock-screen"]) {
      let all = await settings.boolean(schema, "show-in-lock-screen")
      result.lockScreen = own && all != false
    }
    return result
  }

  /// An application's part of a path, as gnome-shell makes it: small letters, digits, single dashes.
  static func pathPart(_ application: String) -> String {
    var result = ""
    for scalar in application.unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
      case "A"..."Z": result.unicodeScalars.append(UnicodeScalar(UInt8(scalar.value) | 0x20))
      default: if !result.hasSuffix("-") { result += "-" }
      }
    }
    return result
  }

  private nonisolated(nonsending) func elementary(_ application: String) async -> DesktopSettings {
    var result = DesktopSettings()
    // It takes the id as it is; one that is no part of a path has no settings.
    let isPart = application.utf8.allSatisfy { byte in
      let letter = byte | 0x20
      return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0")
          && byte <= UInt8(ascii: "9")
        || "-_.".utf8.contains(byte)
    }
    guard isPart, !application.isEmpty else { return result }
    let keys = await settings.all(
      "io.elementary.notifications.applications", at: "/io/elementary/notifications/applications/\(application)/")
    result.banners = SettingsTool.boolean(keys["bubbles"])
    result.sounds = SettingsTool.boolean(keys["sounds"])
    result.history = SettingsTool.boolean(keys["remember"])
    return result
  }

  private nonisolated(nonsending) func mate() async -> DesktopSettings {
    var result = DesktopSettings()
    result.sounds = await settings.boolean("org.mate.NotificationDaemon", "sound-enabled")
    return result
  }

  // MARK: Plasma

  private nonisolated(nonsending) func plasma(_ application: String) async -> DesktopSettings {
    let files = DataFolders.settings(environment).map { $0 + "/plasmanotifyrc" }
    let texts = await BlockingWork.result(within: .seconds(5)) { () -> [KeyText]? in
      files.compactMap { try? SmallFile.contents($0, limit: 1 << 20).get() }.map(KeyText.init)
    }
    guard let texts else { return DesktopSettings() }
    // A key that is in no file has Plasma's own value.
    func flag(_ key: String, in group: String, or standard: Bool) -> Bool {
      for text in texts { if let value = text.boolean(key, in: group) { return value } }
      return standard
    }
    let group = "Applications][" + application
    var result = DesktopSettings()
    let banners = flag("ShowPopups", in: group, or: true)
    let history = flag("ShowInHistory", in: group, or: true)
    result.banners = banners
    result.history = history
    result.enabled = banners || history
    result.badges = flag("ShowBadges", in: group, or: true) && flag("InTaskManager", in: "Badges", or: true)
    result.criticalInDoNotDisturb =
      flag("CriticalInDndMode", in: "Notifications", or: true) || flag("ShowPopupsInDndMode", in: group, or: false)
    return result
  }

  // MARK: Xfce

  private nonisolated(nonsending) func xfce(_ application: String, _ name: String) async -> DesktopSettings {
    var result = DesktopSettings()
    let names = [application.lowercased(), name.lowercased()]
    func isListed(_ value: Value?) -> Bool {
      let entries = value?.asStrings ?? value?.asArray?.compactMap(\.unwrapped.asString) ?? []
      return entries.contains { names.contains($0.lowercased()) }
    }
    if let muted = await xfconf("/applications/muted_applications") {
      result.enabled = !isListed(muted.value)
      result.banners = result.enabled
    }
    if let denied = await xfconf("/applications/denied-critical-notifications") {
      result.criticalInDoNotDisturb = !isListed(denied.value)
    }
    if let mute = await xfconf("/mute-sounds") { result.sounds = mute.value?.asBool != true }
    // Whether there is a log when nothing is set differs by version.
    if let log = await xfconf("/notification-log")?.value?.asBool {
      let excluded = await xfconf("/applications/excluded-from-log")
      result.history = log && !isListed(excluded?.value)
    }
    return result
  }

  /// A property of the daemon's channel, nil in it for one that is not set; nil if xfconf does not answer.
  private nonisolated(nonsending) func xfconf(_ property: String) async -> (value: Value?, Void)? {
    let call = MethodCall(
      to: "org.xfce.Xfconf", at: "/org/xfce/Xfconf", "org.xfce.Xfconf", "GetProperty",
      [.string("xfce4-notifyd"), .string(property)], startsService: false)
    do throws(BusError) {
      return (try await connection.call(call, timeout: .seconds(2)).body.first?.unwrapped, ())
    } catch {
      return error.name?.text.hasPrefix("org.xfce.Xfconf.Error.") == true ? (nil, ()) : nil
    }
  }
}
