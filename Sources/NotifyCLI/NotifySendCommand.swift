internal import DBus
internal import FreedesktopNotifications
internal import Glibc

/// The program under its name `notify-send`: version 0.8.1's options, call, exit statuses and results, with the
/// descriptors of 0.8.7; help and messages have our own wording.
///
/// What was typed is sent: no translation, no escaping. As in 0.8.1 (and unlike later versions) `--icon` is the icon
/// argument, there is no `--app-icon`, and `--expire-time` does not limit the waiting. What differs is meant:
/// - Where the real program ends itself with a signal (text that is no UTF-8, a hint without a name, an empty action),
///   this one says why and exits with 1; in both, nothing is sent.
/// - Where the real program waits for ever (`--wait` for a notification that was not shown, or whose daemon is gone, or
///   an action whose notification the daemon never reports as closed), this one ends: with 1, and with 0 after an action.
/// - It finds the session bus's usual socket where `DBUS_SESSION_BUS_ADDRESS` is not set or empty, and never starts a bus.
/// - Variant hints hold no file descriptor (`handle`).
/// - In a sandbox (Flatpak, Snap) it posts to the daemon all the same, not through the portal.
enum NotifySendCommand {
  /// Runs with this process's own arguments, byte for byte, and environment.
  /// - Returns: the exit status.
  static func run() -> Int32 {
    var environment: [String: String] = [:]
    for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "CHARSET"] {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return run(arguments: ownArguments(), environment: environment)
  }

  /// - Parameters:
  ///   - arguments: the program's name as it was called, and what follows.
  ///   - environment: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR` and `CHARSET` are read.
  static func run(arguments: [[UInt8]], environment: [String: String]) -> Int32 {
    let outcome = NotifySendOptions.parse(Array(arguments.dropFirst())) {
      NotifySendCharset.utf8($0, environment: environment)
    }
    switch outcome {
    case .help:
      Output.write(NotifySendHelp.text, to: STDOUT_FILENO)
      return 0
    case .version:
      let name = String(decoding: arguments.first ?? Array("notify-send".utf8), as: UTF8.self)
      NotifySendOutput.line("\(name) \(NotifySendHelp.version)")
      return 0
    case .failure(let message):
      NotifySendOutput.message(message)
      return 1
    case .send(let options):
      for warning in options.warnings { NotifySendOutput.message(warning) }
      return send(options, environment)
    }
  }

  private static func send(_ options: NotifySendOptions, _ environment: [String: String]) -> Int32 {
    let request: NotifySendRequest
    do throws(NotifySendRequest.Fault) {
      request = try NotifySendRequest(options, processID: Int64(getpid()))
    } catch {
      NotifySendOutput.message(error.message)
      if error.isReported { NotifySendDialogue.tell(options.replacesID, options) }
      return 1
    }
    let connection = NotifySendMailbox.wait { () async throws(BusError) in
      try await BusConnection.connect(to: BusAddress.session(environment: environment))
    }
    switch connection {
    case .success(let connection):
      var dialogue = NotifySendDialogue(options, request, on: connection)
      return dialogue.run()
    case .failure(let error):
      NotifySendOutput.message("no session bus: \(error)")
      NotifySendDialogue.tell(options.replacesID, options)
      return 1
    }
  }

  /// `CommandLine.arguments` repairs what is no UTF-8; here it must be seen.
  private static func ownArguments() -> [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }
}
