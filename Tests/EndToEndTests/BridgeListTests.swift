import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// `list`, `remove`, `badge`, `settings` and `categories`, beside the resident bridge.
@Suite(.timeLimit(.minutes(2))) struct BridgeListTests {
  @Test("a result that cannot be written is status 1 and told; a reader that has gone is neither")
  func unwritten() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "n", "Title")
    func run(_ script: String) async throws -> BinaryResult {
      try await BinaryRunner.run(
        "/bin/sh", ["-c", script, "sh", try Binaries.notifyBridge()], environment: fixture.environment)
    }
    let full = try await run("\"$1\" list >/dev/full")
    #expect(full.status == 1)
    #expect(full.errors.contains("standard output: No space left on device"))
    let gone = try await run("{ \"$1\" list; echo $? >&2; } | :")
    #expect(gone.errors == "0\n")
  }

  @Test("C059: what was shown is listed by thread and application, the newest first; what is scheduled, soonest first")
  func list() async throws {
    let fixture = try await BridgeFixture()
    for (name, thread) in [("a", "work"), ("b", ""), ("c", "work"), ("d", "home")] {
      let arguments = thread.isEmpty ? [] : ["--thread", thread]
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["send", "--id", name] + arguments + ["Title \(name)"],
        environment: fixture.environment)
      #expect(result.status == 0)
    }
    _ = try await fixture.run("send", "--detach", "--app", "org.example.Other", "--id", "o", "-A", "k=L", "Other")
    let delivered = try await fixture.run("list", "--delivered", "--all-apps")
    let words = delivered.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      words.map { $0.first == "notify-bridge," || $0.count == 1 ? $0.joined(separator: " ") : $0[2] } == [
        "org.example.Other", "o", "notify-bridge, thread home", "d", "notify-bridge, thread work", "c", "a",
        "notify-bridge", "b",
      ])
    #expect(delivered.output.contains("o  Other  [k]"))
    #expect(try await fixture.run("list", "--pending").output.isEmpty)
    _ = try await fixture.run("send", "--id", "second", "--in", "2h", "Second")
    _ = try await fixture.run("send", "--id", "first", "--every", "1h", "First")
    let pending = try await fixture.run("list", "--pending").output.split(separator: "\n")
    #expect(pending.count == 3)
    #expect(pending[1].contains("first") && pending[1].contains(", repeats"))
    #expect(pending[1].contains("  in 59 min ") || pending[1].contains("  in 1 h,"))
    #expect(pending[2].contains("second"))
    #expect(pending[2].contains("  in 1 h 59 min ") || pending[2].contains("  in 2 h "))
    let both = try await fixture.run("list").output
    #expect(both.hasPrefix("Scheduled\n") && both.contains("\nShown\n"))
    let json = try await fixture.run("list", "--json").output.split(separator: "\n")
    #expect(json.count == 6)
    let line = try #require(try JSONSerialization.jsonObject(with: Data(json[0].utf8)) as? [String: Any])
    #expect(line["state"] as? String == "pending" && line["identifier"] as? String == "first")
    #expect(line["repeats"] as? Bool == true && line["due"] is Double)
    #expect(try await fixture.run("list", "--app", "x", "--all-apps").status == 2)
  }

  @Test("C104: remove takes away by name, by thread or all, shown or scheduled; what is not there is no error")
  func remove() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run("send", "--id", "n", "Title")
    _ = try await fixture.run("send", "--id", "n", "--in", "1h", "Later")
    _ = try await fixture.run("send", "--id", "t", "--thread", "work", "Title")
    _ = try await fixture.run("send", "--id", "s", "--thread", "work", "--in", "1h", "Title")
    _ = try await fixture.run("send", "--id", "x", "Title")
    func names(_ kind: String) async throws -> Set<String> {
      let output = try await fixture.run("list", kind, "--json").output
      return Set(
        try output.split(separator: "\n").compactMap {
          (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["identifier"] as? String
        })
    }
    #expect(try await fixture.run("remove", "n", "--pending").status == 0)
    #expect(try await names("--pending") == ["s"])
    #expect(try await names("--delivered") == ["n", "t", "x"])
    #expect(try await fixture.run("remove", "--thread", "work").status == 0)
    #expect(try await names("--pending").isEmpty)
    #expect(try await names("--delivered") == ["n", "x"])
    let gone = try await fixture.run("remove", "n", "nobody")
    #expect((gone.status, gone.output, gone.errors) == (0, "", ""))
    #expect(try await fixture.run("remove", "--all").status == 0)
    #expect(try await names("--delivered").isEmpty)
    try await eventually(within: .seconds(5), "all are closed") { Set(fixture.daemon.closeCalls).count == 3 }
    for wrong in [["remove"], ["remove", "a", "--all"], ["remove", "--thread", "t", "--pending"], ["remove", ""]] {
      let result = try await BinaryRunner.run(try Binaries.notifyBridge(), wrong, environment: fixture.environment)
      #expect(result.status == 2 && !result.errors.isEmpty)
    }
  }

  @Test("a badge is printed as it was set, and survives the bridge")
  func badge() async throws {
    let fixture = try await BridgeFixture()
    #expect(try await fixture.run("badge").output == "0\n")
    #expect(try await fixture.run("badge", "7", "--app", "org.example.Mail").status == 0)
    #expect(try await fixture.run("badge", "--app", "org.example.Mail").output == "7\n")
    try await fixture.killBridge()
    #expect(
      try await fixture.run("badge", "--app", "org.example.Mail", "--json").output
        == #"{"application":"org.example.Mail","badge":7}"# + "\n")
    for wrong in ["-1", "1.5", "many", "99999999999"] {
      let result = try await fixture.run("badge", "--", wrong)
      #expect(result.status == 2 && result.errors.contains("'\(wrong)'"))
    }
  }

  @Test("settings say what an application may do, in words and as JSON")
  func settings() async throws {
    let fixture = try await BridgeFixture(configuration: "[authorization]\norg.example.Spam=deny\n")
    let words = try await fixture.run("settings")
    #expect(words.status == 0 && words.output.contains("popups               on\n"))
    let denied = try await fixture.run("settings", "org.example.Spam")
    #expect(denied.output.contains("denied: nothing is shown"))
    let json = try await fixture.run("settings", "--app", "org.example.Spam", "--json").output
    #expect(json.contains(#""application":"org.example.Spam","authorization":"denied""#))
    #expect(try await fixture.run("settings", "a", "b").status == 2)
  }

  @Test("categories are set from JSON, printed, and give notifications their buttons")
  func categories() async throws {
    let fixture = try await BridgeFixture()
    let text = """
      [{"identifier": "message", "actions": [{"identifier": "read", "title": "Mark as read"},
        {"identifier": "say", "title": "Reply", "textInput": {"placeholder": "Your answer"}}]}]
      """
    #expect(try await fixture.run("categories", "--set", "-", input: .text(text)).status == 0)
    let words = try await fixture.run("categories").output
    #expect(words == "message\n  read  Mark as read\n  say   Reply         takes text (Your answer)\n")
    _ = try await fixture.run("send", "--detach", "--id", "n", "--category", "message", "Title")
    // What is printed can be set.
    let json = try await fixture.run("categories", "--json").output
    #expect(try await fixture.run("categories", "--set", "-", "--app", "other", input: .text(json)).status == 0)
    #expect(try await fixture.run("categories", "--json", "--app", "other").output == json)
    #expect(try await fixture.run("categories", "--set", "-", input: .text("[]")).status == 0)
    #expect(try await fixture.run("categories").output.isEmpty)
    for (wrong, part) in [
      ("{", "line 1"), ("[1]", "categories[0]"), (#"[{"identifer": "a"}]"#, "'identifer'"),
      (#"[{"identifier": "a", "actions": [{"title": "T"}]}]"#, "actions[0].identifier"),
      (#"[{"identifier": "a"}, {"identifier": "a"}]"#, "categories[1]"),
    ] {
      let result = try await fixture.run("categories", "--set", "-", input: .text(wrong))
      #expect(result.status == 2 && result.errors.contains(part), "\(result.errors)")
    }
  }
}
