import Foundation
import TestSupport
import Testing

/// The sample extensions on real daemons: what they draw, and what becomes of a press.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ExtensionSampleTests {
  /// What leaves a notification open after a press.
  private static let keeping = ["dunst", "mako", "swaync", "gnome-classic", "lxqt", "plasma"]
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
          let payload =
            #"{"aps":{"alert":{"title":"New \"photo\"","body":"From \"Ana\" <3"},"mutable-content":1},"#
            + #""picture-url":"http:\/\/127.0.0.1:\#(port)\/picture.png"}"#
          let count = session.calls().count
          try await SampleExtension.push(payload, as: "photo", to: session)
          let call = try await session.call(number: count + 1)
          #expect((call.summary, call.body) == ("New \"photo\"", "From \"Ana\" &lt;3"))
          #expect(call.hints.contains { ["image-data", "image_data", "icon_data", "image-path"].contains($0) })
          try await Desktop.screenshotWithPicture(
            of: session, to: "\(try Desktop.screenshotFolder())/\(program)-\(daemon).png")
          return payload
        }
        // The server has gone.
        try await SampleExtension.push(payload, as: "photo", to: session)
        let failed = try await session.call(number: session.calls().count + 1)
        #expect(failed.body == "From \"Ana\" &lt;3\n(the picture could not be downloaded)")
        try session.home.write(
          "#!/bin/sh\nkill -SEGV $$\n", to: SampleExtension.program(program, of: bundle, in: session),
          permissions: 0o700)
        try await SampleExtension.push(payload, as: "photo", to: session)
        let original = try await session.call(number: session.calls().count + 1)
        #expect((original.summary, original.body) == ("New \"photo\"", "From \"Ana\" &lt;3"))
        try await SampleExtension.remove(bundle, from: session)
      }
    }
  }

  @Test(
    "The image turns at each press, in place where the daemon keeps it, else within a second; Reset comes and goes",
    arguments: keeping + closing)
  func rotates(daemon: String) async throws {
    try await Desktop.with(daemon, bridge: .init()) { session in
      try await SampleExtension.install("RotatingImage", in: session)
      try await SampleExtension.register(
        #"[{"identifier":"picture","actions":[{"identifier":"rotate","title":"Rotate"}]}]"#, in: session)
      try await SampleExtension.push(
        #"{"aps":{"alert":{"title":"Compass","body":"North"},"category":"picture"}}"#, as: "compass", to: session)
      let first = try await session.call(number: 1)
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
      print("\(daemon): from a press to the Notify", times.map { "\(Int($0 * 1000)) ms" }.joined(separator: ", "))
      try await session.click("default")
      #expect(try await SampleExtension.response(to: "compass", in: session) == "default\n")
    }
  }
}
