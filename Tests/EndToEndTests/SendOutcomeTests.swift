import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// What `send` prints and ends with.
@Suite(.timeLimit(.minutes(2))) struct SendOutcomeTests {
  @Test("C112: with actions it waits, prints the pressed one's key alone, and ends with 0")
  func pressed() async throws {
    let fixture = try await CommandFixture()
    let command = try fixture.start("send", "-A", "yes=Yes", "-A", "no=No", "Title")
    try await command.whileRunning { command in
      let posted = try await fixture.posted(1)
      #expect(posted.notification.actions.map(\.key) == ["yes", "no", "default"])
      fixture.daemon.invoke(posted.serverID, "no")
      let pressedAt = ContinuousClock.now
      let result = await command.result()
      #expect(pressedAt.duration(to: .now) < .seconds(1))
      #expect((result.status, result.output, result.errors) == (0, "no\n", ""))
    }
  }

  @Test(
    "C112: dismissed, expired and closed have statuses of their own and print nothing",
    arguments: [(UInt32(2), Int32(10)), (1, 11), (3, 12), (4, 12)])
  func closed(reason: UInt32, status: Int32) async throws {
    let fixture = try await CommandFixture()
    let command = try fixture.start("send", "--wait", "Title")
    try await command.whileRunning { command in
      fixture.daemon.close(try await fixture.posted(1).serverID, CloseReason(rawValue: reason))
      let result = await command.result()
      #expect((result.status, result.output, result.errors) == (status, "", ""))
    }
  }

  @Test("C033: when the daemon goes, the wait ends at once with 14 and one line")
  func daemonLost() async throws {
    let fixture = try await CommandFixture()
    let command = try fixture.start("send", "--wait", "Title")
    try await command.whileRunning { command in
      _ = try await fixture.posted(1)
      await fixture.daemon.stop()
      let stoppedAt = ContinuousClock.now
      let result = await command.result()
      #expect(stoppedAt.duration(to: .now) < .seconds(2))
      #expect((result.status, result.output) == (14, ""))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("our own waiting is not the notification's life: --timeout ends with 15 and leaves it")
  func timeout() async throws {
    let fixture = try await CommandFixture()
    let result = try await fixture.run("send", "--wait", "--timeout", "200ms", "Title")
    #expect((result.status, result.output) == (15, ""))
    #expect(fixture.daemon.closeCalls.isEmpty)
  }

  @Test("C111: --print-id is there before the wait, the action's key behind it")
  func printsIdentifierFirst() async throws {
    let fixture = try await CommandFixture()
    let command = try fixture.start("send", "--print-id", "--id", "mine", "-A", "ok=OK", "Title")
    try await command.whileRunning { command in
      let posted = try await fixture.posted(1)
      try await eventually(within: .milliseconds(2000), "the first line") { command.printed() == "mine\n" }
      fixture.daemon.invoke(posted.serverID, "ok")
      let result = await command.result()
      #expect(result.output == "mine\nok\n")
      #expect(result.errors.contains("--id"))
    }
  }

  @Test("the click on the notification prints default; a reply its text behind a tab, on one line")
  func defaultAndReply() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let fixture = try await CommandFixture(behavior)
    let first = try fixture.start("send", "--wait", "Title")
    try await first.whileRunning { command in
      fixture.daemon.invoke(try await fixture.posted(1).serverID, "default")
      #expect(await command.result().output == "default\n")
    }
    let second = try fixture.start("send", "--reply", "say=Reply=Your text", "Title")
    try await second.whileRunning { command in
      let posted = try await fixture.posted(2)
      #expect(posted.notification.hints["x-kde-reply-placeholder-text"] == .string("Your text"))
      fixture.daemon.reply(posted.serverID, "two\nlines")
      #expect(await command.result().output == "say\ttwo lines\n")
    }
  }

  @Test("--json prints one object with action, text and the sender's own data")
  func json() async throws {
    let fixture = try await CommandFixture()
    let command = try fixture.start(
      "send", "--json", "--id", "x", "--user-info", "a=1", "--user-info", #"{"n":[1,null,true]}"#, "-A", "ok=OK", "T")
    try await command.whileRunning { command in
      fixture.daemon.invoke(try await fixture.posted(1).serverID, "ok")
      let result = await command.result()
      #expect(
        result.output
          == #"{"action":"ok","identifier":"x","outcome":"action","userInfo":{"a":"1","n":[1,null,true]}}"# + "\n")
    }
    let dismissed = try fixture.start("send", "--json", "--id", "y", "--wait", "T")
    try await dismissed.whileRunning { command in
      fixture.daemon.close(try await fixture.posted(2).serverID, .dismissed)
      #expect(await command.result().output == #"{"identifier":"y","outcome":"dismissed"}"# + "\n")
    }
  }

  @Test("--detach does not wait, and says what is lost")
  func detach() async throws {
    let fixture = try await CommandFixture()
    let result = try await fixture.run("send", "--detach", "-A", "ok=OK", "T")
    #expect((result.status, result.output) == (0, ""))
    #expect(result.errors.contains("resident bridge"))
    #expect(fixture.daemon.posted.count == 1)
  }

  @Test("a refusal for being too many ends with 16 and the daemon's words; another error with 1 or 16, never 0")
  func refused() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { _, _ in
      .refuse("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", "too many similar ones")
    }
    let fixture = try await CommandFixture(behavior)
    let result = try await fixture.run("send", "T")
    #expect((result.status, result.output) == (16, ""))
    #expect(result.errors.contains("too many similar ones"))
  }

  @Test("what the daemon cannot show is reported, and the rest is shown")
  func reported() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["body"]
    let fixture = try await CommandFixture(behavior)
    let result = try await fixture.run("send", "--detach", "-A", "ok=OK", "--sound", "default", "T", "a & b")
    #expect(result.status == 0)
    #expect(result.errors.contains("actions: 1 left out"))
    #expect(result.errors.contains("sound: not played"))
    #expect(fixture.daemon.posted.first?.notification.body == "a & b")
  }
}
