internal import Glibc
internal import NotificationBridge
internal import NotifyTerminal

/// `terminal`: a notification daemon drawn in this terminal.
enum TerminalCommand {
  static let spec = CommandSpec(
    name: "terminal", summary: "Be the notification daemon, in this terminal.",
    options: [
      OptionSpec("replace", "take over from the daemon that runs, if it allows that"),
      OptionSpec("once", "end after the first notification was closed or answered, and print what was done"),
      OptionSpec("plain", "print lines and read commands from standard input instead of drawing"),
      OptionSpec("press", value: "KEY|N", "press that button, by its key or its place from 1, of every notification"),
      OptionSpec("after", value: "SECONDS", "how long after a notification appears --press does that (3)"),
      SendOptions.help,
    ],
    details: """
      Keys: 1-9 press a button, enter opens, r replies, d dismisses, arrows choose, D dismisses all, q quits.
      Commands of --plain, a line each: [NUMBER] press KEY|N, [NUMBER] reply TEXT, [NUMBER] dismiss, list, quit;
      without a number they are about the newest notification. --plain is also what happens where standard input or
      output is no terminal. Status: 0 quit or --once done, 1 the name is taken, 2 wrong usage, 3 no bus,
      13 another daemon took over, 128 and its number after a signal.
      """)

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    if let extra = arguments.operands.first {
      throw UsageError("terminal takes no arguments: \(extra.quotedForPeople)")
    }
    let options = try options(arguments)
    return Host.wait(on: QueueExecutor()) {
      do throws(BusProblem) {
        let connection = try await Host.connect(invocation.environment)
        let outcome = await TerminalDaemon(options: options, environment: invocation.environment).run(on: connection)
        if let message = outcome.message { Output.message(message) }
        // A signal's status is none of those that the verbs share.
        guard let status = ExitStatus(rawValue: outcome.exitStatus) else { exit(outcome.exitStatus) }
        return status
      } catch {
        Output.message(error.text)
        return .noDaemon
      }
    }
  }

  private static func options(_ arguments: ParsedArguments) throws(UsageError) -> TerminalOptions {
    var options = TerminalOptions()
    options.replace = arguments.has("replace")
    options.once = arguments.has("once")
    options.plain = arguments.has("plain")
    options.version = Help.version
    guard let button = arguments["press"] else {
      if arguments.has("after") { throw UsageError("--after says when --press presses: give --press too") }
      return options
    }
    if button.isEmpty { throw UsageError("--press needs the key or the place of a button") }
    let text = arguments["after"] ?? "3"
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 || $0 == 46 }
    guard isPlain, let seconds = Double(text), seconds <= 86_400 else {
      throw UsageError("--after \(text.quotedForPeople) is no number of seconds from 0 to 86400")
    }
    options.press = AutomaticPress(button, after: .milliseconds(Int((seconds * 1000).rounded())))
    return options
  }
}
