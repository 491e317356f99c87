import FreedesktopNotifications
import Testing

@testable import NotifyTerminal

@Suite struct PlainTests {
  @Test func aNotificationIsALineAndIndentedLines() throws {
    var scene = Scene()
    _ = scene.show(
      try received(
        "Lunch?", body: "At noon\n<b>sharp</b>", app: "Mail", actions: yesNo,
        hints: [.progress(5), .urgency(.critical)]))
    let entry = try #require(scene.model.entries.first)
    var plain = entry
    plain.content = Content(
      try received(
        "Lunch?", body: "At noon\n<b>sharp</b>", app: "Mail", actions: yesNo,
        hints: [.progress(5), .urgency(.critical)]),
      readsMarkup: false, keepsPicture: false)
    #expect(
      PlainReport(.shown(plain, replaces: false)).output == [
        "notification 1 (critical) Mail: Lunch?", "  | At noon", "  | <b>sharp</b>", "  progress 5 %",
        "  button 1 \"Yes\" yes", "  button 2 \"No\" no", "  default \"Open\"",
      ])
    #expect(PlainReport(.shown(entry, replaces: true)).output.contains("  | sharp"))
  }

  @Test func whatHappenedIsALineEach() {
    let effects: [TerminalModel.Effect] = [
      .invoked(3, key: "no", label: [Glyph]("No"), by: .user),
      .invoked(3, key: "no", label: [Glyph]("No"), by: .option),
      .replied(3, text: "a\nb"), .closed(3, .expired), .closed(3, .dismissed), .closed(3, .closedByCall),
      .closed(3, .undefined),
    ]
    #expect(
      effects.flatMap { PlainReport($0).output } == [
        "pressed 3 no \"No\"", "pressed 3 no \"No\" by itself, as --press says", "replied 3 a b", "closed 3 expired",
        "closed 3 dismissed", "closed 3 by its sender", "closed 3 for want of room",
      ])
  }

  @Test func noNotificationForgesALine() throws {
    var numbers = TestNumbers(4)
    for round in 0..<200 {
      var scene = Scene()
      let text = "x\nclosed 1 dismissed\r\n\u{85}pressed 1 yes\u{2028}" + numbers.hostileText(round % 30)
      _ = scene.show(try received(text, body: text, app: text, actions: [Action(key: text, label: text)]))
      let entry = try #require(scene.model.entries.first)
      let lines = PlainReport(.shown(entry, replaces: false)).output
      #expect(lines.filter { !$0.hasPrefix("  ") }.count == 1)
      #expect(lines[0].hasPrefix("notification 1 "))
      for line in lines {
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }

  @Test(arguments: [
    ("press yes", PlainCommand(.press("yes"))), ("  12 press 2  ", PlainCommand(serverID: 12, .press("2"))),
    ("press a key with spaces", PlainCommand(.press("a key with spaces"))),
    ("reply  hi there ", PlainCommand(.reply("hi there "))),
    ("3 dismiss", PlainCommand(serverID: 3, .dismiss)), ("list", PlainCommand(.list)), ("quit", PlainCommand(.quit)),
  ])
  func linesAreCommands(line: String, command: PlainCommand) throws { #expect(try PlainCommand(line) == command) }

  @Test(arguments: ["", "   ", "\t"])
  func anEmptyLineIsNone(line: String) throws { #expect(try PlainCommand(line) == nil) }

  @Test(arguments: [
    "pres yes", "press", "reply", "reply  ", "0 dismiss", "99999999999 dismiss", "7", "dismiss now", "3x press 1",
  ])
  func aBadLineIsRefusedAndNamesItself(line: String) {
    #expect(throws: PlainCommand.Fault.self) { try PlainCommand(line) }
  }

  @Test func commandsActOnTheNewestOrTheNamedOne() throws {
    var scene = Scene()
    let first = scene.show(try received(actions: yesNo))
    let second = scene.show(try received(actions: [reply]))
    func effects(_ line: String) throws -> ([TerminalModel.Effect], PlainReport) {
      let report = scene.model.perform(try #require(try PlainCommand(line)), now: scene.now)
      return (scene.model.takeEffects(), report)
    }
    #expect(try effects("press 1").1.remarks == ["button '1' wants text: reply TEXT"])
    #expect(
      try effects("reply on\u{1b} my way").0 == [.replied(second, text: "on my way"), .closed(second, .dismissed)])
    #expect(try effects("reply x").1.remarks == ["notification 1 takes no reply"])
    #expect(try effects("9 dismiss").1.remarks == ["there is no notification 9"])
    #expect(try effects("press nope").1.remarks == ["notification 1 has no button 'nope'"])
    #expect(try effects("list").1.output.first == "open 1 Test: Hello")
    #expect(
      try effects("1 press default").0.first == .invoked(first, key: "default", label: [Glyph]("Open"), by: .user))
    #expect(try effects("dismiss").1.remarks == ["there is no notification"])
    #expect(try effects("quit").0 == [.finished])
  }

  @Test func theOwnerOfTheNameAndTheRemedyAreNamed() {
    let owner = NameOwner(uniqueName: ":1.4", name: "dunst", process: 77)
    #expect(
      owner.complaint(triedToReplace: false)
        == "org.freedesktop.Notifications belongs to dunst (process 77, :1.4); --replace takes over from it")
    #expect(owner.complaint(triedToReplace: true).hasSuffix("it does not allow that: end it first (kill 77)"))
    #expect(NameOwner().complaint(triedToReplace: false).contains("another daemon; --replace"))
  }

  @Test func onlyWhatIsDoneIsAdvertised() {
    #expect(TerminalDaemon.capabilities(isDrawn: false, depth: .none) == ["actions", "body", "inline-reply"])
    #expect(
      TerminalDaemon.capabilities(isDrawn: true, depth: .none) == ["actions", "body", "body-markup", "inline-reply"])
    #expect(
      TerminalDaemon.capabilities(isDrawn: true, depth: .indexed)
        == ["actions", "body", "body-markup", "icon-static", "inline-reply"])
  }
}
