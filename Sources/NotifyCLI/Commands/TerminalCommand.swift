/// `terminal`: a notification daemon drawn in this terminal.
enum TerminalCommand {
  static let spec = CommandSpec(
    name: "terminal", summary: "Be the notification daemon, in this terminal.", options: [SendOptions.help])

  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    throw UsageError("the terminal daemon has not landed yet")
  }
}
