import Foundation
import FreedesktopNotifications
import Glibc
import TestSupport
import Testing

/// `on`, and the handlers that the resident bridge runs for real.
@Suite(.timeLimit(.minutes(2))) struct BridgeHandlerTests {
  /// A script that adds a line of what it was given to a file of its own in the home.
  private static let recorder = """
    #!/bin/sh
    {
        printf '%s|%s|%s|%s|%s|%s\\n' "$1" "$NOTIFY_BRIDGE_APP" "$NOTIFY_BRIDGE_ID" "$NOTIFY_BRIDGE_ACTION" \
            "${NOTIFY_BRIDGE_TEXT-unset}" "$PWD"
        cat
    } >>"$HOME/ran.$1"
    """

  private func lines(_ fixture: BridgeFixture, _ name: String) -> [String] {
    let text = (try? String(contentsOfFile: "\(fixture.home.path)/ran.\(name)", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits for a handler's `count`th run: two lines each.
  private func ran(_ fixture: BridgeFixture, _ name: String, _ count: Int = 1) async throws -> [String] {
    try await eventually(within: .seconds(10), "\(name) has run \(count) times") {
      lines(fixture, name).count >= 2 * count
    }
    return Array(lines(fixture, name).suffix(2))
  }

  @Test("C068: a handler runs once for what is pressed after its sender has gone, with environment and JSON")
  func runs() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.capabilities = ["actions", "body", "inline-reply"]
    let fixture = try await BridgeFixture(behavior)
    let script = try fixture.home.write(Self.recorder, to: "record", permissions: 0o700)
    #expect(
      try await fixture.run("on", "add", "say", "--app", "org.example.Chat", "-A", "say", "--", script, "say").status
        == 0)
    _ = try await fixture.run(
      "send", "--detach", "--app", "org.example.Chat", "--id", "n", "--reply", "say=Reply", "--user-info", "k=v",
      "Title; $(rm)")
    fixture.daemon.reply(try await fixture.posted(1).serverID, "two\twords")
    let ran = try await ran(fixture, "say")
    #expect(ran[0] == "say|org.example.Chat|n|say|two\twords|\(fixture.home.path)")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(ran[1].utf8)) as? [String: Any])
    #expect(object["text"] as? String == "two\twords" && object["title"] as? String == "Title; $(rm)")
    #expect(object["userInfo"] as? [String: String] == ["k": "v"])
    try await eventually(within: .seconds(10), "the run is in the history") {
      try await fixture.run("history", "--app", "org.example.Chat").output.contains("handled")
    }
    // It took the response: nobody else has it, and it does not run again.
    #expect(try await fixture.run("wait", "n", "--app", "org.example.Chat", "--timeout", "300ms").status == 1)
    #expect(lines(fixture, "say").count == 2)
  }

  @Test("the first handler by name whose conditions fit takes a response; changes count at the next one")
  func order() async throws {
    let fixture = try await BridgeFixture()
    let script = try fixture.home.write(Self.recorder, to: "record", permissions: 0o700)
    for (name, action) in [("20-any", nil), ("10-no", "no"), ("30-late", "yes")] as [(String, String?)] {
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(),
        ["on", "add", name] + (action.map { ["--action", $0] } ?? []) + ["--", script, name],
        environment: fixture.environment)
      #expect((result.status, result.errors) == (0, ""))
    }
    func press(_ action: String) async throws {
      _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "-A", "no=No", "Title")
      #expect(try await fixture.run("act", "n", action).status == 0)
    }
    try await press("no")
    let first = try await ran(fixture, "10-no")
    #expect(first[0].hasPrefix("10-no|notify-bridge|n|no|unset|"))
    try await press("yes")
    _ = try await ran(fixture, "20-any")
    // An own file takes the place of the system's of that name; one that is removed is asked no more.
    #expect(try await fixture.run("on", "remove", "20-any").status == 0)
    try await press("yes")
    _ = try await ran(fixture, "30-late")
    #expect(try await fixture.run("on", "add", "30-late", "--", script, "no").status == 2)
    #expect(try await fixture.run("on", "add", "30-late", "--replace", "--", script, "new").status == 0)
    try await press("yes")
    _ = try await ran(fixture, "new")
    #expect(["10-no", "20-any", "30-late", "new"].map { lines(fixture, $0).count } == [2, 2, 2, 2])
  }

  @Test("who waits for the notification comes before every handler")
  func waitersFirst() async throws {
    let fixture = try await BridgeFixture()
    let script = try fixture.home.write(Self.recorder, to: "record", permissions: 0o700)
    #expect(try await fixture.run("on", "add", "all", "--", script, "all").status == 0)
    _ = try await fixture.run("send", "--detach", "--id", "n", "-A", "yes=Yes", "Title")
    let command = try fixture.start("wait", "n")
    try await command.whileRunning { command in
      // Behind this wait's end the bridge has the other one too.
      let other = try await fixture.run("wait", "n", "--timeout", "500ms")
      let acted = try await fixture.run("act", "n", "yes")
      #expect((other.status, acted.status) == (15, 0))
      #expect(await command.result().output == "yes\n")
    }
    #expect(lines(fixture, "all").isEmpty)
  }

  @Test("words go to the program as they were typed, with no shell between")
  func words() async throws {
    let fixture = try await BridgeFixture()
    let words = ["a b", "", "$HOME", "`id`", "\"q\"", "back\\slash", "%f", "100%", "new\nline", "; touch x", "é"]
    let script = try fixture.home.write(
      #"printf '<%s>' "$@" >"$HOME/words.new" && mv "$HOME/words.new" "$HOME/words""#, to: "words.sh")
    let added = try await BinaryRunner.run(
      try Binaries.notifyBridge(), ["on", "add", "w", "--", "sh", script] + words, environment: fixture.environment)
    #expect((added.status, added.errors) == (0, ""))
    _ = try await fixture.run("send", "--id", "n", "Title")
    #expect(try await fixture.run("act", "n").status == 0)
    let file = fixture.home.path + "/words"
    try await eventually(within: .seconds(10), "the handler has run") { FileManager.default.fileExists(atPath: file) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == words.map { "<\($0)>" }.joined())
    // A test gives it the same.
    try FileManager.default.removeItem(atPath: file)
    #expect(try await fixture.run("on", "test", "w").status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == words.map { "<\($0)>" }.joined())
  }

  @Test("list shows what counts, what is disabled, overridden and broken, with the line; the rest works")
  func list() async throws {
    let fixture = try await BridgeFixture()
    let script = try fixture.home.write(Self.recorder, to: "record", permissions: 0o700)
    let user = "config/notify-bridge/handlers.d"
    let system = "etc/notify-bridge/handlers.d"
    try fixture.home.write("[Handler]\nExec=never\n", to: system + "/a.handler")
    try fixture.home.write("", to: user + "/a.handler")
    try fixture.home.write("[Handler]\nExec=x \"y\n", to: user + "/b.handler")
    try fixture.home.write("[Handler]\nExec=\(script) good\nAction=default\n", to: system + "/c.handler")
    let list = try await fixture.run("on", "list")
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").prefix(2).map(String.init) }
    #expect(list.status == 0)
    #expect(rows == [["a", "disabled"], ["a", "overridden"], ["b", "broken"], ["c", "active"]])
    #expect(list.output.contains("line 2: Exec: a quote is not closed"))
    #expect(list.output.contains("action default; runs \(script) good"))
    let json = try await fixture.run("on", "list", "--json").output.split(separator: "\n")
    let broken = try #require(try JSONSerialization.jsonObject(with: Data(json[2].utf8)) as? [String: Any])
    #expect(broken["line"] as? Int == 2 && broken["state"] as? String == "broken")
    _ = try await fixture.run("send", "--id", "n", "Title")
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "default")
    _ = try await ran(fixture, "good")
    #expect(fixture.log.contains("b.handler: line 2: Exec: a quote is not closed"))
    let removed = try await fixture.run("on", "remove", "a", "c")
    #expect(removed.status == 1)
    #expect(removed.errors.contains("counts again") && removed.errors.contains("is the system's"))
  }

  @Test("add writes a file of the user's alone, whole or not at all, and makes the folder")
  func add() async throws {
    let fixture = try await BridgeFixture()
    try FileManager.default.removeItem(atPath: fixture.home.path + "/config")
    let added = try await fixture.run("on", "add", "h", "--category", "message", "--timeout", "5", "--", "true")
    #expect((added.status, added.output, added.errors) == (0, "", ""))
    let folder = fixture.home.path + "/config/notify-bridge/handlers.d"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["h.handler"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/h.handler")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try String(contentsOfFile: folder + "/h.handler", encoding: .utf8)
        == "[Handler]\nExec=true\nCategory=message;\nTimeout=5s\n")
    let missing = try await fixture.run("on", "add", "m", "--", "no-such-program")
    #expect(missing.status == 0 && missing.errors.contains("no-such-program"))
    for wrong in [
      ["on"], ["on", "show"], ["on", "add", "x"], ["on", "list", "x"], ["on", "remove"], ["on", "test"],
    ] {
      let result = try await BinaryRunner.run(try Binaries.notifyBridge(), wrong, environment: fixture.environment)
      #expect(result.status == 2 && result.errors.contains("notify-bridge: on"))
    }
  }

  @Test("test runs the handler with a made-up response that fits, passes its output on and reports its status")
  func test() async throws {
    let fixture = try await BridgeFixture()
    _ = try await fixture.run(
      "on", "add", "t", "--app", "org.example.A", "--category", "message", "-A", "say", "--", "sh", "-c",
      "cat; echo \"$NOTIFY_BRIDGE_CATEGORY $NOTIFY_BRIDGE_TEXT\"; echo oops >&2; exit 7")
    let result = try await fixture.run("on", "test", "t", "--reply", "Hello")
    #expect(result.status == 1)
    let lines = result.output.split(separator: "\n")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(object["app"] as? String == "org.example.A" && object["action"] as? String == "say")
    #expect(lines[1] == "message Hello")
    #expect(result.errors == "oops\nnotify-bridge: the handler 't' ended with status 7\n")
    let other = try await fixture.run("on", "test", "t", "--action", "other")
    #expect(other.errors.contains("would not run it"))
    _ = try await fixture.run("on", "add", "slow", "--timeout", "100ms", "--", "sleep", "20")
    let slow = try await fixture.run("on", "test", "slow")
    #expect(slow.status == 1 && slow.errors.contains("time was over") && slow.duration < .seconds(15))
    #expect(try await fixture.run("on", "test", "nobody").status == 1)
  }
}
