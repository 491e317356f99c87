import Foundation

extension BinaryRunner {
  /// Our environment without what leads to the user's session, with `changes` (nil removes a variable).
  ///
  /// Gone are the buses, the displays and every XDG folder; the home does not exist; the locale is C.UTF-8. So a program
  /// under test meets no daemon, no configuration and no state but those that its test gives it.
  public static func environment(_ changes: [String: String?] = [:]) -> [String: String] {
    var variables = ProcessInfo.processInfo.environment.filter { name, _ in
      !(["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "LANGUAGE", "NO_COLOR", "COLORTERM"].contains(name)
        || ["DBUS_", "XDG_", "LC_", "NOTIFY_BRIDGE_", "NOTIFYD_"].contains { name.hasPrefix($0) })
    }
    variables["HOME"] = "/nonexistent"
    variables["LANG"] = "C.UTF-8"
    for (name, value) in changes { variables[name] = value }
    return variables
  }
}
