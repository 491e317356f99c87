internal import FreedesktopNotifications

extension Translator {
  /// Icon names that are to be the keys of all buttons, in order; nil: the buttons have labels.
  ///
  /// The hint makes icons of all buttons or of none, and what a theme lacks leaves an empty button: so each must have a
  /// name that themes know, and none may have it twice.
  ///
  /// Source: Desktop Notifications Specification, "Hints", action-icons.
  mutating func icons(for actions: [ActionRecord], _ buttons: ArraySlice<Media.Button>) -> [String]? {
    guard actions.contains(where: { $0.iconName != nil }) else { return nil }
    if !capabilities.actionIcons { return leaveOutIcons("the daemon draws none on buttons") }
    if profile.quirks.drawsDefaultAsButton {
      return leaveOutIcons("the daemon draws a button for the click on the notification, which has none")
    }
    var names: [String] = []
    for action in actions {
      let title = action.title.quotedForPeople
      if action.textInput != nil, capabilities.inlineReply { return leaveOutIcons("\(title) opens a text field") }
      guard let given = action.iconName else { return leaveOutIcons("\(title) has none, and it is all or none") }
      guard let name = ActionIcons.themeName(of: given) else {
        return leaveOutIcons("no icon theme is known to have \(given.quotedForPeople)")
      }
      names.append(name)
    }
    names += buttons.map { $0.kind == .play ? ActionIcons.play : ActionIcons.open }
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      return leaveOutIcons("two buttons have \(twice.quotedForPeople)")
    }
    return names
  }

  private mutating func leaveOutIcons(_ reason: String) -> [String]? {
    dropped.append(Dropped(.icon, "the buttons have labels and no icons: \(reason)"))
    return nil
  }

  /// What no daemon shows of a request's buttons, whichever runs; for those who ask how a notification would look.
  /// It is not said at each delivery.
  public static func remarks(on actions: [ActionRecord]) -> [Dropped] {
    actions.filter { $0.options.contains(.destructive) }.map {
      Dropped(.actions, "\($0.title.quotedForPeople) looks like the others: no daemon marks what destroys something")
    }
  }
}
