import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// Topic bus-missing of the cases, and what doctor and explain say.
@Suite(.timeLimit(.minutes(2))) struct BusTests {
  @Test("C062: the variable wins over the usual socket, which belongs to another bus")
  func variableWins() async throws {
    let fixture = try await CommandFixture()
    let other = try await PrivateBus()
    let otherDaemon = try await FakeNotificationServer.start(at: other.address)
    #expect(try await fixture.run("send", "T", environment: ["XDG_RUNTIME_DIR": other.folder]).status == 0)
    #expect(fixture.daemon.posted.count == 1)
    #expect(otherDaemon.posted.isEmpty)
    let without: [String: String?] = ["XDG_RUNTIME_DIR": other.folder, "DBUS_SESSION_BUS_ADDRESS": ""]
    #expect(try await fixture.run("send", "T", environment: without).status == 0)
    #expect(otherDaemon.posted.count == 1)
  }

  @Test("C063: another user's bus is refused within 2 s, and the message says as whom to run")
  func wrongUser() async throws {
    let fixture = try await CommandFixture()
    let other = try await PrivateBus(userID: 65534)
    let result = try await fixture.run(
      "send", "T", environment: ["DBUS_SESSION_BUS_ADDRESS": other.address.text])
    #expect(result.status == 3)
    #expect(result.duration < .seconds(2))
    #expect(result.errors.contains("user"))
    #expect(result.errors.contains("--user NAME"))
  }

  @Test("without a bus it ends with 3 and says what to set, at once")
  func noBus() async throws {
    let fixture = try await CommandFixture()
    let variables: [String: String?] = [
      "DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": fixture.home.path + "/nowhere",
    ]
    for verb in ["send", "explain"] {
      let result = try await fixture.run(verb, "T", environment: variables)
      #expect(result.status == 3)
      #expect(result.errors.contains("DBUS_SESSION_BUS_ADDRESS"))
      #expect(result.duration < .seconds(2))
    }
    let doctor = try await fixture.run("doctor", environment: variables)
    #expect(doctor.status == 3)
    #expect(doctor.output.contains("!!  bus"))
    #expect(doctor.output.contains("→"))
  }

  @Test("cron: with an empty environment the user's usual socket is found, or what to do is said within 2 s")
  func emptyEnvironment() async throws {
    let empty: [String: String?] = [
      "DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": nil, "HOME": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
      "USER": nil, "LANG": nil,
    ]
    let folder = try UserRuntime(of: getuid())
    let none = try await BinaryRunner.run(try Binaries.notifyBridge(), ["send", "T"], environment: empty)
    #expect(none.status == 3)
    #expect(none.duration < .seconds(2))
    #expect(none.errors.contains(getuid() == 0 ? "--user NAME" : "XDG_RUNTIME_DIR="))
    let fixture = try await CommandFixture()
    try folder.lead(to: fixture.bus)
    let found = try await BinaryRunner.run(try Binaries.notifyBridge(), ["send", "T"], environment: empty)
    #expect((found.status, found.errors) == (0, ""))
    #expect(fixture.daemon.posted.count == 1)
  }

  @Test("root acts in another user's session with --user; a user that is unknown or not there is named")
  func otherUser() async throws {
    let command = try Binaries.notifyBridge()
    let unknown = try await BinaryRunner.run(command, ["--user", "nobody-at-all", "send", "T"])
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("'nobody-at-all'"))
    #expect(try await BinaryRunner.run(command, ["--user"]).status == 2)
    try #require(getuid() == 0, "this test needs root")
    let folder = try UserRuntime(of: 65534)
    let absent = try await BinaryRunner.run(command, ["--user", "nobody", "send", "T"])
    #expect(absent.status == 3)
    #expect(absent.errors.contains("/run/user/65534/bus"))
    let bus = try await PrivateBus(userID: 65534)
    try folder.lead(to: bus)
    // Nobody shows notifications there, but the bus lets nobody in.
    let doctor = try await BinaryRunner.run(command, ["--user=nobody", "doctor"])
    #expect(doctor.status == 3)
    #expect(doctor.output.contains("ok  bus"), "\(doctor.output)\(doctor.errors)")
    #expect(doctor.duration < .seconds(2))
  }

  @Test("a bus is never started: an autolaunch address is refused")
  func autolaunch() async throws {
    let fixture = try await CommandFixture()
    let result = try await fixture.run("send", "T", environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"])
    #expect(result.status == 3)
    #expect(result.errors.contains("autolaunch"))
  }

  @Test("without a daemon it ends with 3, and doctor says what to install")
  func noDaemon() async throws {
    let fixture = try await CommandFixture()
    await fixture.daemon.stop()
    let result = try await fixture.run("send", "T")
    #expect(result.status == 3)
    #expect(result.errors.contains("doctor"))
    let doctor = try await fixture.run("doctor")
    #expect(doctor.status == 3)
    #expect(doctor.output.contains("notify-bridge terminal"))
  }

  @Test("a daemon that the bus starts but that dies is told from none at all")
  func crashingDaemon() async throws {
    let bus = try await PrivateBus(services: [
      "org.freedesktop.Notifications.service":
        "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=/bin/false\n"
    ])
    let result = try await BinaryRunner.run(
      try Binaries.notifyBridge(), ["doctor"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
    #expect(result.status == 3)
    #expect(result.output.contains("ends before it answers"))
    let send = try await BinaryRunner.run(
      try Binaries.notifyBridge(), ["send", "T"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
    #expect(send.status == 3)
  }

  @Test("doctor lists what there is and ends with 0; explain prints the call and sends nothing")
  func doctorAndExplain() async throws {
    let fixture = try await CommandFixture()
    let doctor = try await fixture.run("doctor")
    #expect(doctor.status == 0)
    for topic in ["ok  bus", "ok  daemon", "ok  buttons", "--  replies", "ok  sound"] {
      #expect(doctor.output.contains(topic), "\(topic) in \(doctor.output)")
    }
    let explain = try await fixture.run("explain", "-A", "ok=OK", "--subtitle", "S", "T", "a < b")
    #expect(explain.status == 0)
    for part in ["'<b>S</b>'", "'a &lt; b'", "'ok' = 'OK'", "'default' = 'Open'", "'urgency' = byte 1", "as asked"] {
      #expect(explain.output.contains(part), "\(part) in \(explain.output)")
    }
    #expect(fixture.daemon.posted.isEmpty)
  }

  @Test("C036: three sends of one program need one connection each, and nothing else")
  func calls() async throws {
    let fixture = try await CommandFixture()
    for _ in 1...3 { #expect(try await fixture.run("send", "T").status == 0) }
    #expect(Set(fixture.daemon.posted.map(\.notification.sender)).count == 3)
  }
}

/// The folder that is looked for where no variable names a bus, for one test at a time.
private final class UserRuntime {
  private let folder: String
  private let isOurs: Bool

  /// - Throws: when there is a bus already, which no test may touch.
  init(of user: UInt32) throws {
    folder = "/run/user/\(user)"
    isOurs = !FileManager.default.fileExists(atPath: folder)
    if FileManager.default.fileExists(atPath: folder + "/bus") { throw RunnerError("\(folder)/bus is in use") }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func lead(to bus: PrivateBus) throws {
    let socket = bus.address.text.replacingOccurrences(of: "unix:path=", with: "")
    try FileManager.default.createSymbolicLink(atPath: folder + "/bus", withDestinationPath: socket)
  }

  deinit {
    unsafe unlink(folder + "/bus")
    if isOurs { unsafe rmdir(folder) }
  }
}
