internal import Glibc
internal import NotificationBridge

/// `--user NAME`: root runs the command as another user, on that user's session bus, as nobody else may.
///
/// The process becomes that user for good and executes itself anew, so that nothing of root's is left in it.
enum OtherUser {
  /// Takes `--user NAME` or `--user=NAME` off the front of the arguments and becomes that user. Returns only when it was
  /// not asked for; otherwise this process is executed anew, or ends.
  static func becomeIfAsked(_ arguments: [String]) {
    guard let first = arguments.first, first == "--user" || first.hasPrefix("--user=") else { return }
    let name: String
    var rest = Array(arguments.dropFirst())
    if first == "--user" {
      guard !rest.isEmpty else { end(.usage, "--user needs the name of a user: notify-bridge --user alice send …") }
      name = rest.removeFirst()
    } else {
      name = String(first.dropFirst("--user=".count))
    }
    become(name, rest)
  }

  private static func become(_ name: String, _ arguments: [String]) -> Never {
    guard let entry = unsafe getpwnam(name) else {
      end(.usage, "--user \(name.quotedForPeople): there is no such user")
    }
    let (user, group) = unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
    let home = unsafe String(cString: entry.pointee.pw_dir)
    guard getuid() == 0 || getuid() == user else {
      end(.failure, "--user \(name.quotedForPeople): only root can act for another user")
    }
    let runtime = "/run/user/\(user)"
    guard unsafe access(runtime + "/bus", F_OK) == 0 else {
      end(
        .noDaemon,
        "\(name.quotedForPeople) has no session bus: there is no socket \(runtime)/bus; is the user logged in? "
          + "'loginctl list-sessions' says")
    }
    if getuid() == 0, user != 0 {
      guard unsafe initgroups(name, group) == 0, setgid(group) == 0, setuid(user) == 0 else {
        end(.failure, "this process cannot become \(name.quotedForPeople): \(unsafe String(cString: strerror(errno)))")
      }
    }
    var environment = [
      "HOME=\(home)", "USER=\(name)", "LOGNAME=\(name)", "XDG_RUNTIME_DIR=\(runtime)",
      "PATH=/usr/local/bin:/usr/bin:/bin",
    ]
    for variable in ["LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "TERM", "NOTIFY_BRIDGE_APP_ID"] {
      if let value = unsafe getenv(variable) { environment.append("\(variable)=\(unsafe String(cString: value))") }
    }
    var words = unsafe (["notify-bridge"] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    unsafe execve("/proc/self/exe", &words, &variables)
    end(.failure, "this program cannot execute itself: \(unsafe String(cString: strerror(errno)))")
  }

  private static func end(_ status: ExitStatus, _ message: String) -> Never {
    Output.message(message)
    exit(status.rawValue)
  }
}
