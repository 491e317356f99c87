import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// `send --in` and its kin, and files, through the resident bridge.
@Suite(.timeLimit(.minutes(2))) struct BridgeScheduleTests {
  @Test("--in: the command ends at once, the notification comes in its time, and a waiting one hears of its end")
  func later() async throws {
    let fixture = try await BridgeFixture()
    let started = ContinuousClock.now
    let sent = try await fixture.run("send", "--in", "1s", "--id", "tea", "-A", "ok=OK", "Tea")
    #expect((sent.status, sent.output, sent.errors) == (0, "", ""))
    #expect(fixture.daemon.posted.isEmpty)
    let waiting = try fixture.start("wait", "tea")
    let posted = try await fixture.posted(1)
    #expect(started.duration(to: .now) >= .milliseconds(900))
    fixture.daemon.invoke(posted.serverID, "ok")
    let result = await waiting.result()
    #expect((result.status, result.output) == (0, "ok\n"))
  }

  @Test("a scheduled one is replaced by its name, listed, and removed")
  func replaced() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--in", "1h", "--id", "x", "First")
    _ = try await fixture.run("send", "--on", "weekday=mon hour=9", "--id", "x", "Second")
    let list = try await fixture.run("list", "--pending", "--json")
    #expect(list.output.split(separator: "\n").count == 1)
    #expect(list.output.contains("Second"))
    #expect(try await fixture.run("remove", "x").status == 0)
    #expect(try await fixture.run("list", "--pending", "--json").output.isEmpty)
  }

  @Test("a date in the past, an unknown zone and a date that never comes are refused; nothing is kept")
  func never() async throws {
    let fixture = try await BridgeFixture()
    for arguments in [
      ["--at", "2001-01-01 10:00"], ["--at", "10:00", "--zone", "Mars/Olympus"], ["--on", "month=2 day=30"],
    ] {
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["send", "--id", "x", "T"] + arguments, environment: fixture.environment)
      #expect(result.status == 2, "\(arguments)")
      #expect(result.errors.contains("never fires"), "\(result.errors)")
    }
    #expect(try await fixture.run("list", "--pending", "--json").output.isEmpty)
  }

  @Test("without the bridge a schedule is refused with 3, and nothing is shown")
  func noBridge() async throws {
    let fixture = try await CommandFixture()
    let result = try await fixture.run("send", "--in", "1s", "T")
    #expect((result.status, result.output) == (3, ""))
    #expect(result.errors.contains("notify-bridged"))
    #expect(fixture.daemon.posted.isEmpty)
    #expect(try await fixture.run("send", "--direct", "--in", "1s", "T").status == 2)
  }

  @Test("explain says when it comes round")
  func explain() async throws {
    let fixture = try await BridgeFixture()
    let result = try await fixture.run("explain", "--at", "2099-12-24 18:00", "T")
    #expect(result.status == 0)
    #expect(result.output.contains("2099"), "\(result.output)")
    #expect(try await fixture.run("list", "--pending", "--json").output.isEmpty)
  }

  @Test("a picture crosses as a descriptor, is shown as pixels, and goes with its notification")
  func picture() async throws {
    let fixture = try await BridgeFixture()
    let picture = try Binaries.file("packaging/icons/org.notifybridge.NotifyBridge-48.png")
    let sent = try await fixture.run("send", "--id", "p", "--image", picture, "T")
    #expect((sent.status, sent.errors) == (0, ""))
    let hints = try await fixture.posted(1).notification.hints
    #expect(hints["image-path"] == nil)
    #expect(hints["image-data"]?.asStructure?.first == .int32(48))
    let folder = fixture.home.path + "/state/notify-bridge/attachments"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    #expect(FileManager.default.fileExists(atPath: picture))
    // It goes when nothing refers to it: at the latest when the bridge starts anew.
    _ = try await fixture.run("remove", "p")
    try await fixture.killBridge()
    _ = try await fixture.run("list")
    try await eventually(within: .seconds(10), "the copy goes") {
      try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
    }
  }

  @Test("a file that is no picture, or damaged, fails the request and names it")
  func badPicture() async throws {
    let fixture = try await BridgeFixture()
    let text = try fixture.home.write("no picture", to: "a.png")
    #expect(try await fixture.run("send", "--image", text, "T").status == 2)
    let cut = try Data(
      contentsOf: URL(fileURLWithPath: Binaries.file("packaging/icons/org.notifybridge.NotifyBridge-48.png"))
    ).prefix(100)
    let damaged = try fixture.home.write(Array(cut), to: "b.png")
    let result = try await fixture.run("send", "--image", damaged, "T")
    #expect(result.status == 2)
    #expect(!result.errors.isEmpty)
    #expect(fixture.daemon.posted.isEmpty)
  }

  @Test("--direct does without the bridge, and says what that loses")
  func direct() async throws {
    let fixture = try await BridgeFixture()
    let result = try await fixture.run("send", "--direct", "--id", "x", "T")
    #expect(result.status == 0)
    #expect(result.errors.contains("--id"))
    #expect(try await fixture.bridgeProcess() == nil)
  }
}
