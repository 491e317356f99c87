import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

@Suite struct IdentityTests {
  /// An identity of a program `maps`, with two desktop entries installed.
  private func identity(
    _ change: (inout ApplicationIdentity) -> Void = { _ in }
  ) throws -> (identifier: String, name: String, isKnown: Bool, icon: String) {
    let data = try TemporaryFolder()
    let applications = data.path + "/applications"
    try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
    try
      "[Desktop Entry]\nType=Application\nName=Maps\nName[de]=Karten\nIcon=maps-icon\nExec=env A=b /usr/bin/maps %U\n[Other]\nName=No\n"
      .write(toFile: applications + "/org.example.Maps.desktop", atomically: true, encoding: .utf8)
    try "[Desktop Entry]\nType=Application\nName=Terminal\nExec=terminal\n"
      .write(toFile: applications + "/org.example.Terminal.desktop", atomically: true, encoding: .utf8)
    var identity = ApplicationIdentity(
      environment: ["XDG_DATA_HOME": data.path, "XDG_DATA_DIRS": "/nowhere", "LANG": "de_DE.UTF-8"],
      executable: "maps", processID: 42, controlGroup: "")
    change(&identity)
    let record = identity.record()
    return (record.identifier, record.name, record.isKnown, record.icon)
  }

  @Test func withoutAnythingTheProgramsNameStandsIn() throws {
    #expect(try identity() == ("maps", "maps", false, ""))
    #expect(try identity { $0.executable = "" } == ("unknown", "unknown", false, ""))
  }

  @Test func whatTheProgramSaysBeatsAllElse() throws {
    #expect(
      try identity {
        $0.explicit = "org.example.Maps.desktop"
        $0.bundleIdentifier = "com.example.bundle"
        $0.environment["NOTIFY_BRIDGE_APP_ID"] = "com.example.variable"
      } == ("org.example.Maps", "Karten", true, "maps-icon"))
    #expect(
      try identity {
        $0.bundleIdentifier = "com.example.bundle"
        $0.bundleName = "Bundle"
        $0.environment["NOTIFY_BRIDGE_APP_ID"] = "com.example.variable"
      } == ("com.example.bundle", "Bundle", true, ""))
    #expect(
      try identity { $0.environment["NOTIFY_BRIDGE_APP_ID"] = "com.example.variable" }
        == ("com.example.variable", "com.example.variable", true, ""))
  }

  @Test(arguments: ["", "a/b", "../x", ".hidden", "with space", "line\nbreak", ".desktop"])
  func whatCannotNameADesktopEntryIsPassedOver(_ text: String) throws {
    #expect(try identity { $0.explicit = text }.identifier == "maps")
  }

  @Test func onlyTheSuffixIsTakenOff() {
    #expect(ApplicationIdentity.identifier("org.example.deskpot.desktop") == "org.example.deskpot")
    #expect(ApplicationIdentity.identifier("org.example.desktop.x") == "org.example.desktop.x")
  }

  @Test func theEntryThatStartedThisVeryProcessCounts() throws {
    #expect(
      try identity {
        $0.executable = "python3"
        $0.environment["GIO_LAUNCHED_DESKTOP_FILE"] = "/usr/share/applications/org.example.Maps.desktop"
        $0.environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] = "42"
      }.identifier == "org.example.Maps")
    #expect(
      try identity {
        $0.environment["GIO_LAUNCHED_DESKTOP_FILE"] = "/usr/share/applications/org.example.Terminal.desktop"
        $0.environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] = "41"
      }.identifier == "maps", "inherited from the process that started this one")
  }

  @Test(arguments: [
    ("app-gnome-org.example.Maps-1234.scope", "org.example.Maps"),
    ("app-org.example.Maps-1234.scope", "org.example.Maps"),
    ("app-org.example.Maps@af12.service", "org.example.Maps"), ("app-org.example.Maps.service", "org.example.Maps"),
    ("app-gnome-org.example.Terminal-99.scope", "maps"), ("vte-spawn-1.scope", "maps"), ("app-.scope", "maps"),
    ("app-x.service", "maps"), ("session-2.scope", "maps"),
  ])
  func theUnitCountsIfItsEntryStartsThisProgram(_ unit: String, _ expected: String) throws {
    let path = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/\(unit)\n"
    #expect(try identity { $0.controlGroup = path }.identifier == expected)
  }

  @Test func ofThisProcessThereIsAlwaysAnAnswer() {
    #expect(!ApplicationIdentity.current.record().identifier.isEmpty)
  }
}
