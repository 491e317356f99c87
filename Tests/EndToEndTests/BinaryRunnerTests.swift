import Foundation
import TestSupport
import Testing

/// The runner under the tests of this folder: were it to hang, leak or lose bytes, they would prove nothing.
@Suite(.timeLimit(.minutes(1)))
struct BinaryRunnerTests {
  @Test("Output, errors, status and arguments come through unchanged")
  func everythingComesThrough() async throws {
    let result = try await BinaryRunner.run(
      "/bin/sh", ["-c", "printf '%s|' \"$@\"; printf 'é\\000x' >&2; exit 7", "sh", "a b", "", "*"])
    #expect(result.output == "a b||*|")
    #expect(result.outputs[2] == [0xc3, 0xa9, 0, 0x78])
    #expect(result.ending == .exited(7))
    #expect(!result.timedOut && !result.leftOutputsOpen)
  }

  @Test("A program that reads and writes a megabyte at a time does not block")
  func largeInputAndOutput() async throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
    let result = try await BinaryRunner.run("cat", input: .bytes(bytes))
    #expect(result.outputs[1] == bytes)
  }

  @Test("A program that ends without reading its input does not end the tests")
  func unreadInput() async throws {
    let result = try await BinaryRunner.run("true", input: .bytes([UInt8](repeating: 0, count: 1_000_000)))
    #expect(result.ending == .exited(0))
  }

  @Test("A program that takes too long is ended, also one that ignores SIGTERM")
  func timeLimit() async throws {
    let polite = try await BinaryRunner.run("sleep", ["60"], timeLimit: .milliseconds(100))
    #expect(polite.timedOut && polite.ending == .signalled(SIGTERM) && polite.status == 143)
    let deaf = try await BinaryRunner.run(
      "/bin/sh", ["-c", "trap '' TERM; while :; do sleep 0.1; done"], timeLimit: .milliseconds(100))
    #expect(deaf.timedOut && deaf.ending == .signalled(SIGKILL))
  }

  @Test("Lines can be read and input written while the program runs")
  func conversation() async throws {
    let cat = try BinaryRunner("cat", input: .open)
    cat.write("one\ntwo\n")
    #expect(try await cat.line() == "one")
    cat.write("three\nrest")
    #expect(try await cat.line { $0.hasPrefix("th") } == "three")
    cat.closeInput()
    let result = await cat.result()
    #expect(result.output == "one\ntwo\nthree\nrest")
    await #expect(throws: RunnerError.self) { try await cat.line() }
  }

  @Test("Further descriptors are collected apart, and no other one is inherited")
  func descriptors() async throws {
    let result = try await BinaryRunner.run(
      "/bin/sh", ["-c", "echo three >&3; echo five >&5; ls /proc/self/fd"], pipes: [3, 5])
    #expect(result.text(3) == "three\n")
    #expect(result.text(5) == "five\n")
    // 4 is the folder that ls itself has opened.
    #expect(result.output == "0\n1\n2\n3\n4\n5\n")
  }

  @Test("A process left behind with an output is reported and does not delay the result for long")
  func leftBehind() async throws {
    let result = try await BinaryRunner.run("/bin/sh", ["-c", "sleep 3 & echo started"], timeLimit: .seconds(20))
    #expect(result.output == "started\n")
    #expect(result.leftOutputsOpen)
    #expect(result.duration < .seconds(2))
  }

  @Test("Signals are neither blocked nor ignored in a child, and reach it")
  func signals() async throws {
    let masks = try await BinaryRunner.run("grep", ["^Sig[BI]", "/proc/self/status"]).output
      .split(separator: "\n").map { UInt64($0.split(separator: "\t")[1], radix: 16) }
    // 32 and 33 belong to the C library, which starts every program with them ignored.
    #expect(masks.map { $0.map { $0 & 0x7fff_ffff } } == [0, 0])
    let sleeping = try BinaryRunner("sleep", ["60"])
    sleeping.signal(SIGINT)
    #expect(await sleeping.result().ending == .signalled(SIGINT))
  }

  @Test("Hundred programs at once each see the end of their input and none gets another's output")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          let result = try await BinaryRunner.run("cat", input: .text("\(number)"))
          #expect(result.output == "\(number)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A program meets no bus, display or home but those that its test gives it")
  func environment() async throws {
    let home = try TemporaryHome()
    let bare = try await BinaryRunner.run("env")
    #expect(!bare.output.contains("DBUS_") && !bare.output.contains("XDG_") && !bare.output.contains("DISPLAY"))
    #expect(bare.output.contains("HOME=/nonexistent\n"))
    let given = try await BinaryRunner.run("env", environment: home.environment)
    #expect(given.output.contains("XDG_RUNTIME_DIR=\(home.path)/runtime\n"))
  }

  @Test("Cancelling the wait ends the program")
  func cancellation() async throws {
    let sleeping = try BinaryRunner("sleep", ["60"])
    let waiting = Task { await sleeping.result() }
    waiting.cancel()
    #expect(await waiting.value.ending == .signalled(SIGTERM))
  }

  @Test("A program that is not there is an error that names it")
  func missing() async throws {
    await #expect {
      try await BinaryRunner.run("/nonexistent/program")
    } throws: {
      "\($0)".contains("/nonexistent/program") && "\($0)".contains("No such file")
    }
  }

  @Test("A temporary home goes away with the object")
  func temporaryHome() throws {
    var home: TemporaryHome? = try TemporaryHome()
    let path = try #require(home?.path)
    let file = try home?.write("text", to: "config/a/b.conf")
    #expect(file.map { FileManager.default.fileExists(atPath: $0) } == true)
    home = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
