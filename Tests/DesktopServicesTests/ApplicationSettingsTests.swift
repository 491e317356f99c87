import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import DesktopServices

@Suite("The desktop's settings", .timeLimit(.minutes(1)))
struct ApplicationSettingsTests {
  /// A bus, a home, and a program in place of `gsettings`.
  private final class Stage: Sendable {
    let bus: PrivateBus
    let connection: BusConnection
    let home: TemporaryHome

    /// - Parameter settings: what `gsettings` prints, by its arguments.
    init(_ settings: [String: String] = [:]) async throws {
      bus = try await PrivateBus()
      connection = try await BusConnection.connect(to: bus.address)
      home = try TemporaryHome()
      let cases = settings.map { key, value in
        let lines = value.split(separator: "\n").map { "\"\($0)\"" }.joined(separator: " ")
        return "'\(key)') printf '%s\\n' \(lines);;"
      }
      try home.write(
        """
        #!/bin/sh
        echo "$*" >> '\(home.path)/asked'
        case "$*" in
        \(cases.joined(separator: "\n"))
        *) echo 'No such schema' >&2; exit 1;;
        esac

        """, to: "bin/gsettings", permissions: 0o700)
    }

    func read(
      _ daemon: String, vendor: String = "x", desktop: String = "", application: String = "org.example.Some-App",
      name: String = "Some App", changing: [String: String] = [:]
    ) async throws -> DesktopSettings {
      var environment = home.environment
      environment["PATH"] = "\(home.path)/bin"
      environment["XDG_CURRENT_DESKTOP"] = desktop
      environment["XDG_CONFIG_DIRS"] = "\(home.path)/etc/xdg"
      environment.merge(changing) { $1 }
      let profile = ServerProfile(
        owner: ":1.1",
        information: ServerInformation(name: daemon, vendor: vendor, version: "1", specVersion: "1.2"),
        capabilities: ["body"])
      return await ApplicationSettingsReader(session: connection, environment: environment)
        .settings(of: application, name: name, profile)
    }

    var asked: [String] { ((try? home.read("asked")) ?? "").split(separator: "\n").map(String.init) }
  }

  private static let gnomeList =
    "list-recursively org.gnome.desktop.notifications.application:"
    + "/org/gnome/desktop/notifications/application/org-example-some-app/"

  @Test("GNOME: the application's own keys, the lock screen only where all may be there")
  func gnome() async throws {
    let schema = "org.gnome.desktop.notifications.application"
    let stage = try await Stage([
      Self.gnomeList: """
      \(schema) enable true
      \(schema) show-banners false
      \(schema) enable-sound-alerts true
      \(schema) show-in-lock-screen true
      \(schema) details-in-lock-screen false
      \(schema).child enable false
      """,
      "get org.gnome.desktop.notifications show-in-lock-screen": "false",
    ])
    var expected = DesktopSettings()
    expected.enabled = true
    expected.banners = false
    expected.sounds = true
    expected.lockScreen = false
    expected.lockScreenDetails = false
    expected.criticalInDoNotDisturb = true
    #expect(try await stage.read("gnome-shell") == expected)
    #expect(stage.asked.count == 2)
  }

  @Test("Cinnamon and Budgie are read alike, elementary and MATE with their own keys")
  func others() async throws {
    let cinnamon = "org.cinnamon.desktop.notifications.application"
    let elementary = "io.elementary.notifications.applications"
    let stage = try await Stage([
      "list-recursively \(cinnamon):/org/cinnamon/desktop/notifications/application/org-example-some-app/":
        "\(cinnamon) enable false",
      Self.gnomeList: "org.gnome.desktop.notifications.application enable false",
      "list-recursively \(elementary):/io/elementary/notifications/applications/org.example.Some-App/":
        "\(elementary) bubbles false\n\(elementary) sounds true\n\(elementary) remember true",
      "get org.mate.NotificationDaemon sound-enabled": "false",
    ])
    var expected = DesktopSettings()
    expected.enabled = false
    #expect(try await stage.read("cinnamon") == expected)
    #expect(try await stage.read("Budgie Notification Server") == expected)
    expected = DesktopSettings()
    expected.banners = false
    expected.sounds = true
    expected.history = true
    #expect(try await stage.read("io.elementary.notifications") == expected)
    #expect(try await stage.read("Unknown", desktop: "Pantheon") == expected)
    #expect(try await stage.read("Pantheon", desktop: "Pantheon", application: "../x") == DesktopSettings())
    expected = DesktopSettings()
    expected.sounds = false
    #expect(try await stage.read("Notification Daemon", vendor: "MATE") == expected)
  }

  @Test("What cannot be read is unknown: no program, no schema, odd answers, other daemons")
  func unknown() async throws {
    let stage = try await Stage(["get org.mate.NotificationDaemon sound-enabled": "'true'"])
    var critical = DesktopSettings()
    critical.criticalInDoNotDisturb = true
    #expect(try await stage.read("gnome-shell") == critical)
    #expect(try await stage.read("gnome-shell", changing: ["PATH": "/nowhere"]) == critical)
    #expect(try await stage.read("Notification Daemon", vendor: "MATE") == DesktopSettings())
    for daemon in ["dunst", "mako", "xfce4-notifyd", "lxqt-notificationd", ""] {
      #expect(try await stage.read(daemon) == DesktopSettings())
    }
  }

  @Test("A program that hangs is ended, and its answer unknown")
  func hanging() async throws {
    let stage = try await Stage()
    try stage.home.write("#!/bin/sh\nexec /bin/sleep 60\n", to: "bin/gsettings", permissions: 0o700)
    let start = ContinuousClock.now
    #expect(try await stage.read("cinnamon") == DesktopSettings())
    #expect(start.duration(to: .now) < .seconds(15))
  }

  @Test(
    "An application's part of a path is gnome-shell's",
    arguments: [
      ("org.gnome.Evolution", "org-gnome-evolution"), ("org.example.Some--App", "org-example-some-app"),
      ("a/../b", "a-b"), ("Ärger_2", "-rger-2"), ("", ""), ("firefox", "firefox"), ("a b\n", "a-b-"),
    ])
  func pathPart(application: String, expected: String) {
    #expect(ApplicationSettingsReader.pathPart(application) == expected)
  }

  @Test("The real gsettings agrees about GNOME, where it and the schemas are installed")
  func realSettings() async throws {
    let schema = "/usr/share/glib-2.0/schemas/org.gnome.desktop.notifications.gschema.xml"
    guard FileManager.default.fileExists(atPath: schema), FileManager.default.fileExists(atPath: "/usr/bin/gsettings")
    else { return }
    let stage = try await Stage()
    try stage.home.write(
      """
      [org/gnome/desktop/notifications/application/org-example-some-app]
      enable=false
      show-in-lock-screen=true

      """, to: "config/glib-2.0/settings/keyfile")
    let read = try await stage.read(
      "gnome-shell", changing: ["PATH": "/usr/bin:/bin", "GSETTINGS_BACKEND": "keyfile"])
    #expect(read.enabled == false)
    #expect(read.banners == true)
    #expect(read.lockScreen == true)
    #expect(read.lockScreenDetails == false)
  }

  // MARK: Plasma

  @Test("Plasma: what no file sets has Plasma's own value")
  func plasmaStandard() async throws {
    let stage = try await Stage()
    var expected = DesktopSettings()
    expected.enabled = true
    expected.banners = true
    expected.history = true
    expected.badges = true
    expected.criticalInDoNotDisturb = true
    #expect(try await stage.read("Plasma") == expected)
    #expect(stage.asked.isEmpty)
  }

  @Test("Plasma: the user's file comes before the system's, and other applications' groups do not count")
  func plasma() async throws {
    let stage = try await Stage()
    try stage.home.write(
      """
      [Applications][org.example.Other]
      ShowPopups=false
      ShowInHistory=false

      [Applications][org.example.Some-App]
      Seen=true
      ShowPopups=false
      ShowBadges[$i]=false

      [Notifications]
      CriticalInDndMode=false

      """, to: "config/plasmanotifyrc")
    try stage.home.write(
      "[Applications][org.example.Some-App]\nShowPopups=true\nShowInHistory=false\n", to: "etc/xdg/plasmanotifyrc")
    var expected = DesktopSettings()
    expected.enabled = false
    expected.banners = false
    expected.history = false
    expected.badges = false
    expected.criticalInDoNotDisturb = false
    #expect(try await stage.read("Plasma") == expected)
    #expect(try await stage.read("Plasma", application: "org.example.Third").enabled == true)
    try stage.home.write(
      "[Applications][org.example.Some-App]\nShowPopupsInDndMode=true\n[Badges]\nInTaskManager=false\n",
      to: "config/plasmanotifyrc")
    let read = try await stage.read("Plasma")
    #expect(read.criticalInDoNotDisturb == true)
    #expect(read.badges == false)
    #expect(read.banners == true)
  }

  // MARK: Xfce

  private func xfconf(_ stage: Stage, _ properties: [String: Value]) async throws -> (BusConnection, Export) {
    let connection = try await BusConnection.connect(to: stage.bus.address)
    let interface = ExportedInterface(
      "org.xfce.Xfconf",
      methods: [
        .init("GetProperty", takes: [.init("channel", "s"), .init("property", "s")], returns: [.init("value", "v")]) {
          call in
          guard call.message.body[0] == .string("xfce4-notifyd"),
            let value = properties[call.message.body[1].asString ?? ""]
          else { return call.fail("org.xfce.Xfconf.Error.PropertyNotFound", "not there") }
          call.reply([.variant(value)])
        }
      ])
    let export = connection.export(interface, at: "/org/xfce/Xfconf")
    _ = try await connection.requestName("org.xfce.Xfconf")
    return (connection, export)
  }

  @Test("Xfce: muted by name or id; what is not set is allowed")
  func xfce() async throws {
    let stage = try await Stage()
    let kept = try await xfconf(
      stage,
      [
        "/applications/muted_applications": .array(of: "v", [.variant(.string("some app")), .variant(.int32(1))]),
        "/applications/denied-critical-notifications": .strings(["org.example.some-app"]),
        "/mute-sounds": .boolean(true), "/notification-log": .boolean(true),
      ])
    var expected = DesktopSettings()
    expected.enabled = false
    expected.banners = false
    expected.sounds = false
    expected.history = true
    expected.criticalInDoNotDisturb = false
    #expect(try await stage.read("Xfce Notify Daemon") == expected)
    let other = try await stage.read("Xfce Notify Daemon", application: "org.example.Other", name: "Other")
    #expect(other.enabled == true)
    #expect(other.criticalInDoNotDisturb == true)
    withExtendedLifetime(kept) {}
  }

  @Test("Xfce: with nothing set all is allowed and the list unknown; xfconf is not started")
  func xfceUnset() async throws {
    let stage = try await Stage()
    let kept = try await xfconf(stage, [:])
    var expected = DesktopSettings()
    expected.enabled = true
    expected.banners = true
    expected.sounds = true
    expected.criticalInDoNotDisturb = true
    #expect(try await stage.read("Xfce Notify Daemon") == expected)
    withExtendedLifetime(kept) {}
  }

  // MARK: Sounds and do-not-disturb

  @Test("The sound theme is read where the desktop keeps it")
  func sounds() async throws {
    let stage = try await Stage([
      "list-recursively org.gnome.desktop.sound":
        "org.gnome.desktop.sound event-sounds false\norg.gnome.desktop.sound theme-name 'Yaru'",
      "list-recursively org.mate.sound": "org.mate.sound theme-name 'it\\\\'s'",
    ])
    var environment = stage.home.environment
    environment["PATH"] = "\(stage.home.path)/bin"
    environment["XDG_CONFIG_DIRS"] = "/nowhere"
    environment["XDG_CURRENT_DESKTOP"] = "ubuntu:GNOME"
    #expect(await SoundSettings.read(environment: environment) == SoundSettings(theme: "Yaru", eventSounds: false))
    environment["XDG_CURRENT_DESKTOP"] = "MATE"
    #expect(await SoundSettings.read(environment: environment) == SoundSettings())
    environment["XDG_CURRENT_DESKTOP"] = "KDE"
    #expect(await SoundSettings.read(environment: environment) == SoundSettings(theme: "ocean"))
    try stage.home.write("[Sounds]\nTheme=oxygen\nEnable=false\n", to: "config/kdeglobals")
    #expect(await SoundSettings.read(environment: environment) == SoundSettings(theme: "oxygen", eventSounds: false))
    environment["XDG_CURRENT_DESKTOP"] = "sway"
    #expect(await SoundSettings.read(environment: environment) == SoundSettings())
  }

  @Test("Do-not-disturb asks the gsettings of its own environment")
  func doNotDisturb() async throws {
    let stage = try await Stage(["get org.gnome.desktop.notifications show-banners": "false"])
    let profile = ServerProfile(
      owner: ":1.1",
      information: ServerInformation(name: "gnome-shell", vendor: "GNOME", version: "48", specVersion: "1.2"),
      capabilities: ["body"])
    let facts = DoNotDisturb(connection: stage.connection, environment: ["PATH": "\(stage.home.path)/bin"])
    #expect(await facts.doNotDisturb(profile) == true)
    #expect(await DoNotDisturb(connection: stage.connection, environment: [:]).doNotDisturb(profile) != true)
  }
}
