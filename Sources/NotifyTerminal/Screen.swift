/// Composes the whole screen from the model.
struct Screen {
  /// The first notification that is seen; moves as little as the focus allows.
  private var first: UInt32?

  /// Cards grow no wider than is pleasant to read.
  static let maximumWidth = 84

  /// What is seen now.
  mutating func compose(_ model: TerminalModel, size: ScreenSize) -> Frame {
    guard size.columns >= Card.minimumWidth, size.rows >= 7 else { return Self.small(model, size: size) }
    let width = min(size.columns, Self.maximumWidth)
    var frame = Frame(rows: [Row()])
    if model.entries.isEmpty {
      frame.rows += Self.waiting(width: width, rows: size.rows - 2)
    } else {
      let (above, below) = fill(&frame, model, width: width, rows: size.rows - 2)
      frame.rows[0] = Self.header(model, width: width, above: above, below: below)
    }
    if model.entries.isEmpty { frame.rows[0] = Self.header(model, width: width, above: 0, below: 0) }
    while frame.rows.count < size.rows - 1 { frame.rows.append(Row()) }
    frame.rows.append(Self.footer(model, width: size.columns))
    return frame
  }

  // MARK: Cards

  private mutating func fill(_ frame: inout Frame, _ model: TerminalModel, width: Int, rows: Int) -> (Int, Int) {
    let entries = model.entries
    let focus = model.focusedIndex ?? 0
    func card(_ index: Int) -> (rows: [Row], cursor: Frame.Position?) {
      let isFocused = index == focus
      return Card(
        entry: entries[index], isFocused: isFocused, chosenButton: isFocused ? model.chosenButton : nil,
        editor: isFocused ? model.editor : nil
      ).layout(width: width, maximumRows: rows)
    }
    var start = min(entries.firstIndex { $0.serverID == first } ?? 0, focus)
    // Cards above the focus go until it is seen whole.
    var height = card(focus).rows.count
    var index = focus
    while index > start, height + card(index - 1).rows.count <= rows {
      index -= 1
      height += card(index).rows.count
    }
    start = index
    // What is free below is for cards above.
    index = focus + 1
    while index < entries.count, height < rows {
      height += card(index).rows.count
      index += 1
    }
    while start > 0, height + card(start - 1).rows.count <= rows {
      start -= 1
      height += card(start).rows.count
    }
    first = entries[start].serverID

    var room = rows
    index = start
    while index < entries.count, room > 0 {
      let (lines, cursor) = card(index)
      // A card that does not fit whole would show buttons or a frame cut off.
      if lines.count > room, index != focus { break }
      if let cursor {
        frame.cursor = Frame.Position(row: frame.rows.count + cursor.row, column: cursor.column)
      }
      frame.rows += lines.prefix(room)
      room -= lines.count
      index += 1
    }
    return (start, entries.count - index)
  }

  // MARK: Around the cards

  private static func header(_ model: TerminalModel, width: Int, above: Int, below: Int) -> Row {
    var row = Row([Glyph](" Notifications", style: Style([.bold])))
    var parts: [String] = []
    if above > 0 { parts.append("▲ \(above) newer") }
    if below > 0 { parts.append("▼ \(below) older") }
    let count = model.entries.count
    if count > 0 { parts.append("\(count) open") }
    let right = [Glyph](parts.joined(separator: "  "), style: Theme.quiet).fitted(to: width - 16)
    row.put(right, before: width - 1)
    let room = width - 18 - right.width - 3
    if room > 8 { row.put(model.lastOutcome.styled(Theme.quiet).fitted(to: room), at: 18) }
    return row
  }

  private static func waiting(width: Int, rows: Int) -> [Row] {
    let lines = ["No notifications.", "What programs on this bus want to tell you appears here."]
    let wrapped = lines.flatMap {
      Wrapping.lines([Glyph]($0, style: Theme.quiet), columns: width - 4, limit: 3)
    }
    return Array(([[]] + wrapped).prefix(rows)).map { Row($0, at: 2) }
  }

  private static func footer(_ model: TerminalModel, width: Int) -> Row {
    if let note = model.note {
      return Row([Glyph](" " + note, style: Theme.warning).fitted(to: width - 1))
    }
    var glyphs: [Glyph] = []
    for (key, what) in keys(model) {
      let part = [Glyph](" \(key)", style: Style([.bold])) + [Glyph](" \(what) ", style: Theme.quiet)
      if glyphs.width + part.width > width - 1 { break }
      glyphs += part
    }
    return Row(glyphs)
  }

  /// The keys that do something now, the most useful first.
  private static func keys(_ model: TerminalModel) -> [(String, String)] {
    guard let content = model.focused?.content else { return [("q", "quit")] }
    if model.editor != nil { return [("⏎", content.replySubmitLabel.text), ("esc", "leave")] }
    var result: [(String, String)] = []
    let count = content.buttons.count
    if count > 0 { result.append((count == 1 ? "1" : "1-\(min(count, 9))", "press")) }
    if model.chosenButton != nil {
      result.append(("⏎", "press"))
    } else if content.defaultLabel != nil {
      result.append(("⏎", "open"))
    }
    if content.buttons.contains(where: \.isReply) { result.append(("r", "reply")) }
    result.append(("d", "dismiss"))
    if model.entries.count > 1 { result.append(("↑↓", "choose")) }
    result.append(("q", "quit"))
    if model.entries.count > 1 { result.append(("D", "dismiss all")) }
    return result
  }

  /// For a screen without room for a frame: a line for each notification, the focused one in reverse.
  private static func small(_ model: TerminalModel, size: ScreenSize) -> Frame {
    let focus = model.focusedIndex ?? 0
    var rows: [Row] = []
    for (index, entry) in model.entries.enumerated().dropFirst(max(0, focus - size.rows / 2)).prefix(max(0, size.rows))
    {
      let style = index == focus ? Style([.reversed]) : Style()
      var text = [Glyph](Theme.sign(entry.content.urgency) + " ") + entry.content.summary
      if index == focus, let editor = model.editor {
        text = [Glyph]("› ") + editor.view(columns: max(3, size.columns - 3)).glyphs
      }
      rows.append(Row(text.styled(style).fitted(to: max(0, size.columns - 1))))
    }
    return Frame(rows: rows)
  }
}
