import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// One notification that many processes post, each for itself.
@Suite("One name, many processes", .timeLimit(.minutes(2))) struct VolumeTests {
  private func send(_ fixture: BridgeFixture, _ number: Int) async throws -> BinaryResult {
    try await fixture.run("send", "--app", "org.example.Volume", "--id", "volume", "Volume \(number) %")
  }

  @Test("C026: 100 processes one after the other, then 100 at once, leave one notification")
  func hundred() async throws {
    let fixture = try await BridgeFixture()
    for number in 1...100 { #expect(try await send(fixture, number).status == 0) }
    #expect(fixture.titles == (1...100).map { "Volume \($0) %" })
    try await withThrowingTaskGroup(of: BinaryResult.self) { group in
      for number in 101...200 { group.addTask { try await send(fixture, number) } }
      for try await result in group { #expect((result.status, result.errors) == (0, "")) }
    }
    #expect(Set(fixture.titles) == Set((1...200).map { "Volume \($0) %" }) && fixture.titles.count == 200)
    #expect(fixture.daemon.posted.map(\.notification.replacesID) == [0] + Array(repeating: 1, count: 199))
    #expect(fixture.daemon.posted.allSatisfy { $0.serverID == 1 })
    #expect(try await fixture.client.delivered("").map(\.request.content.title) == [fixture.titles[199]])
  }

  @Test("C026, C071: after the daemon restarts the next run makes one new one, and replaces nobody else's")
  func daemonRestarts() async throws {
    let fixture = try await BridgeFixture()
    for number in 1...3 { _ = try await send(fixture, number) }
    try await fixture.restartDaemon()
    // Somebody else has the number now that was ours.
    let other = DaemonServer(on: fixture.connection)
    other.notify(Notification(summary: "theirs"), token: DeliveryToken(1))
    _ = try await fixture.shown(1)
    for number in 4...6 { #expect(try await send(fixture, number).status == 0) }
    #expect(fixture.daemon.posted.map(\.serverID) == [1, 2, 2, 2])
    #expect(fixture.daemon.posted.map(\.notification.replacesID) == [0, 0, 2, 2])
    #expect(try await fixture.client.delivered("").count == 1)
  }

  @Test("a bridge that was killed replaces by the number that the former one got", arguments: [false, true])
  func bridgeIsKilled(daemonToo: Bool) async throws {
    let fixture = try await BridgeFixture()
    for number in 1...2 { _ = try await send(fixture, number) }
    try await fixture.killBridge()
    if daemonToo {
      try await fixture.restartDaemon()
      DaemonServer(on: fixture.connection).notify(Notification(summary: "theirs"), token: DeliveryToken(1))
      _ = try await fixture.shown(1)
    }
    for number in 3...4 { #expect(try await send(fixture, number).status == 0) }
    let replaced = fixture.daemon.posted.map(\.notification.replacesID)
    #expect(replaced == (daemonToo ? [0, 0, 2] : [0, 1, 1, 1]))
    #expect(try await fixture.client.delivered("").count == 1)
  }

  @Test("a daemon that takes the name over between two posts is not told the other one's number")
  func takeover() async throws {
    let fixture = try await BridgeFixture()
    for round in 1...20 {
      let former = fixture.daemon
      let post = Task { try await send(fixture, round) }
      try await fixture.restartDaemonInPlace()
      #expect(try await post.value.status == 0)
      await former.stop()
      #expect(fixture.daemon.posted.first.map { $0.notification.replacesID == 0 } ?? true)
    }
  }

  @Test("what a bridge has just taken over from a former life can be removed at once, and its time still ends")
  func formerLife() async throws {
    let fixture = try await BridgeFixture()
    for number in 1...5 {
      _ = try await fixture.run("send", "--id", "a\(number)", "A")
      try await fixture.killBridge()
      #expect(try await fixture.run("remove", "a\(number)").status == 0)
      try await eventually(within: .seconds(5), "it is closed") { fixture.daemon.closeCalls.count == number }
    }
    _ = try await fixture.run("send", "--expire-time", "200ms", "--id", "short", "Short")
    try await fixture.killBridge()
    try await Task.sleep(for: .milliseconds(1_300))
    _ = try await fixture.run("list")
    try await eventually(within: .seconds(5), "it is closed") { fixture.daemon.closeCalls.count == 6 }
    #expect(fixture.daemon.closeCalls == [1, 2, 3, 4, 5, 6])
  }
}
