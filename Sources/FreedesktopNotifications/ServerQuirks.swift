/// Where a daemon differs from the specification. Each predicate names one measured difference and its reason.
public struct ServerQuirks: Sendable, Hashable {
  /// The daemon's name, lower case.
  private let name: String
  /// Its vendor, lower case: mate's daemon is told from GNOME's, whose name is the same, by it alone.
  private let vendor: String
  private let version: String

  public init(information: ServerInformation) {
    name = information.name.lowercased()
    vendor = information.vendor.lowercased()
    version = information.version
  }

  /// mate-notification-daemon reports its close button as expired (1): a close before the time set is a dismissal.
  public var reportsDismissalAsExpiry: Bool { isMate }
  /// Its own time in milliseconds when none was set (mate: 7 s), where that matters to tell a dismissal.
  public var defaultLifetime: Int32? { isMate ? 7000 : nil }
  /// Cinnamon's close button reports reason 0.
  public var reportsDismissalAsZero: Bool { names("cinnamon") }
  /// Budgie sends a second `ActionInvoked` with `default` after each action, and one after a dismissal.
  public var sendsStrayDefault: Bool { names("budgie") }
  /// mate-notification-daemon takes time that grows with the square of an unbroken text; 2 KiB is safe.
  public var bodyLimit: Int? { isMate ? 2048 : nil }
  /// A large picture takes these long: mako 366 ms, python-dbusmock 5 s for 4 MiB.
  public var isSlowWithImages: Bool { name == "mako" || names("mock") }
  /// deepin answers `GetServerInformation` shifted by one and draws no markup although it lists it.
  public var drawsMarkupRaw: Bool { names("deepin") || name == "1.2" }
  /// awesome's naughty (specification 1.0) and lxqt-notificationd draw a picture's path as the icon alone; LXQt's shows
  /// neither when it finds `image-path`.
  public var takesImagePathAsIcon: Bool {
    name == "naughty" || name == "awesome" || name == "lxqt-notificationd"
  }
  /// SwayNotificationCenter draws an `image-path` that is a plain path, not one that is a URI.
  public var takesImagePathWithoutScheme: Bool { name == "swaynotificationcenter" }

  /// How many buttons are seen at once beside the one that some daemons draw for the click on the notification. dunst and
  /// mako have a menu, Plasma rows of them, GNOME Shell room for three; elsewhere a third makes the first ones unreadable,
  /// or a list of them to be opened (LXQt).
  public var buttonRoom: Int {
    if ["dunst", "mako", "plasma", "notify-bridge"].contains(name) { return 10 }
    return names("gnome-shell") ? 3 : 2
  }
  /// Plasma draws the action `settings` as a button of its own that configures the application's notifications.
  public var hasSettingsButton: Bool { name == "plasma" }
  /// xfce4-notifyd and lxqt-notificationd draw a button for the click on the notification too.
  public var drawsDefaultAsButton: Bool { names("xfce") || name == "lxqt-notificationd" }

  /// GNOME Shell from 46 on takes a known application's notifications away when the connection that posted them leaves.
  public var withdrawsWithSender: Bool { names("gnome-shell") && majorVersion >= 46 }
  /// dunst tells the connection alone that posted, or replaced, a notification last what the user did with it.
  public var tellsLastPosterOnly: Bool { name == "dunst" }
  /// GNOME and Plasma keep what notifications say off the lock screen by their own settings.
  public var hidesItselfWhenLocked: Bool { names("gnome-shell") || name == "plasma" }

  /// These close a notification after an action even if it asks to stay with `resident`.
  public var ignoresResident: Bool {
    isMate || names("xfce") || names("budgie") || names("notify-osd") || name == "naughty" || name == "awesome"
  }

  /// lxqt-notificationd draws the buttons that a notification had at first, whatever takes its place.
  public var keepsFirstButtons: Bool { name == "lxqt-notificationd" }
  /// lxqt-notificationd closes what appears under the pointer as soon as that leaves, unless it has no time.
  public var losesTimeUnderPointer: Bool { name == "lxqt-notificationd" }
  /// Plasma leaves its text field open, with what was sent in it, in what takes the place of the notification.
  public var keepsReplyField: Bool { name == "plasma" }

  private var majorVersion: Int { version.split(separator: ".").first.flatMap { Int($0) } ?? 0 }

  /// Whether the name has `part` in it. By bytes: the library's search costs a short-lived sender a tenth of its time.
  private func names(_ part: String) -> Bool {
    let part = Array(part.utf8)
    var rest = Array(name.utf8)[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest.removeFirst()
    }
    return false
  }

  private var isMate: Bool { vendor == "mate" || name.hasPrefix("mate") }
}
