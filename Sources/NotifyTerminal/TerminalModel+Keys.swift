internal import FreedesktopNotifications

/// What keys do.
extension TerminalModel {
  /// Takes a key that the user pressed.
  mutating func handle(_ key: Key, now: Duration) {
    clearNote()
    if key == .control("c") { return finish() }
    if key == .control("z") { return tell("A stopped daemon leaves every sender waiting: q quits") }
    if editor != nil { return type(key, now: now) }
    switch key {
    case .text("q"): finish()
    case .up, .text("k"): step(-1)
    case .down, .text("j"): step(1)
    case .pageUp: step(-5)
    case .pageDown: step(5)
    case .home, .text("g"): step(-entries.count)
    case .end, .text("G"): step(entries.count)
    case .right, .tab: stepButton(1)
    case .left, .backTab: stepButton(-1)
    case .escape: choose(button: nil)
    case .enter: act(now: now) { model, entry in model.pressChosen(entry, now: now) }
    case .text("r"): act(now: now) { model, entry in model.openReply(entry) }
    case .text("d"), .text("x"), .delete, .backspace:
      act(now: now) { model, entry in model.dismiss(entry.serverID, now: now) }
    case .text("D"): act(now: now) { model, _ in model.dismissAll(now: now) }
    case .text(let digit):
      guard let place = Int(digit), place > 0 else { return }
      act(now: now) { model, entry in model.press(entry, place: place, now: now) }
    default: break
    }
  }

  private mutating func act(now: Duration, _ body: (inout TerminalModel, Entry) -> Void) {
    guard let entry = focused, isSettled(now: now) else { return }
    body(&self, entry)
  }

  private mutating func type(_ key: Key, now: Duration) {
    switch key {
    case .escape: endReply(now: now)
    case .enter:
      guard let entry = focused, let text = editor?.text else { return }
      if text.allSatisfy(\.isWhitespace) { return tell("There is no text to send yet; esc leaves the field") }
      guard isSettled(now: now) else { return }
      reply(entry.serverID, text, now: now)
    default: edit(key)
    }
  }

  private mutating func step(_ count: Int) {
    guard !entries.isEmpty else { return }
    let index = min(max((focusedIndex ?? 0) + count, 0), entries.count - 1)
    if entries[index].serverID != focus { moveFocus(to: entries[index].serverID) }
  }

  private mutating func stepButton(_ count: Int) {
    guard let buttons = focused?.content.buttons, !buttons.isEmpty else { return }
    let next = chosenButton.map { $0 + count } ?? (count > 0 ? 0 : buttons.count - 1)
    choose(button: (next + buttons.count) % buttons.count)
  }

  private mutating func pressChosen(_ entry: Entry, now: Duration) {
    if let chosenButton { return press(entry, place: chosenButton + 1, now: now) }
    if let label = entry.content.defaultLabel {
      return invoke(entry.serverID, Action.defaultKey, label, by: .user, now: now)
    }
    tell(entry.content.buttons.isEmpty ? "There is nothing to open; d dismisses it" : "Press the number of a button")
  }

  private mutating func press(_ entry: Entry, place: Int, now: Duration) {
    guard entry.content.buttons.indices.contains(place - 1) else { return tell("There is no button \(place)") }
    let button = entry.content.buttons[place - 1]
    if button.isReply { return beginReply() }
    invoke(entry.serverID, button.key, button.label, by: .user, now: now)
  }

  private mutating func openReply(_ entry: Entry) {
    if entry.content.buttons.contains(where: \.isReply) { return beginReply() }
    tell("This notification takes no reply")
  }

  private mutating func dismissAll(now: Duration) {
    for entry in entries.reversed() { dismiss(entry.serverID, now: now) }
  }
}
