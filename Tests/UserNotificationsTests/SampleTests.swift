import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// The samples are programs as written for iOS; here each runs against a fake daemon that plays the user.
@Suite(.timeLimit(.minutes(1))) struct SampleTests {
  private struct Played {
    let result: BinaryResult
    let daemon: FakeNotificationServer
    let temporary: [String]
  }

  private func play(_ sample: String, _ behavior: FakeNotificationServer.Behavior) async throws -> Played {
    let bus = try await PrivateBus()
    let daemon = try await FakeNotificationServer.start(at: bus.address, behavior)
    let home = try TemporaryHome()
    let temporary = try TemporaryFolder()
    let result = try await BinaryRunner.run(
      try Binaries.debugProduct(sample),
      environment: home.environment.merging(
        ["DBUS_SESSION_BUS_ADDRESS": bus.address.text, "TMPDIR": temporary.path, "TZ": "Asia/Kolkata"]
      ) { $1 })
    return Played(result: result, daemon: daemon, temporary: temporary.files)
  }

  @Test func followUpShowsItsTextInTheSameNotificationWhenAsked() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.closes = { _ in true }
    behavior.afterAnswer = { server, posted in
      if posted.notification.actions.contains(where: { $0.key == "show" }) { server.invoke(posted.serverID, "show") }
    }
    let played = try await play("sample-follow-up", behavior)
    #expect(played.result.status == 0, "\(played.result.output) \(played.result.errors)")
    let lines = played.result.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("scheduled for ") == true)
    #expect(lines.dropFirst() == ["response show to message", "delivered 1: message: The tea is ready."])
    #expect(played.result.errors.isEmpty)
    // The category was registered after the request was added, and the text was hidden at first.
    let posted = played.daemon.posted
    #expect(posted.map(\.notification.body) == ["", "The tea is ready."])
    #expect(posted[0].notification.actions.map(\.label) == ["Show me", "Open"])
    #expect(posted[1].notification.actions.map(\.key) == ["default"])
    // One is left: the first was closed before the second came, or replaced by it.
    #expect(played.daemon.closeCalls == [posted[0].serverID] || posted[1].serverID == posted[0].serverID)
  }

  @Test(arguments: [
    (["accept", "retry"], "lunch: accept", "backup: retry"), (["default", ""], "lunch: opened", "backup: dismissed"),
  ])
  func twoCategoriesTellWhatTheUserDid(_ keys: [String], _ first: String, _ second: String) async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { server, posted in
      let key = keys[posted.notification.summary == "Lunch" ? 0 : 1]
      if key.isEmpty { server.close(posted.serverID, .dismissed) } else { server.invoke(posted.serverID, key) }
    }
    let played = try await play("sample-two-categories", behavior)
    #expect(played.result.status == 0, "\(played.result.output) \(played.result.errors)")
    #expect(
      Set(played.result.output.split(separator: "\n").map(String.init))
        == ["shown lunch", "shown backup", first, second])
    let posted = played.daemon.posted.map(\.notification)
    #expect(posted.map { $0.actions.map(\.key) } == [["accept", "default"], ["retry", "default"]])
  }

  @Test func demoShowsSubtitlePictureAndButtonsAndPrintsTheResponse() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { server, posted in server.invoke(posted.serverID, "no") }
    let played = try await play("sample-demo", behavior)
    #expect(played.result.output == "You pressed the button \"no\".\n")
    #expect(played.result.status == 0 && played.result.errors.isEmpty)
    let posted = try #require(played.daemon.posted.first?.notification)
    #expect(posted.summary == "A walk on the beach")
    #expect(posted.body.hasPrefix("<b>Tonight at eight</b>\nSun, sea &amp; sand: the tide is &lt;low&gt;"))
    #expect(posted.actions.map(\.label) == ["I am coming", "Not today", "Open"])
    #expect(posted.imageData?.width == 160 && posted.imageData?.height == 160)
    // The picture moved into the store, and the store went with the process.
    #expect(played.temporary.isEmpty)
  }

  @Test func conversationsAreThreadsAndRemindersAreInNone() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let shown = Notes<String>()
    behavior.afterAnswer = { server, posted in
      shown.add(posted.notification.summary)
      if posted.notification.summary == "Passport office" {
        server.reply(1, "Gladly!")
        server.invoke(posted.serverID, "done")
      }
    }
    let played = try await play("sample-conversations", behavior)
    #expect(played.result.status == 0 && played.result.errors.isEmpty, "\(played.result.output) \(played.result.errors)")
    let lines = played.result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("reply to message-1: Gladly!") && lines.contains("done: passport"), "\(lines)")
    // Nothing replaces anything, and no daemon is told of a thread: those that know it would replace by it.
    let posted = played.daemon.posted.map(\.notification)
    #expect(posted.map(\.summary) == ["Ana", "Ben", "Carla", "Ana", "Dora", "Dentist", "Passport office"])
    #expect(posted.allSatisfy { $0.replacesID == 0 })
    #expect(posted[0].actions.map(\.key) == ["inline-reply", "default"] && posted[5].actions.map(\.key) == ["done", "default"])
    #expect(posted.allSatisfy { !$0.hints.keys.contains { $0.contains("tag") || $0.contains("synchronous") } })
  }

  @Test(arguments: ["sample-demo", "sample-two-categories", "sample-conversations"])
  func withoutABusASampleSaysSoAndEnds(_ sample: String) async throws {
    let home = try TemporaryHome()
    let result = try await BinaryRunner.run(
      try Binaries.debugProduct(sample),
      environment: home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"]) { $1 })
    #expect(result.status == 1)
    #expect(result.output.contains("session bus"))
  }
}
