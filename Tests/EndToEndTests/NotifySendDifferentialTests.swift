import DBus
import FreedesktopNotifications
import TestSupport
import Testing

/// Our program under the name notify-send beside the real one, version 0.8.1: the same daemon, the same command lines.
@Suite("notify-send beside the real one", .serialized, .timeLimit(.minutes(5)))
struct NotifySendDifferentialTests {
  /// What can be seen of a run from outside.
  struct Seen: Equatable {
    var ending: BinaryResult.Ending
    var output: [UInt8]
    /// As text, so that not-a-number equals itself; hints in the order of their names.
    var notified: [[String]]
    var closed: [UInt32]
  }

  private static let realProgram = "/usr/bin/notify-send"

  private static func run(
    _ program: String, _ line: NotifySendDifferentialCase, _ bus: PrivateBus, _ server: NotifySendDifferentialServer,
    closing expected: Int = 0
  ) async throws -> (seen: Seen, result: BinaryResult) {
    server.reset(line.behavior)
    var environment = line.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address.text
    let result: BinaryResult
    if line.isRaw {
      // A command substitution drops newlines at the end, which no case has.
      let words = line.arguments.map { "\"$(printf -- '\($0)')\"" }.joined(separator: " ")
      result = try await BinaryRunner.run(
        "/bin/sh", ["-c", "exec \"$0\" \(words)", program], environment: environment, timeLimit: .seconds(20))
    } else {
      result = try await BinaryRunner.run(
        program, line.arguments, name: "notify-send", environment: environment, timeLimit: .seconds(20))
    }
    #expect(!result.timedOut, "\(program) did not end: \(line.testDescription)")
    // What the program sent last may still be on its way when it has ended.
    try? await eventually(within: .seconds(3), "the last calls") { server.calls.closed.count >= expected }
    let calls = server.calls
    let seen = Seen(
      ending: result.ending, output: result.outputs[1] ?? [], notified: calls.notified.map(Self.shown),
      closed: calls.closed)
    return (seen, result)
  }

  /// The arguments of `Notify` one by one; `sender-pid` as sent by the program itself is the one thing that may differ.
  private static func shown(_ arguments: [Value]) -> [String] {
    arguments.map { argument in
      guard case .dictionary(_, _, let entries) = argument else { return "\(argument)" }
      return entries.map { entry in
        if entry.key == .string("sender-pid"), case .variant(.int64(let number)) = entry.value {
          return "sender-pid: \(number > 1)"
        }
        return "\(entry.key): \(entry.value)"
      }.sorted().joined(separator: ", ")
    }
  }

  @Test("Both make the same call, print the same and end the same way", arguments: NotifySendDifferentialCase.all)
  func same(group: NotifySendDifferentialCase.Group) async throws {
    let ours = try Binaries.notifySend()
    let bus = try await PrivateBus()
    let server = try await NotifySendDifferentialServer.start(at: bus.address)
    for line in group.cases {
      let (real, realResult) = try await Self.run(Self.realProgram, line, bus, server)
      let (mine, myResult) = try await Self.run(ours, line, bus, server, closing: real.closed.count)
      if line.realCrashes {
        #expect(real == Seen(ending: .signalled(5), output: [], notified: [], closed: []), "\(line.testDescription)")
        #expect(mine == Seen(ending: .exited(1), output: [], notified: [], closed: []), "\(line.testDescription)")
        #expect(myResult.errors.hasPrefix("notify-send: "))
      } else {
        #expect(mine == real, "\(line.testDescription): \(realResult.errors) \(myResult.errors)")
        // Where one of them has something to say, both do.
        #expect(myResult.errors.isEmpty == realResult.errors.isEmpty, "\(line.testDescription)")
      }
    }
  }

  @Test("The table is as long as it should be, with calls of every kind")
  func table() {
    let lines = NotifySendDifferentialCase.all.flatMap(\.cases)
    #expect(lines.count >= 80)
    #expect(Set(lines.map(\.testDescription)).count > 80)
  }

  @Test("Help goes to standard output, alone, with status 0; its wording is ours", arguments: ["--help", "-?", "-p?z"])
  func help(option: String) async throws {
    for program in [Self.realProgram, try Binaries.notifySend()] {
      let result = try await BinaryRunner.run(program, [option, "--bogus"], name: "notify-send")
      #expect(result.ending == .exited(0))
      #expect(result.errors.isEmpty)
      #expect(result.output.hasPrefix("Usage:"))
    }
  }

  @Test("Without a daemon or a bus both say so and exit with 1, the number to be printed being what was typed")
  func noDaemon() async throws {
    let bus = try await PrivateBus()
    for address in [bus.address.text, "unix:path=/nonexistent/bus", "no address"] {
      for arguments in [["a"], ["-p", "a"], ["-p", "-r", "9", "a"], ["-A", "x", "a"], ["-e", "-p", "a"]] {
        var endings: [BinaryResult.Ending: [String]] = [:]
        for program in [Self.realProgram, try Binaries.notifySend()] {
          let result = try await BinaryRunner.run(
            program, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address], timeLimit: .seconds(20))
          endings[result.ending, default: []].append(result.output)
          #expect(!result.errors.isEmpty)
        }
        #expect(endings.keys.sorted { "\($0)" < "\($1)" } == [.exited(1)], "\(arguments) at \(address)")
        #expect(endings[.exited(1)]?.count == 2 && Set(endings[.exited(1)] ?? []).count == 1)
      }
    }
  }

  @Test("Ctrl-C while waiting closes the notification in both, with status 0", arguments: [["-w"], ["-A", "x"]])
  func interrupted(options: [String]) async throws {
    let bus = try await PrivateBus()
    let server = try await NotifySendDifferentialServer.start(at: bus.address)
    for program in [Self.realProgram, try Binaries.notifySend()] {
      server.reset(.init())
      let run = try BinaryRunner(
        program, options + ["a"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
      // Behind the answer there is a moment when Ctrl-C still ends either program.
      try await eventually(within: .seconds(10), "SIGINT is caught") { try catchesInterrupt(run.processID) }
      run.signal(2)
      let result = await run.result()
      #expect(result.ending == .exited(0), "\(program)")
      #expect(!result.errors.isEmpty)
      // Sent last, so it may still be on its way when the program has ended.
      try await eventually(within: .seconds(5), "the closing call of \(program)") { server.calls.closed == [7] }
    }
  }

  @Test("A bus that ends while they wait ends both with SIGTERM")
  func busGone() async throws {
    for program in [Self.realProgram, try Binaries.notifySend()] {
      let bus = try await PrivateBus()
      let server = try await NotifySendDifferentialServer.start(at: bus.address)
      server.reset(.init())
      let run = try BinaryRunner(program, ["-w", "a"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
      try await eventually(within: .seconds(10), "it waits") { try catchesInterrupt(run.processID) }
      bus.kill()
      #expect(await run.result().ending == .signalled(15), "\(program)")
    }
  }
}
