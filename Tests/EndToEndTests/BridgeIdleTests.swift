import Foundation
import TestSupport
import Testing

/// What the resident bridge costs while nothing happens.
@Suite(.timeLimit(.minutes(3))) struct BridgeIdleTests {
  /// Runs each thing that has the bridge wait for others: the daemon, pictures, sounds, settings, programs, the clock.
  @Test("the bridge does not wake up while nothing happens, whatever it has done before")
  func idle() async throws {
    let fixture = try await BridgeFixture()
    let script = try fixture.home.write(
      "#!/bin/sh\ncat >'\(fixture.home.path)/run'\n", to: "run-it", permissions: 0o700)
    try fixture.home.write("[Handler]\nExec=\(script)\n", to: "config/notify-bridge/handlers.d/all.handler")
    let picture = try Binaries.file("packaging/icons/org.notifybridge.NotifyBridge-48.png")
    for arguments in [
      ["--detach", "--id", "a", "-A", "yes=Yes"], ["--image", picture, "--sound", "bell"],
      ["--in", "1h", "--image", picture], ["--on", "hour=9 weekday=mon"],
    ] {
      let sent = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["send"] + arguments + ["Title"], environment: fixture.environment)
      #expect((sent.status, sent.errors) == (0, ""), "\(arguments)")
    }
    for arguments in [["settings"], ["list"], ["history"], ["badge", "3"]] {
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(), arguments, environment: fixture.environment)
      #expect((result.status, result.errors) == (0, ""), "\(arguments)")
    }
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "yes")
    try await eventually(within: .seconds(10), "the handler has run") {
      FileManager.default.fileExists(atPath: fixture.home.path + "/run")
    }
    let process = try #require(try await fixture.bridgeProcess())
    // Time limits of what was done pass first, and threads go; what wakes every second would never give it that long.
    try await eventually(within: .seconds(90), "four seconds without a wake-up") {
      let before = try Self.switches(of: process)
      try await Task.sleep(for: .seconds(4))
      return try Self.switches(of: process) == before
    }
  }

  /// How often threads of the process have been given a processor, those that are there.
  private static func switches(of process: Int32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").reduce(0) { sum, thread in
      let status = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
      return sum
        + status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .reduce(0) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
    }
  }
}
