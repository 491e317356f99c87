import Foundation
import Glibc
import TestSupport
import Testing

/// `watch` and `history`, beside the resident bridge.
@Suite(.timeLimit(.minutes(2))) struct BridgeWatchTests {
  /// What tests read of a line.
  private struct Event: Decodable, Equatable {
    let sequence: Int64
    let event: String
    let identifier: String
  }

  private func event(_ line: String) throws -> Event {
    try JSONDecoder().decode(Event.self, from: Data(line.utf8))
  }

  /// Waits until a watch that begins with what comes has begun: it prints what a probe does.
  private func begun(_ watch: BinaryRunner, _ fixture: BridgeFixture) async throws {
    try await eventually(within: .seconds(10), "the watch sees events") {
      _ = try await fixture.run("send", "--id", "probe", "Probe")
      return !watch.printed().isEmpty
    }
  }

  @Test("what happens is printed as it happens, a line each, in order; --count ends it")
  func lines() async throws {
    let fixture = try await BridgeFixture()
    let watch = try fixture.start("watch", "--after", "0", "--count", "4")
    try await watch.whileRunning { watch in
      _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title")
      #expect(try event(try await watch.line()) == Event(sequence: 1, event: "delivered", identifier: "n"))
      fixture.daemon.invoke(try await fixture.posted(1).serverID, "yes")
      let line = try await watch.line()
      #expect(try event(line).event == "responded")
      #expect(line.contains(#""action":"yes""#))
      _ = try await fixture.run("send", "--in", "1h", "--id", "later", "Later")
      #expect(try event(try await watch.line()) == Event(sequence: 3, event: "added", identifier: "later"))
      _ = try await fixture.run("remove", "later")
      #expect(try event(try await watch.line()) == Event(sequence: 4, event: "removed", identifier: "later"))
      #expect(await watch.result().status == 0)
    }
  }

  @Test("without --after it begins with what comes; --event and --id choose; other applications are theirs")
  func filters() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "before", "Before")
    let all = try fixture.start("watch", "--all-apps")
    let mine = try fixture.start("watch", "--after", "0", "--event", "removed", "--event", "added", "--id", "n")
    try await all.whileRunning { all in
      try await begun(all, fixture)
      _ = try await fixture.run("send", "--app", "org.example.Other", "--id", "n", "--in", "1h", "Other")
      _ = try await fixture.run("send", "--id", "n", "--in", "1h", "Mine")
      _ = try await fixture.run("remove", "n")
      let first = try await all.line { $0.contains("org.example.Other") }
      #expect(try event(first).event == "added")
      #expect(!all.printed().contains("before"))
      try await mine.whileRunning { mine in
        let lines = [try await mine.line(), try await mine.line()]
        #expect(try lines.map { try event($0).event } == ["added", "removed"])
        #expect(!mine.printed().contains("Other"))
      }
    }
    let wrong = try await fixture.run("watch", "--event", "clicked")
    #expect(wrong.status == 2 && wrong.errors.contains("responded"))
  }

  @Test("C037: a watch loses nothing and repeats nothing when the bridge is killed, also before the first event")
  func restart() async throws {
    let fixture = try await BridgeFixture()
    let watch = try fixture.start("watch", "--after", "0")
    try await watch.whileRunning { watch in
      for round in 1...3 {
        if try await fixture.bridgeProcess() != nil { try await fixture.killBridge() }
        for number in 1...5 { #expect(try await fixture.run("send", "--id", "\(round)-\(number)", "T").status == 0) }
      }
      var sequences: [Int64] = []
      var names: [String] = []
      while names.count < 15 {
        let event = try event(try await watch.line())
        sequences.append(event.sequence)
        if event.event == "delivered" { names.append(event.identifier) }
      }
      #expect(names == (1...3).flatMap { round in (1...5).map { "\(round)-\($0)" } })
      #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    }
  }

  @Test("C037: the bus goes away and comes back: the watch goes on behind the last event that it printed")
  func bus() async throws {
    let fixture = try await BridgeFixture()
    let watch = try fixture.start("watch")
    try await watch.whileRunning { watch in
      try await begun(watch, fixture)
      let last = try event(try #require(watch.printed().split(separator: "\n").last.map(String.init)))
      try await fixture.bus.restart()
      try await fixture.restartDaemon()
      try await eventually(within: .seconds(20), "the bridge takes calls") {
        try await fixture.run("badge").status == 0
      }
      #expect(try await fixture.run("send", "--id", "after", "After").errors == "")
      let next = try event(try await watch.line(within: .seconds(20)) { $0.contains(#""after""#) })
      #expect(next.event == "delivered" && next.sequence > last.sequence)
      let sequences = try watch.printed().split(separator: "\n").map { try event(String($0)).sequence }
      #expect(Set(sequences).count == sequences.count)
    }
  }

  @Test("it ends with 0 when its reader goes, also while nothing happens; by a signal with 128 and its number")
  func ends() async throws {
    let fixture = try await BridgeFixture()
    let command = try Binaries.notifyBridge()
    let piped = try await BinaryRunner.run(
      "/bin/bash", ["-c", #""$0" watch --after 0 | head -n 0; echo "${PIPESTATUS[0]}""#, command],
      environment: fixture.environment)
    #expect(piped.output == "0\n")
    for number in [SIGINT, SIGTERM] {
      let watch = try fixture.start("watch")
      try await watch.whileRunning { watch in
        try await begun(watch, fixture)
        watch.signal(number)
        let result = await watch.result()
        #expect(result.ending == .exited(128 + number))
        #expect(result.output.hasSuffix("}\n"))
      }
    }
    let timed = try await fixture.run("watch", "--timeout", "100ms")
    #expect((timed.status, timed.output) == (15, ""))
  }

  @Test("history prints what happened, the last ones, in local time or as JSON")
  func history() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title\u{1B}[31m")
    _ = try await fixture.run("act", "n", "yes")
    let result = try await fixture.run("history", environment: ["TZ": "Asia/Tokyo"])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasSuffix("  delivered  n  Title\\u{1b}[31m") && lines[1].hasSuffix("  responded  n  yes"))
    let tokyo = try Date.ISO8601FormatStyle(timeZone: try #require(TimeZone(identifier: "Asia/Tokyo")))
      .dateTimeSeparator(.space).parse(lines[0].prefix(19) + "+09:00")
    #expect(abs(tokyo.timeIntervalSinceNow) < 60)
    let json = try await fixture.run("history", "--json", "-n", "1")
    #expect(try event(json.output) == Event(sequence: 2, event: "responded", identifier: "n"))
    #expect(try await fixture.run("history", "--app", "org.example.Other").output.isEmpty)
    #expect(try await fixture.run("history", "--all-apps").output.contains("  notify-bridge  n  yes"))
    #expect(try await fixture.run("history", "-n", "0").status == 2)
  }
}
