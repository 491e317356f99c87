import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// `wait`, `act` and `show`, beside the resident bridge.
@Suite(.timeLimit(.minutes(2))) struct BridgeWaitTests {
  @Test("C068: a script that has exited is answered through a later process, once")
  func later() async throws {
    let fixture = try await BridgeFixture()
    let sent = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "-A", "no=No", "Title")
    #expect((sent.status, sent.errors) == (0, ""))
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "no")
    let waited = try await fixture.run("wait", "n")
    #expect((waited.status, waited.output, waited.errors) == (0, "no\n", ""))
    // It was given to one, and nobody gets it again.
    let again = try await fixture.run("wait", "n", "--timeout", "2s")
    #expect((again.status, again.output) == (1, ""))
    #expect(again.errors.contains("'n'"))
  }

  @Test("wait prints what a waiting send prints: the key, the text behind a tab, JSON; each end has its status")
  func outcomes() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let fixture = try await BridgeFixture(behavior)
    _ = try await fixture.run("send", "--detach", "--id", "r", "--reply", "say=Reply", "Title")
    let reply = try fixture.start("wait", "r")
    fixture.daemon.reply(try await fixture.posted(1).serverID, "two\nlines")
    #expect(await reply.result().output == "say\ttwo lines\n")
    _ = try await fixture.run("send", "--id", "j", "--user-info", "a=1", "Title")
    fixture.daemon.invoke(try await fixture.posted(2).serverID, "default")
    let json = try await fixture.run("wait", "j", "--json")
    #expect(json.output == #"{"action":"default","identifier":"j","outcome":"action","userInfo":{"a":"1"}}"# + "\n")
    for (index, (reason, status)) in [(CloseReason.dismissed, Int32(10)), (.expired, 11), (.closedByCall, 12)]
      .enumerated()
    {
      _ = try await fixture.run("send", "--id", "e\(index)", "Title")
      let waiting = try fixture.start("wait", "e\(index)")
      fixture.daemon.close(try await fixture.posted(3 + index).serverID, reason)
      let result = await waiting.result()
      #expect((result.status, result.output, result.errors) == (status, "", ""))
    }
  }

  @Test("--timeout ends the wait with 15 and leaves the notification; an unknown one is status 1 and named")
  func timeout() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "n", "Title")
    let result = try await fixture.run("wait", "n", "--timeout", "200ms")
    #expect((result.status, result.output, result.errors) == (15, "", ""))
    #expect(fixture.daemon.closeCalls.isEmpty)
    let unknown = try await fixture.run("wait", "nobody")
    #expect((unknown.status, unknown.output) == (1, ""))
    #expect(unknown.errors.contains("'nobody'"))
    #expect(try await fixture.run("wait").status == 2)
    #expect(try await fixture.run("wait", "a", "b").status == 2)
  }

  @Test("a bridge that is killed while somebody waits is started anew, and the wait goes on")
  func restart() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title")
    let posted = try await fixture.posted(1)
    let command = try fixture.start("wait", "n")
    try await command.whileRunning { command in
      for _ in 1...2 {
        try await eventually(within: .seconds(10), "the bridge is waited at") {
          try await fixture.run("wait", "n", "--timeout", "50ms").status == 15
        }
        try await fixture.killBridge()
      }
      try await eventually(within: .seconds(10), "the bridge is back") { try await fixture.bridgeProcess() != nil }
      // Whether the present bridge was asked already or not: the answer is kept.
      #expect(try await fixture.run("act", "n", "yes").status == 0)
      let result = await command.result()
      #expect((result.status, result.output, result.errors) == (0, "yes\n", ""))
    }
    #expect(posted.serverID == 1)
    #expect(fixture.daemon.posted.count == 1)
  }

  @Test("the end of an earlier notification of the same name is not that of one whose answer somebody has")
  func earlier() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "n", "Title")
    fixture.daemon.close(try await fixture.posted(1).serverID, .dismissed)
    #expect(try await fixture.run("wait", "n").status == 10)
    _ = try await fixture.run("send", "--id", "n", "Title")
    #expect(try await fixture.run("act", "n").status == 0)
    #expect(try await fixture.run("wait", "n").output == "default\n")
    #expect(try await fixture.run("wait", "n").status == 1)
  }

  @Test("two that wait get one response between them, or the same")
  func two() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title")
    let (first, second) = (try fixture.start("wait", "n"), try fixture.start("wait", "n", "--timeout", "3s"))
    _ = try await fixture.run("wait", "n", "--timeout", "300ms")
    #expect(try await fixture.run("act", "n", "yes").status == 0)
    let results = [await first.result(), await second.result()]
    #expect(results.contains { $0.status == 0 && $0.output == "yes\n" })
  }

  @Test("act answers a notification whose popup has gone; what it does not have is named")
  func act() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "--reply", "say=Say", "Title")
    fixture.daemon.close(try await fixture.posted(1).serverID, .expired)
    let wrong = try await fixture.run("act", "n", "maybe")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("'maybe'") && wrong.errors.contains("'yes'"))
    #expect(try await fixture.run("act", "n", "yes", "--reply", "text").status == 2)
    #expect(try await fixture.run("act", "n", "default", "--reply", "text").status == 2)
    #expect(try await fixture.run("act", "nobody").status == 1)
    // The one action that takes text need not be named.
    let answered = try await fixture.run("act", "n", "--reply", "50% & <b>")
    #expect((answered.status, answered.output, answered.errors) == (0, "", ""))
    #expect(try await fixture.run("wait", "n").output == "say\t50% & <b>\n")
    #expect(try await fixture.run("act", "n").status == 1)
  }

  @Test("show puts a delivered notification on the screen once more")
  func show() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "n", "Title", "body")
    fixture.daemon.close(try await fixture.posted(1).serverID, .expired)
    #expect(try await fixture.run("show", "n").status == 0)
    let again = try await fixture.posted(2)
    #expect((again.notification.summary, again.notification.body) == ("Title", "body"))
    #expect(try await fixture.run("show", "nobody").status == 1)
  }

  @Test("without a bridge or a bus the verbs end with 3 and say what is missing")
  func without() async throws {
    let fixture = try await CommandFixture()
    for verb in [["wait", "x"], ["list"], ["watch"], ["badge"], ["history"], ["remove", "x"]] {
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(), verb, environment: fixture.environment)
      #expect(result.status == 3)
      #expect(result.errors.contains("notify-bridged is not installed"))
      let noBus = try await BinaryRunner.run(try Binaries.notifyBridge(), verb)
      #expect(noBus.status == 3 && noBus.output.isEmpty && !noBus.errors.isEmpty)
    }
  }
}
