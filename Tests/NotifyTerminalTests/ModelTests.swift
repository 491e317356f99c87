import DBus
import FreedesktopNotifications
import Testing

@testable import NotifyTerminal

/// A notification as a peer sends it.
func received(
  _ summary: String = "Hello", body: String = "", app: String = "Test", actions: [Action] = [], hints: [Hint] = [],
  timeout: ExpireTimeout = .serverDefault, replaces: UInt32 = 0
) throws -> ReceivedNotification {
  try #require(
    ReceivedNotification(
      Notification(
        appName: app, replacesID: replaces, summary: summary, body: body, actions: actions, hints: hints,
        expireTimeout: timeout
      ).arguments, sender: ":1.7"))
}

let yesNo = [Action(key: "yes", label: "Yes"), Action(key: "no", label: "No"), Action(key: "default", label: "Open")]
let reply = Action(key: "inline-reply", label: "Reply")

/// A model with a clock that tests set.
struct Scene {
  var model: TerminalModel
  var now = Duration.seconds(100)

  init(_ settings: TerminalModel.Settings = .init(), lastID: UInt32 = 0) {
    model = TerminalModel(settings: settings, lastID: lastID)
  }

  /// Shows a notification and waits until keys act on it.
  mutating func show(_ notification: ReceivedNotification) -> UInt32 {
    let id = model.show(
      Content(notification, readsMarkup: true, keepsPicture: true), replacing: notification.replacesID,
      timeout: notification.expireTimeout, clock: "14:05", now: now)
    _ = model.takeEffects()
    now += .milliseconds(500)
    return id
  }

  /// What the peers and the user are told after a key, notes left out.
  mutating func press(_ keys: Key...) -> [TerminalModel.Effect] {
    for key in keys { model.handle(key, now: now) }
    return told
  }

  mutating func wait(_ time: Duration) -> [TerminalModel.Effect] {
    now += time
    model.advance(to: now)
    return told
  }

  private var told: [TerminalModel.Effect] {
    mutating get {
      model.takeEffects().filter { effect in
        if case .note = effect { return false }
        return true
      }
    }
  }
}

@Suite struct ModelTests {
  // MARK: Numbers

  @Test func numbersBeginAtOneAndRise() throws {
    var scene = Scene()
    #expect(scene.show(try received()) == 1)
    #expect(scene.show(try received()) == 2)
    let closed = scene.model.close(1, now: scene.now)
    #expect(closed)
    #expect(scene.show(try received()) == 3)
  }

  @Test func numbersWrapAroundZeroAndOpenOnes() throws {
    var scene = Scene(lastID: .max - 1)
    #expect(scene.show(try received(replaces: 1)) == 1)
    #expect(scene.show(try received()) == .max)
    #expect(scene.show(try received()) == 2)
  }

  @Test func replacingKeepsNumberAndPlaceAndBeginsTheTimeAnew() throws {
    var scene = Scene()
    let first = scene.show(try received("one", timeout: .after(milliseconds: 5000)))
    _ = scene.show(try received("two", timeout: .never))
    #expect(scene.wait(.seconds(3)) == [])
    #expect(scene.show(try received("one again", timeout: .after(milliseconds: 5000), replaces: first)) == first)
    #expect(scene.model.entries.map(\.content.summary.text) == ["two", "one again"])
    #expect(scene.wait(.seconds(4)) == [])
    #expect(scene.wait(.seconds(1)) == [.closed(first, .expired)])
  }

  @Test func aNumberOfNobodyIsTakenAsItIs() throws {
    var scene = Scene()
    #expect(scene.show(try received(replaces: 9999)) == 9999)
    #expect(scene.show(try received(replaces: 9999)) == 9999)
    #expect(scene.model.entries.count == 1)
  }

  // MARK: Time

  @Test(
    arguments: [
      (ExpireTimeout.after(milliseconds: 1500), Urgency.normal, 1.5), (.serverDefault, .normal, 10),
      (.serverDefault, .low, 10),
      (.never, .normal, nil), (.serverDefault, .critical, nil), (.after(milliseconds: 1500), .critical, nil),
      (.after(milliseconds: .max), .low, 2_147_483.647),
    ] as [(ExpireTimeout, Urgency, Double?)])
  func expiryFollowsTimeoutAndUrgency(timeout: ExpireTimeout, urgency: Urgency, seconds: Double?) throws {
    var scene = Scene()
    let start = scene.now
    let id = scene.show(try received(hints: [.urgency(urgency)], timeout: timeout))
    #expect(scene.model.nextDeadline == seconds.map { start + .milliseconds(Int64($0 * 1000)) })
    if let seconds {
      scene.now = start
      #expect(scene.wait(.milliseconds(Int64(seconds * 1000) - 1)) == [])
      #expect(scene.wait(.milliseconds(1)) == [.closed(id, .expired)])
      #expect(scene.model.nextDeadline == nil)
    } else {
      #expect(scene.wait(.seconds(1_000_000)) == [])
    }
  }

  @Test func whatIsDueTogetherGoesInTheOrderOfItsTime() throws {
    var scene = Scene()
    let late = scene.show(try received(timeout: .after(milliseconds: 9000)))
    let early = scene.show(try received(timeout: .after(milliseconds: 1000)))
    #expect(scene.wait(.seconds(60)) == [.closed(early, .expired), .closed(late, .expired)])
  }

  @Test func nothingExpiresUnderAReplyBeingTyped() throws {
    var scene = Scene()
    let id = scene.show(try received(actions: [reply], timeout: .after(milliseconds: 2000)))
    _ = scene.press(.text("r"), .text("h"))
    #expect(scene.model.nextDeadline == nil)
    #expect(scene.wait(.seconds(60)) == [])
    _ = scene.press(.escape)
    #expect(scene.wait(.milliseconds(1999)) == [])
    #expect(scene.wait(.milliseconds(1)) == [.closed(id, .expired)])
  }

  // MARK: Closing and answering

  @Test func closingByCallHasReasonThreeAndUnknownNumbersAreRefused() throws {
    var scene = Scene()
    let id = scene.show(try received())
    let closed = scene.model.close(id, now: scene.now)
    #expect(closed)
    #expect(scene.model.takeEffects() == [.closed(id, .closedByCall)])
    let again = scene.model.close(id, now: scene.now)
    #expect(!again)
    #expect(scene.model.takeEffects() == [])
  }

  @Test func pressingSignalsTheActionThenTheClosing() throws {
    var scene = Scene()
    let id = scene.show(try received(actions: yesNo))
    #expect(
      scene.press(.text("2")) == [.invoked(id, key: "no", label: [Glyph]("No"), by: .user), .closed(id, .dismissed)])
    #expect(scene.press(.text("2")) == [])
  }

  @Test func enterIsTheDefaultActionUnlessAButtonIsChosen() throws {
    var scene = Scene()
    var id = scene.show(try received(actions: yesNo))
    #expect(scene.press(.enter).first == .invoked(id, key: "default", label: [Glyph]("Open"), by: .user))
    id = scene.show(try received(actions: yesNo))
    #expect(scene.press(.right, .right, .enter).first == .invoked(id, key: "no", label: [Glyph]("No"), by: .user))
    id = scene.show(try received(actions: yesNo))
    #expect(
      scene.press(.left, .escape, .enter).first == .invoked(id, key: "default", label: [Glyph]("Open"), by: .user))
    _ = scene.show(try received())
    #expect(scene.press(.enter) == [])
    #expect(scene.model.note != nil)
  }

  @Test func aResidentOneStaysAfterAnAction() throws {
    var scene = Scene()
    let id = scene.show(try received(actions: yesNo, hints: [.resident(true)]))
    #expect(scene.press(.text("1")) == [.invoked(id, key: "yes", label: [Glyph]("Yes"), by: .user)])
    #expect(scene.model.focused?.answered?.text == "Yes")
    #expect(scene.press(.text("d")) == [.closed(id, .dismissed)])
  }

  @Test func aReplyIsSignalledWithItsTextThenTheClosing() throws {
    var scene = Scene()
    let id = scene.show(try received(actions: [reply]))
    _ = scene.press(.text("1"))
    #expect(scene.press(.text("q"), .text("1"), .text("d")) == [])
    #expect(scene.press(.enter) == [.replied(id, text: "q1d"), .closed(id, .dismissed)])
    #expect(scene.model.editor == nil)
  }

  @Test func anEmptyReplyIsNotSent() throws {
    var scene = Scene()
    _ = scene.show(try received(actions: [reply]))
    #expect(scene.press(.text("r"), .enter, .text(" "), .enter) == [])
    #expect(scene.model.editor != nil)
  }

  @Test func pastedTextPressesNothing() throws {
    var scene = Scene()
    _ = scene.show(try received(actions: yesNo))
    #expect(scene.press(.paste("1\nq")) == [])
    #expect(scene.model.entries.count == 1)
  }

  // MARK: The user's fingers

  @Test func aNewNotificationDoesNotTakeTheFocus() throws {
    var scene = Scene()
    let first = scene.show(try received(actions: yesNo))
    _ = scene.show(try received(actions: yesNo))
    #expect(scene.model.focus == first)
    #expect(scene.press(.text("1")).first == .invoked(first, key: "yes", label: [Glyph]("Yes"), by: .user))
  }

  @Test func aKeyJustAfterTheFocusMovedByItselfIsNotTaken() throws {
    var scene = Scene()
    let stays = scene.show(try received(actions: yesNo, timeout: .never))
    let expires = scene.show(try received(actions: yesNo, timeout: .after(milliseconds: 5000)))
    _ = scene.press(.up)
    #expect(scene.model.focus == expires)
    #expect(scene.wait(.seconds(5)) == [.closed(expires, .expired)])
    #expect(scene.model.focus == stays)
    #expect(scene.press(.text("1"), .text("d"), .enter) == [])
    _ = scene.wait(TerminalModel.settlingTime)
    #expect(scene.press(.text("1")).first == .invoked(stays, key: "yes", label: [Glyph]("Yes"), by: .user))
  }

  @Test func aKeyJustAfterTheButtonsChangedIsNotTaken() throws {
    var scene = Scene()
    let id = scene.show(try received(actions: yesNo))
    _ = scene.show(try received(actions: [Action(key: "wipe", label: "Wipe")], replaces: id))
    scene.now -= .milliseconds(400)
    #expect(scene.press(.text("1")) == [])
    _ = scene.wait(TerminalModel.settlingTime)
    #expect(scene.press(.text("1")).first == .invoked(id, key: "wipe", label: [Glyph]("Wipe"), by: .user))
  }

  @Test func dismissingManyByHandNeedsNoPause() throws {
    var scene = Scene()
    let ids = [scene.show(try received()), scene.show(try received()), scene.show(try received())]
    #expect(scene.press(.text("d"), .text("d"), .text("d")).count == 3)
    for _ in ids { _ = scene.show(try received()) }
    #expect(scene.press(.text("D")).count == 3)
  }

  @Test func stoppingIsRefusedAndQuittingWorks() throws {
    var scene = Scene()
    #expect(scene.press(.control("z")) == [])
    #expect(scene.model.note?.contains("waiting") == true)
    #expect(scene.press(.text("q")) == [.finished])
    var other = Scene()
    _ = other.show(try received(actions: [reply]))
    #expect(other.press(.text("r"), .control("c")) == [.finished])
  }

  // MARK: Bounds

  @Test func tooManyCloseTheOldestThatMattersLess() throws {
    var settings = TerminalModel.Settings()
    settings.limit = 3
    var scene = Scene(settings)
    let focused = scene.show(try received())
    let critical = scene.show(try received(hints: [.urgency(.critical)]))
    let ordinary = scene.show(try received())
    let content = Content(try received(), readsMarkup: true, keepsPicture: true)
    let newest = scene.model.show(content, replacing: 0, timeout: .never, clock: "", now: scene.now)
    #expect(scene.model.takeEffects().first == .closed(ordinary, .undefined))
    #expect(scene.model.entries.map(\.serverID) == [newest, critical, focused])
  }

  @Test func whatIsKeptOfOneIsBounded() throws {
    let long = String(repeating: "x", count: 100_000)
    let actions = (0..<100).map { Action(key: "k\($0)", label: long) } + [Action(key: long, label: "Never")]
    let content = Content(
      try received(long, body: long, app: long, actions: actions), readsMarkup: true, keepsPicture: true)
    #expect(content.summary.count == Content.summaryLimit)
    #expect(content.body.count == Content.bodyLimit)
    #expect(content.body.text.hasSuffix("…"))
    #expect(content.buttons.count == Content.buttonLimit)
    #expect(content.buttons.allSatisfy { $0.label.count <= Content.labelLimit && $0.key.utf8.count <= 1024 })
  }

  // MARK: --once and --press

  @Test func onceEndsAfterTheFirstClosingOrAnswer() throws {
    var settings = TerminalModel.Settings()
    settings.endsAfterFirst = true
    var scene = Scene(settings)
    let id = scene.show(try received(timeout: .after(milliseconds: 1000)))
    #expect(scene.wait(.seconds(1)) == [.closed(id, .expired), .finished])
    scene = Scene(settings)
    _ = scene.show(try received(actions: yesNo, hints: [.resident(true)]))
    #expect(scene.press(.text("1")).last == .finished)
  }

  @Test(arguments: [("2", "no"), ("yes", "yes"), ("default", "default")])
  func aButtonIsPressedByItself(name: String, key: String) throws {
    var settings = TerminalModel.Settings()
    settings.press = AutomaticPress(name, after: .seconds(2))
    var scene = Scene(settings)
    let start = scene.now
    let id = scene.show(try received(actions: yesNo))
    #expect(scene.model.nextDeadline == start + .seconds(2))
    scene.now = start
    #expect(scene.wait(.milliseconds(1999)) == [])
    let effects = scene.wait(.milliseconds(1))
    guard case .invoked(id, key, _, .option) = effects.first else {
      Issue.record("not pressed: \(effects)")
      return
    }
    #expect(effects.last == .closed(id, .dismissed))
    #expect(scene.model.note?.contains("by itself") == true)
  }

  @Test func whatCannotBePressedByItselfIsSaidOnce() throws {
    var settings = TerminalModel.Settings()
    settings.press = AutomaticPress("3", after: .seconds(1))
    var scene = Scene(settings)
    _ = scene.show(try received(actions: yesNo, timeout: .never))
    #expect(scene.wait(.seconds(5)) == [])
    #expect(scene.model.note?.contains("no button '3'") == true)
    #expect(scene.model.nextDeadline == nil)
    settings.press = AutomaticPress("1", after: .seconds(1))
    scene = Scene(settings)
    _ = scene.show(try received(actions: [reply], timeout: .never))
    #expect(scene.wait(.seconds(5)) == [])
    #expect(scene.model.note?.contains("wants text") == true)
  }
}
