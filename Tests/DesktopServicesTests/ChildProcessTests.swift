import DesktopServices
import Foundation
import TestSupport
import Testing

@Suite("Children", .timeLimit(.minutes(2)))
struct ChildProcessTests {
  private func error(_ command: Command) async -> CommandError? {
    do throws(CommandError) {
      _ = try await ChildProcess.run(command)
      return nil
    } catch {
      return error
    }
  }

  private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  private func shell(_ script: String, _ arguments: [String] = [], limit: Duration = .seconds(30)) -> Command {
    Command("/bin/sh", ["-c", script, "sh"] + arguments, timeLimit: limit)
  }

  @Test("A program gets exactly its words, its variables and its input")
  func words() async throws {
    let words = ["$HOME", "a b", "", "`id`", "-n", "ü\n"]
    var command = shell(#"printf '<%s>' "$@"; cat; env >&2"#, words)
    command.environment = ["ONLY": "this=one"]
    command.input = Array("{\"a\": 1}".utf8)
    let result = try await ChildProcess.run(command)
    #expect(result.ending == .exited(0))
    #expect(text(result.output?.standardOutput) == words.map { "<\($0)>" }.joined() + "{\"a\": 1}")
    // The shell adds its own.
    let variables = text(result.output?.standardError).split(separator: "\n").filter {
      !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") && !$0.hasPrefix("SHLVL=") && !$0.hasPrefix("OLDPWD=")
    }
    #expect(variables == ["ONLY=this=one"])
  }

  @Test("A program has no descriptor but the three, no blocked or ignored signal, and a group of its own")
  func clean() async throws {
    let kept = FileHandle(forReadingAtPath: "/dev/null")
    let duplicate = dup(kept?.fileDescriptor ?? -1)
    defer { close(duplicate) }
    let script = """
      ls /proc/self/fd; grep -E 'Sig(Blk|Ign)' /proc/self/status; \
      [ "$(cut -d' ' -f5 /proc/$$/stat)" = $$ ] && echo leader; readlink /proc/self/fd/0
      """
    let result = try await ChildProcess.run(shell(script))
    // ls itself opens the folder as 3, and of posix_spawn glibc's own two signals stay ignored.
    #expect(
      text(result.output?.standardOutput)
        == "0\n1\n2\n3\nSigBlk:\t0000000000000000\nSigIgn:\t0000000180000000\nleader\n/dev/null\n")
    withExtendedLifetime(kept) {}
  }

  @Test("How a program ended is told", arguments: [("exit 0", 0), ("exit 77", 77), ("exit 255", 255)])
  func status(script: String, status: Int32) async throws {
    #expect(try await ChildProcess.run(shell(script)).ending == .exited(status))
  }

  @Test("A program that a signal ended is told")
  func signal() async throws {
    #expect(try await ChildProcess.run(shell("kill -SEGV $$")).ending == .signalled(SIGSEGV))
  }

  @Test("When its time is over, a program and all that it started get SIGTERM")
  func timeLimit() async throws {
    let start = ContinuousClock.now
    let result = try await ChildProcess.run(
      shell("trap 'echo bye; exit 3' TERM; echo $$; sleep 60 & wait", limit: .milliseconds(200)))
    #expect(result.ending == .timedOut)
    let lines = text(result.output?.standardOutput).split(separator: "\n")
    #expect(lines.last == "bye")
    #expect(start.duration(to: .now) < .seconds(1.5))
    let group = try #require(Int32(lines[0]))
    // What lost its parent is reaped by the system in its own time.
    try await eventually(within: .seconds(10), "the group is gone") { kill(-group, 0) == -1 }
  }

  @Test("What ignores SIGTERM gets SIGKILL two seconds later, the leader's end notwithstanding")
  func stubborn() async throws {
    let start = ContinuousClock.now
    let result = try await ChildProcess.run(
      shell("echo $$; (trap '' TERM; echo up; while :; do sleep 0.1; done) & wait", limit: .milliseconds(500)))
    #expect(result.ending == .timedOut)
    #expect(start.duration(to: .now) > .seconds(2.4))
    let group = try #require(Int32(text(result.output?.standardOutput).split(separator: "\n")[0]))
    try await eventually(within: .seconds(5), "the group is gone") { kill(-group, 0) == -1 }
  }

  @Test("Of each output 64 KiB are kept and the rest is read all the same")
  func bounded() async throws {
    let result = try await ChildProcess.run(
      shell("head -c 3000000 /dev/zero; head -c 65536 /dev/zero >&2; echo x >&2; exit 5"))
    #expect(result.ending == .exited(5))
    #expect(result.output?.standardOutput.count == 65536)
    #expect(result.output?.standardError.count == 65536)
    #expect(result.output?.dropped == 3_000_000 - 65536 + 2)
  }

  @Test("Input that nobody reads, and a large one, end neither of us")
  func input() async throws {
    var command = shell("exit 0")
    command.input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(try await ChildProcess.run(command).ending == .exited(0))
    command = shell("wc -c")
    command.input = [UInt8](repeating: 65, count: 3 << 20)
    #expect(text(try await ChildProcess.run(command).output?.standardOutput) == "3145728\n")
  }

  @Test("What runs on in the background lives on and does not hold up the result")
  func background() async throws {
    let start = ContinuousClock.now
    let result = try await ChildProcess.run(shell("sleep 20 & echo $!"))
    #expect(result.ending == .exited(0))
    #expect(result.output?.wasLeftOpen == true)
    #expect(start.duration(to: .now) < .seconds(10))
    let sleeper = try #require(Int32(text(result.output?.standardOutput).dropLast()))
    #expect(kill(sleeper, SIGTERM) == 0)
  }

  @Test("A program that is not there is reported with its path; nothing is ever given to a shell")
  func missing() async throws {
    let home = try TemporaryHome()
    let text = try home.write("echo no\n", to: "text", permissions: 0o700)
    let locked = try home.write("#!/bin/sh\n", to: "locked")
    let orphan = try home.write("#!/nowhere/interpreter\n", to: "orphan", permissions: 0o700)
    for path in ["/nowhere/tool", text, locked, orphan, home.path] {
      let error = await error(Command(path))
      #expect(error?.code == .programNotFound, "\(path): \(String(describing: error))")
      #expect(error?.message.contains(path) == true)
    }
    let missing = await error(Command("no-such-tool", environment: ["PATH": "/nowhere"]))
    #expect(missing?.message.contains("/nowhere") == true)
    #expect(await error(Command("/bin/true", workingDirectory: "/nowhere"))?.code == .refused)
    #expect(await error(Command("/bin/true", ["\0"]))?.code == .invalid)
  }

  @Test("A program runs in the folder it is given")
  func folder() async throws {
    var command = shell("pwd")
    command.workingDirectory = "/usr"
    #expect(text(try await ChildProcess.run(command).output?.standardOutput) == "/usr\n")
  }

  @Test("Cancelling the task ends the program")
  func cancelled() async throws {
    let home = try TemporaryHome()
    let task = Task { [self] in await error(shell("echo $$ > '\(home.path)/pid'; exec sleep 60")) }
    try await eventually(within: .seconds(10), "it runs") { (try? home.read("pid"))?.hasSuffix("\n") == true }
    let process = try #require(Int32(try home.read("pid").dropLast()))
    task.cancel()
    #expect(await task.value?.code == .uncertain)
    try await eventually(within: .seconds(5), "it is gone") { kill(process, 0) == -1 }
  }

  @Test("Two hundred at once, and no descriptor is left behind")
  func many() async throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let result = try? await ChildProcess.run(Command("/bin/echo", ["\(number)"]))
          return String(decoding: result?.output?.standardOutput ?? [], as: UTF8.self) == "\(number)\n"
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    try await eventually(within: .seconds(5), "descriptors are closed") {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count <= before + 4
    }
  }

  @Test("A detached program is in a session of its own and holds nothing of ours")
  func detached() async throws {
    let home = try TemporaryHome()
    let script = """
      readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 > '\(home.path)/out'
      cut -d' ' -f6 /proc/$$/stat >> '\(home.path)/out'; echo $$ >> '\(home.path)/out'
      """
    let child = try await ChildProcess.startDetached(shell(script))
    try await eventually(within: .seconds(10), "it wrote") {
      (try? home.read("out"))?.split(separator: "\n").count == 5
    }
    let lines = try home.read("out").split(separator: "\n").map(String.init)
    // The first is the redirection of readlink itself.
    #expect(lines[0] == "/dev/null" && lines[2] == "/dev/null")
    #expect(lines[3] == "\(child)" && lines[4] == "\(child)")
    try await eventually(within: .seconds(5), "it is reaped") { kill(child, 0) == -1 }
    do throws(CommandError) {
      try await ChildProcess.startDetached(Command("/nowhere/app"))
      Issue.record("it was started")
    } catch {
      #expect(error.code == .programNotFound)
    }
  }
}

extension TemporaryHome {
  /// The text of a file below the home.
  func read(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
}
