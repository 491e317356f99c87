import Foundation
import TestSupport
import Testing

/// The resident bridge on real daemons: what outlives its sender.
@Suite(.timeLimit(.minutes(5)))
struct ResidentBridgeTests {
  private static let daemons = ["dunst", "mako", "xfce4", "plasma"]

  @Test(
    "C068: a script that has exited is answered by its handler, which runs once with the response and nothing else",
    arguments: daemons)
  func handler(daemon: String) async throws {
    let home = try TemporaryHome()
    let script = try home.write(
      "#!/bin/sh\nmkdir '\(home.path)/run.'$$\nenv >'\(home.path)/run.'$$/env\ncat >'\(home.path)/run.'$$/input\n"
        + "echo done >'\(home.path)/done'\n",
      to: "answer", permissions: 0o700)
    let bridge = DaemonSession.BridgeSettings(handlers: [
      "deploy": "[Handler]\nExec=\(script)\nApplication=org.example.Deploy\nAction=yes;no\n"
    ])
    try await Desktop.with(daemon, bridge: bridge) { session in
      let picture = try await Desktop.makePicture(in: home)
      let sent = try await session.run(
        "send", "--detach", "--app", "org.example.Deploy", "--id", "deploy", "--image", picture, "--subtitle",
        "Build 1234 is green", "-A", "yes=Yes", "-A", "no=No", "Deploy to production?", "a < b & \"c\"")
      #expect((sent.status, sent.output, sent.errors) == (0, "", ""))
      let call = try await session.call(number: 1)
      #expect(call.body == "<b>Build 1234 is green</b>\na &lt; b &amp; \"c\"")
      #expect(call.actions.prefix(4) == ["yes", "Yes", "no", "No"])
      #expect(call.hints.contains { ["image-data", "image_data", "icon_data"].contains($0) })
      let screen = "\(try Desktop.screenshotFolder())/bridge-\(daemon).png"
      try await Desktop.screenshotWithPicture(of: session, to: screen)

      try await session.click("no")
      try await eventually(within: .seconds(10), "the handler has run") {
        FileManager.default.fileExists(atPath: home.path + "/done")
      }
      // Nobody else gets the response, and the notification is over.
      #expect(try await session.run("wait", "deploy", "--app", "org.example.Deploy", "--timeout", "1s").status == 1)
      try await eventually(within: .seconds(5), "the daemon has closed it") {
        session.closings().contains { $0.id == call.id }
      }
      let runs = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix("run.") }
      #expect(runs.count == 1)
      let folder = home.path + "/" + (try #require(runs.first))
      let variables = try String(contentsOfFile: folder + "/env", encoding: .utf8).split(separator: "\n")
      for line in [
        "NOTIFY_BRIDGE_APP=org.example.Deploy", "NOTIFY_BRIDGE_ID=deploy", "NOTIFY_BRIDGE_ACTION=no",
        "NOTIFY_BRIDGE_TITLE=Deploy to production?", "NOTIFY_BRIDGE_BODY=a < b & \"c\"",
      ] {
        #expect(variables.contains(line[...]), "\(variables)")
      }
      #expect(!variables.contains { $0.hasPrefix("NOTIFY_BRIDGE_TEXT=") })
      // Plasma alone gives a token.
      #expect(variables.contains { $0.hasPrefix("XDG_ACTIVATION_TOKEN=") } == (daemon == "plasma"))
      let input = try Data(contentsOf: URL(fileURLWithPath: folder + "/input"))
      let object = try #require(try JSONSerialization.jsonObject(with: input) as? [String: Any])
      #expect(object["action"] as? String == "no")
      #expect(object["subtitle"] as? String == "Build 1234 is green")
      #expect(variables.contains("NOTIFY_BRIDGE_RESPONSE=\(object["response"] as? String ?? "")"))
    }
  }

  @Test(
    "C068: without a handler a later process prints the button, once, also if the bridge was killed meanwhile",
    arguments: daemons)
  func later(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      let first = try await session.run("send", "--detach", "--id", "a", "-A", "k=Keep", "-A", "l=Leave", "First")
      #expect((first.status, first.output, first.errors) == (0, "", ""))
      _ = try await session.call(number: 1)
      try await session.click("l")
      try await expectOnce("l\n", "a", session)

      let second = try await session.run("send", "--detach", "--id", "b", "-A", "k=Keep", "-A", "l=Leave", "Second")
      #expect((second.status, second.output, second.errors) == (0, "", ""))
      let call = try await session.call(number: 2)
      try await session.killBridge()
      // Whoever asks starts it.
      let list = try await session.run("list", "--delivered", "--json")
      #expect(list.output.contains(#""identifier":"b""#), "\(list)")
      if daemon == "dunst" {
        // It tells the last poster alone: the bridge has posted it again, in place.
        let again = try await session.call(number: 3)
        #expect((again.id, again.replaces, again.summary) == (call.id, call.id, "Second"))
      }
      try await session.click("k")
      try await expectOnce("k\n", "b", session)
      #expect(session.calls().count == (daemon == "dunst" ? 3 : 2))
    }
  }

  @Test("act, show and remove do on the screen what they say", arguments: daemons)
  func verbs(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      _ = try await session.run("send", "--detach", "--id", "a", "-A", "k=Keep", "-A", "l=Leave", "To be answered")
      let first = try await session.call(number: 1)
      #expect(try await session.run("act", "a", "l").status == 0)
      try await expectClosed(first, session)
      try await expectOnce("l\n", "a", session)

      _ = try await session.run("send", "--detach", "--id", "b", "-A", "k=Keep", "--expire-time", "1500", "To be shown")
      let second = try await session.call(number: 2)
      // Gone from the screen, it is in the list still.
      try await expectClosed(second, reason: 1, session)
      #expect(try await session.run("list", "--delivered", "--json").output.contains(#""identifier":"b""#))
      #expect(try await session.run("show", "b").status == 0)
      let third = try await session.call(number: 3)
      #expect((third.summary, third.actions.prefix(2)) == ("To be shown", ["k", "Keep"]))
      try await session.click("k")
      try await expectOnce("k\n", "b", session)

      _ = try await session.run("send", "--id", "c", "To be removed")
      let fourth = try await session.call(number: 4)
      #expect(try await session.run("remove", "c").status == 0)
      try await expectClosed(fourth, session)
      #expect(try await session.run("list", "--delivered").output == "")
    }
  }

  @Test(
    "A busy thread is one notification, of how many more and of whom; a button shows them all, a dismissal ends all",
    arguments: daemons)
  func thread(daemon: String) async throws {
    let bridge = DaemonSession.BridgeSettings(configuration: "[threads]\ncollapse-after=2\n")
    try await Desktop.with(daemon, bridge: bridge) { session in
      try await post(1...6, session)
      // Two by themselves, then a summary that is replaced in place.
      let summary = try await session.call(number: 6)
      #expect(summary.summary == "Ben")
      #expect(summary.body == "message 6\n5 more from Ana and Ben")
      #expect(summary.actions.prefix(2) == ["show", "Show all"])
      let calls = session.calls()
      #expect(calls[3...].allSatisfy { $0.replaces == calls[2].id && $0.id == calls[2].id })
      try await eventually(within: .seconds(5), "the two single ones are closed") {
        Set(calls[..<2].map(\.id)).isSubset(of: session.closings().map(\.id))
      }
      try await Desktop.stillScreenshot(of: session, to: "\(try Desktop.screenshotFolder())/thread-\(daemon).png")

      try await session.click("show")
      let last = try await session.call(number: 12)
      #expect(session.calls()[6...].map(\.body) == (1...6).map { "message \($0)" })
      try await eventually(within: .seconds(5), "the summary is closed") {
        session.closings().contains { $0.id == summary.id }
      }
      #expect(try await session.run("remove", "--all").status == 0)
      try await expectClosed(last, session)

      try await post(1...3, session)
      _ = try await session.call(number: 15)
      try await session.click("dismiss")
      try await eventually(within: .seconds(5), "all are gone") {
        try await session.run("list", "--delivered").output == ""
      }
    }
  }

  private func post(_ numbers: ClosedRange<Int>, _ session: DaemonSession) async throws {
    for number in numbers {
      let sent = try await session.run(
        "send", "--thread", "family", "--id", "m\(number)", number % 2 == 1 ? "Ana" : "Ben", "message \(number)")
      #expect((sent.status, sent.errors) == (0, ""))
    }
  }

  private func expectOnce(_ output: String, _ identifier: String, _ session: DaemonSession) async throws {
    let first = try await session.run("wait", identifier, "--timeout", "10s")
    #expect((first.status, first.output, first.errors) == (0, output, ""))
    let second = try await session.run("wait", identifier, "--timeout", "1s")
    #expect((second.status, second.output) == (1, ""))
  }

  /// - Parameter reason: 3: because the bridge asked for it; some daemons would close it by themselves soon.
  private func expectClosed(_ call: DaemonSession.Call, reason: UInt32 = 3, _ session: DaemonSession) async throws {
    try await eventually(within: .seconds(8), "\(call.summary) is closed") {
      session.closings().contains { $0.id == call.id }
    }
    #expect(session.closings().first { $0.id == call.id }?.reason == reason)
  }
}
