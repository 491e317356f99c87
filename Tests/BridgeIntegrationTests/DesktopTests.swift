import DBus
import FoundationEssentials
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// What the desktop says decides how notifications are shown and played.
@Suite(.timeLimit(.minutes(2))) struct DesktopTests {
  private static var mute: FakeNotificationServer.Behavior {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body"]
    return behavior
  }

  private func sounding(_ identifier: String, critical: Bool = false) -> RequestRecord {
    var request = RequestRecord.plain(identifier)
    request.content.sound = SoundRecord(.theme("bell"), isCritical: critical)
    if critical { request.content.interruptionLevel = .critical }
    return request
  }

  @Test(
    "a sound by name is looked for in the folder that its application shares with its extensions, and in no other's")
  func sharedSounds() async throws {
    let home = try TemporaryHome()
    let file = try home.write("sound", to: "groups/org.example.test/Library/Sounds/ping.wav")
    try home.write("sound", to: "groups/org.example.other/Library/Sounds/pong.wav")
    var policy = EnginePolicy()
    policy.groupsFolder = "\(home.path)/groups"
    let fixture = try await EngineFixture(policy: policy)
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["body", "sound"]
    let daemon = try await fixture.daemon(behavior)
    let path = "\(home.path)/groups/org.example.other/Library/Sounds/pong.wav"
    for name in ["ping.wav", "pong.wav", "../../../org.example.other/Library/Sounds/pong.wav", path] {
      var request = RequestRecord.plain(name)
      request.content.sound = SoundRecord(.named(name))
      try await fixture.show(request)
    }
    #expect(daemon.posted.map { $0.notification.hints["sound-file"] } == [.string(file), nil, nil, nil])
  }

  @Test("C053: what the daemon does not play is played once; under do-not-disturb only what is critical")
  func sounds() async throws {
    let desktop = FakeDesktop()
    let fixture = try await EngineFixture(desktop: desktop)
    _ = try await fixture.daemon(Self.mute)
    let report = try await fixture.show(sounding("a"))
    try await eventually(within: .seconds(5), "the sound") { desktop.sounds == ["bell"] }
    #expect(!report.dropped.contains { $0.part == .sound })
    try await fixture.show(.plain("silent"))
    desktop.set(quiet: true)
    try await fixture.show(sounding("b"))
    try await fixture.show(sounding("c", critical: true))
    try await eventually(within: .seconds(5), "the critical sound") { desktop.sounds == ["bell", "bell"] }
    desktop.set(quiet: false)
    var settings = DesktopSettings()
    settings.sounds = false
    desktop.set(settings: settings)
    try await fixture.show(sounding("d"))
    desktop.set(settings: DesktopSettings())
    try await fixture.show(sounding("e"))
    try await eventually(within: .seconds(5), "one more") { desktop.sounds.count == 3 }
  }

  @Test("a daemon that plays sounds plays them alone")
  func playedByTheDaemon() async throws {
    let desktop = FakeDesktop()
    let fixture = try await EngineFixture(desktop: desktop)
    let daemon = try await fixture.daemon()
    try await fixture.show(sounding("a"))
    #expect(daemon.posted.first?.notification.hints["sound-name"] == .string("bell"))
    try await fixture.settle()
    #expect(desktop.sounds.isEmpty)
  }

  @Test("badges are shown where somebody shows them, and said to be kept where nobody does")
  func badges() async throws {
    let desktop = FakeDesktop()
    let fixture = try await EngineFixture(desktop: desktop)
    _ = try await fixture.daemon()
    var request = RequestRecord.plain("a")
    request.content.badge = 3
    #expect(try await fixture.show(request).dropped.isEmpty)
    #expect(desktop.badges == ["org.example.test 3"])
    desktop.set(showsBadges: false)
    request.content.badge = 4
    #expect(try await fixture.show(request).dropped.map(\.part) == [.badge])
    #expect(await fixture.engine.badge(of: "org.example.test") == 4)
  }

  @Test("the placeholder of a hidden notification counts those of its thread; a button of an attachment waits too")
  func hiddenThread() async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    let fixture = try await EngineFixture(images: FakeDecoder(), desktop: desktop, opener: FakeOpener())
    let daemon = try await fixture.daemon()
    var category = CategoryRecord(identifier: "mail", actions: [])
    category.hiddenPreviewsBodyPlaceholder = "%u new, 100 %% private %@"
    await fixture.engine.setCategories([category], for: fixture.application.identifier)
    for (name, thread) in [("a", "t"), ("b", "t"), ("c", ""), ("d", "other"), ("e", "t")] {
      var request = RequestRecord.plain(name, body: "secret")
      request.content.categoryIdentifier = "mail"
      request.content.threadIdentifier = thread
      request.content.attachments = [AttachmentRecord(identifier: "s", path: "/x/a.mp3", type: "public.mp3")]
      try await fixture.show(request)
    }
    let posted = daemon.posted.map(\.notification)
    #expect(posted.map(\.body) == [1, 2, 1, 1, 3].map { "\($0) new, 100 % private %@" })
    #expect(posted.allSatisfy { $0.actions.map(\.key) == ["default"] })
    // Unlocked, a button plays the sound.
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(10), "all are shown again") { daemon.posted.count == 10 }
    #expect(daemon.posted[5...].allSatisfy { $0.notification.body == "secret" && $0.notification.actions.count == 2 })
  }

  @Test("while the session is locked nobody reads a notification; unlocked, it says everything, in its place")
  func previews() async throws {
    let desktop = FakeDesktop()
    desktop.set(locked: true)
    let fixture = try await EngineFixture(desktop: desktop)
    let daemon = try await fixture.daemon()
    var category = CategoryRecord(identifier: "mail", actions: [], options: .hiddenPreviewsShowTitle)
    category.hiddenPreviewsBodyPlaceholder = "New mail"
    await fixture.engine.setCategories([category], for: fixture.application.identifier)
    var request = RequestRecord.plain("a", title: "Ana", body: "secret")
    request.content.categoryIdentifier = "mail"
    try await fixture.show(request)
    try await fixture.show(.plain("b", title: "Bank", body: "secret"))
    #expect(daemon.posted.map(\.notification.summary) == ["Ana", "Test"])
    #expect(daemon.posted.map(\.notification.body) == ["New mail", "Notification"])
    desktop.set(locked: false)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(5), "both in full") { daemon.posted.count == 4 }
    #expect(daemon.posted[2...].map(\.notification.body) == ["secret", "secret"])
    #expect(daemon.posted[2...].map(\.notification.replacesID) == [1, 2])
    #expect(daemon.posted[2...].map(\.notification.summary) == ["Ana", "Bank"])
    desktop.set(locked: true)
    await fixture.engine.lockChanged()
    try await eventually(within: .seconds(5), "hidden again") { daemon.posted.count >= 6 }
    #expect(Set(daemon.posted[4...].map(\.notification.body)) == ["New mail", "Notification"])
    #expect(daemon.closeCalls.isEmpty)
  }

  @Test("permission: asked of the user where the settings say so, refused where they say that")
  func permissions() async throws {
    var policy = EnginePolicy()
    policy.permissions = ["org.example.ask": .ask, "org.example.deny": .deny]
    let fixture = try await EngineFixture(policy: policy)
    let daemon = try await fixture.daemon()
    func ask(_ name: String) -> Answers {
      let answers = Answers()
      fixture.engine.enqueue {
        $0.authorize(.alert, application: ApplicationRecord(identifier: name, name: "Asker <b>")) { answers.take($0) }
      }
      return answers
    }
    let allowed = ask("org.example.allow")
    try await eventually(within: .seconds(5), "an answer") { allowed.all == [.authorized] }
    let denied = ask("org.example.deny")
    try await eventually(within: .seconds(5), "an answer") { denied.all == [.denied] }
    let asked = ask("org.example.ask")
    let again = ask("org.example.ask")
    try await eventually(within: .seconds(5), "the question") { daemon.posted.count == 1 }
    #expect(daemon.posted[0].notification.summary == "Asker <b> wants to show notifications")
    #expect(daemon.posted[0].notification.actions.map(\.key) == ["allow", "deny", "default"])
    #expect(asked.all.isEmpty)
    daemon.invoke(daemon.posted[0].serverID, "deny")
    try await eventually(within: .seconds(5), "both answers") { asked.all == [.denied] && again.all == [.denied] }
    let refusal = await fixture.engine.perform { engine in engine.authorization(of: "org.example.ask").status }
    #expect(refusal == .denied)
    // The answer stays.
    let later = ask("org.example.ask")
    try await eventually(within: .seconds(5), "an answer") { later.all == [.denied] }
    #expect(daemon.posted.count == 1)
  }

  @Test("settings say what the desktop says, and not supported for what nobody knows")
  func settings() async throws {
    let desktop = FakeDesktop()
    let fixture = try await EngineFixture(desktop: desktop)
    _ = try await fixture.daemon()
    var known = await fixture.engine.settings(of: "org.example.test")
    #expect((known.alert, known.sound, known.badge, known.lockScreen) == (.enabled, .enabled, .enabled, .notSupported))
    #expect(known.criticalAlert == .notSupported)
    var settings = DesktopSettings()
    settings.banners = false
    settings.lockScreen = true
    settings.lockScreenDetails = false
    settings.criticalInDoNotDisturb = true
    settings.enabled = false
    desktop.set(settings: settings)
    desktop.set(showsBadges: false)
    known = await fixture.engine.settings(of: "org.example.test")
    #expect((known.alert, known.badge, known.lockScreen) == (.disabled, .notSupported, .enabled))
    #expect(known.criticalAlert == .enabled)
    #expect(known.previews == .whenAuthenticated)
    #expect(known.authorization.status == .denied)
  }
}

/// Answers to a question, in order.
private final class Answers: Sendable {
  private let taken = Mutex<[AuthorizationRecord.Status]>([])
  var all: [AuthorizationRecord.Status] { taken.withLock { $0 } }
  func take(_ record: AuthorizationRecord) { taken.withLock { $0.append(record.status) } }
}
