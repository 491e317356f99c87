import TestSupport
import Testing

/// What a one-shot `send` costs, counted in instructions, since those do not depend on the machine's mood.
@Suite(.timeLimit(.minutes(3))) struct CostTests {
  @Test("send takes at most 0.55 of the instructions that notify-send takes")
  func instructions() async throws {
    let fixture = try await CommandFixture()
    let ours = try await instructions(of: [try Binaries.notifyBridge(), "send", "Title", "Body"], fixture)
    let theirs = try await instructions(of: ["notify-send", "Title", "Body"], fixture)
    #expect(fixture.daemon.posted.count == 2)
    let ratio = Double(ours) / Double(theirs)
    #expect(ratio <= 0.55, "\(ours) of \(theirs) instructions: \(ratio)")
  }

  /// Counted by callgrind, all threads and the dynamic linker included.
  private func instructions(of command: [String], _ fixture: CommandFixture) async throws -> Int {
    let result = try await BinaryRunner.run(
      "/usr/bin/env",
      ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(fixture.home.path)/callgrind.out"] + command,
      environment: fixture.environment, timeLimit: .seconds(60))
    try #require(result.status == 0, "\(result.errors)")
    let line = try #require(result.errors.split(separator: "\n").first { $0.contains("Collected :") })
    return try #require(line.split(separator: " ").last.flatMap { Int($0) })
  }
}
