import FreedesktopNotifications
import Testing

@testable import NotifyCLI

/// Reads a command line in a UTF-8 locale.
private func parse(_ arguments: [String]) -> NotifySendOptions.Outcome {
  NotifySendOptions.parse(arguments.map { Array($0.utf8) }) { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
}

private func options(_ arguments: String...) throws -> NotifySendOptions {
  guard case .send(let options) = parse(arguments) else { throw Unexpected(outcome: parse(arguments)) }
  return options
}

private struct Unexpected: Error { let outcome: NotifySendOptions.Outcome }

private func isFailure(_ outcome: NotifySendOptions.Outcome) -> Bool {
  if case .failure(let message) = outcome { return !message.isEmpty }
  return false
}

@Suite("notify-send: the command line")
struct NotifySendParserTests {
  @Test("Options may stand before, between and behind the texts, in either form")
  func forms() throws {
    let expected = try options("-u", "low", "-t", "5", "-p", "s", "b")
    #expect(expected.urgency == .low)
    #expect(expected.expireTime == 5)
    #expect(expected.printsID)
    #expect(expected.summary == Array("s".utf8) && expected.body == Array("b".utf8))
    #expect(try options("s", "--urgency=low", "b", "--expire-time", "5", "--print-id") == expected)
    #expect(try options("-pu", "LOW", "--expire-time=0x5", "s", "b") == expected)
    #expect(try options("-up", "low", "-t", " +5", "--", "s", "b") == expected)
  }

  @Test("Every option is taken, the last of a single one counts, hints and actions add up")
  func everything() throws {
    let options = try options(
      "-a", "x", "--app-name=", "-i", "i", "-c", "c", "-e", "-h", "string:a:b", "--hint=int:c:1", "-r", "7", "-w", "-A",
      "Yes", "--action=n=No", "--id-fd=3", "--selected-action-fd", "4", "--activation-token-fd=5", "s")
    #expect(options.appName == [])
    #expect(options.icon == Array("i".utf8) && options.category == Array("c".utf8))
    #expect(options.isTransient && options.waits && !options.printsID)
    #expect(options.hints == [Array("string:a:b".utf8), Array("int:c:1".utf8)])
    #expect(options.actions == [Array("Yes".utf8), Array("n=No".utf8)])
    #expect(options.replacesID == 7)
    #expect(options.idDescriptor == 3)
    #expect(options.selectedActionDescriptor == 4)
    #expect(options.activationTokenDescriptor == 5)
    #expect(options.warnings.isEmpty)
  }

  @Test("A value may begin with a hyphen, and be the end mark")
  func hyphens() throws {
    #expect(try options("-a", "--", "s").appName == Array("--".utf8))
    #expect(try options("-i", "-p", "s").icon == Array("-p".utf8))
    #expect(try options("-t", "-5", "s").expireTime == -5)
    #expect(try options("--", "--", "-p").summary == Array("--".utf8))
    #expect(try options("-", "--").summary == Array("-".utf8))
    #expect(try options("--=s").summary == Array("s".utf8))
    #expect(try options("--wait=no", "s").waits)
  }

  @Test(
    "What the real program refuses is refused",
    arguments: [
      [], [""], ["", "b"], ["a", "b", "c"], ["--bogus", "a"], ["-z", "a"], ["--urg=low", "a"], ["-ulow", "a"],
      ["-u=low", "a"], ["-u", "bad", "a"], ["--urgency=", "a"], ["-u"], ["--icon"], ["-t", "", "a"], ["-t", "x", "a"],
      ["-t", "5x", "a"], ["-t", "5 ", "a"], ["-t", "08", "a"], ["-t", "2147483648", "a"], ["-t", "-2147483649", "a"],
      ["-t", "99999999999999999999", "a"], ["-r", "4294967295", "a"], ["-ut", "low", "5", "a"], ["-p=yes", "a"],
      ["--help=x"], ["--help-x"], ["-h", "--help"], ["-p-", "a"], ["-é", "a"], ["--id-fd=x", "a"], ["--=", "a"],
      ["-n", "x", "a"],
    ])
  func refused(arguments: [String]) {
    #expect(isFailure(parse(arguments)))
  }

  @Test("Help wins where it stands ahead of a fault, the version only without one")
  func helpAndVersion() {
    #expect(parse(["--help", "--bogus"]) == .help)
    #expect(parse(["-p?z"]) == .help)
    #expect(parse(["--help-all"]) == .help)
    #expect(isFailure(parse(["--bogus", "--help"])))
    #expect(isFailure(parse(["-z?"])))
    #expect(parse(["-v"]) == .version)
    #expect(parse(["--version=1", "a", "b", "c"]) == .version)
    #expect(isFailure(parse(["-v", "--bogus"])))
  }

  @Test("A negative number to replace is left out and said")
  func negativeNumber() throws {
    let options = try options("-r", "-3", "s")
    #expect(options.replacesID == 0)
    #expect(options.warnings.count == 1)
  }

  @Test("Bytes that are no UTF-8 are kept, but the application's name must be text in the locale's charset")
  func bytes() {
    let outcome = NotifySendOptions.parse([[0xff], [0xfe]], fromLocale: { _ in nil })
    guard case .send(let options) = outcome else {
      Issue.record("refused: \(outcome)")
      return
    }
    #expect(options.summary == [0xff] && options.body == [0xfe])
    let named = NotifySendOptions.parse([Array("-a".utf8), [0xff], [0x61]], fromLocale: { _ in nil })
    #expect(isFailure(named))
  }

  @Test("The help names every option")
  func help() {
    for name in [
      "urgency", "expire-time", "app-name", "icon", "category", "transient", "hint", "print-id", "replace-id", "wait",
      "action", "id-fd", "selected-action-fd", "activation-token-fd", "version", "help",
    ] { #expect(NotifySendHelp.text.contains("--\(name)")) }
    #expect(NotifySendHelp.text.hasSuffix("\n") && !NotifySendHelp.text.hasSuffix("\n\n"))
  }
}
