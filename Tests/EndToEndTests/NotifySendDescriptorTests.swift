import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// Whether a process has a handler of its own for SIGINT.
func catchesInterrupt(_ process: Int32) throws -> Bool {
  let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(whereSeparator: \.isWhitespace)
    .last
  return UInt64(caught ?? "", radix: 16).map { $0 & 2 != 0 } ?? false
}

/// What the installed notify-send 0.8.1 has not, or does not do well.
@Suite("notify-send alone", .timeLimit(.minutes(2)))
struct NotifySendDescriptorTests {
  private static func run(
    _ arguments: [String], _ behavior: NotifySendDifferentialServer.Behavior, pipes: Set<Int32> = [],
    closes: Bool = false
  ) async throws -> (result: BinaryResult, closed: [UInt32]) {
    let bus = try await PrivateBus()
    let server = try await NotifySendDifferentialServer.start(at: bus.address)
    server.reset(behavior)
    let result = try await BinaryRunner.run(
      try Binaries.notifySend(), arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text], pipes: pipes,
      timeLimit: .seconds(20))
    // A closing call is sent last: it may still be on its way when the program has ended.
    if closes { try await eventually(within: .seconds(5), "the closing call") { !server.calls.closed.isEmpty } }
    return (result, server.calls.closed)
  }

  private static func behavior(
    _ reactions: NotifySendDifferentialServer.Reaction...
  ) -> NotifySendDifferentialServer.Behavior {
    var behavior = NotifySendDifferentialServer.Behavior()
    behavior.reactions = reactions
    return behavior
  }

  @Test("Number, action and activation token go to the descriptors; of these only the action is printed as well")
  func descriptors() async throws {
    let (result, closed) = try await Self.run(
      [
        "--id-fd=3", "--selected-action-fd", "4", "--activation-token-fd=5", "-A", "yes=Yes", "-A", "no=No", "a",
      ], Self.behavior(.token("token-1"), .press("no")), pipes: [3, 4, 5], closes: true)
    #expect(result.ending == .exited(0))
    #expect(result.text(3) == "7\n")
    #expect(result.text(4) == "no\n")
    #expect(result.text(5) == "token-1\n")
    #expect(result.output == "no\n")
    #expect(closed == [7])
  }

  @Test("Nothing is written where nothing happened: no action chosen, no token given")
  func nothing() async throws {
    let closed = try await Self.run(
      ["--id-fd=3", "--selected-action-fd=4", "--activation-token-fd=5", "-A", "x", "a"], Self.behavior(.close(2)),
      pipes: [3, 4, 5]
    ).result
    #expect(closed.ending == .exited(0))
    #expect((closed.text(3), closed.text(4), closed.text(5)) == ("7\n", "", ""))
    let pressed = try await Self.run(
      ["--selected-action-fd=4", "--activation-token-fd=5", "-A", "x", "a"], Self.behavior(.press("0")), pipes: [4, 5]
    ).result
    #expect((pressed.text(4), pressed.text(5)) == ("0\n", ""))
  }

  @Test("A token counts for the next action alone, and the last one given counts")
  func tokens() async throws {
    let result = try await Self.run(
      ["--activation-token-fd=5", "-A", "x", "-A", "y", "a"],
      Self.behavior(.token("one"), .token("two"), .press("0"), .press("1"), .close(2)), pipes: [5]
    ).result
    #expect(result.output == "0\n1\n")
    #expect(result.text(5) == "two\n")
  }

  @Test("The number is the same with and without --print-id; standard output can be a descriptor as well")
  func number() async throws {
    let both = try await Self.run(["--id-fd=3", "-p", "a"], Self.behavior(), pipes: [3]).result
    #expect((both.output, both.text(3)) == ("7\n", "7\n"))
    #expect(try await Self.run(["--id-fd=1", "a"], Self.behavior()).result.output == "7\n")
    #expect(try await Self.run(["--id-fd=-1", "a"], Self.behavior()).result.output == "")
  }

  @Test("A descriptor that is not open does not matter to the notification")
  func notOpen() async throws {
    let result = try await Self.run(["--id-fd=77", "-p", "a"], Self.behavior()).result
    #expect(result.ending == .exited(0))
    #expect(result.output == "7\n")
  }

  @Test("It does not wait for what cannot come: a refused notification, a daemon without a name")
  func refused() async throws {
    for member in ["Notify", "GetServerInformation"] {
      var behavior = Self.behavior()
      behavior.failing = [member]
      let result = try await Self.run(["-w", "-p", "a"], behavior).result
      #expect(result.ending == .exited(1))
      #expect(result.output == "0\n")
      #expect(result.errors.contains("not today"))
    }
  }

  @Test("A daemon that goes while it waits ends the wait with 1")
  func daemonGone() async throws {
    let bus = try await PrivateBus()
    let server = try await FakeNotificationServer.start(at: bus.address)
    let run = try BinaryRunner(
      try Binaries.notifySend(), ["-w", "-p", "a"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
    #expect(try await run.line() == "1")
    await server.stop()
    let result = await run.result()
    #expect(result.ending == .exited(1))
    #expect(result.errors.contains("daemon"))
  }

  @Test("After an action it does not wait for ever for a closing that the daemon never reports")
  func neverClosed() async throws {
    var behavior = Self.behavior(.press("0"))
    behavior.confirmsClosing = false
    let (result, closed) = try await Self.run(["-A", "x", "a"], behavior, closes: true)
    #expect(result.ending == .exited(0))
    #expect(result.output == "0\n")
    #expect(closed == [7])
    #expect(result.duration < .seconds(15))
  }

  @Test("The bus is found by its usual socket where no variable names it, and never started")
  func usualSocket() async throws {
    let bus = try await PrivateBus()
    let server = try await NotifySendDifferentialServer.start(at: bus.address)
    server.reset(.init())
    let found = try await BinaryRunner.run(
      try Binaries.notifySend(), ["a"], environment: ["DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": bus.folder])
    #expect(found.ending == .exited(0))
    #expect(server.calls.notified.count == 1)
    let refused = try await BinaryRunner.run(
      try Binaries.notifySend(), ["a"], environment: ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"])
    #expect(refused.ending == .exited(1))
    #expect(refused.errors.contains("autolaunch"))
  }
}
