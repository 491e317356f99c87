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
    #expect(result.errors.contains("runuser"))
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
