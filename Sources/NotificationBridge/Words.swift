/// Our own words in notifications, in one place for translation.
///
/// What the command writes to a terminal stays English: scripts and reports of faults depend on it.
public enum Words {
  /// The label of the click on the notification, which some daemons draw as a button; and of a button that opens a file.
  public static var open: String { localized("Open") }

  /// The label of the click on the notification where another button opens something.
  public static func open(_ application: String) -> String {
    // Translators: %@ is the name of an application.
    localized("Open %@", application)
  }

  /// The button that answers with a text, where its application gives it no title.
  public static var reply: String { localized("Reply") }

  /// The button that plays a sound.
  public static var play: String { localized("Play") }

  /// The same while it plays.
  public static var pause: String { localized("Pause") }

  /// What a switch is.
  public static var on: String { localized("On") }
  public static var off: String { localized("Off") }

  /// A control that has a state: "Reminder: On".
  public static func state(_ title: String, _ state: String) -> String {
    if title.isEmpty || state.isEmpty { return title + state }
    // Translators: %1$@ is what is set, %2$@ to what.
    return localized("%1$@: %2$@", title, state)
  }

  /// The button that opens the settings of an application's notifications.
  public static var settings: String { localized("Settings") }

  /// The button that shows each notification of a collapsed thread.
  public static var showAll: String { localized("Show all") }

  /// What is asked before an application's first notification.
  public static func wantsToNotify(_ application: String) -> String {
    // Translators: %@ is the name of an application.
    localized("%@ wants to show notifications", application)
  }

  /// The answers to that.
  public static var allow: String { localized("Allow") }
  public static var doNotAllow: String { localized("Don’t allow") }

  /// What stands for the body while the screen is locked and previews are hidden.
  public static var hiddenPreview: String { localized("Notification") }

  /// What a collapsed thread says below its newest notification.
  /// - Parameter sources: whom the others are from; may be empty.
  public static func more(_ count: Int, from sources: [String]) -> String {
    guard !sources.isEmpty else {
      // Translators: %@ is a number.
      return localizedPlural("%@ more notification", "%@ more notifications", count: count, "\(count)")
    }
    // Translators: %1$@ is a number of notifications, %2$@ whom they are from: "3 more from Ada and Tim".
    return localizedPlural("%1$@ more from %2$@", "%1$@ more from %2$@", count: count, "\(count)", list(sources))
  }

  /// Names in a row, as a sentence has them.
  public static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    // Translators: joins all but the last two of several names; %1$@ may itself be such a row.
    let row = names.dropLast(2).reversed().reduce(names[names.count - 2]) { localized("%1$@, %2$@", $1, $0) }
    // Translators: joins the last of several names to those before it.
    return localized("%1$@ and %2$@", row, last)
  }
}
