import DBus
import DesktopServices
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Transient units", .timeLimit(.minutes(2)))
struct TransientUnitsTests {
  /// A bus with a user manager and our end.
  private struct Stage {
    let bus: PrivateBus
    let manager: FakeUserManager
    let connection: BusConnection
    let units: TransientUnits

    init(_ answer: @escaping @Sendable (StartedUnit) -> FakeUserManager.Answer = { _ in .run }) async throws {
      try await self.init { $0.answer = answer }
    }

    init(behavior change: (inout FakeUserManager.Behavior) -> Void) async throws {
      bus = try await PrivateBus()
      var behavior = FakeUserManager.Behavior()
      change(&behavior)
      manager = try await FakeUserManager.start(at: bus.address, behavior)
      connection = try await BusConnection.connect(to: bus.address)
      units = TransientUnits(session: connection)
    }

    func error(_ command: Command, _ unit: UnitName = "test.service") async -> CommandError? {
      do throws(CommandError) {
        _ = try await units.run(command, as: unit, description: "test")
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("A command runs once with exactly its words, variables and input, dollars and spaces included")
  func words() async throws {
    let stage = try await Stage { $0.environment = ["HOME": "/nowhere", "FOO": "wrong words"] }
    let home = try TemporaryHome()
    let script = try home.write(
      "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\" \"$RESPONSE\" > '\(home.path)/got'\ncat >> '\(home.path)/got'\n",
      to: "handler", permissions: 0o700)
    let words = ["$FOO", "${FOO}", "$$", "a b", "", "%n", "\\x41", "`id`", "; rm", "ü"]
    let result = try await stage.units.run(
      Command(script, words, environment: ["RESPONSE": "a=\"b\" $HOME", "FOO": "x"], input: Array("{\"a\":1}".utf8)),
      as: "notify-bridge-handler-1.service", description: "A handler\nof ours")
    #expect(result == CommandResult(.exited(0)))
    let lines = try String(contentsOfFile: home.path + "/got", encoding: .utf8)
    #expect(lines == ([script] + words + ["a=\"b\" $HOME", "{\"a\":1}"]).joined(separator: "\n"))
    #expect(stage.manager.started.count == 1)
    let unit = try #require(stage.manager.started.first)
    #expect(unit.name == "notify-bridge-handler-1.service")
    #expect(unit.mode == "fail")
    #expect(unit.properties["Slice"] == .string("app.slice"))
    #expect(unit.properties["Description"] == .string("A handler of ours"))
    #expect(unit.timeLimit == .seconds(34))
    #expect(unit.properties["KillMode"] == .string("process"))
  }

  @Test("A program is found in the command's own PATH, and what is not there is reported with the path")
  func search() async throws {
    let stage = try await Stage { _ in .exit(0) }
    let home = try TemporaryHome()
    let tool = try home.write("#!/bin/sh\n", to: "bin/tool", permissions: 0o700)
    try home.write("no program", to: "bin/text")
    let path = ["PATH": "relative:/nowhere:\(home.path)/bin"]
    _ = try await stage.units.run(Command("tool", environment: path), as: "test.service", description: "")
    #expect(stage.manager.started.last?.path == tool)
    for name in ["text", "missing", "../bin/tool", ""] {
      let error = await stage.error(Command(name, environment: path))
      #expect(error?.code == .programNotFound)
      #expect(error?.message.contains("'\(name)'") == true)
    }
    #expect(stage.manager.started.count == 1)
  }

  @Test("How the program ended is told", arguments: [Int32(0), 1, 77, 203, 255])
  func status(status: Int32) async throws {
    let stage = try await Stage()
    let result = try await stage.units.run(
      Command("/bin/sh", ["-c", "exit \(status)"]), as: "test.service", description: "")
    #expect(result.ending == .exited(status))
    #expect(await stage.units.state(of: "test.service", under: nil) == .finished(.exited(status)))
  }

  @Test("A signal, the time limit and a program that cannot be executed are told apart")
  func endings() async throws {
    let stage = try await Stage()
    let killed = try await stage.units.run(
      Command("/bin/sh", ["-c", "kill -KILL $$"]), as: "a.service", description: "")
    #expect(killed.ending == .signalled(9))
    let late = try await stage.units.run(
      Command("/bin/sleep", ["30"], timeLimit: .milliseconds(50)), as: "b.service", description: "")
    #expect(late.ending == .timedOut)
    let missing = await stage.error(Command("/nowhere/tool"), "c.service")
    #expect(missing?.code == .programNotFound)
    #expect(missing?.message.contains("/nowhere/tool") == true)
  }

  @Test("A job that fails or is cancelled without a program having run is an error", arguments: ["failed", "canceled"])
  func jobs(result: String) async throws {
    let stage = try await Stage { _ in .job(result) }
    let error = await stage.error(Command("/bin/true"))
    #expect(error?.code == (result == "failed" ? .refused : .uncertain))
  }

  @Test("A refusal by the manager is an error that keeps its text; nothing ran")
  func refusal() async throws {
    let stage = try await Stage { _ in .refuse("org.example.Error.No", "not today") }
    let error = await stage.error(Command("/bin/true"))
    #expect(error?.code == .refused)
    #expect(error?.message.contains("not today") == true)
  }

  @Test("Without a user manager nothing is started by the bus")
  func absent() async throws {
    let bus = try await PrivateBus(services: [
      "m.service": "[D-BUS Service]\nName=org.freedesktop.systemd1\nExec=/bin/false\n"
    ])
    let units = TransientUnits(session: try await BusConnection.connect(to: bus.address))
    #expect(await units.isAvailable() == false)
    #expect(await units.manager() == nil)
    #expect(await units.state(of: "a.service", under: nil) == .unknown)
    await units.remove("a.service")
    await #expect(throws: CommandError.self) {
      try await units.run(Command("/bin/true"), as: "a.service", description: "")
    }
  }

  @Test("Words that no program can be given are refused before anything is asked")
  func invalid() async throws {
    let stage = try await Stage()
    for command in [
      Command("/bin/true", ["a\0b"]), Command("/bin/true", environment: ["A=B": ""]),
      Command("/bin/true", environment: ["A": "\0"]), Command("/bin/true", workingDirectory: "here"),
      Command("/bin/\0true"),
    ] { #expect(await stage.error(command)?.code == .invalid) }
    #expect(stage.manager.started.isEmpty)
  }

  @Test("A unit stays until it is removed, failed ones too, so that a crash in between loses nothing")
  func keeping() async throws {
    let stage = try await Stage { $0.name == "bad.service" ? .exit(3) : .exit(0) }
    #expect(await stage.units.state(of: "good.service", under: nil) == .neverStarted)
    _ = try await stage.units.run(Command("/bin/true"), as: "good.service", description: "")
    _ = try await stage.units.run(Command("/bin/true"), as: "bad.service", description: "")
    #expect(stage.manager.units == ["bad.service", "good.service"])
    #expect(await stage.error(Command("/bin/true"), "good.service")?.code == .refused)
    let other = TransientUnits(session: try await BusConnection.connect(to: stage.bus.address))
    #expect(await other.state(of: "bad.service", under: nil) == .finished(.exited(3)))
    await other.remove("bad.service")
    await other.remove("good.service")
    #expect(stage.manager.units == [])
    #expect(await other.state(of: "bad.service", under: nil) == .neverStarted)
  }

  @Test("A manager that does not know the question does not say that a unit never started")
  func oddManager() async throws {
    let bus = try await PrivateBus()
    let manager = try await BusConnection.connect(to: bus.address)
    let answers = Answers()
    let odd = manager.export(
      ExportedInterface(
        "org.freedesktop.systemd1.Manager",
        methods: [
          .init("GetUnit", takes: [.init("name", "s")]) { call in
            call.message.body[0] == .string("refused.service")
              ? call.fail(.accessDenied, "no") : call.reply(answers.values)
          }
        ]), at: "/org/freedesktop/systemd1")
    _ = try await manager.requestName("org.freedesktop.systemd1")
    let units = TransientUnits(session: try await BusConnection.connect(to: bus.address))
    #expect(await units.state(of: "refused.service", under: nil) == .unknown)
    #expect(await units.state(of: "empty.service", under: nil) == .unknown)
    answers.values = [.objectPath("/nowhere")]
    #expect(await units.state(of: "odd.service", under: nil) == .unknown)
    withExtendedLifetime(odd) {}
  }

  @Test("A unit that still runs is told to run, and its end is heard by whoever waits")
  func running() async throws {
    let stage = try await Stage { _ in .keepRunning }
    async let result = stage.units.run(Command("/bin/true"), as: "a.service", description: "")
    try await eventually(within: .seconds(10), "the unit is started") { stage.manager.started.count == 1 }
    #expect(await stage.units.state(of: "a.service", under: nil) == .running)
    stage.manager.finish("a.service", .exited(4))
    #expect(try await result.ending == .exited(4))
  }

  @Test("When the time is over all processes of the unit get SIGTERM, and two seconds later SIGKILL")
  func timeLimit() async throws {
    let stage = try await Stage { (behavior: inout FakeUserManager.Behavior) in
      behavior.answer = { _ in .keepRunning }
      behavior.ignoresTermination = true
    }
    let start = ContinuousClock.now
    let result = try await stage.units.run(
      Command("/bin/true", timeLimit: .milliseconds(100)), as: "a.service", description: "")
    #expect(result.ending == .timedOut)
    #expect(stage.manager.killed.map(\.signal) == [15, 9])
    #expect(start.duration(to: .now) > .seconds(2))
  }

  @Test("A program that ends with SIGTERM is not waited for any longer")
  func prompt() async throws {
    let stage = try await Stage()
    let start = ContinuousClock.now
    let result = try await stage.units.run(
      Command("/bin/sleep", ["30"], timeLimit: .milliseconds(100)), as: "a.service", description: "")
    #expect(result.ending == .timedOut)
    #expect(start.duration(to: .now) < .seconds(1.5))
  }

  @Test("A manager that ran into the time limit in our place is believed")
  func managersTimeLimit() async throws {
    let stage = try await Stage { _ in .timeout }
    let result = try await stage.units.run(Command("/bin/true"), as: "a.service", description: "")
    #expect(result.ending == .timedOut)
  }

  @Test("What another manager knows nothing of may have run")
  func otherManager() async throws {
    let stage = try await Stage { _ in .exit(0) }
    let manager = try #require(await stage.units.manager())
    #expect(await stage.units.state(of: "a.service", under: manager.identity) == .neverStarted)
    stage.manager.restart()
    #expect(await stage.units.state(of: "a.service", under: manager.identity) == .unknown)
    #expect(await stage.units.state(of: "a.service", under: nil) == .neverStarted)
  }

  @Test("A manager that goes while the command runs leaves it uncertain")
  func managerGone() async throws {
    let stage = try await Stage { _ in .keepRunning }
    async let error = stage.error(Command("/bin/true"), "a.service")
    try await eventually(within: .seconds(10), "the unit is started") { stage.manager.started.count == 1 }
    stage.manager.restart()
    await stage.manager.stop()
    let again = try await FakeUserManager.start(at: stage.bus.address)
    #expect(await error?.code == .uncertain)
    await again.stop()
  }

  @Test("A bus that goes while the command runs leaves it uncertain at once")
  func busGone() async throws {
    let stage = try await Stage { _ in .keepRunning }
    async let error = stage.error(Command("/bin/true"), "a.service")
    try await eventually(within: .seconds(10), "the unit is started") { stage.manager.started.count == 1 }
    stage.bus.kill()
    #expect(await error?.code == .uncertain)
  }

  @Test("Signals of others about our unit do not end the wait")
  func forgedSignal() async throws {
    let stage = try await Stage { _ in .keepRunning }
    async let result = stage.units.run(Command("/bin/true"), as: "a.service", description: "")
    try await eventually(within: .seconds(10), "the unit is started") { stage.manager.started.count == 1 }
    let other = try await BusConnection.connect(to: stage.bus.address)
    for result in ["done", "failed"] {
      other.emit(
        Signal(
          at: "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved",
          [.uint32(1), .objectPath("/org/freedesktop/systemd1/job/1"), .string("a.service"), .string(result)]))
    }
    await other.close()
    stage.manager.finish("a.service", .exited(9))
    #expect(try await result.ending == .exited(9))
  }

  @Test("Cancelling the task ends the wait at once")
  func cancelled() async throws {
    let stage = try await Stage { _ in .keepRunning }
    let task = Task { await stage.error(Command("/bin/true"), "a.service") }
    try await eventually(within: .seconds(10), "the unit is started") { stage.manager.started.count == 1 }
    task.cancel()
    #expect(await task.value?.code == .uncertain)
  }

  @Test("An application is started in a unit named after it, and lives on")
  func application() async throws {
    let stage = try await Stage()
    let unit = try await stage.units.launchApplication(
      "org.example.Some-App", Command("/bin/sleep", ["20"], environment: ["XDG_ACTIVATION_TOKEN": "t"]),
      description: "Some App")
    #expect(unit.text.hasPrefix("app-notifybridge-org.example.Some\\x2dApp@"))
    #expect(stage.manager.units == [unit.text])
    let started = try #require(stage.manager.started.first)
    #expect(started.type == "exec")
    #expect(started.environment["XDG_ACTIVATION_TOKEN"] == "t")
    #expect(started.properties["ExitType"] == .string("cgroup"))
    await stage.manager.stop()
  }

  @Test("A manager of before 250 starts applications too")
  func olderManager() async throws {
    let stage = try await Stage { (behavior: inout FakeUserManager.Behavior) in
      behavior.unknownProperties = ["ExitType"]
      behavior.answer = { _ in .keepRunning }
    }
    let unit = try await stage.units.launchApplication("org.example.App", Command("/bin/true"), description: "")
    #expect(stage.manager.units == [unit.text])
    #expect(stage.manager.started.last?.properties["KillMode"] == .string("process"))
  }

  @Test("An application that cannot be executed is an error")
  func applicationMissing() async throws {
    let stage = try await Stage()
    do throws(CommandError) {
      _ = try await stage.units.launchApplication("org.example.App", Command("/nowhere/app"), description: "")
      Issue.record("it was started")
    } catch {
      #expect(error.code == .programNotFound)
    }
  }

  /// What is answered, changed by the test.
  private final class Answers: Sendable {
    private let state = Mutex<[Value]>([])
    var values: [Value] {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }
}
