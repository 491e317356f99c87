import DBus
import Foundation
import TestSupport
import Testing

/// Conversations, attachments' buttons and icons on real daemons.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AttachmentTests {
  @Test(
    "Two conversations and reminders stand beside each other, none in another's place; the newest is answered",
    arguments: ["dunst", "mako", "xfce4", "plasma"])
  func conversations(daemon: String) async throws {
    try await Desktop.with(daemon) { session in
      let sample = try session.start(try Binaries.debugProduct("sample-conversations"), [])
      try await sample.whileRunning { sample in
        let last = try await session.call(number: 7)
        #expect(last.summary == "Passport office")
        let calls = session.calls()
        #expect(calls.map(\.summary) == ["Ana", "Ben", "Carla", "Ana", "Dora", "Dentist", "Passport office"])
        #expect(Set(calls.map(\.id)).count == 7 && calls.allSatisfy { $0.replaces == 0 })
        #expect(calls.allSatisfy { !$0.hints.contains { $0.contains("tag") || $0.contains("synchronous") } })
        try await Desktop.stillScreenshot(
          of: session, to: "\(try Desktop.screenshotFolder())/conversations-\(daemon).png")
        // Plasma shows four at a time: the newest slides in when the first ones go, and may still move when it is pressed.
        try await eventually(within: .seconds(20), "the newest is pressed") {
          try? await session.click("done")
          return (try? await eventually(within: .seconds(1), "a press") { !session.presses().isEmpty }) != nil
        }
        let result = await sample.result()
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
          lines == [
            "no thread: dentist, passport", "climbing: message-2, message-5",
            "family: message-1, message-3, message-4", "done: passport",
          ])
      }
    }
  }

  @Test(
    "The button of a sound is no answer: the notification stays, or comes back within a second, and is answered then",
    arguments: Desktop.daemons)
  func play(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      let song = try session.home.write(Array("ID3 and so on".utf8), to: "song.mp3")
      try await post([(song, "public.mp3")], action: "keep", to: session)
      let first = try await session.call(number: 1)
      #expect(first.actions == ["keep", "Keep", "notify-bridge-attachment-0", "Play", "default", "Open"])
      try await Desktop.stillScreenshot(of: session, to: "\(try Desktop.screenshotFolder())/sound-\(daemon).png")
      try await session.click("notify-bridge-attachment-0")
      let pressed = ContinuousClock.now
      try await eventually(within: .seconds(5), "it is pressed") {
        session.presses().first == "notify-bridge-attachment-0"
      }
      // dunst, mako and LXQt leave it open.
      if !["dunst", "mako", "lxqt"].contains(daemon) {
        let second = try await session.call(number: 2, within: .seconds(5))
        #expect(second.actions == first.actions && second.replaces == 0)
        // Plasma refuses what is alike for a second.
        #expect(pressed.duration(to: .now) < (daemon == "plasma" ? .seconds(5) : .seconds(1)))
      }
      try await session.click("keep")
      let answer = try await session.run("wait", "n", "--app", "org.example.App", "--timeout", "10s")
      #expect((answer.status, answer.output) == (0, "keep\n"))
      #expect(session.calls().count == (["dunst", "mako", "lxqt"].contains(daemon) ? 1 : 2))
    }
  }

  @Test(
    "Daemons that draw icons on buttons draw them, and the pressed one is told", arguments: ["mate", "gnome-classic"])
  func icons(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      try await post([], action: "keep", icon: "trash.fill", to: session)
      let call = try await session.call(number: 1)
      #expect(call.actions == ["user-trash", "Keep", "default", "Open"] && call.hints.contains("action-icons"))
      try await Desktop.stillScreenshot(of: session, to: "\(try Desktop.screenshotFolder())/icons-\(daemon).png")
      try await session.click("default")
      let answer = try await session.run("wait", "n", "--app", "org.example.App", "--timeout", "10s")
      #expect((answer.status, answer.output) == (0, "default\n"))
    }
  }

  /// Has the bridge show a notification with a button and these files.
  private func post(
    _ files: [(path: String, type: String)], action: String, icon: String? = nil, to session: DaemonSession
  ) async throws {
    let address = BusAddress(session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
    let connection = try await BusConnection.connect(to: address)
    var button: [(String, Value)] = [("identifier", .string(action)), ("title", .string("Keep"))]
    if let icon { button.append(("iconName", .string(icon))) }
    let records = files.enumerated().map { index, file in
      Value.properties([
        ("identifier", .string("f\(index)")), ("path", .string(file.path)), ("type", .string(file.type)),
        ("file", .int64(Int64(index))),
      ])
    }
    let handles = files.map {
      Value.unixFD(OwnedDescriptor(adopting: unsafe open($0.path, O_RDONLY | O_CLOEXEC)))
    }
    let request = Value.properties([
      ("identifier", .string("n")),
      ("content", .properties([("title", .string("A song")), ("attachments", .array(of: "a{sv}", records))])),
      ("desktop", .properties([("actions", .array(of: "a{sv}", [.properties(button)]))])),
    ])
    _ = try await connection.call(
      MethodCall(
        to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Post",
        [.string("org.example.App"), request, .array(of: "h", handles), .properties([])]), timeout: .seconds(20))
    await connection.close()
  }
}
