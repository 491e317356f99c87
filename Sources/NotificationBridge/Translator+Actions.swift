internal import FreedesktopNotifications

extension Translator {
  /// Adds buttons in order, those of attachments behind them, and the click on the notification last; answers what each
  /// key stands for.
  mutating func addActions(
    to notification: inout Notification, _ request: RequestRecord, _ category: CategoryRecord?,
    buttons: [Media.Button], hasSettings: Bool
  ) -> [String: ActionMeaning] {
    var actions = request.desktop.actions ?? category?.actions ?? []
    let name = request.content.categoryIdentifier
    if category == nil, request.desktop.actions == nil, !name.isEmpty, Self.standardClass(name) == nil {
      dropped.append(Dropped(.actions, "none: the application has not registered the category \(name.quotedForPeople)"))
    }
    guard capabilities.actions else {
      if !actions.isEmpty {
        dropped.append(Dropped(.actions, "\(actions.count) left out: the daemon shows no buttons"))
      }
      leaveOut(buttons[...], because: "the daemon shows no buttons")
      return [:]
    }
    if actions.count > Self.actionLimit {
      dropped.append(Dropped(.actions, "\(actions.count - Self.actionLimit) left out: \(Self.actionLimit) at most"))
      actions = Array(actions.prefix(Self.actionLimit))
    }
    var keys: [String: ActionMeaning] = [:]
    var labels: Set<String> = []
    let shown = buttons.prefix(buttonRoom(beside: actions.count))
    let icons = icons(for: actions, shown)
    if icons != nil { notification.hints.append(.actionIcons(true)) }
    for (index, action) in actions.enumerated() {
      var (key, meaning) = wireKey(for: action, at: index, taken: keys, &notification)
      if let icons { key = icons[index] }
      keys[key] = meaning
      notification.actions.append(Action(key: key, label: label(for: action, &labels)))
    }
    for (index, button) in shown.enumerated() {
      let key = icons?[actions.count + index] ?? Self.attachmentPrefix + String(button.attachment)
      keys[key] = .attachment(index: button.attachment)
      let label = button.kind == .play ? Words.play : Words.open
      notification.actions.append(Action(key: key, label: Self.unique(label, &labels)))
    }
    leaveOut(buttons.dropFirst(shown.count), because: "there is no room for another button")
    // Elsewhere it would be one button among the others.
    if hasSettings, profile.quirks.hasSettingsButton {
      keys[Action.settingsKey] = .settings
      notification.actions.append(Action(key: Action.settingsKey, label: Self.unique(Words.settings, &labels)))
    }
    keys[Action.defaultKey] = .default
    // Another button may open something too.
    let open = labels.contains(Words.open) ? Words.open(notification.appName) : Words.open
    // Last, since Budgie draws no button for the action that follows it.
    notification.actions.append(Action(key: Action.defaultKey, label: Self.unique(open, &labels)))
    return keys
  }

  /// How many buttons for attachments there is room for.
  private func buttonRoom(beside actions: Int) -> Int {
    max(0, min(min(Self.actionLimit, profile.quirks.buttonRoom) - actions, Self.attachmentActionLimit))
  }

  private mutating func leaveOut(_ buttons: ArraySlice<Media.Button>, because reason: String) {
    for button in buttons { dropped.append(Dropped(.attachment, "\(button.name) has no button: \(reason)")) }
  }

  private mutating func wireKey(
    for action: ActionRecord, at index: Int, taken: [String: ActionMeaning], _ notification: inout Notification
  ) -> (String, ActionMeaning) {
    if let input = action.textInput {
      if capabilities.inlineReply, taken[Action.inlineReplyKey] == nil {
        let placeholder = TextRules.oneLine(input.placeholder)
        let button = TextRules.oneLine(input.buttonTitle)
        if !placeholder.isEmpty { notification.hints.append(.replyPlaceholder(placeholder)) }
        if !button.isEmpty { notification.hints.append(.replySubmitLabel(button)) }
        return (Action.inlineReplyKey, .textInput(identifier: action.identifier))
      }
      let why = capabilities.inlineReply ? "the daemon has one text field" : "the daemon has no text field"
      dropped.append(Dropped(.textInput, "\(action.identifier.quotedForPeople) is a plain button: \(why)"))
      return (Self.privateKey(index), .button(identifier: action.identifier))
    }
    let identifier = action.identifier
    let isUsable =
      !identifier.isEmpty && !Self.reservedKeys.contains(identifier) && taken[identifier] == nil
      && !identifier.hasPrefix(Self.privatePrefix) && !identifier.hasPrefix(Self.attachmentPrefix)
      && TextRules.oneLine(identifier) == identifier
    return (isUsable ? identifier : Self.privateKey(index), .button(identifier: identifier))
  }

  private func label(for action: ActionRecord, _ taken: inout Set<String>) -> String {
    let title = TextRules.oneLine(action.title)
    return Self.unique(title.isEmpty ? TextRules.oneLine(action.identifier) : title, &taken)
  }

  /// awesome keys its buttons by label: equal ones would collapse.
  private static func unique(_ label: String, _ taken: inout Set<String>) -> String {
    let base = label.isEmpty ? "…" : label
    var result = base
    var number = 2
    while !taken.insert(result).inserted {
      result = "\(base) (\(number))"
      number += 1
    }
    return result
  }

  private static let reservedKeys: Set<String> = [
    Action.defaultKey, Action.inlineReplyKey, Action.settingsKey,
  ]
  private static let privatePrefix = "notify-bridge-action-"
  private static let attachmentPrefix = "notify-bridge-attachment-"

  private static func privateKey(_ index: Int) -> String { privatePrefix + String(index) }
}
