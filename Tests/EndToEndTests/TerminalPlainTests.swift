import Foundation
import TestSupport
import Testing

/// The terminal daemon in its plain form, between real programs on a real bus.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct TerminalPlainTests {
  @Test func aPressedButtonReachesTheSender() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let sender = try session.send(["Lunch?", "At noon", "-A", "yes=Yes", "-A", "no=No", "--app", "mail"])
      #expect(try await daemon.line { $0.hasPrefix("notification") } == "notification 1 mail: Lunch?")
      #expect(try await daemon.line() == "  | At noon")
      #expect(try await daemon.line() == "  button 1 \"Yes\" yes")
      #expect(try await daemon.line() == "  button 2 \"No\" no")
      daemon.write("press 2\n")
      let result = await sender.result()
      #expect(result.output == "no\n")
      #expect(result.status == 0)
      #expect(try await daemon.line { $0.hasPrefix("pressed") } == "pressed 1 no \"No\"")
      #expect(try await daemon.line() == "closed 1 dismissed")
    }
  }

  @Test func aReplyReachesTheSenderWithItsText() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let sender = try session.send(["Coming?", "--reply", "answer=Answer=Type here"])
      _ = try await daemon.line { $0.hasSuffix("inline-reply") }
      daemon.write("reply on my way, 漢字 \u{1b}[31m\n")
      let result = await sender.result()
      #expect(result.output == "answer\ton my way, 漢字 [31m\n")
      #expect(result.status == 0)
    }
  }

  @Test func dismissalExpiryWithdrawalAndDeathHaveTheirOwnOutcomes() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let dismissed = try session.send(["--wait", "One"])
      _ = try await daemon.line { $0.hasSuffix("One") }
      daemon.write("dismiss\n")
      #expect(await dismissed.result().status == 10)
      let expired = try session.send(["--wait", "--expire-time", "700", "Two"])
      #expect(await expired.result().status == 11)
      #expect(try await daemon.line { $0.hasPrefix("closed 2") } == "closed 2 expired")
      let withdrawn = try session.send(["--wait", "Three"])
      _ = try await daemon.line { $0.hasSuffix("Three") }
      #expect(try await session.call("CloseNotification", "3").output == "()\n")
      #expect(await withdrawn.result().status == 12)
      let orphaned = try session.send(["--wait", "--print-id", "Four"])
      _ = try await orphaned.line()
      daemon.signal(SIGKILL)
      #expect(await orphaned.result().status == 14)
    }
  }

  @Test func notifySendReplacesAndIsAnswered() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let first = try await session.start("notify-send", ["-p", "-t", "0", "One"]).result()
      #expect(first.output == "1\n")
      let second = try await session.start("notify-send", ["-p", "-r", "1", "Again"]).result()
      #expect(second.output == "1\n")
      #expect(try await daemon.line { $0.hasPrefix("replaced") } == "replaced 1 notify-send: Again")
      let asks = try session.start("notify-send", ["-A", "go=Go", "Three"])
      _ = try await daemon.line { $0.hasSuffix("go") }
      daemon.write("press go\n")
      #expect(await asks.result().output == "go\n")
    }
  }

  @Test func itSaysWhoItIsAndWhatItDoes() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { _ in
      #expect(
        try await session.call("GetCapabilities").output == "(['actions', 'body', 'inline-reply'],)\n")
      let information = try await session.call("GetServerInformation").output
      #expect(information.hasPrefix("('notify-bridge terminal', 'notify-bridge', '"))
      #expect(information.hasSuffix("', '1.2')\n"))
      let unknown = try await session.call("CloseNotification", "77")
      #expect(unknown.errors.contains("org.freedesktop.Notifications.Error.InvalidId"))
      let wrong = try await session.call("Notify", "'a'", "1")
      #expect(wrong.status != 0)
    }
  }

  @Test func aButtonPressesItselfWithoutAKeyboard() async throws {
    let session = try await TerminalSession()
    let daemon = try await session.daemon(["--once", "--press", "2", "--after", "0.3"], input: .nothing)
    let result = try await session.send(["Demo", "-A", "yes=Yes", "-A", "no=No"]).result()
    #expect(result.output == "no\n")
    let end = await daemon.result()
    #expect(end.ending == .exited(0))
    #expect(end.output.hasSuffix("pressed 1 no \"No\" by itself, as --press says\nclosed 1 dismissed\n"))
  }

  @Test func aTakenNameIsToldWithItsOwnerAndIsTakenOverOnRequest() async throws {
    let session = try await TerminalSession()
    let first = try await session.daemon()
    let refused = try await session.start(session.command, ["terminal", "--plain"]).result()
    #expect(refused.status == 1)
    #expect(refused.output == "")
    #expect(refused.errors.contains("belongs to notify-bridge terminal (process \(first.processID), :1."))
    #expect(refused.errors.contains("--replace takes over from it"))
    try await session.daemon(["--replace"]).whileRunning { second in
      let end = await first.result()
      #expect(end.status == 13)
      #expect(end.errors.contains("another notification daemon took over"))
      let sender = try session.send(["--wait", "Here"])
      _ = try await second.line { $0.hasSuffix("Here") }
      second.write("1 dismiss\n")
      #expect(await sender.result().status == 10)
    }
  }

  @Test func withoutABusThereIsAStatusAndARemedy() async throws {
    let session = try await TerminalSession()
    session.bus.kill()
    let result = try await session.start(session.command, ["terminal", "--plain"]).result()
    #expect(result.status == 3)
    #expect(result.errors.contains("notify-bridge: "))
  }

  @Test func theBusGoingAwayEndsIt() async throws {
    let session = try await TerminalSession()
    let daemon = try await session.daemon()
    session.bus.kill()
    let end = await daemon.result()
    #expect(end.status == 3)
    #expect(end.errors.contains("the bus is gone"))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func aSignalEndsItWithTheSignalsStatus(number: Int32) async throws {
    let session = try await TerminalSession()
    let daemon = try await session.daemon()
    daemon.signal(number)
    #expect(await daemon.result().status == 128 + number)
    withExtendedLifetime(session) {}
  }

  @Test(arguments: [
    (["--press"], "--press"), (["--after", "2"], "--after"), (["--press", "1", "--after", "soon"], "'soon'"),
    (["--press", ""], "--press"), (["--frobnicate"], "--frobnicate"), (["operand"], "operand"),
  ])
  func wrongUsageNamesItself(arguments: [String], named: String) async throws {
    let session = try await TerminalSession()
    let result = try await session.start(session.command, ["terminal"] + arguments).result()
    #expect(result.status == 2)
    #expect(result.errors.contains(named))
  }

  @Test func withoutATerminalItPrintsLinesAndSaysSo() async throws {
    let session = try await TerminalSession()
    let daemon = try session.start(session.command, ["terminal"])
    #expect(try await daemon.line() == "ready org.freedesktop.Notifications")
    daemon.signal(SIGTERM)
    #expect(await daemon.result().errors.contains("plain lines, since stdin is no terminal"))
  }

  @Test func commandsThatMakeNoSenseAreToldAndDoNothing() async throws {
    let session = try await TerminalSession()
    let daemon = try await session.daemon()
    daemon.write("frobnicate\npress 1\n99 dismiss\n\nlist\nquit\n")
    let end = await daemon.result()
    #expect(end.status == 0)
    #expect(end.output == "ready org.freedesktop.Notifications\nnothing is open\n")
    #expect(end.errors.contains("'frobnicate' is no command"))
    #expect(end.errors.contains("there is no notification\n"))
    #expect(end.errors.contains("there is no notification 99"))
  }

  @Test func textFromTheBusPrintsNoControlCharacterAndForgesNoLine() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let hostile = "x\u{1b}[2J\u{1b}]0;t\u{7}\r\nclosed 1 dismissed\u{9b}31m\u{202e}"
      for label in ["A", "B"] {
        _ = try await session.start(
          "notify-send", ["-a", hostile, "-A", "\(hostile)=\(label)\(hostile)", "-t", "300", hostile, hostile]
        ).result()
      }
      _ = try await daemon.line { $0 == "closed 2 expired" }
      let printed = daemon.printed()
      #expect(printed.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
      #expect(!printed.contains("\u{202e}"))
      #expect(
        printed.split(separator: "\n").filter { $0.hasPrefix("closed") } == ["closed 1 expired", "closed 2 expired"])
    }
  }

  @Test func aFloodIsAnsweredWholeAndBounded() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      let script = "for i in $(seq 1 130); do notify-send -t 0 \"Number $i\" || exit 1; done"
      #expect(try await session.start("sh", ["-c", script], timeLimit: .seconds(60)).result().status == 0)
      _ = try await daemon.line { $0.hasPrefix("notification 130 ") }
      #expect(daemon.printed().split(separator: "\n").filter { $0.hasSuffix("for want of room") }.count == 30)
      daemon.write("list\n")
      _ = try await daemon.line { $0 == "open 130 notify-send: Number 130" }
      #expect(daemon.printed().split(separator: "\n").filter { $0.hasPrefix("open ") }.count == 100)
    }
  }

  @Test func nothingWakesItWhileNothingHappens() async throws {
    let session = try await TerminalSession()
    try await session.daemon().whileRunning { daemon in
      _ = try await session.start("notify-send", ["-t", "0", "Stays"]).result()
      _ = try await daemon.line { $0.hasSuffix("Stays") }
      try await eventually(within: .seconds(20), "more than a second without a switch to any of its threads") {
        let before = try switches(daemon.processID)
        // The promise is about time in which nothing happens: that time has to pass.
        try await Task.sleep(for: .milliseconds(1200))
        return try switches(daemon.processID) == before
      }
    }
  }

  /// How often the threads of a process gave up or lost the processor, summed up.
  private func switches(_ process: Int32) throws -> [String: Int] {
    let folder = "/proc/\(process)/task"
    var result: [String: Int] = [:]
    for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
      result[thread] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
    }
    return result
  }
}
