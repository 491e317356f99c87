import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// Sounds and movies in the resident bridge, with programs of the test's own to make pictures and to open files.
@Suite(.timeLimit(.minutes(2))) struct BridgeAttachmentTests {
  private struct Stage {
    let fixture: BridgeFixture
    var store: String { fixture.home.path + "/state/notify-bridge/attachments" }

    init() async throws {
      let tools = try TemporaryHome()
      self.tools = tools
      fixture = try await BridgeFixture(variables: [
        "PATH": "\(tools.path)/bin:/usr/bin:/bin", "RECORD": "\(tools.path)/record",
        "PICTURE": try Binaries.file("packaging/icons/org.notifybridge.NotifyBridge-48.png"),
      ])
      try tools.write(
        "#!/bin/sh\n{ printf '%s' gio; printf '|%s' \"$@\"; echo; } >> \"$RECORD\"\n", to: "bin/gio", permissions: 0o700
      )
      try tools.write(
        "#!/bin/sh\necho \"$*\" >> \"$RECORD\"\ncat \"$PICTURE\" > \"$6\"\n", to: "bin/ffmpegthumbnailer",
        permissions: 0o700)
      try fixture.home.write(
        "[Thumbnailer Entry]\nExec=ffmpegthumbnailer -i %i -o %o -s %s\nMimeType=video/mp4;\n",
        to: "share/thumbnailers/film.thumbnailer")
    }

    let tools: TemporaryHome

    var record: [String] {
      ((try? String(contentsOfFile: tools.path + "/record", encoding: .utf8)) ?? "").split(separator: "\n").map(
        String.init)
    }

    /// The files in the store, by their extensions.
    var kept: [String] {
      let all = (try? FileManager.default.subpathsOfDirectory(atPath: store)) ?? []
      return all.filter { $0.contains("/") }.map { ($0 as NSString).pathExtension }.sorted()
    }

    /// Posts a request with these files, each by name and type.
    func post(_ files: [(String, [UInt8], String)], options: [(String, Value)] = []) async throws {
      var records: [Value] = []
      var handles: [Value] = []
      for (index, (name, bytes, type)) in files.enumerated() {
        let path = try fixture.home.write(bytes, to: "sent/\(name)")
        handles.append(.unixFD(OwnedDescriptor(adopting: unsafe open(path, O_RDONLY | O_CLOEXEC))))
        records.append(
          .properties(
            [
              ("identifier", .string(name)), ("path", .string(path)), ("type", .string(type)),
              ("file", .int64(Int64(index))),
            ]
              + options))
      }
      let content: [(String, Value)] = [("title", .string("T")), ("attachments", .array(of: "a{sv}", records))]
      _ = try await fixture.connection.call(
        MethodCall(
          to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Post",
          [
            .string("org.example.App"), .properties([("identifier", .string("n")), ("content", .properties(content))]),
            .array(of: "h", handles), .properties([]),
          ]), timeout: .seconds(20))
    }
  }

  private static let movie: (String, [UInt8], String) = (
    "film.mp4", [0, 0, 0, 24] + Array("ftypisom, and so on".utf8), "public.mpeg-4"
  )
  private static let song: (String, [UInt8], String) = ("song.mp3", Array("ID3 and so on".utf8), "public.mp3")

  @Test("a movie is shown with the picture of its time, is opened by its button, and the notification goes on")
  func movie() async throws {
    let stage = try await Stage()
    try await stage.post([Self.movie], options: [("thumbnailTime", .double(65))])
    let posted = try await stage.fixture.posted(1)
    #expect(posted.notification.hints["image-data"]?.asStructure?.first == .int32(48))
    #expect(posted.notification.actions.first?.label == "Open")
    let made = try #require(stage.record.first)
    #expect(made.hasPrefix("-t 00:01:05 -i \(stage.store)/") && made.hasSuffix(" -s 256"), "\(made)")
    stage.fixture.daemon.invoke(posted.serverID, posted.notification.actions[0].key)
    stage.fixture.daemon.close(posted.serverID, .dismissed)
    let again = try await stage.fixture.posted(2)
    #expect(again.notification.actions == posted.notification.actions && again.notification.hints["image-data"] != nil)
    try await eventually(within: .seconds(10), "it is opened: \(stage.record)") {
      stage.record.contains { $0.hasPrefix("gio|open|\(stage.store)/") && $0.hasSuffix(".mp4") }
    }
    // Its picture was kept: no second one was made.
    #expect(stage.record.count { $0.hasPrefix("-t") } == 1)
    #expect(try await stage.fixture.run("list", "--app", "org.example.App", "--json").output.contains(#""n""#))
  }

  @Test("sounds, movies and pictures are kept with their request, and go with it")
  func kept() async throws {
    let stage = try await Stage()
    let picture = try Data(
      contentsOf: URL(fileURLWithPath: Binaries.file("packaging/icons/org.notifybridge.NotifyBridge-48.png")))
    try await stage.post([Self.movie, Self.song, ("a.png", Array(picture), "public.png")])
    let posted = try await stage.fixture.posted(1)
    #expect(posted.notification.actions.map(\.label).prefix(2) == ["Open", "Play"])
    #expect(stage.kept == ["mp3", "mp4", "png"])
    #expect(stage.record.isEmpty, "beside a picture no movie's picture is made")
    _ = try await stage.fixture.run("remove", "n", "--app", "org.example.App")
    try await stage.fixture.killBridge()
    _ = try await stage.fixture.run("list")
    try await eventually(within: .seconds(10), "the copies go: \(stage.kept)") { stage.kept.isEmpty }
  }

  @Test(
    "a sound in the container of films stays a sound, with a sound's limit; what is none of these is refused by name")
  func types() async throws {
    let stage = try await Stage()
    let container = [0, 0, 0, 24] + Array("ftypmp42".utf8)
    try await stage.post([("song.m4a", container, "public.mpeg-4-audio")])
    #expect(try await stage.fixture.posted(1).notification.actions.first?.label == "Play")
    #expect(stage.kept == ["m4a"])
    let long = container + [UInt8](repeating: 0, count: 5 << 20)
    for (file, words) in [
      (("long.m4a", long, "public.mpeg-4-audio"), "5242880"),
      (("a.pdf", Array("%PDF".utf8), "public.pdf"), "public.pdf"),
    ] {
      let error = await #expect(throws: BusError.self) { try await stage.post([file]) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(stage.kept == ["m4a"])
  }

  @Test("explain says that no daemon marks what destroys something; sending says nothing of it")
  func destructive() async throws {
    let stage = try await Stage()
    let request = #"{"title":"T","actions":[{"key":"k","label":"Delete","destructive":true}]}"#
    let explained = try await stage.fixture.run("explain", "--request", "-", input: .text(request))
    #expect(
      explained.status == 0 && explained.output.contains("actions: 'Delete' looks like the others"), "\(explained)")
    let sent = try await stage.fixture.run("send", "--detach", "--request", "-", input: .text(request))
    #expect((sent.status, sent.errors) == (0, ""))
  }

  @Test("a sound that is not there is named in the log as its sender named it")
  func missingSound() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body"]
    let fixture = try await BridgeFixture(behavior)
    #expect(try await fixture.run("send", "--detach", "--sound", "no-such-sound", "T").status == 0)
    try await eventually(within: .seconds(10), "the log names it") {
      fixture.log.contains("there is no sound 'no-such-sound'")
    }
  }
}
