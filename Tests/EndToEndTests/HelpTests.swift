import TestSupport
import Testing

/// Help, version and completions of the built command.
@Suite(.timeLimit(.minutes(1))) struct HelpTests {
  private func run(_ arguments: String...) async throws -> BinaryResult {
    try await BinaryRunner.run(try Binaries.notifyBridge(), arguments)
  }

  @Test("help and version go to standard output and end with 0; no verb at all is wrong usage")
  func help() async throws {
    let version = try await run("--version")
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("notify-bridge "))
    let overview = try await run("--help")
    #expect(overview.status == 0)
    for verb in [
      "send", "wait", "act", "show", "remove", "list", "history", "watch", "on", "badge", "settings", "categories",
      "explain", "doctor", "terminal", "completions", "extension",
    ] {
      #expect(overview.output.contains("\n  \(verb) "))
      let help = try await run(verb, "--help")
      #expect(help.status == 0 && help.output.contains("Usage: notify-bridge \(verb)"))
      #expect(try await run("help", verb).output == help.output)
    }
    let nothing = try await run()
    #expect(nothing.status == 2 && nothing.output.isEmpty)
    let wrong = try await run("sned", "T")
    #expect(wrong.status == 2 && wrong.errors.contains("'send'"))
  }

  @Test("the manual page has every option and every status")
  func manualPage() async throws {
    let page = try await BinaryRunner.run("/bin/cat", [try Binaries.file("packaging/man/notify-bridge.1")]).output
    let plain = page.split(separator: "\\", omittingEmptySubsequences: false).joined()
    for verb in [
      "send", "terminal", "wait", "act", "show", "remove", "list", "history", "watch", "on", "badge", "settings",
      "categories", "push", "extension",
    ] {
      let help = try await run(verb, "--help").output
      let options = help.split(separator: " ").filter { $0.hasPrefix("--") && $0.count > 2 }.map {
        $0.prefix { $0.isLetter || $0 == "-" }
      }
      #expect(options.contains("--help") && options.count >= (verb == "send" || verb == "terminal" ? 6 : 2))
      for option in options { #expect(plain.contains(option), "\(option) of \(verb)") }
    }
    for status in [0, 1, 2, 3, 10, 11, 12, 13, 14, 15, 16] { #expect(plain.contains(".B \(status)\n")) }
  }

  @Test("the shells take the completions", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) async throws {
    let printed = try await run("completions", shell)
    #expect(printed.status == 0)
    for option in ["--subtitle", "--expire-time"] {
      #expect(printed.output.contains(shell == "fish" ? "-l " + option.dropFirst(2) : option))
    }
    let home = try TemporaryHome()
    let file = try home.write(printed.output, to: "completion")
    let check = try await BinaryRunner.run("/usr/bin/env", [shell, "-n", file])
    #expect(check.status == 0 && check.errors.isEmpty, "\(check.errors)")
  }

  @Test("bash offers the options and their values")
  func bashOffers() async throws {
    let home = try TemporaryHome()
    let file = try home.write(try await run("completions", "bash").output, to: "completion")
    let script = """
      source \(file); COMP_WORDS=(notify-bridge send --ur); COMP_CWORD=2; _notify_bridge; echo "${COMPREPLY[*]}"
      COMP_WORDS=(notify-bridge send --urgency c); COMP_CWORD=3; _notify_bridge; echo "${COMPREPLY[*]}"
      """
    #expect(try await BinaryRunner.run("/bin/bash", ["-c", script]).output == "--urgency\ncritical\n")
  }
}
