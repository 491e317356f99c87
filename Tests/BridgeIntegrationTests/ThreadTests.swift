import DBus
import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Busy threads become one notification.
@Suite(.timeLimit(.minutes(2))) struct ThreadTests {
  private func message(_ number: Int, of author: String, category: String = "") -> RequestRecord {
    var request = RequestRecord.plain("m\(number)", title: author, body: "Text \(number)")
    request.content.threadIdentifier = "family"
    request.content.summaryArgument = author
    request.content.categoryIdentifier = category
    return request
  }

  private func stage(
    _ behavior: FakeNotificationServer.Behavior = .init()
  ) async throws -> (EngineFixture, FakeNotificationServer) {
    var policy = EnginePolicy()
    policy.collapseAfter = 2
    let fixture = try await EngineFixture(policy: policy)
    return (fixture, try await fixture.daemon(behavior))
  }

  /// What the daemon shows now, by its own account: posted and neither closed nor replaced.
  private func shown(_ daemon: FakeNotificationServer) -> [String: UInt32] {
    var shown: [UInt32: String] = [:]
    for posted in daemon.posted { shown[posted.serverID] = posted.notification.body }
    for closed in daemon.closeCalls { shown[closed] = nil }
    return Dictionary(shown.map { ($1, $0) }) { first, _ in first }
  }

  @Test("six of two authors with collapse-after=2: one notification, the newest and five more of whom")
  func collapses() async throws {
    let (fixture, daemon) = try await stage()
    for number in 1...6 { try await fixture.show(message(number, of: number % 2 == 0 ? "Ben" : "Ana")) }
    try await eventually(within: .seconds(10), "one is shown: \(shown(daemon))") {
      Array(shown(daemon).keys) == ["Text 6\n5 more from Ana and Ben"]
    }
    // The first two were shown by themselves, and nothing of the daemon's own grouping was used.
    #expect(daemon.posted.prefix(2).map(\.notification.body) == ["Text 1", "Text 2"])
    #expect(daemon.posted.allSatisfy { $0.notification.hints["x-dunst-stack-tag"] == nil })
    #expect(daemon.posted.last?.notification.actions.map(\.key) == ["show", "default"])
    #expect(await fixture.delivered() == (1...6).map { "m\($0)" })
  }

  @Test("an action on it shows them all again, silently, and later ones by themselves", arguments: ["show", "default"])
  func expands(key: String) async throws {
    let (fixture, daemon) = try await stage()
    for number in 1...4 { try await fixture.show(message(number, of: "Ana")) }
    try await eventually(within: .seconds(10), "the summary") { shown(daemon).count == 1 }
    let summary = try #require(shown(daemon).values.first)
    let before = daemon.posted.count
    daemon.invoke(summary, key)
    try await eventually(within: .seconds(10), "all four: \(shown(daemon))") {
      Set(shown(daemon).keys) == ["Text 1", "Text 2", "Text 3", "Text 4"]
    }
    #expect(daemon.posted[before...].allSatisfy { $0.notification.hints["suppress-sound"] == .boolean(true) })
    try await fixture.show(message(5, of: "Ben"))
    #expect(shown(daemon).keys.contains("Text 5"))
    #expect(fixture.responses.isEmpty)
    // Each of them can be acted on.
    daemon.invoke(try #require(shown(daemon)["Text 2"]), "default")
    try await eventually(within: .seconds(10), "its response") {
      fixture.responses.map(\.notification.request.identifier) == ["m2"]
    }
  }

  @Test("dismissing it dismisses all of them, each with its own outcome")
  func dismisses() async throws {
    let (fixture, daemon) = try await stage()
    for number in 1...4 { try await fixture.show(message(number, of: "Ana")) }
    try await eventually(within: .seconds(10), "the summary") { shown(daemon).count == 1 }
    daemon.close(try #require(shown(daemon).values.first), .dismissed)
    try await eventually(within: .seconds(10), "four outcomes") {
      (1...4).allSatisfy { fixture.outcomes(of: "m\($0)") == [.dismissed] }
    }
    #expect(await fixture.delivered().isEmpty)
    // The thread begins anew.
    try await fixture.show(message(5, of: "Ana"))
    #expect(daemon.posted.last?.notification.body == "Text 5")
  }

  @Test("the category's format is used as text, never as a format of printf; counts are added up")
  func format() async throws {
    let (fixture, daemon) = try await stage()
    var category = CategoryRecord(identifier: "chat", actions: [])
    category.categorySummaryFormat = "%u (100 %%) of %@ %s"
    await fixture.engine.setCategories([category], for: fixture.application.identifier)
    for number in 1...4 {
      var request = message(number, of: "A%nB", category: "chat")
      request.content.summaryArgumentCount = 2
      try await fixture.show(request)
    }
    try await eventually(within: .seconds(10), "the summary: \(shown(daemon))") {
      Array(shown(daemon).keys) == ["Text 4\n6 (100 %) of A%nB %s"]
    }
  }

  @Test("one that is removed leaves the summary; the last one takes it along")
  func removal() async throws {
    let (fixture, daemon) = try await stage()
    for number in 1...3 { try await fixture.show(message(number, of: "Ana")) }
    try await eventually(within: .seconds(10), "the summary") { shown(daemon).count == 1 }
    await fixture.engine.removeDelivered(["m3"], of: fixture.application.identifier)
    try await eventually(within: .seconds(10), "one fewer: \(shown(daemon))") {
      Array(shown(daemon).keys) == ["Text 2\n1 more from Ana"]
    }
    await fixture.engine.removeDelivered(nil, of: fixture.application.identifier)
    try await eventually(within: .seconds(10), "nothing: \(shown(daemon))") { shown(daemon).isEmpty }
    #expect(await fixture.delivered().isEmpty)
  }

  @Test("C059: without the setting each stands for itself")
  func off() async throws {
    let fixture = try await EngineFixture()
    let daemon = try await fixture.daemon()
    for number in 1...6 { try await fixture.show(message(number, of: "Ana")) }
    #expect(shown(daemon).count == 6)
    #expect(daemon.posted.allSatisfy { $0.notification.replacesID == 0 })
  }
}
