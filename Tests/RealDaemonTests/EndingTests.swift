import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct EndingTests {
  @Test("Dismissing the notification ends the wait with 10 and prints nothing", arguments: Desktop.daemons)
  func dismissed(daemon: String) async throws {
    try await expect(10, on: daemon, arguments: ["--expire-time", "20000"]) { session in
      try await session.click("dismiss")
    }
  }

  @Test(
    "A notification whose time is over ends the wait with 11, also where the daemon is silent about it",
    arguments: Desktop.daemons)
  func expired(daemon: String) async throws {
    try await expect(11, on: daemon, arguments: ["--expire-time", "1500"]) { _ in }
  }

  @Test("Killing the daemon ends the wait with 14", arguments: Desktop.daemons)
  func daemonLost(daemon: String) async throws {
    try await expect(14, on: daemon) { session in
      try await session.restart()
    }
  }

  /// Shows a notification with two buttons, does something to it, and looks at how the waiting command ends.
  private func expect(
    _ status: Int32, on daemon: String, arguments: [String] = [],
    after act: @Sendable (DaemonSession) async throws -> Void
  ) async throws {
    try await Desktop.with(daemon) { session in
      let command = try session.start(
        try Binaries.notifyBridge(),
        ["send", "Question", "with two buttons", "-A", "yes=Yes", "-A", "no=No", "--wait"] + arguments)
      try await command.whileRunning { command in
        _ = try await session.call(number: 1)
        try await act(session)
        let result = await command.result()
        #expect(result.status == status, "\(result.errors)")
        #expect(result.output == "")
      }
    }
  }
}
