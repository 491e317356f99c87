internal import FreedesktopNotifications

/// What is shown and what the user is doing: a state machine without a bus, a terminal or a clock of its own.
///
/// Calls say what happened and when; ``takeEffects()`` gives what must be done about it, in order. Times are durations
/// since any fixed moment.
struct TerminalModel: Sendable {
  /// How it behaves.
  struct Settings: Sendable {
    /// Finish after the first notification was closed or answered.
    var endsAfterFirst = false
    /// A button that is pressed on every notification without the user, and how long after it is shown.
    var press: AutomaticPress?
    /// How long a notification stays whose sender leaves that to us.
    var defaultLifetime = Duration.seconds(10)
    /// The largest number of notifications that are kept.
    var limit = 100
  }

  /// One notification that is shown.
  struct Entry: Sendable, Hashable {
    let serverID: UInt32
    var content: Content
    /// The time of day at which it came, for people.
    var clock: String
    /// Nil: it stays until somebody closes it.
    var lifetime: Duration?
    var deadline: Duration?
    var pressAt: Duration?
    /// What the user chose last, of one that stays after that.
    var answered: [Glyph]?
  }

  /// Who pressed a button.
  enum Presser: Sendable, Hashable { case user, option }

  /// Something to be done or told.
  enum Effect: Sendable, Hashable {
    case shown(Entry, replaces: Bool)
    case invoked(UInt32, key: String, label: [Glyph], by: Presser)
    case replied(UInt32, text: String)
    case closed(UInt32, CloseReason)
    /// Something that only the user is told.
    case note(String)
    /// The daemon's work is done.
    case finished
  }

  let settings: Settings
  /// The newest first.
  private(set) var entries: [Entry] = []
  /// The one that keys act on.
  private(set) var focus: UInt32?
  /// Which of its buttons is chosen.
  private(set) var chosenButton: Int?
  /// The reply being typed to it.
  private(set) var editor: LineEditor?
  /// The last note, until the next key.
  private(set) var note: String?
  /// What became of the last one that went, for the user who wonders.
  private(set) var lastOutcome: [Glyph] = []
  private var effects: [Effect] = []
  private var lastID: UInt32
  /// Until then keys that act are not taken, since what they act on changed under the user's fingers.
  private var settlesAt = Duration.zero
  private var isFinished = false

  /// How long that is.
  static let settlingTime = Duration.milliseconds(400)

  /// - Parameter lastID: the number before the first one that is given.
  init(settings: Settings = Settings(), lastID: UInt32 = 0) {
    self.settings = settings
    self.lastID = lastID
  }

  /// What must be done, in order; each is given once.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// The notification that keys act on.
  var focused: Entry? { entries.first { $0.serverID == focus } }
  var focusedIndex: Int? { entries.firstIndex { $0.serverID == focus } }

  // MARK: What peers do

  /// Shows a notification, or swaps the content of one that is shown.
  /// - Parameters:
  ///   - replacing: the number it shall have; 0 for a new one. A number of nobody is taken as it is, as the
  ///     specification says and as scripts with a fixed number of their own need it.
  ///   - timeout: how long it stays; critical ones stay until somebody closes them.
  /// - Returns: its number, never 0.
  mutating func show(
    _ content: Content, replacing: UInt32, timeout: ExpireTimeout, clock: String, now: Duration
  ) -> UInt32 {
    let lifetime = lifetime(timeout, content.urgency)
    var entry = Entry(serverID: replacing == 0 ? nextID() : replacing, content: content, clock: clock)
    entry.lifetime = lifetime
    entry.deadline = lifetime.map { now + $0 }
    entry.pressAt = settings.press.map { now + $0.after }
    if let index = entries.firstIndex(where: { $0.serverID == entry.serverID }) {
      if entry.serverID == focus { focusedContentChanges(from: entries[index].content, to: content, now: now) }
      entries[index] = entry
      effects.append(.shown(entry, replaces: true))
    } else {
      makeRoom(now: now)
      entries.insert(entry, at: 0)
      if focus == nil { moveFocus(to: entry.serverID, now: now) }
      effects.append(.shown(entry, replaces: false))
    }
    return entry.serverID
  }

  /// Closes a notification because a peer asked for it; false if there is none with that number.
  mutating func close(_ serverID: UInt32, now: Duration) -> Bool {
    remove(serverID, .closedByCall, now: now, byUser: false)
  }

  private func lifetime(_ timeout: ExpireTimeout, _ urgency: Urgency) -> Duration? {
    if urgency == .critical { return nil }
    switch timeout {
    case .serverDefault: return settings.defaultLifetime
    case .never: return nil
    case .after(let milliseconds): return .milliseconds(Int64(max(1, milliseconds)))
    }
  }

  private mutating func nextID() -> UInt32 {
    repeat { lastID &+= 1 } while lastID == 0 || entries.contains { $0.serverID == lastID }
    return lastID
  }

  /// Closes the oldest that does not matter most when there are too many.
  private mutating func makeRoom(now: Duration) {
    guard entries.count >= settings.limit else { return }
    let victim =
      entries.last { $0.content.urgency != .critical && $0.serverID != focus }
      ?? entries.last { $0.serverID != focus } ?? entries.last
    if let victim { _ = remove(victim.serverID, .undefined, now: now, byUser: false) }
  }

  // MARK: What time does

  /// When ``advance(to:)`` must be called; nil while nothing is due ever.
  var nextDeadline: Duration? {
    entries.filter { !isEditing($0) }.flatMap { [$0.deadline, $0.pressAt] }.compactMap(\.self).min()
  }

  /// Does what is due: presses buttons for the user, closes what has expired.
  mutating func advance(to now: Duration) {
    while !isFinished {
      let due = entries.filter { entry in !isEditing(entry) && Self.due(entry).map { $0 <= now } ?? false }
      // Of two that are due at once the older one goes first.
      guard let entry = due.reversed().min(by: { (Self.due($0) ?? now) < (Self.due($1) ?? now) }) else { return }
      if let pressAt = entry.pressAt, pressAt <= entry.deadline ?? pressAt {
        pressAutomatically(entry, now: now)
      } else {
        _ = remove(entry.serverID, .expired, now: now, byUser: false)
      }
    }
  }

  private static func due(_ entry: Entry) -> Duration? { [entry.deadline, entry.pressAt].compactMap(\.self).min() }

  /// While a reply is typed its notification does not expire.
  private func isEditing(_ entry: Entry) -> Bool { editor != nil && entry.serverID == focus }

  private mutating func pressAutomatically(_ entry: Entry, now: Duration) {
    if let index = entries.firstIndex(where: { $0.serverID == entry.serverID }) { entries[index].pressAt = nil }
    guard let press = settings.press else { return }
    switch target(press.button, in: entry.content) {
    case .button(let button) where button.isReply: tell("'\(press.button)' wants text: it is not pressed by itself")
    case .button(let button): invoke(entry.serverID, button.key, button.label, by: .option, now: now)
    case .defaultAction(let label): invoke(entry.serverID, Action.defaultKey, label, by: .option, now: now)
    case nil: tell("notification \(entry.serverID) has no button '\(press.button)' to press")
    }
  }

  // MARK: What the user does

  /// What a key or a number names in a notification: a key that it has, else the button at that place, from 1.
  enum Target: Sendable, Hashable {
    case button(Content.Button)
    case defaultAction([Glyph])
  }

  func target(_ name: String, in content: Content) -> Target? {
    if let button = content.buttons.first(where: { $0.key == name }) { return .button(button) }
    if name == Action.defaultKey, let label = content.defaultLabel { return .defaultAction(label) }
    guard let place = Int(name), content.buttons.indices.contains(place - 1) else { return nil }
    return .button(content.buttons[place - 1])
  }

  /// Signals an action, and closes the notification unless it stays after actions.
  mutating func invoke(_ serverID: UInt32, _ key: String, _ label: [Glyph], by presser: Presser, now: Duration) {
    effects.append(.invoked(serverID, key: key, label: label, by: presser))
    if presser == .option {
      note = "'\((label.isEmpty ? [Glyph](key) : label).text)' was pressed by itself, as --press says"
    }
    answered(serverID, label.isEmpty ? [Glyph](key, limit: Content.labelLimit) : label, now: now)
  }

  /// Signals a reply, and closes the notification unless it stays after actions.
  mutating func reply(_ serverID: UInt32, _ text: String, now: Duration) {
    effects.append(.replied(serverID, text: text))
    if serverID == focus { editor = nil }
    answered(serverID, [Glyph](text, limit: Content.labelLimit), now: now)
  }

  /// Closes a notification because the user wants that.
  mutating func dismiss(_ serverID: UInt32, now: Duration) {
    _ = remove(serverID, .dismissed, now: now, byUser: true)
  }

  /// Tells the user something.
  mutating func tell(_ text: String) {
    note = text
    effects.append(.note(text))
  }

  mutating func clearNote() { note = nil }

  /// Ends the daemon's work.
  mutating func finish() {
    if !isFinished { effects.append(.finished) }
    isFinished = true
  }

  private mutating func answered(_ serverID: UInt32, _ what: [Glyph], now: Duration) {
    guard let index = entries.firstIndex(where: { $0.serverID == serverID }) else { return }
    if !entries[index].content.isResident {
      let summary = entries[index].content.summary
      _ = remove(serverID, .dismissed, now: now, byUser: true)
      lastOutcome = [Glyph]("✓ ") + what + [Glyph](": ") + summary
      return
    }
    entries[index].answered = what
    entries[index].pressAt = nil
    entries[index].deadline = entries[index].lifetime.map { now + $0 }
    if settings.endsAfterFirst { finish() }
  }

  private mutating func remove(_ serverID: UInt32, _ reason: CloseReason, now: Duration, byUser: Bool) -> Bool {
    guard let index = entries.firstIndex(where: { $0.serverID == serverID }) else { return false }
    let entry = entries.remove(at: index)
    effects.append(.closed(serverID, reason))
    lastOutcome = [Glyph](Self.word(reason) + ": ") + entry.content.summary
    if focus == serverID {
      let next = entries.isEmpty ? nil : entries[min(index, entries.count - 1)].serverID
      moveFocus(to: next, now: byUser ? nil : now)
    }
    if settings.endsAfterFirst { finish() }
    return true
  }

  private static func word(_ reason: CloseReason) -> String {
    switch reason {
    case .expired: "expired"
    case .dismissed: "dismissed"
    case .closedByCall: "withdrawn"
    default: "no room for"
    }
  }

  // MARK: Focus and typing

  /// Moves the focus.
  /// - Parameter now: given when the user did not ask for it: then acting keys wait a moment.
  mutating func moveFocus(to serverID: UInt32?, now: Duration? = nil) {
    if let now { settlesAt = now + Self.settlingTime }
    focus = serverID
    chosenButton = nil
    editor = nil
  }

  mutating func choose(button: Int?) { chosenButton = button }

  /// Opens the text field of the focused notification.
  mutating func beginReply() {
    guard let index = focusedIndex else { return }
    editor = editor ?? LineEditor()
    entries[index].pressAt = nil
  }

  /// Gives the typed text up; the notification's time begins anew.
  mutating func endReply(now: Duration) {
    editor = nil
    guard let index = focusedIndex else { return }
    entries[index].deadline = entries[index].lifetime.map { now + $0 }
  }

  mutating func edit(_ key: Key) { _ = editor?.handle(key) }

  /// False when the focused notification came under the user's fingers a moment ago; the user is told.
  mutating func isSettled(now: Duration) -> Bool {
    if now >= settlesAt { return true }
    tell("This came up just now: press again")
    return false
  }

  private mutating func focusedContentChanges(from old: Content, to new: Content, now: Duration) {
    guard old.buttons != new.buttons || old.defaultLabel != new.defaultLabel else { return }
    settlesAt = now + Self.settlingTime
    chosenButton = nil
    if !new.buttons.contains(where: \.isReply) { editor = nil }
  }
}
