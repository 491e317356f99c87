internal import FreedesktopNotifications

/// What the plain form prints: one line for each thing that happened, its kind as the first word, the notification's
/// number as the second; the lines that tell more of a notification are indented, and its body stands behind a bar.
/// All text is made safe, so no notification can forge a line.
struct PlainReport: Sendable, Hashable {
  /// For stdout.
  var output: [String] = []
  /// For stderr.
  var remarks: [String] = []

  init() {}

  init(_ effect: TerminalModel.Effect) {
    switch effect {
    case .shown(let entry, let replaces): output = Self.lines(entry, replaces ? "replaced" : "notification")
    case .invoked(let serverID, let key, let label, let presser):
      let by = presser == .option ? " by itself, as --press says" : ""
      output = ["pressed \(serverID) \(Self.safe(key)) \(Self.quoted(label))\(by)"]
    case .replied(let serverID, let text): output = ["replied \(serverID) \(Self.safe(text))"]
    case .closed(let serverID, let reason): output = ["closed \(serverID) \(Self.word(reason))"]
    case .note(let text): remarks = [[Glyph](text).text]
    case .finished: break
    }
  }

  /// What is open, the oldest first.
  init(listing entries: [TerminalModel.Entry]) {
    output = entries.isEmpty ? ["nothing is open"] : entries.reversed().flatMap { Self.lines($0, "open") }
  }

  private static func lines(_ entry: TerminalModel.Entry, _ kind: String) -> [String] {
    let content = entry.content
    let urgency = content.urgency == .normal ? "" : " (\(content.urgency == .low ? "low" : "critical"))"
    let application = content.application.isEmpty ? "" : "\(content.application.text): "
    var result = ["\(kind) \(entry.serverID)\(urgency) \(application)\(content.summary.text)"]
    if !content.body.isEmpty {
      result += content.body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { "  | " + Array($0).text }
    }
    if let progress = content.progress { result.append("  progress \(progress) %") }
    for (index, button) in content.buttons.enumerated() {
      result.append("  button \(index + 1) \(quoted(button.label)) \(safe(button.key))")
    }
    if let label = content.defaultLabel { result.append("  default \(quoted(label))") }
    return result
  }

  private static func safe(_ text: String) -> String { [Glyph](text).text }
  private static func quoted(_ label: [Glyph]) -> String { "\"\(label.text)\"" }

  private static func word(_ reason: CloseReason) -> String {
    switch reason {
    case .expired: "expired"
    case .dismissed: "dismissed"
    case .closedByCall: "by its sender"
    default: "for want of room"
    }
  }
}
