import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import Glibc
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// Nobody shows notifications: the bridge waits, quietly.
@Suite("Without a daemon", .timeLimit(.minutes(2))) struct NoDaemonTests {
  /// How long an idle bridge is watched; a run by itself can be longer.
  static let idleTime = Duration.seconds(
    ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_IDLE_SECONDS"].flatMap { Int($0) } ?? 10)

  /// Time limits of the calls that it made when it began, each of which wakes it once, 5 to 60 s later.
  static let leftovers = 6

  @Test("C034: what is sent waits, its sender is told, nothing polls, and all comes in order when a daemon appears")
  func waits() async throws {
    let fixture = try await BridgeFixture()
    await fixture.daemon.stop()
    for number in 1...5 {
      let result = try await fixture.run("send", "--print-id", "--id", "n\(number)", "Title \(number)")
      #expect((result.status, result.output) == (0, "n\(number)\n"))
      #expect(
        result.errors == "notify-bridge: it is kept and shown later: no notification daemon is running\n")
    }
    #expect(try await fixture.client.status()["queued"] == .integer(5))
    let process = try await BridgeProcess(fixture)
    #expect(try await process.wakeUps(in: .seconds(3)) <= Self.leftovers)
    // What waits outlives the bridge.
    try await fixture.killBridge()
    #expect(try await fixture.client.status()["queued"] == .integer(5))
    try await fixture.restartDaemon()
    #expect(try await fixture.shown(5) == (1...5).map { "Title \($0)" })
    #expect(try await fixture.run("history").output.contains("repeated") == false)
    #expect(try await fixture.run("send", "Title 6").errors.isEmpty)
    #expect(fixture.titles == (1...6).map { "Title \($0)" })
  }

  @Test("C065: alone on its bus it takes no time, says little, and ends on SIGTERM")
  func alone() async throws {
    let (bus, home) = (try await PrivateBus(), try TemporaryHome())
    var environment: [String: String?] = home.environment.mapValues { $0 }
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address.text
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(home.path)/no-system-bus"
    let bridge = try BinaryRunner(
      try Binaries.notifyBridged(), environment: environment, timeLimit: Self.idleTime + .seconds(30))
    try await bridge.whileRunning { bridge in
      let connection = try await BusConnection.connect(to: bus.address)
      try await eventually(within: .seconds(10), "the bridge has its name") {
        try await connection.owner(of: ControlInterface.busName) != nil
      }
      let process = BridgeProcess(id: bridge.processID)
      let wakeUps = try await process.wakeUps(in: Self.idleTime)
      let time = try process.processorTime()
      print("idle: \(wakeUps) wake-ups in \(Self.idleTime), \(time) s of processor time since the start")
      #expect(wakeUps <= Self.leftovers)
      #expect(time < 0.1)
      bridge.signal(SIGTERM)
      let result = await bridge.result()
      #expect(result.ending == .exited(0))
      #expect(result.output.isEmpty)
      #expect(result.errors.split(separator: "\n").count <= 3, "\(result.errors)")
    }
  }

  @Test("C034: a daemon that ends as soon as the bus has started it is not started time and again")
  func endsAtOnce() async throws {
    let starts = try TemporaryHome()
    let fixture = try await BridgeFixture(service: "echo start >>'\(starts.path)/starts'\nexit 1\n")
    await fixture.daemon.stop()
    let begun = ContinuousClock.now
    for number in 1...60 {
      let result = try await fixture.run("send", "--id", "n\(number)", "Title \(number)")
      #expect(result.status == 0)
      #expect(result.errors.contains("it is kept and shown later: no notification daemon is running"))
    }
    let count = (try String(contentsOfFile: starts.path + "/starts", encoding: .utf8)).split(separator: "\n").count
    #expect(count <= 1 + Int(begun.duration(to: .now) / .seconds(5)), "started \(count) times")
    try await fixture.restartDaemon()
    #expect(try await fixture.shown(60) == (1...60).map { "Title \($0)" })
    #expect(try await fixture.run("send", "Last").errors.isEmpty)
    #expect(fixture.titles.count == 61)
  }

  @Test("a notification that ends every daemon is given up and reported, and the next one is shown")
  func deadly() async throws {
    let deadly = FakeNotificationServer.Behavior.holding { $0.summary == "Deadly" }
    let fixture = try await BridgeFixture(deadly)
    let sent = Task { try await fixture.run("send", "--id", "deadly", "Deadly") }
    _ = try await fixture.shown(1)
    let next = Task { try await fixture.run("send", "--id", "next", "Next") }
    var deaths = 0
    while !fixture.titles.contains("Next") {
      try await eventually(within: .seconds(10), "one of them arrives") { !fixture.titles.isEmpty }
      if fixture.titles == ["Deadly"] {
        deaths += 1
        try await fixture.restartDaemon(deadly)
      }
    }
    #expect(deaths == 4)
    #expect(try await sent.value.errors.contains("it is kept and shown later: the notification daemon has ended"))
    #expect(try await next.value.status == 0)
    let events = try await fixture.client.history(after: 0, application: "", limit: 100)
    #expect(events.contains { $0.event == .failed && $0.identifier == "deadly" })
    #expect(!events.contains { $0.event == .failed && $0.identifier == "next" })
  }

  @Test("what fired into a daemon that hangs is shown after the death of both, and marked; so is what waited behind it")
  func bothDie() async throws {
    let fixture = try await BridgeFixture(.holding { _ in true })
    for number in 1...3 { _ = try await fixture.run("send", "--in", "1s", "--id", "n\(number)", "\(number)") }
    #expect(try await fixture.shown(1) == ["1"])
    try await eventually(within: .seconds(5), "all have fired") { try await fixture.client.pending("").isEmpty }
    try await fixture.killBridge()
    try await fixture.restartDaemon()
    _ = try await fixture.client.status()
    #expect(try await fixture.shown(3) == ["1", "2", "3"])
    let events = try await fixture.client.history(after: 0, application: "", limit: 20)
    #expect(events.filter { $0.event == .repeated }.map(\.identifier) == ["n1"])
  }

  @Test("what waits is shown by the daemon that is there, however fast one took the other's place")
  func fastChanges() async throws {
    let fixture = try await BridgeFixture()
    for round in 1...40 {
      await fixture.daemon.stop()
      #expect(try await fixture.run("send", "\(round)").status == 0)
      try await fixture.restartDaemonInPlace()
      let first = fixture.daemon
      if round.isMultiple(of: 2) { try await Task.sleep(for: .microseconds(round * 25)) }
      await first.stop()
      try await fixture.restartDaemonInPlace()
      let last = fixture.daemon
      try await eventually(within: .seconds(4), "\(round) is shown") {
        (first.posted + last.posted).contains { $0.notification.summary == "\(round)" }
      }
    }
  }

  @Test("C035: whoever sends to a daemon that hangs is told after ten seconds, also behind others; all come in the end")
  func hangs() async throws {
    let fixture = try await BridgeFixture(.holding { $0.summary == "1" })
    let results = try await withThrowingTaskGroup(of: BinaryResult.self) { group in
      for number in 1...3 {
        group.addTask { try await fixture.run("send", "--id", "n\(number)", "\(number)") }
        if number == 1 { _ = try await fixture.shown(1) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for result in results {
      #expect(result.status == 0 && result.duration < .seconds(13))
      #expect(result.errors.contains("it is kept and shown later: the notification daemon takes long to answer"))
    }
    fixture.daemon.answerHeld()
    #expect(Set(try await fixture.shown(3)) == ["1", "2", "3"])
    #expect(fixture.titles[0] == "1")
  }
}

extension FakeNotificationServer.Behavior {
  /// Does not answer some.
  static func holding(_ which: @escaping @Sendable (ReceivedNotification) -> Bool) -> Self {
    var behavior = Self()
    behavior.answer = { _, notification in which(notification) ? .hold : .accept }
    return behavior
  }
}
