import Foundation
import NotificationBridge
import TestSupport
import Testing

/// Nothing can be written for a while.
@Suite("A full disk", .timeLimit(.minutes(1))) struct FullDiskTests {
  private let soon = TriggerRecord.interval(seconds: 60, repeats: false)

  private func request(_ name: String, title: String? = nil, _ trigger: TriggerRecord?) -> RequestRecord {
    var request = RequestRecord.plain(name, title: title ?? name)
    request.trigger = trigger
    return request
  }

  @Test("what is refused never comes, and what was to be replaced stays")
  func refused() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T08:00:00Z")
    try await bench.add("old", soon)
    bench.disk.isFull = true
    for name in ["new", "old"] {
      let result = await bench.submit(request(name, title: "refused", soon))
      guard case .failure(let error) = result else { throw RunnerError("\(name) was taken") }
      #expect(error.code == .store)
    }
    bench.disk.isFull = false
    bench.clock.set(instant("2026-06-10T08:01:00Z"))
    #expect(try await bench.shown(1) == ["old"])
    try await bench.restart()
    #expect(try await bench.shown(1) == ["old"])
  }

  @Test("what is shown counts as delivered; what is removed meanwhile does not come back")
  func removed() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T08:00:00Z")
    try await bench.add("later", soon)
    try await bench.add(request("now", nil))
    bench.disk.isFull = true
    guard case .success(let report) = await bench.submit(request("shown", nil)) else {
      throw RunnerError("it was shown, and said not to be")
    }
    #expect(report.isDelivered)
    let application = StoredEngine.application.identifier
    await bench.engine.removePending(["later"], of: application)
    await bench.engine.removeDelivered(["now"], of: application)
    _ = await bench.submit(request("refused", soon))
    bench.disk.isFull = false
    try await bench.add("last", soon)
    try await bench.restart()
    #expect(await bench.due().count == 1)
    #expect(
      await bench.engine.deliveredNotifications(of: application).map(\.request.identifier).contains("now") == false)
    bench.clock.set(instant("2026-06-10T08:02:00Z"))
    #expect(try await bench.shown(3) == ["now", "shown", "last"])
  }
}
