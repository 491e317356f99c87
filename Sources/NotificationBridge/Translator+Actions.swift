internal import FreedesktopNotifications

extension Translator {
  /// Adds buttons in order and the click on the notification last; answers what each key stands for.
  mutating func addActions(
    to notification: inout Notification, _ request: RequestRecord, _ category: CategoryRecord?
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
      return [:]
    }
    if actions.count > Self.actionLimit {
      dropped.append(Dropped(.actions, "\(actions.count - Self.actionLimit) left out: \(Self.actionLimit) at most"))
      actions = Array(actions.prefix(Self.actionLimit))
    }
    var keys: [String: ActionMeaning] = [:]
    var labels: Set<String> = []
    for (index, action) in actions.enumerated() {
      let (key, meaning) = wireKey(for: action, at: index, taken: keys, &notification)
      keys[key] = meaning
      notification.actions.append(Action(key: key, label: label(for: action, &labels)))
    }
    keys[Action.defaultKey] = .default
    // Last, since Budgie draws no button for the action that follows it.
    notification.actions.append(Action(key: Action.defaultKey, label: Self.unique(Words.open, &labels)))
    return keys
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
      && !identifier.hasPrefix(Self.privatePrefix) && TextRules.oneLine(identifier) == identifier
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

  private static func privateKey(_ index: Int) -> String { privatePrefix + String(index) }
}
