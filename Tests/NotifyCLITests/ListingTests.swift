import BridgeControl
import DesktopServices
import Foundation
import NotificationBridge
import Testing

@testable import NotifyCLI

/// What the verbs that ask the bridge print, and in which order.
@Suite struct ListingTests {
  private func record(_ name: String, _ application: String, _ thread: String, _ date: Double) -> NotificationRecord {
    var content = ContentRecord()
    content.title = name
    content.threadIdentifier = thread
    return NotificationRecord(
      application: ApplicationRecord(identifier: application, name: application),
      request: RequestRecord(identifier: name, content: content), date: Date(timeIntervalSince1970: date))
  }

  @Test("C059: delivered ones are grouped by thread, then application; the newest group and the newest in it first")
  func groups() {
    let groups = Listing.groups([
      record("1", "a", "t", 1), record("2", "b", "t", 2), record("3", "a", "", 3), record("4", "a", "t", 4),
      record("5", "a", "", 4),
    ])
    #expect(groups.map(\.title) == ["a", "a, thread t", "b, thread t"])
    #expect(groups.map { $0.records.map(\.request.identifier) } == [["5", "3"], ["4", "1"], ["2"]])
    #expect(Listing.groups([]).isEmpty)
  }

  @Test("scheduled ones are a table with due time and what is left until then")
  func pending() {
    func entry(_ name: String, _ due: Double, _ repeats: Bool) -> ControlClient.Pending {
      let request = RequestRecord(
        identifier: name, content: ContentRecord(), trigger: .interval(seconds: 60, repeats: repeats))
      return ControlClient.Pending(application: "app", request: request, due: due)
    }
    let lines = ListCommand.lines(pending: [entry("x", 160, true), entry("long-name", 7361, false)], now: 100)
    #expect(lines.count == 3)
    #expect(lines[1].contains("  in 1 min, repeats  x          app"))
    #expect(lines[2].contains("  in 2 h 1 min       long-name  app"))
  }

  @Test(
    "what is left is said in two units at most",
    arguments: [
      (0.4, "now"), (-5, "now"), (1, "in 1 s"), (59.6, "in 1 min"), (61, "in 1 min 1 s"), (3600, "in 1 h"),
      (3601, "in 1 h"), (90_000, "in 1 d 1 h"), (86_461, "in 1 d"), (.infinity, "?"), (.nan, "?"), (1e300, "?"),
    ])
  func until(seconds: Double, text: String) { #expect(LocalTime.until(seconds, now: 0) == text) }

  @Test("a time that no calendar has is no trap")
  func strangeTimes() {
    for time in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e17] { #expect(LocalTime.text(time) == "?") }
    #expect(LocalTime.text(0).count == 19)
  }

  @Test("text of others keeps to its line and its place, and cannot steer a terminal")
  func oneLine() {
    #expect("a\nb\tc\r\nd".onOneLine() == "a b c  d")
    #expect("\u{1B}[2J\u{9B}x\u{202E}".onOneLine() == "\\u{1b}[2J\\u{9b}x\\u{202e}")
    #expect("abcdef".onOneLine(limit: 3) == "abc…")
    #expect("👩‍👩‍👧".onOneLine() == "👩‍👩‍👧")
    #expect(TextTable.lines([["a", "b", ""], ["ccc", "d"]]) == ["a    b", "ccc  d"])
    #expect(TextTable.lines([]).isEmpty)
  }

  @Test("an event is one object, its action a word and its dates numbers")
  func events() throws {
    let record = HistoryRecord(
      sequence: 7, date: Date(timeIntervalSince1970: 5), application: "a", identifier: "n", event: .responded,
      detail: [
        "action": .dictionary(ResponseRecord.Action.custom("yes").document),
        "due": .date(Date(timeIntervalSince1970: 9)),
      ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(EventLine.JSON(record)), as: UTF8.self)
        == #"{"application":"a","date":5,"detail":{"action":"yes","due":9},"event":"responded","identifier":"n","sequence":7}"#
    )
    #expect(EventLine.row(record, namesApplication: true)[1...] == ["responded", "a", "n", "yes"])
    for who in ["handler", "extension"] {
      let handled = HistoryRecord(
        sequence: 8, date: Date(timeIntervalSince1970: 5), application: "a", identifier: "n", event: .handled,
        detail: [who: .string("Draw"), "status": .string("dismiss")])
      #expect(EventLine.row(handled, namesApplication: false)[1...] == ["handled", "n", "Draw: dismiss"])
    }
    #expect(WatchFilter().takes(record))
    #expect(WatchFilter(events: [.added, .responded], identifiers: ["n"]).takes(record))
    #expect(!WatchFilter(events: [.added]).takes(record) && !WatchFilter(identifiers: ["m"]).takes(record))
  }

  @Test("what remove is to take away is one thing")
  func removal() throws {
    func removal(_ words: String...) throws -> ControlClient.Removal {
      try RemoveCommand.removal(try ParsedArguments(words, for: RemoveCommand.spec))
    }
    #expect(try removal("a", "--", "-b") == .identifiers(["a", "-b"]))
    #expect(try removal("--thread", "t") == .thread("t"))
    #expect(try removal("--all") == .all)
    #expect(throws: UsageError.self) { try removal() }
    #expect(throws: UsageError.self) { try removal("a", "--all") }
    #expect(throws: UsageError.self) { try removal("--thread", "t", "--all") }
    #expect(throws: UsageError.self) { try removal("--thread", "") }
  }

  @Test("a handler's words, conditions and time are as they were typed; a path is from the root")
  func handler() throws {
    func handler(_ words: String...) throws -> [String] {
      let arguments = try ParsedArguments(words, for: OnCommand.spec)
      let handler = try OnAdd.handler(arguments.operands, arguments)
      return [handler.name] + handler.command + handler.applications + handler.actions
    }
    #expect(
      try handler("n.handler", "--app", "a", "-A", "k", "--timeout", "5", "--", "p", "--app", "x") == [
        "n", "p", "--app", "x", "a", "k",
      ])
    #expect(try handler("n", "./p")[1].hasPrefix("/"))
    for wrong in [["n"], ["../n", "p"], ["", "p"], [".n", "p"], ["a b", "p"], ["n", ""]] {
      #expect(throws: UsageError.self) {
        let arguments = try ParsedArguments(wrong, for: OnCommand.spec)
        return try OnAdd.handler(arguments.operands, arguments)
      }
    }
    #expect(throws: UsageError.self) { try handler("n", "--timeout", "2d", "--", "p") }
  }

  @Test("every verb of the table has its help, and its code")
  func verbs() {
    for command in Help.commands { #expect(Help.command(command.name)?.summary == command.summary) }
    #expect(Set(Help.commands.map(\.name)).count == Help.commands.count)
  }
}
