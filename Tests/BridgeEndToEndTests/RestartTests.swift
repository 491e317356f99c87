import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// The bridge ends while somebody calls it.
@Suite("A bridge that ends under a call", .timeLimit(.minutes(2))) struct RestartTests {
  /// The connections that the bus has.
  private func connections(_ fixture: BridgeFixture) async throws -> Set<String> {
    let call = MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "ListNames")
    let names = try await fixture.connection.call(call).body.first?.asStrings ?? []
    return Set(names.filter { $0.hasPrefix(":") })
  }

  @Test("a command whose call finds a bridge that ends is served by the next one", arguments: 1...4)
  func served(round: Int) async throws {
    let fixture = try await BridgeFixture()
    #expect(try await fixture.run("list").status == 0)
    let bridge = try #require(try await fixture.bridgeProcess())
    let before = try await connections(fixture)
    #expect(fixture.isOurs(bridge) && kill(bridge, SIGSTOP) == 0)
    let command = try fixture.start("send", "--in", "1h", "--id", "n", "Title")
    try await eventually(within: .seconds(10), "the command is on the bus, and stays") {
      try await connections(fixture).count > before.count
    }
    // What it does first is to call the bridge.
    try await Task.sleep(for: .milliseconds(20 * round))
    try await fixture.killBridge()
    let result = await command.result()
    #expect((result.status, result.errors) == (0, ""))
    #expect(try await fixture.run("list", "--pending").output.contains("Title"))
  }
}
