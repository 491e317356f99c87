internal import FreedesktopNotifications

/// A notification as lines of the screen.
struct Card {
  let entry: TerminalModel.Entry
  let isFocused: Bool
  let chosenButton: Int?
  let editor: LineEditor?

  /// The narrowest card.
  static let minimumWidth = 20

  private var content: Content { entry.content }
  private var accent: Colour { Theme.accent(content.urgency) }
  private var frameStyle: Style {
    isFocused ? Style([.bold], accent) : content.urgency == .critical ? Style([], accent) : Theme.frame
  }

  /// Its lines, and where the cursor is when a reply is typed.
  /// - Parameters:
  ///   - width: in columns, at least ``minimumWidth``.
  ///   - maximumRows: at least 5; the body is cut to fit, then the picture.
  func layout(width: Int, maximumRows: Int) -> (rows: [Row], cursor: Frame.Position?) {
    let inside = width - 4
    let picture = content.picture.map { picture in
      picture.scaled(toFit: min(24, inside / 3), 2 * min(isFocused ? 12 : 6, maximumRows - 2)).halfBlocks
    }
    let indent = picture.map { ($0.first?.count ?? 0) + 2 } ?? 0
    let columns = inside - indent
    var cursor: Frame.Position?

    var lines = summaryLines(columns)
    var below: [Row] = []
    if let progress = content.progress { below.append(Row(Self.bar(progress, columns: columns, colour: accent))) }
    if let answered = entry.answered {
      below.append(Row(([Glyph]("✓ ", style: Theme.quiet) + answered.styled(Theme.quiet)).fitted(to: columns)))
    }
    var controls: [Row] = []
    if let editor {
      let field = field(editor, columns: columns)
      controls = [field.row]
      cursor = Frame.Position(row: 0, column: field.cursor)
    } else {
      controls = buttonRows(columns, limit: max(1, maximumRows - 3))
    }
    let gap = !controls.isEmpty && maximumRows - 2 > lines.count + below.count + controls.count ? 1 : 0
    let room = maximumRows - 2 - lines.count - below.count - controls.count - gap
    if room > 0, !content.body.isEmpty {
      lines += Wrapping.lines(content.body, columns: columns, limit: min(room, isFocused ? 40 : 4)).map { Row($0) }
    }
    lines = Array(lines.prefix(max(0, maximumRows - 2 - below.count - controls.count))) + below
    if gap > 0 { lines.append(Row()) }
    cursor?.row = 1 + lines.count
    cursor?.column += 2 + indent
    lines += controls

    let height = max(lines.count, picture?.count ?? 0)
    var rows = [top(width)]
    for index in 0..<height {
      var row = Row()
      if let picture, index < picture.count { row.put(picture[index], at: 2) }
      if index < lines.count {
        for piece in lines[index].moved(by: 2 + indent).pieces { row.put(piece.glyphs, at: piece.column) }
      }
      row.put([Glyph](isFocused ? "┃" : "│", style: frameStyle), at: 0)
      row.put([Glyph](isFocused ? "┃" : "│", style: frameStyle), at: width - 1)
      rows.append(row)
    }
    rows.append(bottom(width))
    return (rows, cursor)
  }

  // MARK: The frame

  private func top(_ width: Int) -> Row {
    let line = isFocused ? "━" : "─"
    let left = isFocused ? "┏" : "╭"
    let right = isFocused ? "┓" : "╮"
    var row = Row([Glyph](left + String(repeating: line, count: width - 2) + right, style: frameStyle))
    let clock = [Glyph](" \(entry.clock) ", style: Theme.quiet)
    let name = content.application.isEmpty ? [Glyph]("Notification") : content.application
    let title =
      [Glyph](" \(Theme.sign(content.urgency)) ", style: Style([.bold], accent))
      + name.fitted(to: width - 10 - clock.width).styled(Style([.bold], accent)) + [Glyph](" ")
    row.put(title, at: 2)
    row.put(clock, before: width - 2)
    return row
  }

  private func bottom(_ width: Int) -> Row {
    let line = String(repeating: isFocused ? "━" : "─", count: width - 2)
    return Row([Glyph](isFocused ? "┗\(line)┛" : "╰\(line)╯", style: frameStyle))
  }

  // MARK: The inside

  private func summaryLines(_ columns: Int) -> [Row] {
    if content.summary.isEmpty, !content.body.isEmpty { return [] }
    return Wrapping.lines(content.summary.styled(Style([.bold])), columns: columns, limit: isFocused ? 3 : 1).map {
      Row($0)
    }
  }

  /// A bar that is as long as the text is wide, at most 40 columns, in steps of an eighth of a column.
  static func bar(_ percent: Int, columns: Int, colour: Colour) -> [Glyph] {
    let number = [Glyph](" \(percent) %", style: Theme.quiet)
    let length = min(40, columns - 6)
    guard length > 2 else { return number }
    let eighths = percent * length * 8 / 100
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let full = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    let empty = String(repeating: "·", count: length - (eighths + 7) / 8)
    return [Glyph](full, style: Style([], colour)) + [Glyph](empty, style: Theme.frame) + number
  }

  private func field(_ editor: LineEditor, columns: Int) -> (row: Row, cursor: Int) {
    let prompt = [Glyph]("› ", style: Style([.bold], accent))
    let room = max(3, columns - prompt.width)
    let view = editor.view(columns: room)
    var row = Row(prompt)
    row.put([Glyph](String(repeating: " ", count: room), style: Style([], nil, on: Theme.button.background)), at: 2)
    let text = editor.isEmpty ? content.replyPlaceholder.fitted(to: room - 1) : view.glyphs
    let style =
      editor.isEmpty
      ? Style([.italic], Colour(160, 168, 180), on: Theme.button.background)
      : Style([], Theme.button.foreground, on: Theme.button.background)
    row.put(text.styled(style), at: 2)
    return (row, 2 + view.cursor)
  }

  /// Of too many rows of buttons those are left out that are furthest from the chosen one.
  private func buttonRows(_ columns: Int, limit: Int) -> [Row] {
    var rows: [Row] = []
    var row = Row()
    var used = 0
    var chosenRow = 0
    for (index, chip) in chips.enumerated() {
      let chip = chip.fitted(to: columns)
      if used > 0, used + 1 + chip.width > columns {
        rows.append(row)
        (row, used) = (Row(), 0)
      }
      row.put(chip, at: used > 0 ? used + 1 : 0)
      used += chip.width + (used > 0 ? 1 : 0)
      if index == chosenButton { chosenRow = rows.count }
    }
    if used > 0 { rows.append(row) }
    return Array(rows.dropFirst(max(0, chosenRow - limit + 1)).prefix(limit))
  }

  private var chips: [[Glyph]] {
    var result: [[Glyph]] = []
    for (index, button) in content.buttons.enumerated() {
      result.append(
        chip(
          index < 9 ? "\(index + 1)" : "", button.isReply ? button.label + [Glyph]("…") : button.label,
          isChosen: isFocused && chosenButton == index))
    }
    if let label = content.defaultLabel {
      result.append(chip("⏎", label.isEmpty ? [Glyph]("Open") : label, isChosen: false))
    }
    return result
  }

  private func chip(_ key: String, _ label: [Glyph], isChosen: Bool) -> [Glyph] {
    let plain = isChosen ? Style([.bold, .reversed]) : Theme.button
    var strong = plain
    if isFocused, !isChosen {
      strong.attributes = .bold
      strong.foreground = Theme.key
    }
    return [Glyph]("[", style: plain) + [Glyph](key, style: strong)
      + [Glyph](key.isEmpty ? "" : " ", style: plain) + label.styled(plain) + [Glyph]("]", style: plain)
  }
}
