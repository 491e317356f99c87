import TestSupport
import Testing

/// The library on real daemons: the demo is a Swift program as written for iOS, and prints what its delegate is told.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SwiftDelegateTests {
  @Test(
    "Subtitle, escaped body, picture and two buttons are sent, and the delegate is told of the pressed one",
    arguments: Desktop.daemons)
  func pressed(daemon: String) async throws {
    try await play(on: daemon) { session in
      let call = try await session.call(number: 1)
      #expect(call.body == "<b>Tonight at eight</b>\nSun, sea &amp; sand: the tide is &lt;low&gt; until ten.")
      #expect(call.actions.prefix(4) == ["yes", "I am coming", "no", "Not today"])
      #expect(call.hints.contains { ["image-data", "image_data", "icon_data"].contains($0) })
      try await session.screenshot(to: "\(try Desktop.screenshotFolder())/swift-\(daemon).png")
      try await session.click("no")
      return "You pressed the button \"no\"."
    }
  }

  @Test("The delegate is told of a dismissal", arguments: Desktop.daemons)
  func dismissed(daemon: String) async throws {
    try await play(on: daemon) { session in
      _ = try await session.call(number: 1)
      try await session.click("dismiss")
      return "You dismissed the notification."
    }
  }

  @Test(
    "After the daemon was killed the notification is shown again, and its buttons work",
    arguments: ["dunst", "mako", "xfce4", "plasma"])
  func restarted(daemon: String) async throws {
    try await play(on: daemon) { session in
      _ = try await session.call(number: 1)
      try await session.restart()
      _ = try await session.call(number: 2)
      try await session.click("yes")
      return "You pressed the button \"yes\"."
    }
  }

  /// Runs the demo on a daemon, acts as the user, and looks at what the program printed last.
  private func play(
    on daemon: String, _ act: @Sendable (DaemonSession) async throws -> String
  ) async throws {
    try await Desktop.with(daemon) { session in
      let demo = try session.start(try Binaries.debugProduct("sample-demo"), [])
      try await demo.whileRunning { demo in
        let expected = try await act(session)
        let result = await demo.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.split(separator: "\n").last.map(String.init) == expected)
      }
    }
  }
}
