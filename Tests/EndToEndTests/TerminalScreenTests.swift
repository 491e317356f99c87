import Foundation
import TestSupport
import Testing

/// The terminal daemon in a real terminal, operated by keys.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct TerminalScreenTests {
  /// Starts the daemon in a terminal, and waits until it is drawn.
  private func drawn(
    _ options: String = "", columns: Int = 80, rows: Int = 24,
    _ body: @escaping @Sendable (TerminalSession, Tmux) async throws -> Void
  ) async throws {
    let session = try await TerminalSession()
    let environment = session.environment.merging(["BRIDGE": session.command]) { $1 }
    try await Tmux(columns: columns, rows: rows, environment: environment).whileRunning { tmux in
      try await tmux.type("\"$BRIDGE\" terminal \(options)\n")
      try await tmux.shows("No notifications.")
      try await body(session, tmux)
    }
  }

  /// Keys that act wait 0.4 s after a card came up under the user's fingers: that time has to pass.
  private func settled() async throws { try await Task.sleep(for: .milliseconds(500)) }

  @Test func keysPressButtonsAndDismiss() async throws {
    try await drawn { session, tmux in
      let sender = try session.send(["Lunch?", "-A", "yes=Yes", "-A", "no=No"])
      try await tmux.shows("[1 Yes] [2 No]")
      try await settled()
      try await tmux.press("2")
      try await tmux.shows("No notifications.")
      let result = await sender.result()
      #expect(result.output == "no\n")
      let other = try session.send(["--wait", "Other"])
      try await tmux.shows("Other")
      try await settled()
      try await tmux.press("d")
      try await tmux.shows("No notifications.")
      #expect(await other.result().status == 10)
      try await tmux.shows("dismissed: Other")
    }
  }

  @Test func arrowsChooseAButtonAndEnterPressesIt() async throws {
    try await drawn { session, tmux in
      let sender = try session.send(["Lunch?", "-A", "yes=Yes", "-A", "no=No"])
      try await tmux.shows("[1 Yes] [2 No]")
      try await settled()
      try await tmux.press("Right", "Right")
      try await tmux.press("Enter")
      try await tmux.shows("No notifications.")
      #expect(await sender.result().output == "no\n")
    }
  }

  @Test func aReplyIsTypedInAField() async throws {
    try await drawn { session, tmux in
      let sender = try session.send(["Coming?", "--reply", "answer=Answer=Say when"])
      try await tmux.shows("[1 Answer…]")
      try await settled()
      try await tmux.press("r")
      try await tmux.shows("› Say when")
      #expect(try await tmux.value("#{cursor_flag}") == "1")
      try await tmux.type("at noom")
      try await tmux.press("BSpace")
      try await tmux.type("n, q 漢")
      try await tmux.shows("› at noon, q 漢")
      try await tmux.press("Enter")
      let result = await sender.result()
      #expect(result.output == "answer\tat noon, q 漢\n")
    }
  }

  @Test func escapeLeavesTheFieldAndPastedTextPressesNothing() async throws {
    try await drawn { session, tmux in
      let sender = try session.send(["Coming?", "-A", "yes=Yes", "--reply", "answer=Answer"])
      try await tmux.shows("[1 Yes] [2 Answer…]")
      try await settled()
      try await tmux.command("set-buffer", "1\nq2\n")
      try await tmux.command("paste-buffer", "-p")
      try await tmux.press("r")
      try await tmux.shows("›")
      try await tmux.command("paste-buffer", "-p")
      try await tmux.shows("1 q2")
      try await tmux.press("Escape")
      try await tmux.shows("[1 Yes] [2 Answer…]")
      try await tmux.press("1")
      #expect(await sender.result().output == "yes\n")
    }
  }

  @Test func aPictureIsDrawnInColours() async throws {
    let pixels = (0..<64).map { _ in "250, 100, 10" }.joined(separator: ", ")
    try await drawn { session, tmux in
      #expect(
        try await session.call("GetCapabilities").output
          == "(['actions', 'body', 'body-markup', 'icon-static', 'inline-reply'],)\n")
      let image = "{'image-data': <(8, 8, 24, false, 8, 3, [byte \(pixels)])>}"
      let sent = try await session.call(
        "Notify", "'Photos'", "0", "''", "'Orange'", "'A <b>bold</b> body'", "[]", image, "0")
      #expect(sent.output == "(uint32 1,)\n")
      try await tmux.shows("▀▀▀▀▀▀▀▀  Orange")
      try await tmux.shows("A bold body")
      let lines = try await tmux.screen(withColours: true)
      #expect(lines.contains { $0.contains("250;100;10") || $0.contains("250:100:10") })
    }
  }

  @Test func hostileTextNeitherMovesTheCursorNorSetsTheTitleNorBreaksTheFrame() async throws {
    try await drawn { session, tmux in
      let title = try await tmux.value("#{pane_title}")
      let hostile =
        "\u{1b}[2J\u{1b}[1;1H\u{1b}]0;stolen\u{7}\u{1b}]2;stolen\u{1b}\\\u{9b}5A\u{8}\u{8}\r\n\u{202e}漢字👨‍👩‍👧🇩🇪❤️👍🏽Z\u{335}\u{335}e\u{301}"
      // They wait for their button until they are ended.
      var senders: [BinaryRunner] = []
      for number in 1...2 {
        let texts = ["\(number) \(hostile)", String(repeating: hostile, count: 6)]
        senders.append(
          try session.start("notify-send", ["-t", "0", "-a", hostile, "-A", "k=\(hostile)"] + texts))
      }
      try await tmux.shows("2 open")
      // A picture of the pane may be taken in the middle of a painting.
      try await eventually(within: .seconds(10), "a whole frame") {
        let lines = try await tmux.screen()
        return lines.filter { $0.hasPrefix("┏") && $0.hasSuffix("┓") }.count == 1
          && lines.filter { $0.hasPrefix("┗") && $0.hasSuffix("┛") }.count == 1
      }
      let lines = try await tmux.screen()
      #expect(lines[0].hasPrefix(" Notifications"))
      #expect(try await tmux.value("#{pane_title}") == title)
      #expect(lines.filter { $0.hasPrefix("┃") || $0.hasPrefix("│") }.count >= 6)
      for line in lines where line.hasPrefix("┃") { #expect(line.hasSuffix("┃")) }
      for line in lines where line.hasPrefix("│") { #expect(line.hasSuffix("│")) }
      for sender in senders {
        sender.signal(SIGTERM)
        _ = await sender.result()
      }
    }
  }

  @Test func itFollowsTheSizeOfTheTerminal() async throws {
    try await drawn { session, tmux in
      _ = try await session.start("notify-send", ["-t", "0", "Resized", String(repeating: "word ", count: 60)]).result()
      try await tmux.shows("Resized")
      for columns in [40, 30, 70] {
        try await tmux.command("resize-window", "-x", "\(columns)", "-y", "18")
        try await eventually(within: .seconds(10), "a frame of \(columns) columns") {
          let lines = try await tmux.screen()
          return lines.contains { $0.hasPrefix("┏") && $0.count == columns }
            && lines.filter { $0.hasPrefix("┃") }.allSatisfy { $0.hasSuffix("┃") && $0.count == columns }
        }
      }
    }
  }

  @Test func stoppingIsRefused() async throws {
    try await drawn { session, tmux in
      try await tmux.press("C-z")
      try await tmux.shows("A stopped daemon leaves every sender waiting")
      #expect(try await session.start("notify-send", ["-p", "Still there"]).result().output == "1\n")
    }
  }

  @Test(arguments: ["key q", "key C-c", "SIGTERM", "SIGHUP", "SIGSEGV", "SIGABRT"])
  func theTerminalIsGivenBackAsItWas(end: String) async throws {
    let session = try await TerminalSession()
    let environment = session.environment.merging(["BRIDGE": session.command]) { $1 }
    try await Tmux(environment: environment).whileRunning { tmux in
      try await tmux.type(
        "cd \"$(mktemp -d)\"; stty -a > before; clear; echo earlier\n")
      try await tmux.type("\"$BRIDGE\" terminal; echo status $?\n")
      try await tmux.shows("No notifications.")
      #expect(try await tmux.value("#{alternate_on}") == "1")
      #expect(try await tmux.value("#{cursor_flag}") == "0")
      if end.hasPrefix("key ") {
        try await tmux.press(String(end.dropFirst(4)))
      } else {
        let owner = try await session.start(
          "gdbus",
          [
            "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
            "org.freedesktop.DBus.GetConnectionUnixProcessID", "org.freedesktop.Notifications",
          ]
        ).result().output
        let process = owner.split { !$0.isNumber }.last.flatMap { Int32($0) }
        let number = ["SIGTERM": SIGTERM, "SIGHUP": SIGHUP, "SIGSEGV": SIGSEGV, "SIGABRT": SIGABRT][end]
        kill(try #require(process), try #require(number))
      }
      let status =
        ["key q": 0, "key C-c": 0, "SIGTERM": 143, "SIGHUP": 129, "SIGSEGV": 139, "SIGABRT": 134][end] ?? -1
      try await tmux.shows("status \(status)")
      try await tmux.shows("earlier")
      #expect(try await tmux.value("#{alternate_on}") == "0")
      #expect(try await tmux.value("#{cursor_flag}") == "1")
      #expect(try await tmux.value("#{wrap_flag}") == "1")
      try await tmux.type("stty -a | cmp - before && echo same\n")
      try await eventually(within: .seconds(10), "the same modes") {
        try await tmux.screen().contains("same")
      }
    }
  }

  @Test func onceEndsByItselfAndPrintsWhatWasDone() async throws {
    try await drawn("--once --press 2 --after 0.5; echo status $?") { session, tmux in
      let result = try await session.send(["Demo", "-A", "yes=Yes", "-A", "no=No"]).result()
      #expect(result.output == "no\n")
      try await tmux.shows("status 0")
      #expect(try await tmux.screen().contains("pressed 1 no \"No\" by itself, as --press says"))
    }
  }

  @Test func aDaemonThatIsReplacedGivesTheTerminalBackAndSaysWhy() async throws {
    try await drawn("; echo status $?") { session, tmux in
      try await session.daemon(["--replace"]).whileRunning { _ in
        try await tmux.shows("status 13")
        #expect(try await tmux.screen().contains { $0.contains("another notification daemon took over") })
        #expect(try await tmux.value("#{alternate_on}") == "0")
      }
    }
  }

  @Test func anotherJobsTerminalIsLeftAlone() async throws {
    let session = try await TerminalSession()
    try await Tmux(environment: session.environment.merging(["BRIDGE": session.command]) { $1 }).whileRunning { tmux in
      try await tmux.type("\"$BRIDGE\" terminal & wait %1; echo status $?\n")
      try await tmux.shows("status 1")
      #expect(try await tmux.screen().joined().contains("in use by another job"))
    }
  }
}
