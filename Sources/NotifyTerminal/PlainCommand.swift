internal import FreedesktopNotifications

/// A line that the plain form reads: `[NUMBER] press KEY|N`, `[NUMBER] reply TEXT`, `[NUMBER] dismiss`, `list`, `quit`.
/// Without a number it is about the newest notification.
struct PlainCommand: Sendable, Hashable {
  enum Verb: Sendable, Hashable {
    case press(String)
    case reply(String)
    case dismiss
    case list
    case quit
  }

  /// Why a line is no command, as a sentence.
  struct Fault: Error, Sendable, Hashable {
    var text: String
  }

  var serverID: UInt32?
  var verb: Verb

  static let help = "commands: [NUMBER] press KEY|N, [NUMBER] reply TEXT, [NUMBER] dismiss, list, quit"

  init(serverID: UInt32? = nil, _ verb: Verb) {
    self.serverID = serverID
    self.verb = verb
  }

  /// Reads a line; nil for an empty one.
  init?(_ line: String) throws(Fault) {
    var rest = line.drop(while: \.isWhitespace)
    if rest.isEmpty { return nil }
    if rest.first?.isNumber == true {
      let number = Self.word(&rest)
      guard let parsed = UInt32(number), parsed > 0 else {
        throw Fault(text: "'\([Glyph](number, limit: 40).text)' is no notification's number")
      }
      serverID = parsed
    }
    let name = Self.word(&rest)
    let argument = String(rest.drop(while: \.isWhitespace))
    switch name {
    case "press" where !argument.isEmpty: verb = .press(argument.trimmingEnd)
    case "press": throw Fault(text: "press needs the key or the place of a button")
    case "reply" where argument.contains { !$0.isWhitespace }: verb = .reply(argument)
    case "reply": throw Fault(text: "reply needs a text")
    case "dismiss": verb = .dismiss
    case "list": verb = .list
    case "quit": verb = .quit
    default: throw Fault(text: "'\([Glyph](name, limit: 40).text)' is no command; \(Self.help)")
    }
    let needsNothing = verb == .dismiss || verb == .list || verb == .quit
    if needsNothing, !argument.isEmpty { throw Fault(text: "\(name) takes nothing behind it") }
  }

  private static func word(_ rest: inout Substring) -> String {
    let word = rest.prefix { !$0.isWhitespace }
    rest = rest[word.endIndex...].drop(while: \.isWhitespace)
    return String(word)
  }
}

extension String {
  /// Without white space at its end.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension TerminalModel {
  /// Does what a line says.
  /// - Returns: what is to be printed besides the effects.
  mutating func perform(_ command: PlainCommand, now: Duration) -> PlainReport {
    var report = PlainReport()
    if command.verb == .quit {
      finish()
      return report
    }
    if command.verb == .list { return PlainReport(listing: entries) }
    guard let entry = command.serverID.map({ number in entries.first { $0.serverID == number } }) ?? entries.first
    else {
      report.remarks = [command.serverID.map { "there is no notification \($0)" } ?? "there is no notification"]
      return report
    }
    switch command.verb {
    case .press(let name):
      switch target(name, in: entry.content) {
      case .button(let button) where button.isReply:
        report.remarks = ["button '\([Glyph](name, limit: 40).text)' wants text: reply TEXT"]
      case .button(let button): invoke(entry.serverID, button.key, button.label, by: .user, now: now)
      case .defaultAction(let label): invoke(entry.serverID, Action.defaultKey, label, by: .user, now: now)
      case nil:
        report.remarks = ["notification \(entry.serverID) has no button '\([Glyph](name, limit: 40).text)'"]
      }
    case .reply(let text):
      guard entry.content.buttons.contains(where: \.isReply) else {
        report.remarks = ["notification \(entry.serverID) takes no reply"]
        return report
      }
      var line = LineEditor()
      line.insert(text)
      reply(entry.serverID, line.text, now: now)
    case .dismiss: dismiss(entry.serverID, now: now)
    case .list, .quit: break
    }
    return report
  }
}
