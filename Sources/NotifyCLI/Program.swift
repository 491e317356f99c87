/// The program: picks the verb, and is the only place where a usage error becomes text and status.
enum Program {
  static func run(_ invocation: Invocation) -> Int32 {
    let rest = Array(invocation.arguments.dropFirst())
    guard let word = invocation.arguments.first else {
      Output.write(Help.overview + "\n", to: 2)
      return ExitStatus.usage.rawValue
    }
    switch word {
    case "--version", "-V", "version": return result("notify-bridge \(Help.version)")
    case "--help", "-h", "-?": return result(Help.overview)
    case "help":
      guard let name = rest.first else { return result(Help.overview) }
      guard let command = Help.command(name) else { return unknown(name) }
      return result(Help.text(command))
    default: break
    }
    guard let command = Help.command(word) else { return unknown(word) }
    do throws(UsageError) {
      let arguments = try ParsedArguments(rest, for: command)
      if arguments.has("help") { return result(Help.text(command)) }
      let status = try perform(command, arguments, invocation)
      return (Output.reportLoss() || status != .success ? status : .failure).rawValue
    } catch {
      Output.message("\(error.message)\nnotify-bridge: 'notify-bridge \(word) --help' lists what can be given")
      return ExitStatus.usage.rawValue
    }
  }

  private static func perform(
    _ command: CommandSpec, _ arguments: ParsedArguments, _ invocation: Invocation
  ) throws(UsageError) -> ExitStatus {
    switch command.name {
    case "send": try SendCommand.run(arguments, invocation)
    case "wait": try WaitCommand.run(arguments, invocation)
    case "act": try ActCommand.run(arguments, invocation)
    case "show": try ShowCommand.run(arguments, invocation)
    case "remove": try RemoveCommand.run(arguments, invocation)
    case "list": try ListCommand.run(arguments, invocation)
    case "history": try HistoryCommand.run(arguments, invocation)
    case "watch": try WatchCommand.run(arguments, invocation)
    case "on": try OnCommand.run(arguments, invocation)
    case "badge": try BadgeCommand.run(arguments, invocation)
    case "settings": try SettingsCommand.run(arguments, invocation)
    case "categories": try CategoriesCommand.run(arguments, invocation)
    case "push": try PushCommand.run(arguments, invocation)
    case "extension": try ExtensionCommand.run(arguments, invocation)
    case "explain": try ExplainCommand.run(arguments, invocation)
    case "doctor": try DoctorCommand.run(arguments, invocation)
    case "terminal": try TerminalCommand.run(arguments, invocation)
    case "completions": try CompletionsCommand.run(arguments)
    default: preconditionFailure("the verb \(command.name) is in the table but has no code")
    }
  }

  private static func result(_ text: String) -> Int32 {
    Output.result(text)
    return ExitStatus.success.rawValue
  }

  private static func unknown(_ word: String) -> Int32 {
    let near = Help.commands.map(\.name).min { ParsedArguments.distance($0, word) < ParsedArguments.distance($1, word) }
    let isNear = near.map { ParsedArguments.distance($0, word) <= 2 } ?? false
    Output.message(
      "unknown verb '\(word)'" + (isNear ? "; did you mean '\(near ?? "")'?" : "") + "\n"
        + "notify-bridge: 'notify-bridge --help' lists the verbs")
    return ExitStatus.usage.rawValue
  }
}
