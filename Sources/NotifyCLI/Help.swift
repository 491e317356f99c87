/// Help texts, made from the same table as parsing and completions.
enum Help {
  static let version = "0.1.0"

  /// Every verb, in the order of help.
  static let commands: [CommandSpec] = [
    SendOptions.send, WaitCommand.spec, ActCommand.spec, ShowCommand.spec, RemoveCommand.spec, ListCommand.spec,
    HistoryCommand.spec, WatchCommand.spec, OnCommand.spec, PushCommand.spec, ExtensionCommand.spec, BadgeCommand.spec,
    SettingsCommand.spec, CategoriesCommand.spec, SendOptions.explain, DoctorCommand.spec, TerminalCommand.spec,
    CompletionsCommand.spec,
  ]

  /// A verb by its name; only its own table is made.
  static func command(_ name: String) -> CommandSpec? {
    switch name {
    case "send": SendOptions.send
    case "wait": WaitCommand.spec
    case "act": ActCommand.spec
    case "show": ShowCommand.spec
    case "remove": RemoveCommand.spec
    case "list": ListCommand.spec
    case "history": HistoryCommand.spec
    case "watch": WatchCommand.spec
    case "on": OnCommand.spec
    case "badge": BadgeCommand.spec
    case "settings": SettingsCommand.spec
    case "categories": CategoriesCommand.spec
    case "push": PushCommand.spec
    case "extension": ExtensionCommand.spec
    case "explain": SendOptions.explain
    case "doctor": DoctorCommand.spec
    case "terminal": TerminalCommand.spec
    case "completions": CompletionsCommand.spec
    default: nil
    }
  }

  /// The help of the program.
  static var overview: String {
    let verbs = commands.map { "  " + $0.name.padded(to: 13) + $0.summary }.joined(separator: "\n")
    return """
      notify-bridge: desktop notifications for shells and scripts.

      Usage: notify-bridge VERB [OPTION…] [ARGUMENT…]

      \(verbs)

      notify-bridge VERB --help explains a verb; notify-bridge --version prints the version.
      notify-bridge --user NAME VERB … : root acts in the session of another user.
      Called under the name notify-send it takes the options of that program.
      """
  }

  /// The help of one verb.
  static func text(_ command: CommandSpec) -> String {
    let usage = ["notify-bridge", command.name, command.options.isEmpty ? "" : "[OPTION…]", command.operands]
    var lines = [command.summary, "", "Usage: " + usage.filter { !$0.isEmpty }.joined(separator: " ")]
    if !command.options.isEmpty {
      lines.append("")
      for option in command.options {
        let name = (option.short.map { "-\($0), " } ?? "    ") + "--" + option.long
        let left = "  " + name + (option.value.map { " " + $0 } ?? "")
        let right = option.help + (option.isRepeatable ? " (repeatable)" : "")
        lines.append(left.count < 31 ? left.padded(to: 32) + right : left + "\n" + "".padded(to: 32) + right)
      }
    }
    if !command.details.isEmpty { lines += ["", command.details] }
    return lines.joined(separator: "\n")
  }
}
