import DBus
import FreedesktopNotifications
import NotificationBridge
import Testing

/// Buttons with icons where the daemon draws them.
@Suite struct ActionIconTests {
  private func translated(
    _ icons: [String?], capabilities: Capabilities = ["actions", "action-icons", "body"], name: String = "fake",
    textInput: Bool = false, buttons: [Translator.Media.Button] = []
  ) -> Translator.Result {
    var request = RequestRecord(identifier: "r", content: ContentRecord())
    request.content.title = "T"
    request.desktop.actions = icons.enumerated().map { index, icon in
      var action = ActionRecord(
        identifier: "k\(index)", title: "K\(index)",
        textInput: textInput ? ActionRecord.TextInput(buttonTitle: "", placeholder: "") : nil)
      action.iconName = icon
      return action
    }
    let profile = ServerProfile(
      owner: ":1.1", information: .init(name: name, vendor: "test", version: "1", specVersion: "1.2"),
      capabilities: capabilities)
    return Translator(for: profile).translate(
      request, from: .init(identifier: "a", name: "App", isKnown: true), category: nil, media: .init(buttons: buttons))
  }

  @Test("when every action has an icon that themes know, the icons are the keys, and the titles are kept for readers")
  func icons() {
    let result = translated(["checkmark.circle.fill", "trash"])
    #expect(result.notification.hints.contains(.actionIcons(true)))
    #expect(result.notification.actions.map(\.key) == ["object-select", "user-trash", "default"])
    #expect(result.notification.actions.map(\.label) == ["K0", "K1", "Open"])
    #expect(result.keys["user-trash"] == .button(identifier: "k1") && result.keys["k1"] == nil)
    #expect(result.dropped.isEmpty)
    // Names of the desktop's own, and the button of a sound.
    let mixed = translated(["mail-reply-sender-symbolic"], buttons: [.init(.play, attachment: 0, name: "'s'")])
    #expect(
      mixed.notification.actions.map(\.key) == ["mail-reply-sender-symbolic", "media-playback-start", "default"])
    #expect(mixed.keys["media-playback-start"] == .attachment(index: 0))
  }

  @Test("else all have labels, and it is said why")
  func labels() {
    let cases: [(Translator.Result, String)] = [
      (translated(["trash", nil]), "'K1' has none"), (translated(["trash", "my.own.picture"]), "'my.own.picture'"),
      (translated(["trash", "trash.fill"]), "two buttons have 'user-trash'"),
      (translated(["trash"], capabilities: ["actions"]), "the daemon draws none"),
      (translated(["trash"], name: "Xfce Notify Daemon"), "a button for the click"),
      (
        translated(["trash"], capabilities: ["actions", "action-icons", "inline-reply"], textInput: true),
        "'K0' opens a text field"
      ),
    ]
    for (result, reason) in cases {
      #expect(!result.notification.hints.contains(.actionIcons(true)))
      #expect(!result.notification.actions.contains { $0.key == "user-trash" })
      #expect(result.dropped.contains { $0.part == .icon && $0.reason.contains(reason) }, "\(reason) \(result.dropped)")
    }
    #expect(translated([nil, nil]).dropped.isEmpty, "who wants no icons is told nothing")
    #expect(translated(["trash"], capabilities: ["body"]).dropped.map(\.part) == [.actions])
  }

  @Test("what destroys something is said to look like the rest, to who asks, and not at each delivery")
  func destructive() {
    let actions = [
      ActionRecord(identifier: "a", title: "Keep"),
      ActionRecord(identifier: "b", title: "Delete", options: .destructive),
    ]
    let remarks = Translator.remarks(on: actions)
    #expect(remarks.map(\.part) == [.actions] && remarks[0].reason.hasPrefix("'Delete'"))
    var request = RequestRecord(identifier: "r", content: ContentRecord())
    request.desktop.actions = actions
    let profile = ServerProfile(owner: ":1.1", information: .unknown, capabilities: ["actions", "body"])
    let result = Translator(for: profile).translate(
      request, from: .init(identifier: "a", name: "App", isKnown: true), category: nil)
    #expect(result.dropped.isEmpty)
  }
}
