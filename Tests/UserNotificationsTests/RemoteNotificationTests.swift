import BridgeControl
import DBus
import Foundation
import NotificationBridge
import Synchronization
import TestSupport
import Testing

@testable import UserNotifications

/// What comes from a push service to a program that runs.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RemoteNotificationTests {
  private func push(_ stage: CenterStage, _ payload: String) async throws -> ControlClient.PushReport {
    let connection = try await BusConnection.connect(to: stage.bus.address)
    let report = try await ControlClient(on: connection).push(
      Array(payload.utf8), to: ApplicationRecord(identifier: "org.example.stage", name: "Stage"),
      collapseIdentifier: "c")
    await connection.close()
    return report
  }

  @Test("a background push comes to the program's handler on the main queue; without one nobody takes it")
  func background() async throws {
    // Pushes come through the bridge alone.
    guard CenterStage.isBridged else { return }
    let stage = try await CenterStage()
    stage.center.core.connect()
    let payload = #"{"aps":{"content-available":1},"n":7,"list":[true,null]}"#
    _ = await stage.center.notificationSettings()
    #expect(try await push(stage, payload).processes == 0)
    let got = AsyncStream.makeStream(of: Bool.self)
    RemoteNotifications.handler.withLock { handler in
      handler = { userInfo in
        let list = userInfo["list"] as? [Any]
        got.continuation.yield(
          userInfo["n"] as? Int == 7 && (userInfo["aps"] as? [String: Any])?["content-available"] as? Int == 1
            && list?.count == 2 && list?[1] is NSNull)
      }
    }
    defer { RemoteNotifications.handler.withLock { $0 = nil } }
    #expect(try await push(stage, payload).processes == 1)
    var iterator = got.stream.makeAsyncIterator()
    #expect(await iterator.next() == true)
    #expect(stage.daemon.posted.isEmpty)
  }

  @Test("what a push service sent is delivered with a push trigger, its name and its keys")
  func trigger() async throws {
    guard CenterStage.isBridged else { return }
    let stage = try await CenterStage()
    stage.center.core.connect()
    let report = try await push(
      stage, #"{"aps":{"alert":{"title":"T"},"badge":0,"thread-id":"t","sound":"default"},"k":"v"}"#)
    #expect(report.processes == nil && report.delivery.identifier == "c")
    let list = await stage.center.deliveredNotifications()
    let request = try #require(list.first?.request)
    #expect(request.trigger is UNPushNotificationTrigger && request.trigger?.repeats == false)
    #expect((request.identifier, request.content.title, request.content.threadIdentifier) == ("c", "T", "t"))
    #expect(request.content.badge == 0 && request.content.sound == .default)
    #expect(request.content.userInfo["k"] as? String == "v" && request.content.userInfo["aps"] is [String: Any])
  }
}
