import Foundation
import NotificationBridge
import TestSupport
import Testing
import UserNotificationsUI

/// `UNNotificationContentExtension` as the program that the bridge runs.
@Suite("A content extension's program", .timeLimit(.minutes(1))) struct ContentExtensionProgramTests {
  private func talk(_ arguments: String...) throws -> ExtensionTalk {
    try ExtensionTalk("test-content-extension", arguments)
  }

  private func response(_ action: String, text: String? = nil) -> ExtensionMessage {
    let kind: ResponseRecord.Action = action == "dismiss" ? .dismiss : action == "default" ? .default : .custom(action)
    return .response(ResponseRecord(notification: .sample(), action: kind, text: text))
  }

  private func update(_ message: ExtensionMessage) throws -> ContentUpdate {
    guard case .update(let update) = message else { throw DidNotHappen("an update, but \(message)") }
    return update
  }

  /// Told of a notification with a button.
  private func begun(_ arguments: String...) throws -> (ExtensionTalk, ContentUpdate) {
    let talk = try ExtensionTalk("test-content-extension", arguments)
    let actions = [ActionRecord(identifier: "like", title: "Like")]
    return (talk, try update(try talk.ask(.notification(.sample(), actions: actions))[0]))
  }

  @Test(
    "didReceive(_:) on the main actor, behind viewDidLoad(); the category's buttons in notificationActions; again for more"
  )
  func receives() throws {
    let (talk, first) = try begun()
    #expect(first.content?.body == "n loaded 1 actions like main true")
    #expect(first.actions == nil, "what it has not set is left alone")
    let second = try update(try talk.ask(.notification(.sample("m"), actions: []))[0])
    #expect(second.content?.body == "n+m loaded 1 actions  main true")
    #expect(try talk.end() == 0)
  }

  @Test(
    "notificationActions set: sent with what is shown, ahead of the decision; UNNotificationContentExtensionResponseOption.doNotDismiss"
  )
  func actions() throws {
    let (talk, _) = try begun()
    let answers = try talk.ask(response("buttons"))
    #expect(answers.count == 2 && answers[1] == .done(.doNotDismiss))
    let shown = try update(answers[0])
    #expect(shown.content?.body == "now New")
    #expect(shown.actions == [ActionRecord(identifier: "new", title: "New", options: .destructive)])
  }

  @Test("The three options: dismiss, dismissAndForwardAction, doNotDismiss, by didReceive(_:completionHandler:)")
  func options() throws {
    let (talk, _) = try begun()
    #expect(try talk.ask(response("dismiss")).last == .done(.dismiss))
    #expect(try talk.ask(response("default")).last == .done(.dismissAndForwardAction))
    let answers = try talk.ask(response("text", text: "hello"))
    #expect(try update(answers[0]).content?.body == "hello" && answers.last == .done(.dismiss))
  }

  @Test(
    "The async form of didReceive(_:) is used where it is there, and without either the application gets the response")
  func asyncForm() throws {
    let (talk, _) = try begun("async")
    #expect(try talk.ask(response("keep")).last == .done(.doNotDismiss))
    #expect(try talk.ask(response("other")).last == .done(.dismiss))
    let (plain, _) = try begun("plain")
    #expect(try plain.ask(response("keep")).last == .done(.dismissAndForwardAction))
  }

  @Test("performNotificationDefaultAction() and dismissNotificationContentExtension()")
  func byItself() throws {
    let (talk, _) = try begun()
    #expect(try talk.ask(response("open")) == [.performDefaultAction, .done(.doNotDismiss)])
    #expect(try talk.ask(response("close")) == [.dismiss, .done(.doNotDismiss)])
  }

  @Test("mediaPlayPauseButtonType, mediaPlay() and mediaPause(), mediaPlayingStarted() and mediaPlayingPaused()")
  func media() throws {
    let (talk, first) = try begun()
    #expect(first.media == .init(kind: .overlay, isPlaying: false))
    let played = try update(try talk.ask(.media(isPlaying: true))[0])
    #expect(played.content?.body == "plays" && played.media?.isPlaying == true)
    #expect(try update(try talk.ask(.media(isPlaying: false))[0]).content?.body == "pauses")
    #expect(try update(try talk.ask(response("paused"))[0]).media?.isPlaying == false)
    #expect(try update(try talk.ask(response("started"))[0]).media?.isPlaying == true)
    let (_, plain) = try begun("plain")
    #expect(plain.media == nil, "none by default")
  }

  @Test("Controls, the title and the size go along; a control's use reaches its action with the new state")
  func controls() throws {
    let (talk, _) = try begun()
    let shown = try update(try talk.ask(response("controls"))[0])
    #expect(
      shown.controls == [
        ContentControl(identifier: "pay", title: "Pay", kind: .button),
        ContentControl(identifier: "on", title: "Alarm", kind: .switch(isOn: false)),
        ContentControl(identifier: "n", title: "N", kind: .choice(options: ["a", "b"], selected: 0)),
      ])
    #expect(shown.content?.title == "Title" && shown.preferredSize == .init(width: 300, height: 100))
    let paid = try update(try talk.ask(.control(.init(identifier: "pay", value: nil)))[0])
    #expect(paid.content?.body == "paid")
    let on = try update(try talk.ask(.control(.init(identifier: "on", value: .boolean(true))))[0])
    #expect(on.content?.body == "switch(isOn: true)")
    #expect(on.controls?[1].kind == .switch(isOn: true))
    let chosen = try update(try talk.ask(.control(.init(identifier: "n", value: .integer(1))))[0])
    #expect(chosen.controls?[2].kind == .choice(options: ["a", "b"], selected: 1))
    // What is none of its options, and what it does not have, changes nothing.
    let wrong = try update(try talk.ask(.control(.init(identifier: "n", value: .integer(9))))[0])
    #expect(wrong.controls?[2].kind == .choice(options: ["a", "b"], selected: 1))
    _ = try talk.ask(.control(.init(identifier: "none", value: nil)))
  }

  @Test("What is set outside a call is sent a moment later, once")
  func later() throws {
    let (talk, _) = try begun()
    #expect(try talk.ask(response("later")).last == .done(.doNotDismiss))
    #expect(try update(try talk.next()).content?.body == "later")
  }

  @Test("A class that adopts nothing, and a program that nobody talks to, say what is wrong")
  func wrongPrograms() throws {
    let nothing = try ExtensionTalk("test-content-extension", ["nothing"])
    #expect(throws: DidNotHappen.self) { try nothing.next() }
    #expect(nothing.complaint.contains("must adopt UNNotificationContentExtension"))
  }

  @Test("Raw values are Apple's")
  func rawValues() {
    typealias Media = UNNotificationContentExtensionMediaPlayPauseButtonType
    typealias Option = UNNotificationContentExtensionResponseOption
    #expect([Media.none, .default, .overlay].map(\.rawValue) == [0, 1, 2])
    #expect([Option.doNotDismiss, .dismiss, .dismissAndForwardAction].map(\.rawValue) == [0, 1, 2])
    #expect((0...3).map { Media(rawValue: $0) } == [.some(.none), .default, .overlay, nil])
    #expect((0...3).map { Option(rawValue: $0) } == [.doNotDismiss, .dismiss, .dismissAndForwardAction, nil])
  }

  @MainActor
  @Test("What Apple's protocol calls optional has a default: mediaPlayPauseButtonFrame, mediaPlayPauseButtonTintColor")
  func defaults() {
    final class Bare: NSObject, UNNotificationContentExtension {
      func didReceive(_ notification: UNNotification) {}
    }
    let bare = Bare()
    #expect(bare.mediaPlayPauseButtonType == .none)
    #expect(bare.mediaPlayPauseButtonFrame == .zero)
    #expect(bare.mediaPlayPauseButtonTintColor == .black)
    bare.mediaPlay()
    bare.mediaPause()
    let named: [NSColor] = [.white, .gray, .black, .clear, .red, .green, .blue, .cyan, .magenta, .yellow, .orange]
    #expect(Set(named).count == named.count && NSColor(white: 1, alpha: 1) == .white)
    #expect(UIColor.blue == UIColor(red: 0, green: 0, blue: 1, alpha: 1))
    #expect(UIColor(red: 2, green: 0, blue: -1, alpha: 1) == NSColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
  }

  @Test("An NSExtensionContext that belongs to no program is harmless")
  func lonely() {
    let context = NSExtensionContext()
    context.notificationActions = [UNNotificationAction(identifier: "a", title: "A")]
    #expect(context.notificationActions.map(\.identifier) == ["a"])
    let content = UNMutableNotificationContent()
    content.title = "before"
    context.notificationContent = content
    content.title = "after"
    #expect(context.notificationContent?.title == "before", "it is copied")
    context.mediaPlayingStarted()
    context.mediaPlayingPaused()
    context.performNotificationDefaultAction()
    context.dismissNotificationContentExtension()
  }
}
