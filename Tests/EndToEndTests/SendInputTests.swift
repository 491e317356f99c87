import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// What `send` takes and refuses.
@Suite(.timeLimit(.minutes(2))) struct SendInputTests {
  /// A 1×1 PNG.
  static let png = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")!)

  @Test(
    "bad input ends with 2, names the input, and sends nothing",
    arguments: [
      (["--colour", "red", "T"], "'--colour'"), (["-Z", "T"], "'-Z'"), (["-A", "yes", "T"], "'yes'"),
      (["--action", "=Yes", "T"], "'=Yes'"), (["--reply", "say", "T"], "'say'"),
      (["--image", "nowhere.png", "T"], "'nowhere.png'"),
      (["--image", "text.png", "T"], "'text.png'"), (["--image", ".", "T"], "'.'"),
      (["--image", "large.png", "T"], "'large.png'"),
      (["--image", "pipe", "T"], "'pipe'"), (["--icon", "./nowhere.svg", "T"], "'./nowhere.svg'"),
      (["--body-file", "nowhere.txt", "T"], "'nowhere.txt'"), (["--body-file", ".", "T"], "'.'"),
      (["--progress", "101", "T"], "'101'"), (["--progress", "-1", "T"], "'-1'"),
      (["--progress", "half", "T"], "'half'"),
      (["--expire-time", "soon", "T"], "'soon'"), (["--expire-time", "-5", "T"], "'-5'"),
      (["--expire-time", "99999999999", "T"], "'99999999999'"), (["--timeout", "x", "T"], "'x'"),
      (["--urgency", "high", "T"], "'high'"), (["--level", "loud", "T"], "'loud'"),
      (["--hint", "int:x", "T"], "'int:x'"),
      (["--hint", "int:x:y", "T"], "'y'"), (["--hint", "colour:x:y", "T"], "'colour'"),
      (["--sound", "/nowhere.wav", "T"], "'/nowhere.wav'"),
      (["--user-info", "novalue", "T"], "'novalue'"), (["--wait", "--detach", "T"], "--detach"),
      (["--id", "", "T"], "--id"),
      (["a", "b", "c"], "'c'"), ([], "title"), (["--body", "only", "T", "twice"], "'twice'"),
      (["--action"], "'--action'"),
      (["-A", "a=1", "-A", "a=2", "T"], "'a'"), (["-A", "default=x", "T"], "'default'"),
      (["--request", "bad.json", "T"], "'bad.json'"), (["--request", "odd.json"], "'colour'"),
      ((1...11).flatMap { ["-A", "k\($0)=L"] } + ["T"], "11 actions"),
    ] as [([String], String)])
  func refused(arguments: [String], named: String) async throws {
    let fixture = try await CommandFixture()
    let folder = fixture.home.path
    _ = try fixture.home.write("<html>not found</html>", to: "text.png")
    _ = try fixture.home.write(Self.png + [UInt8](repeating: 0, count: 10 << 20), to: "large.png")
    _ = try fixture.home.write("{", to: "bad.json")
    _ = try fixture.home.write(#"{"title":"T","colour":"red"}"#, to: "odd.json")
    #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
    let result = try await BinaryRunner.run(
      try Binaries.notifyBridge(), ["send"] + arguments, environment: fixture.environment, directory: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains(named), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(fixture.daemon.posted.isEmpty)
  }

  @Test("a file that cannot be opened is refused by name, for root too")
  func unreadable() async throws {
    let fixture = try await CommandFixture()
    // Root may read every file, but nobody can open a socket.
    let secret = try fixture.home.write(Self.png, to: "secret.png", permissions: 0)
    for file in ["\(fixture.bus.folder)/bus"] + (getuid() == 0 ? [] : [secret]) {
      let result = try await fixture.run("send", "--image", file, "T")
      #expect(result.status == 2)
      #expect(result.errors.contains(file))
    }
    #expect(fixture.daemon.posted.isEmpty)
  }

  @Test("C007: an argument that is not UTF-8 is repaired, and said so")
  func invalidArgument() async throws {
    let fixture = try await CommandFixture()
    let script = "exec \"$0\" send \"$(printf 'T\\351')\" \"$(printf 'b\\377dy')\""
    let result = try await BinaryRunner.run(
      "/bin/sh", ["-c", script, try Binaries.notifyBridge()], environment: fixture.environment)
    #expect(result.status == 0)
    #expect(result.errors.contains("argument 2"))
    #expect(fixture.daemon.posted.first?.notification.summary == "T\u{FFFD}")
    #expect(fixture.daemon.posted.first?.notification.body == "b\u{FFFD}dy")
  }

  @Test("C007: a file with NUL and bytes that are no text is repaired, and said so; a further send works")
  func invalidFile() async throws {
    let fixture = try await CommandFixture()
    let file = try fixture.home.write(Array("abc\u{0}def".utf8) + [0xFF], to: "body.txt")
    let result = try await fixture.run("send", "--body-file", file, "T")
    #expect(result.status == 0)
    #expect(result.errors.contains("not UTF-8"))
    #expect(result.errors.contains("NUL"))
    #expect(fixture.daemon.posted.first?.notification.body == "abcdef\u{FFFD}")
    let json = try await fixture.run("send", "--request", "-", input: .text(#"{"title":"T","body":"abc\u0000def"}"#))
    #expect(json.status == 0)
    #expect(fixture.daemon.posted.last?.notification.body == "abcdef")
  }

  @Test("a body of a megabyte is cut, sent, and said so")
  func longBody() async throws {
    let fixture = try await CommandFixture()
    let file = try fixture.home.write(String(repeating: "0123456789abcdef", count: 65_536), to: "body.txt")
    let result = try await fixture.run("send", "--body-file", file, "T")
    #expect(result.status == 0)
    #expect(result.errors.contains("cut"))
    let body = try #require(fixture.daemon.posted.first?.notification.body)
    #expect(body.utf8.count <= 8192 && body.utf8.count > 8000)
  }

  @Test("C110: behind -- and in --title=VALUE everything is text")
  func literal() async throws {
    let fixture = try await CommandFixture()
    #expect(try await fixture.run("send", "--", "- [ ] water plants", "--help").status == 0)
    #expect(fixture.daemon.posted.last?.notification.summary == "- [ ] water plants")
    #expect(fixture.daemon.posted.last?.notification.body == "--help")
    #expect(try await fixture.run("send", "--title=--wait", "--body=-A").status == 0)
    #expect(fixture.daemon.posted.last?.notification.summary == "--wait")
    #expect(fixture.daemon.posted.last?.notification.body == "-A")
  }

  @Test(
    "C056: -1 and default leave the time to the daemon, never is 0, and units are understood",
    arguments: [
      ("-1", Int32(-1)), ("default", -1), ("never", 0), ("0", 0), ("1.5s", 1500), ("1500", 1500), ("2m", 120_000),
    ])
  func times(text: String, wire: Int32) async throws {
    let fixture = try await CommandFixture()
    #expect(try await fixture.run("send", "--expire-time", text, "T").status == 0)
    #expect(try await fixture.run("send", "--expire-time=\(text)", "T").status == 0)
    #expect(fixture.daemon.posted.map(\.notification.expireTimeout.milliseconds) == [wire, wire])
  }

  @Test("every option reaches the daemon in its one type")
  func options() async throws {
    let fixture = try await CommandFixture()
    let picture = try fixture.home.write(Self.png, to: "a b.png")
    let result = try await fixture.run(
      "send", "--subtitle", "S", "--app", "org.example.deskpot.desktop", "--icon", "mail-unread", "--image", picture,
      "--image", picture, "--level", "critical", "--category", "im.received", "--thread", "t", "--sound", "bell",
      "--progress", "40", "--transient", "--hint", "double:x-d:0.5", "--hint", "boolean:x-b:true", "T", "B")
    #expect(result.status == 0)
    #expect(result.errors.contains("image"))
    let call = try #require(fixture.daemon.posted.first?.notification)
    #expect(call.appIcon == "mail-unread")
    #expect(call.body == "<b>S</b>\nB")
    let expected: [String: Value] = [
      "desktop-entry": .string("org.example.deskpot"), "image-path": .string("file://\(fixture.home.path)/a%20b.png"),
      "urgency": .byte(2), "category": .string("im.received"), "sound-name": .string("bell"), "value": .int32(40),
      "transient": .boolean(true), "x-d": .double(0.5), "x-b": .boolean(true),
    ]
    #expect(call.hints == expected)
    #expect(call.expireTimeout == .never)
    #expect(call.actions.map(\.key) == ["default"])
  }

  @Test("a whole request as JSON, options winning over it")
  func request() async throws {
    let fixture = try await CommandFixture()
    let json = """
      { "title": "Build", "subtitle": "main", "body": "green", "level": "passive", "expire-time": 5000,
        "actions": [ { "key": "open", "label": "Open it" } ], "hints": [ "int:x-n:7" ] }
      """
    let result = try await fixture.run("send", "--request", "-", "--detach", "--body", "red", input: .text(json))
    #expect(result.status == 0)
    let call = try #require(fixture.daemon.posted.first?.notification)
    #expect(call.summary == "Build")
    #expect(call.body == "<b>main</b>\nred")
    #expect(call.urgency == .low)
    #expect(call.actions.map(\.key) == ["open", "default"])
    #expect(call.hints["x-n"] == .int32(7))
  }
}
