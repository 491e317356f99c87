import DBus
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Topics urgency, timeout, image, sound, grouping and default-action of the cases: actions and hints on the wire.
@Suite struct HintCases {
  @Test("C012: the click on the notification is offered once, last, with a label for people")
  func c012() {
    let category = CategoryRecord(
      identifier: "c",
      actions: [ActionRecord(identifier: "yes", title: "Yes"), ActionRecord(identifier: "no", title: "No")])
    let actions = translated(content(), category: category).notification.actions
    #expect(actions.map(\.key) == ["yes", "no", "default"])
    #expect(actions.last?.label == "Open")
    #expect(translated(content()).notification.actions.map(\.key) == ["default"])
  }

  @Test("actions are left out, and said so, where the daemon has none")
  func noActions() {
    let category = CategoryRecord(identifier: "c", actions: [ActionRecord(identifier: "yes", title: "Yes")])
    let result = translated(content(), capabilities: ["body"], category: category)
    #expect(result.notification.actions.isEmpty)
    #expect(result.dropped.map(\.part) == [.actions])
  }

  @Test("identifiers that cannot be keys get private ones, mapped back; labels are unique")
  func keys() {
    let titles = ["Same", "Same", "", "Open"]
    let identifiers = ["default", "settings", "inline-reply", ""]
    let category = CategoryRecord(
      identifier: "c", actions: zip(identifiers, titles).map { ActionRecord(identifier: $0, title: $1) })
    let result = translated(content(), category: category)
    let actions = result.notification.actions
    #expect(Set(actions.map(\.key)).count == 5)
    #expect(Set(actions.map(\.label)).count == 5)
    #expect(actions.allSatisfy { !$0.key.isEmpty && !$0.label.isEmpty })
    #expect(actions.dropLast().map { result.keys[$0.key] } == identifiers.map { .button(identifier: $0) })
    #expect(result.keys["default"] == .default)
  }

  @Test("of twelve actions ten are kept, and said so")
  func tooMany() {
    let category = CategoryRecord(
      identifier: "c", actions: (1...12).map { ActionRecord(identifier: "a\($0)", title: "A\($0)") })
    let result = translated(content(), category: category)
    #expect(result.notification.actions.count == 11)
    #expect(result.dropped.map(\.part) == [.actions])
  }

  @Test("C107: a text action is a reply field where there is one, else a plain button")
  func c107() {
    let input = ActionRecord.TextInput(buttonTitle: "Send", placeholder: "Message")
    let category = CategoryRecord(
      identifier: "c", actions: [ActionRecord(identifier: "say", title: "Reply", textInput: input)])
    let with = translated(content(), capabilities: ["actions", "body", "inline-reply"], category: category)
    #expect(with.notification.actions.first == Action(key: "inline-reply", label: "Reply"))
    #expect(with.keys["inline-reply"] == .textInput(identifier: "say"))
    #expect(with.notification.hint("x-kde-reply-placeholder-text") == .string("Message"))
    #expect(with.notification.hint("x-kde-reply-submit-button-text") == .string("Send"))
    let without = translated(content(), category: category)
    #expect(!without.notification.actions.contains { $0.key == "inline-reply" })
    #expect(without.notification.actions.first.flatMap { without.keys[$0.key] } == .button(identifier: "say"))
    #expect(without.dropped.map(\.part) == [.textInput])
  }

  @Test("C055: urgency is a byte, a boolean a boolean", arguments: InterruptionLevel.allCases)
  func c055(level: InterruptionLevel) {
    var asked = content()
    asked.interruptionLevel = level
    let call = translated(asked, capabilities: ["sound"]).notification
    #expect(call.hint("urgency")?.signature == "y")
    #expect(call.hint("suppress-sound")?.signature ?? "b" == "b")
  }

  @Test(
    "C057: passive 0, active 1, time-sensitive 1, critical 2, which never expires by itself",
    arguments: [
      (InterruptionLevel.passive, Urgency.low, ExpireTimeout.serverDefault), (.active, .normal, .serverDefault),
      (.timeSensitive, .normal, .serverDefault), (.critical, .critical, .never),
    ])
  func c057(level: InterruptionLevel, urgency: Urgency, timeout: ExpireTimeout) {
    var asked = content()
    asked.interruptionLevel = level
    let call = translated(asked).notification
    #expect(call.hint("urgency") == .byte(urgency.rawValue))
    #expect(call.expireTimeout == timeout)
  }

  @Test(
    "C056: not set -1, never 0, else milliseconds",
    arguments: [(Int?.none, Int32(-1)), (0, 0), (5000, 5000), (1500, 1500), (.max, .max)])
  func c056(lifetime: Int?, wire: Int32) {
    var desktop = DesktopOptions()
    desktop.lifetime = lifetime
    #expect(translated(content(), desktop: desktop).notification.expireTimeout.milliseconds == wire)
  }

  @Test(
    "C044: a picture is sent packed, under the name of the daemon's version",
    arguments: [
      ("1.2", "image-data"), ("1.3", "image-data"), ("1.1", "image_data"), ("1.0", "icon_data"), ("2.0", "image-data"),
      ("nonsense", "image-data"),
    ])
  func c044(version: String, name: String) throws {
    let image = try #require(ImageData(width: 33, height: 7, hasAlpha: false, pixels: .init(repeating: 1, count: 693)))
    let call = translated(
      content(), media: .init(picture: .pixels(image)),
      information: ServerInformation(name: "x", vendor: "y", version: "1", specVersion: version)
    ).notification
    let value = try #require(call.hint(name))
    #expect(value.signature == "(iiibiiay)")
    let members = try #require(value.asStructure)
    #expect(members[0...5].map(\.asInteger) == [33, 7, 99, nil, 8, 3])
    #expect(members[3] == .boolean(false))
    #expect(members[6].asBytes?.count == 693)
  }

  @Test("a picture's file goes by its address, or as the icon to a daemon that knows nothing else")
  func picturePath() {
    let media = Translator.Media(picture: .file("/tmp/a b&ü.png"))
    #expect(
      translated(content(), media: media).notification.hint("image-path") == .string("file:///tmp/a%20b%26%C3%BC.png"))
    let awesome = ServerInformation(name: "naughty", vendor: "awesome", version: "devel", specVersion: "1.0")
    #expect(translated(content(), media: media, information: awesome).notification.appIcon == "/tmp/a b&ü.png")
  }

  @Test("C053: nil silences, default is the desktop's own, a file is a file, a missing one the default")
  func c053() {
    func hints(_ sound: SoundRecord?, file: String? = nil) -> [String] {
      var asked = content()
      asked.sound = sound
      let call = translated(asked, capabilities: ["sound"], media: .init(soundFile: file)).notification
      return call.hints.map(\.name).filter { $0.contains("sound") }
    }
    #expect(hints(nil) == ["suppress-sound"])
    #expect(hints(SoundRecord()) == ["sound-name"])
    #expect(hints(SoundRecord(.named("ping.wav")), file: "/s/ping.wav") == ["sound-file"])
    #expect(hints(SoundRecord(.named("gone.wav"))) == ["sound-name"])
  }

  @Test("C058: the desktop entry is sent when it is known, and never invented")
  func c058() {
    #expect(translated(content()).notification.hint("desktop-entry") == .string("org.example.test"))
    let unknown = ApplicationRecord(identifier: "script", name: "script")
    #expect(translated(content(), application: unknown).notification.hint("desktop-entry") == nil)
  }

  @Test("C059: a thread is no replacement: no tag of any vendor")
  func c059() {
    var asked = content()
    asked.threadIdentifier = "chat"
    let names = translated(asked).notification.hints.map(\.name)
    #expect(!names.contains { $0.contains("synchronous") || $0.contains("stack-tag") || $0.contains("append") })
  }

  @Test("a hint that its sender typed wins over the derived one")
  func typedHints() {
    var desktop = DesktopOptions()
    desktop.hints = [HintRecord(name: "urgency", value: .byte(2)), HintRecord(name: "x-mine", value: .double(0.5))]
    let call = translated(content(), desktop: desktop).notification
    #expect(call.hints.filter { $0.name == "urgency" }.map(\.value) == [.byte(2)])
    #expect(call.hint("x-mine") == .double(0.5))
  }

  @Test("a category identifier is sent when it is one of the specification's classes")
  func standardCategory() {
    var asked = content()
    asked.categoryIdentifier = "im.received"
    #expect(translated(asked).notification.hint("category") == .string("im.received"))
    asked.categoryIdentifier = "GAME_INVITATION"
    #expect(translated(asked).notification.hint("category") == nil)
  }
}
