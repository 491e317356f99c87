import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// The bridge ends while a content extension decides.
@Suite(.timeLimit(.minutes(2))) struct DrawnRestartTests {
  @Test("A response that the extension was asked about goes to the application after the bridge's end, once")
  func endsWhileAsked() async throws {
    var behavior = FakeExtensions.Behavior()
    behavior.respond = { _, _, _ in }
    let extensions = FakeExtensions([.init(name: "Viewer", categories: ["photo"])], behavior)
    let stored = try await StoredEngine(at: "2026-05-01T12:00:00Z", extensions: extensions)
    var request = RequestRecord.plain("p", actions: [ActionRecord(identifier: "like", title: "Like")])
    request.content.categoryIdentifier = "photo"
    try await stored.add(request)
    try await eventually(within: .seconds(10), "it is shown") { stored.daemon.postedCount == 1 }
    let number = try #require(stored.daemon.posted.last?.serverID)
    stored.daemon.invoke(number, "like")
    try await eventually(within: .seconds(10), "it is asked") { extensions.calls.count == 2 }
    let taken = Mutex<[ResponseRecord.Action]>([])
    for _ in 0..<2 {
      try await stored.restart()
      await stored.engine.setHandler(
        ApplicationHandler { response in taken.withLock { $0.append(response.action) } },
        for: StoredEngine.application.identifier)
    }
    #expect(taken.withLock { $0 } == [.custom("like")])
  }
}
