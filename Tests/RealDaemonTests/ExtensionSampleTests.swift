import Foundation
import TestSupport
import Testing

/// The sample extensions on real daemons: what they draw, and what becomes of a press.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExtensionSampleTests {
  /// What leaves a notification open after a press.
  private static let keeping = ["dunst", "mako", "swaync", "gnome-classic", "plasma"]
  /// What leaves it open with the buttons that it had at first.
  private static let renewing = ["lxqt"]
  /// What closes it.
  private static let closing = ["xfce4", "mate", "awesome"]

  @Test(
    "A picture that the payload names is attached by the service extension, in Swift and in sh; else the text says why",
    arguments: ["dunst", "plasma"])
  func picture(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      let picture = try await Desktop.makePicture(in: session.home)
      try session.home.makeFolder("served")
      try FileManager.default.moveItem(atPath: picture, toPath: "\(session.home.path)/served/picture.png")
      for (bundle, program) in [
        ("PictureService", "sample-picture-service"), ("PictureServiceScript", "picture-service"),
      ] {
        try await SampleExtension.install(bundle, in: session)
        let server = try BinaryRunner(
          "/usr/bin/python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
          directory: "\(session.home.path)/served")
        let payload = try await server.whileRunning { server in
          let line = try await server.line { $0.hasPrefix("Serving HTTP on ") }
          let port = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
          // Plasma refuses what is alike for a second.
          let payload =
            #"{"aps":{"alert":{"title":"New \"photo\"","body":"From \"Ana\" <3 \#(bundle)"},"mutable-content":1},"#
            + #""picture-url":"http:\/\/127.0.0.1:\#(port)\/picture.png"}"#
          let call = try await SampleExtension.push(payload, as: "photo", to: session)
          #expect((call.summary, call.body) == ("New \"photo\"", "From \"Ana\" &lt;3 \(bundle)"))
          #expect(call.hints.contains { ["image-data", "image_data", "icon_data", "image-path"].contains($0) })
          let screen = "\(try Desktop.screenshotFolder())/\(program)-\(daemon).png"
          try await Desktop.screenshotWithPicture(of: session, to: screen)
          try await Desktop.stillScreenshot(of: session, to: screen)
          return payload
        }
        // The server has gone.
        let failed = try await SampleExtension.push(payload, as: "photo", to: session)
        #expect(failed.body == "From \"Ana\" &lt;3 \(bundle)\n(the picture could not be downloaded)")
        // The program may still be at its end, and what runs cannot be written to.
        try FileManager.default.removeItem(
          atPath: session.home.path + "/" + SampleExtension.program(program, of: bundle, in: session))
        try session.home.write(
          "#!/bin/sh\nkill -SEGV $$\n", to: SampleExtension.program(program, of: bundle, in: session),
          permissions: 0o700)
        let other = payload.replacingOccurrences(of: "From", with: "Of")
        let original = try await SampleExtension.push(other, as: "photo", to: session)
        #expect((original.summary, original.body) == ("New \"photo\"", "Of \"Ana\" &lt;3 \(bundle)"))
        try await SampleExtension.remove(bundle, from: session)
      }
    }
  }

  @Test(
    "The image turns at each press, in place where the daemon keeps it, else within a second; Reset comes and goes",
    arguments: keeping + closing + renewing)
  func rotates(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      try await SampleExtension.install("RotatingImage", in: session)
      try await SampleExtension.register(
        #"[{"identifier":"picture","actions":[{"identifier":"rotate","title":"Rotate"}]}]"#, in: session)
      let first = try await SampleExtension.push(
        #"{"aps":{"alert":{"title":"Compass","body":"North"},"category":"picture"}}"#, as: "compass", to: session)
      let folder = try Desktop.screenshotFolder()
      #expect((first.summary, first.body) == ("Compass", "Upright"))
      #expect(first.actions == ["rotate", "Rotate", "default", "Open"])
      try await Desktop.screenshotWithArrow(at: 0, of: session, to: "\(folder)/rotating-0-\(daemon).png")
      var times: [Double] = []
      for (key, angle) in [("rotate", 90), ("rotate", 180), ("reset", 0), ("rotate", 90)] {
        let (call, time) = try await SampleExtension.press(key, in: session)
        times.append(time)
        #expect(call.body == (angle == 0 ? "Upright" : "Turned by \(angle)°"))
        #expect(
          call.actions == ["rotate", "Rotate"] + (angle == 0 ? [] : ["reset", "Reset"]) + ["default", "Open"])
        #expect(time < 1, "\(daemon): \(key) took \(time) s")
        try await Desktop.screenshotWithArrow(
          at: angle, of: session, to: "\(folder)/rotating-\(times.count)-\(daemon).png")
        if Self.keeping.contains(daemon) {
          #expect(call.id == first.id && call.replaces == first.id && session.closings().isEmpty)
        }
      }
      #expect(session.calls().count == 5 && session.presses() == ["rotate", "rotate", "reset", "rotate"])
      if Self.closing.contains(daemon) { #expect(session.closings().count == 4) }
      if Self.renewing.contains(daemon) {
        // Only the second press has left the buttons as they were.
        let calls = session.calls()
        #expect(calls.map { $0.replaces == 0 } == [true, true, false, true, true])
        try await eventually(within: .seconds(5), "the former ones are closed") {
          session.closings().map(\.id) == [calls[0].id, calls[1].id, calls[3].id]
        }
      }
      print("\(daemon): from a press to the Notify", times.map { "\(Int($0 * 1000)) ms" }.joined(separator: ", "))
      try await session.click("default")
      #expect(try await SampleExtension.response(to: "compass", in: session) == "default\n")
    }
  }

  @Test(
    "An invitation is accepted in place, commented where text can be typed, and declined to the application",
    arguments: ["dunst", "plasma"])
  func invitation(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      try await SampleExtension.install("Invitation", in: session)
      try await SampleExtension.register(
        """
        [{"identifier":"invitation","actions":[{"identifier":"accept","title":"Accept"},
          {"identifier":"decline","title":"Decline"},
          {"identifier":"comment","title":"Comment","textInput":{"buttonTitle":"Send","placeholder":"Your answer"}}]}]
        """, in: session)
      let folder = try Desktop.screenshotFolder()
      func invite(_ name: String) async throws -> DaemonSession.Call {
        try await SampleExtension.push(
          """
          {"aps":{"alert":{"title":"Dinner with Ana","subtitle":"Friday, 19:00","body":"See the calendar"},
            "category":"invitation"},"place":"Harbour 4"}
          """, as: name, to: session)
      }
      let first = try await invite("one")
      #expect((first.summary, first.body) == ("Dinner with Ana", "When: Friday, 19:00\nWhere: Harbour 4"))
      let hasText = daemon == "plasma"
      #expect(
        first.actions == ["accept", "Accept", "decline", "Decline"] + [
          hasText ? "inline-reply" : "notify-bridge-action-2", "Comment",
        ]
          + ["default", "Open"])
      try await Desktop.stillScreenshot(of: session, to: "\(folder)/invitation-\(daemon).png")
      if hasText {
        let count = session.calls().count
        try await session.reply("Shall I bring wine?")
        let commented = try await session.call(number: count + 1)
        #expect(commented.body == "You wrote: Shall I bring wine?" && commented.actions == first.actions)
        // In its place the text would be in its field still, and the buttons would be hidden.
        #expect(commented.replaces == 0)
        try await eventually(within: .seconds(5), "the former is closed") {
          session.closings().contains { $0.id == first.id }
        }
        try await Desktop.stillScreenshot(of: session, to: "\(folder)/invitation-comment-\(daemon).png")
      }
      let (going, _) = try await SampleExtension.press("accept", in: session)
      #expect((going.summary, going.body) == ("Dinner with Ana", "Going!"))
      #expect(going.actions == ["default", "Open"])
      try await Desktop.stillScreenshot(of: session, to: "\(folder)/invitation-going-\(daemon).png")
      // The application heard of nothing so far.
      #expect(
        try await session.run("wait", "one", "--app", SampleExtension.application, "--timeout", "1s").status == 15)
      #expect(try await session.run("remove", "one", "--app", SampleExtension.application).status == 0)

      let count = session.calls().count
      let second = try await invite("two")
      #expect(second.body == first.body)
      try await session.click("decline")
      #expect(try await SampleExtension.response(to: "two", in: session) == "decline\n")
      try await eventually(within: .seconds(5), "it is closed") {
        session.closings().contains { $0.id == second.id }
      }
      #expect(session.calls().count == count + 1, "what is declined is not shown once more")
    }
  }

  @Test(
    "A donation: each press on the amount goes on to the next, and what is paid is thanked for in place",
    arguments: ["dunst", "plasma", "lxqt"])
  func donation(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      try await SampleExtension.install("Donation", in: session)
      let first = try await SampleExtension.push(
        """
        {"aps":{"alert":{"title":"Sea rescue","body":"Our boats need fuel for the winter."},"category":"donation"}}
        """, as: "call", to: session)
      let folder = try Desktop.screenshotFolder()
      #expect(first.actions == ["amount", "Amount: 10 €", "pay", "Pay", "default", "Open"])
      try await Desktop.stillScreenshot(of: session, to: "\(folder)/donation-\(daemon).png")
      for amount in ["20 €", "5 €"] {
        let (call, _) = try await SampleExtension.press("amount", in: session)
        #expect(call.actions == ["amount", "Amount: \(amount)", "pay", "Pay", "default", "Open"])
        #expect(call.body == first.body && (call.id == first.id || daemon == "lxqt"))
      }
      try await Desktop.stillScreenshot(of: session, to: "\(folder)/donation-amount-\(daemon).png")
      let (paid, _) = try await SampleExtension.press("pay", in: session)
      #expect((paid.summary, paid.body) == ("Sea rescue", "Thank you for 5 €!") && paid.actions == ["default", "Open"])
      // LXQt would show neither the other amounts nor, while the former is open, what reads as that.
      #expect(paid.id == first.id && session.closings().isEmpty || daemon == "lxqt" && session.closings().count == 3)
      try await Desktop.stillScreenshot(of: session, to: "\(folder)/donation-paid-\(daemon).png")
      // The application finds it when the notification is clicked on.
      try await session.click("default")
      #expect(try await SampleExtension.response(to: "call", in: session) == "default\n")
      let list = "\(session.home.path)/data/notify-bridge/groups/\(SampleExtension.application)/donations"
      #expect(try String(contentsOfFile: list, encoding: .utf8) == "5 EUR\n")
    }
  }
}
