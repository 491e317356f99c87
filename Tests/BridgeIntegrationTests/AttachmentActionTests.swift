import DBus
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Sounds and movies have buttons; to press them is no response.
@Suite(.timeLimit(.minutes(2))) struct AttachmentActionTests {
  private static let audio = AttachmentRecord(identifier: "a", path: "/x/song.mp3", type: "public.mp3")
  private static let movie = AttachmentRecord(identifier: "m", path: "/x/film.mp4", type: "public.mpeg-4")
  private static let picture = AttachmentRecord(identifier: "p", path: "/x/photo.png", type: "public.png")

  private func request(_ attachments: [AttachmentRecord], buttons: Int = 0) -> RequestRecord {
    var request = RequestRecord.plain(
      "a", actions: (0..<buttons).map { ActionRecord(identifier: "k\($0)", title: "K\($0)") })
    request.content.attachments = attachments
    return request
  }

  private func stage(
    _ behavior: FakeNotificationServer.Behavior = .init(), opener: FakeOpener?,
    thumbnails: FakeThumbnailer? = FakeThumbnailer(file: "/x/film.png"), images: (any ImageDecoder)? = FakeDecoder()
  ) async throws -> (EngineFixture, FakeNotificationServer) {
    let fixture = try await EngineFixture(images: images, thumbnails: thumbnails, opener: opener)
    return (fixture, try await fixture.daemon(behavior))
  }

  private static func server(_ name: String) -> FakeNotificationServer.Behavior {
    var behavior = FakeNotificationServer.Behavior()
    behavior.information = ServerInformation(name: name, vendor: "test", version: "1", specVersion: "1.2")
    return behavior
  }

  @Test("a sound has a button that plays it, a movie one that opens it, behind the application's own")
  func buttons() async throws {
    let opener = FakeOpener()
    let (fixture, daemon) = try await stage(Self.server("dunst"), opener: opener)
    let report = try await fixture.show(request([Self.audio, Self.movie], buttons: 2))
    #expect(report.dropped.isEmpty)
    let posted = try #require(daemon.posted.first)
    #expect(posted.notification.actions.map(\.label) == ["K0", "K1", "Play", "Open", "Open Test"])
    #expect(posted.notification.hints["image-data"] != nil, "the movie's picture")
    daemon.token(posted.serverID, "T")
    daemon.invoke(posted.serverID, posted.notification.actions[2].key)
    daemon.invoke(posted.serverID, posted.notification.actions[3].key)
    try await eventually(within: .seconds(5), "both: \(opener.calls)") {
      opener.calls == ["play /x/song.mp3 audio/mpeg T", "open /x/film.mp4 video/mp4 -"]
    }
    // Nothing was answered: the daemon has it open, and the application's button works.
    #expect(fixture.responses.isEmpty && daemon.posted.count == 1)
    daemon.invoke(posted.serverID, "k1")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.count == 1 }
    #expect(fixture.responses[0].action == .custom("k1"))
  }

  @Test("where the daemon closes it with the press, it is shown again, silently, and then answered", arguments: [2, 3])
  func shownAgain(reason: UInt32) async throws {
    let opener = FakeOpener()
    let (fixture, daemon) = try await stage(opener: opener)
    var request = request([Self.audio], buttons: 1)
    request.desktop.reportsDismissal = true
    try await fixture.show(request)
    let first = try #require(daemon.posted.first)
    daemon.invoke(first.serverID, first.notification.actions[1].key)
    daemon.close(first.serverID, CloseReason(rawValue: reason))
    daemon.close(first.serverID, CloseReason(rawValue: reason))
    try await eventually(within: .seconds(1), "it is shown again") { daemon.posted.count == 2 }
    #expect(opener.calls.count == 1 && fixture.responses.isEmpty && fixture.outcomes(of: "a").isEmpty)
    let second = try #require(daemon.posted.last)
    #expect(second.notification.replacesID == 0 && second.serverID != first.serverID)
    #expect(second.notification.hints["suppress-sound"] == .boolean(true))
    #expect(await fixture.delivered() == ["a"])
    daemon.invoke(second.serverID, "k0")
    try await eventually(within: .seconds(5), "the response") { fixture.responses.map(\.action) == [.custom("k0")] }
    #expect(fixture.outcomes(of: "a").count == 1)
    try await fixture.settle()
    #expect(!daemon.posted.dropFirst(2).contains { $0.notification.summary == "Title" }, "no third time")
  }

  @Test("what Budgie says of each press, a click on the notification, is none")
  func strayDefault() async throws {
    let opener = FakeOpener()
    let (fixture, daemon) = try await stage(Self.server("budgie-daemon"), opener: opener)
    try await fixture.show(request([Self.audio]))
    let posted = try #require(daemon.posted.first)
    daemon.invoke(posted.serverID, posted.notification.actions[0].key)
    daemon.invoke(posted.serverID, "default")
    daemon.close(posted.serverID, .dismissed)
    try await eventually(within: .seconds(5), "it is shown again") { daemon.posted.count == 2 }
    #expect(opener.calls.count == 1 && fixture.responses.isEmpty)
  }

  @Test("the dismissal that follows later is one")
  func dismissed() async throws {
    let opener = FakeOpener()
    let (fixture, daemon) = try await stage(opener: opener)
    try await fixture.show(request([Self.audio]))
    let posted = try #require(daemon.posted.first)
    daemon.invoke(posted.serverID, posted.notification.actions[0].key)
    try await eventually(within: .seconds(5), "played") { opener.calls.count == 1 }
    let pressed = ContinuousClock.now
    try await eventually(within: .seconds(5), "a while") { pressed.duration(to: .now) > .milliseconds(700) }
    daemon.close(posted.serverID, .dismissed)
    try await eventually(within: .seconds(5), "it is over") { fixture.outcomes(of: "a") == [.dismissed] }
    #expect(await fixture.delivered().isEmpty && daemon.posted.count == 1)
  }

  @Test(
    "there are so many as there is room for: two buttons in all where the daemon shows few; the rest is said",
    arguments: [
      ("fake", 0, 2), ("fake", 1, 1), ("fake", 2, 0), ("plasma", 2, 2), ("plasma", 9, 1), ("gnome-shell", 2, 1),
    ])
  func room(daemon name: String, own: Int, expected: Int) async throws {
    let (fixture, daemon) = try await stage(Self.server(name), opener: FakeOpener())
    let report = try await fixture.show(request([Self.audio, Self.movie], buttons: own))
    let labels = try #require(daemon.posted.first).notification.actions.map(\.label)
    #expect(labels.count { $0 == "Play" || $0 == "Open" } - (labels.last == "Open" ? 1 : 0) == expected, "\(labels)")
    #expect(report.dropped.count { $0.part == .attachment } == 2 - expected)
  }

  @Test("beside a picture, sound and movie keep their buttons; the movie's own picture is left out, and said so")
  func besidePicture() async throws {
    let (fixture, daemon) = try await stage(opener: FakeOpener())
    let report = try await fixture.show(request([Self.movie, Self.picture, Self.audio]))
    let posted = try #require(daemon.posted.first).notification
    #expect(posted.actions.map(\.label) == ["Open", "Play", "Open Test"])
    #expect(posted.hints["image-data"] != nil)
    #expect(report.dropped.map(\.description) == ["image: no picture of 'film.mp4': the daemon shows one picture"])
  }

  @Test("a picture that a service extension attached and nobody can show is left out, and the log says so; others fail")
  func extensionsPicture() async throws {
    let fixture = try await EngineFixture(images: FakeDecoder(lastFrame: -1))
    let daemon = try await fixture.daemon()
    var pushed = request([Self.picture])
    pushed.trigger = .push
    try await fixture.show(pushed)
    let posted = try #require(daemon.posted.first).notification
    #expect(posted.hints["image-data"] == nil)
    #expect(fixture.log.messages(from: .warning).contains { $0.contains("an extension's picture is left out") })
    await #expect(throws: BridgeError.self) { try await fixture.show(request([Self.picture])) }
    #expect(daemon.posted.count == 1)
  }

  @Test("the first picture is shown; a further one can be opened")
  func severalPictures() async throws {
    var second = Self.picture
    second.path = "/x/second.png"
    let opener = FakeOpener()
    let (fixture, daemon) = try await stage(opener: opener)
    let report = try await fixture.show(request([Self.picture, second]))
    let posted = try #require(daemon.posted.first)
    #expect(report.dropped.map(\.description) == ["image: 'second.png' left out: the daemon shows one picture"])
    daemon.invoke(posted.serverID, posted.notification.actions[0].key)
    try await eventually(within: .seconds(5), "opened") { opener.calls == ["open /x/second.png image/png -"] }
  }

  @Test(
    "without a thumbnailer, or when it fails, or with a hidden thumbnail, a movie has no picture, and it is said why")
  func withoutPicture() async throws {
    var hidden = Self.movie
    hidden.thumbnailHidden = true
    for (thumbnails, movie, reason) in [
      (nil, Self.movie, "nothing here asks a thumbnailer for it"),
      (FakeThumbnailer(file: nil), Self.movie, "install a thumbnailer"),
      (FakeThumbnailer(file: "/x/film.png"), hidden, "its sender hides the thumbnail"),
    ] as [(FakeThumbnailer?, AttachmentRecord, String)] {
      let (fixture, daemon) = try await stage(opener: FakeOpener(), thumbnails: thumbnails)
      let report = try await fixture.show(request([movie]))
      let posted = try #require(daemon.posted.first).notification
      #expect(posted.hints["image-data"] == nil && posted.actions.first?.label == "Open")
      #expect(report.dropped.map(\.description) == ["image: no picture of 'film.mp4': \(reason)"])
    }
  }

  @Test("a movie's picture is cut by the clipping rectangle; that it is of another time is said, with what to install")
  func movieOptions() async throws {
    var movie = Self.movie
    movie.thumbnailTime = 12
    movie.clippingRect = .init(x: 0, y: 0, width: 0.5, height: 0.5)
    for choosesTime in [true, false] {
      let (fixture, daemon) = try await stage(
        opener: FakeOpener(), thumbnails: FakeThumbnailer(file: "/x/film.png", choosesTime: choosesTime))
      let report = try await fixture.show(request([movie]))
      let image = try #require(daemon.posted.first?.notification.imageData)
      #expect(image.pixels == [0, 0, 1])
      #expect(report.dropped.isEmpty == choosesTime)
      #expect(report.dropped.allSatisfy { $0.part == .image && $0.reason.contains("install ffmpegthumbnailer") })
    }
  }

  @Test("of an animation the chosen frame is shown, or the one of the second; the first where that cannot be had")
  func frames() async throws {
    var animation = AttachmentRecord(identifier: "g", path: "/x/a.gif", type: "com.compuserve.gif", thumbnailTime: 3)
    let (fixture, daemon) = try await stage(opener: nil, images: FakeDecoder(lastFrame: 110))
    #expect(try await fixture.show(request([animation])).dropped.isEmpty)
    animation.thumbnailTimeIsSeconds = true
    #expect(try await fixture.show(request([animation])).dropped.isEmpty)
    animation.thumbnailTime = 20
    let report = try await fixture.show(request([animation]))
    #expect(report.dropped.map(\.part) == [.image] && report.dropped[0].reason.contains("the first frame of 'a.gif'"))
    #expect(daemon.posted.map { $0.notification.imageData?.pixels.first } == [3, 103, 0])
  }

  @Test("where nobody could do what a button says there is none, and that is said")
  func nobodyOpens() async throws {
    let (fixture, daemon) = try await stage(opener: nil)
    let report = try await fixture.show(request([Self.audio]))
    #expect(try #require(daemon.posted.first).notification.actions.map(\.key) == ["default"])
    #expect(report.dropped.map(\.part) == [.attachment])
  }

  @Test("the keys of such buttons survive the bridge's end", arguments: [0, 7])
  func stored(index: Int) {
    let meaning = Translator.ActionMeaning.attachment(index: index)
    #expect(Translator.ActionMeaning(word: meaning.word) == meaning)
    #expect(Translator.ActionMeaning(word: "attachment:-1") == nil)
  }
}
