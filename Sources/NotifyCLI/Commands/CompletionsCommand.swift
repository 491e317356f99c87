/// `completions`: prints what a shell needs to complete this program, made from the same table as the help.
enum CompletionsCommand {
  static let spec = CommandSpec(
    name: "completions", summary: "Print completions for bash, zsh or fish.", operands: "bash|zsh|fish",
    options: [SendOptions.help], details: "Packages install the output; see their documentation for the folders.")

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    switch arguments.operands {
    case ["bash"]: Output.write(bash(), to: 1)
    case ["zsh"]: Output.write(zsh(), to: 1)
    case ["fish"]: Output.write(fish(), to: 1)
    default: throw UsageError("completions needs one of bash, zsh and fish")
    }
    return .success
  }

  static func bash() -> String {
    let verbs = Help.commands.map(\.name).joined(separator: " ")
    let cases = Help.commands.map { command in
      let values = command.options.compactMap { option -> String? in
        switch option.completion {
        case .none: nil
        case .file: "      --\(option.long)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
        case .words(let words):
          "      --\(option.long)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")); return ;;"
        }
      }
      let options = command.options.map { "--" + $0.long }.joined(separator: " ")
      let choice =
        values.isEmpty ? "" : "      case $previous in\n" + values.map { "  " + $0 + "\n" }.joined() + "      esac\n"
      return "    \(command.name))\n\(choice)      COMPREPLY=($(compgen -W \"\(options)\" -- \"$current\")) ;;\n"
    }.joined()
    return """
      # bash completion for notify-bridge; printed by "notify-bridge completions bash"
      # shellcheck shell=bash disable=SC2207
      _notify_bridge() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(verbs) --help --version" -- "$current"))
          return
        fi
        case ${COMP_WORDS[1]} in
      \(cases)  esac
      }
      complete -o default -F _notify_bridge notify-bridge

      """
  }

  static func zsh() -> String {
    let verbs = Help.commands.map { "    '\($0.name):\(quoted($0.summary))'\n" }.joined()
    let cases = Help.commands.map { command in
      let options = command.options.map { option in
        let action: String =
          switch option.completion {
          case .none: option.value == nil ? "" : ":\(zshLabel(option)): "
          case .file: ":\(zshLabel(option)):_files"
          case .words(let words): ":\(zshLabel(option)):(\(words.joined(separator: " ")))"
          }
        let star = option.isRepeatable ? "*" : ""
        return "        '\(star)--\(option.long)[\(zshText(option.help))]\(action)'"
      }.joined(separator: " \\\n")
      return "      \(command.name)) _arguments \\\n\(options) \\\n        '*::operand:_files' ;;\n"
    }.joined()
    return """
      #compdef notify-bridge
      # zsh completion for notify-bridge; printed by "notify-bridge completions zsh"
      _notify_bridge() {
        local -a verbs
        verbs=(
      \(verbs)  )
        if (( CURRENT == 2 )); then
          _describe verb verbs
          return
        fi
        local verb=$words[2]
        shift words
        (( CURRENT-- ))
        case $verb in
      \(cases)  esac
      }
      _notify_bridge "$@"

      """
  }

  static func fish() -> String {
    var lines = ["# fish completion for notify-bridge; printed by \"notify-bridge completions fish\""]
    lines.append("complete -c notify-bridge -f")
    for command in Help.commands {
      lines.append(
        "complete -c notify-bridge -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'")
      for option in command.options {
        var line = "complete -c notify-bridge -n '__fish_seen_subcommand_from \(command.name)' -l \(option.long)"
        if let short = option.short { line += " -s \(short)" }
        switch option.completion {
        case .none: line += option.value == nil ? "" : " -x"
        case .file: line += " -r -F"
        case .words(let words): line += " -x -a '\(words.joined(separator: " "))'"
        }
        lines.append(line + " -d '\(quoted(option.help))'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’")
  }

  private static func zshLabel(_ option: OptionSpec) -> String { zshText(option.value ?? "") }

  /// Brackets and colons mean something to `_arguments`.
  private static func zshText(_ text: String) -> String {
    quoted(text).map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
