import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShownAndPressedTests {
  @Test(
    "Subtitle, escaped body, image and two buttons are shown, and the pressed button is printed",
    arguments: Desktop.daemons)
  func pressedButton(daemon: String) async throws {
    try await Desktop.with(daemon) { session in
      let home = try TemporaryHome()
      let picture = try await Desktop.makePicture(in: home)
      let command = try session.start(
        try Binaries.notifyBridge(),
        [
          "send", "Deploy to production?", "a < b & \"c\"", "--subtitle", "Build 1234 is green", "--image", picture,
          "-A", "yes=Yes", "-A", "no=No", "--wait", "--expire-time", "20000",
        ])
      try await command.whileRunning { command in
        let call = try await session.call(number: 1)
        #expect(call.summary == "Deploy to production?")
        #expect(call.body == "<b>Build 1234 is green</b>\na &lt; b &amp; \"c\"")
        #expect(call.actions.prefix(4) == ["yes", "Yes", "no", "No"])

        let screen = "\(try Desktop.screenshotFolder())/\(daemon).png"
        try await Desktop.screenshotWithPicture(of: session, to: screen)

        try await session.click("no")
        let result = await command.result()
        #expect(result.output == "no\n")
        #expect(result.status == 0)
        #expect(result.errors == "")
      }
    }
  }

  @Test("A daemon that does not run yet is started by the bus, and its button works", arguments: Desktop.activatable)
  func activated(daemon: String) async throws {
    try await Desktop.with(daemon, activate: true) { session in
      let command = try session.start(
        try Binaries.notifyBridge(), ["send", "First of the day", "-A", "yes=Yes", "-A", "no=No", "--wait"])
      try await command.whileRunning { command in
        try await session.click("yes")
        let result = await command.result()
        #expect(result.output == "yes\n")
        #expect(result.status == 0)
      }
    }
  }

  @Test("A reply typed into the notification is printed behind its key and a tab", arguments: ["plasma"])
  func inlineReply(daemon: String) async throws {
    try await Desktop.with(daemon) { session in
      let command = try session.start(
        try Binaries.notifyBridge(),
        [
          "send", "Ada", "Lunch at noon?", "--reply", "answer=Reply=Type here", "--wait", "--expire-time", "20000",
        ])
      try await command.whileRunning { command in
        let call = try await session.call(number: 1)
        #expect(call.actions.contains("inline-reply"))
        try await session.reply("a < b & \"c\" at 12")
        let result = await command.result()
        #expect(result.output == "answer\ta < b & \"c\" at 12\n")
        #expect(result.status == 0)
      }
    }
  }
}
