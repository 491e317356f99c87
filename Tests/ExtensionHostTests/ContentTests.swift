import ExtensionHost
import Foundation
import Glibc
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// Content extensions at work, with real programs.
@Suite("Content extensions", .timeLimit(.minutes(2)))
struct ContentTests {
  /// What a session said, and the session.
  private final class Talk: Sendable {
    let stage: BundleStage
    let session: any ContentExtensionSession
    private let box: Box

    init(_ script: String, _ limits: ExtensionLimits = ContentTests.limits) throws {
      let stage = try BundleStage(limits)
      try stage.install(
        "Draw", BundleStage.list(BundleStage.content("<string>call</string>")), program: "#!/bin/sh\n" + script)
      self.stage = stage
      let content = try #require(
        stage.host.contentExtension(of: BundleStage.application.identifier, for: "call"))
      let box = Box()
      session = stage.host.open(content, of: BundleStage.application) { event in
        switch event {
        case .updated(let update): box.say("update \(update.content?.title ?? "")")
        case .performDefaultAction: box.say("default")
        case .dismiss: box.say("dismiss")
        case .ended: box.say("ended")
        }
      }
      self.box = box
    }

    final class Box: Sendable {
      let lines = Mutex<[String]>([])
      func say(_ line: String) { lines.withLock { $0.append(line) } }
    }
    /// Events and answers so far, in order.
    var lines: [String] { box.lines.withLock { $0 } }

    func receive(_ title: String, within limit: Duration = .seconds(10)) {
      session.receive(stage.notification(title), actions: [], within: limit) { [box] in box.say("received \($0)") }
    }

    func respond(_ action: ResponseRecord.Action, text: String? = nil, within limit: Duration = .seconds(10)) {
      let response = ResponseRecord(
        notification: stage.notification("T"), action: action, text: text, activationToken: "secret")
      session.respond(response, within: limit) { [box] in box.say("responded \($0?.rawValue ?? "nil")") }
    }

    func use(_ control: String, _ value: PropertyValue?, within limit: Duration = .seconds(10)) {
      session.use(.init(identifier: control, value: value), within: limit) { [box] in box.say("used \($0)") }
    }

    func says(_ expected: [String]) async throws {
      try await eventually(within: .seconds(10), "\(expected)") { lines.count >= expected.count }
      #expect(lines == expected)
    }
  }

  private static var limits: ExtensionLimits {
    var limits = ExtensionLimits()
    limits.endDelay = .milliseconds(200)
    limits.killDelay = .milliseconds(200)
    return limits
  }

  /// Answers everything: each update counts on from the last.
  private static let counter = """
    n=0
    while read -r line; do
      printf '%s\\n' "$line" >>"$HOME/told"
      n=$((n+1))
      case $line in
        *'"type":"response"'*) echo '{"type":"update","content":{"title":"decided"}}'; echo '{"type":"done","option":"doNotDismiss"}' ;;
        *'"type":"media"'*) echo '{"type":"performDefaultAction"}'; echo '{"type":"dismiss"}' ;;
        *) printf '{"type":"update","content":{"title":"%s"}}\\n' "$n" ;;
      esac
    done
    echo end >>"$HOME/told"
    """

  private func told(_ talk: Talk) -> [String] {
    let text = (try? String(contentsOfFile: "\(talk.stage.home.path)/told", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test("one program has all that comes, and what it says is heard before its answers")
  func order() async throws {
    let talk = try Talk(Self.counter)
    talk.receive("first")
    talk.respond(.custom("yes"), text: "Going")
    talk.receive("second")
    talk.use("sound", .boolean(true))
    talk.session.setPlaying(true)
    try await talk.says([
      "update 1", "received true", "update decided", "responded doNotDismiss", "update 3", "received true", "update 4",
      "used true", "default", "dismiss",
    ])
    let told = told(talk)
    #expect(told.count == 5)
    #expect(told[0].contains(#""title":"first""#) && told[0].contains(#""type":"notification""#))
    #expect(told[1].contains(#""text":"Going""#) && !told[1].contains("secret"))
    #expect(told[3] == #"{"identifier":"sound","type":"control","value":true}"#)
    #expect(told[4] == #"{"isPlaying":true,"type":"media"}"#)
  }

  @Test("one that does not answer in time has not answered, and what it says later is heard")
  func late() async throws {
    let talk = try Talk(
      """
      read -r line; while [ ! -e "$HOME/go" ]; do sleep 0.05; done
      echo '{"type":"update","content":{"title":"late"}}'; cat >/dev/null
      """)
    talk.receive("first", within: .milliseconds(200))
    talk.respond(.default, within: .milliseconds(200))
    try await talk.says(["received false", "responded nil"])
    try talk.stage.home.write("", to: "go")
    try await talk.says(["received false", "responded nil", "update late"])
  }

  @Test("a program that ends is told about, and started anew with the last notification and what is new")
  func restarts() async throws {
    let talk = try Talk(
      """
      while read -r line; do
        printf '%s\\n' "$line" >>"$HOME/told"
        case $line in
          *'"type":"control"'*) [ -e "$HOME/again" ] || { : >"$HOME/again"; exit 4; } ;;
        esac
        echo '{"type":"update","content":{"title":"here"}}'
      done
      """)
    talk.receive("first")
    try await talk.says(["update here", "received true"])
    talk.use("one", nil)
    try await talk.says(["update here", "received true", "used false", "ended"])
    talk.use("two", nil)
    try await talk.says([
      "update here", "received true", "used false", "ended", "update here", "update here", "used true",
    ])
    #expect(told(talk).count == 4 && told(talk)[2] == told(talk)[0] && told(talk)[3].contains("two"))
    #expect(talk.stage.messages.contains("it ended with status 4"))
  }

  @Test(
    "one that says what it may not is ended",
    arguments: ["garbage", #"{"type":"content","content":{"title":"x"}}"#, #"{"type":"update","actions":3}"#])
  func broken(line: String) async throws {
    let talk = try Talk("read -r line; echo '\(line)'; sleep 60")
    talk.receive("first")
    try await talk.says(["received false", "ended"])
    try await isGone(talk)
  }

  @Test("one that always ends is not started without end")
  func endless() async throws {
    let talk = try Talk("echo x >>\"$HOME/starts\"; exit 1")
    for number in 1...12 {
      talk.receive("again")
      try await eventually(within: .seconds(10), "answer \(number)") {
        talk.lines.filter { $0 == "received false" }.count == number
      }
    }
    let starts = FileManager.default.contents(atPath: "\(talk.stage.home.path)/starts")?.count ?? 0
    #expect(starts == 2 * (1 + Self.limits.restarts))
    #expect(talk.stage.messages.contains("is not started"))
  }

  @Test("more updates than are allowed are put together, and the last one is heard")
  func flood() async throws {
    let talk = try Talk(
      """
      read -r line; echo '{"type":"update"}'
      i=0; while [ $i -lt 2000 ]; do echo "{\\"type\\":\\"update\\",\\"content\\":{\\"title\\":\\"$i\\"}}"; i=$((i+1)); done
      echo '{"type":"update","content":{"title":"last"}}'
      cat >/dev/null
      """)
    let start = ContinuousClock.now
    talk.receive("first")
    try await eventually(within: .seconds(60), "the last one") { talk.lines.contains("update last") }
    let time = start.duration(to: .now) / .seconds(1)
    #expect(Double(talk.lines.count) < 25 + 21 * time, "\(talk.lines.count) in \(time) s")
  }

  @Test("one that asks without end for something to be done does not fill the log")
  func asksTooOften() async throws {
    let talk = try Talk(
      """
      read -r line; i=0; while [ $i -lt 200 ]; do echo '{"type":"dismiss"}'; i=$((i+1)); done
      echo '{"type":"update","content":{"title":"last"}}'
      cat >/dev/null
      """)
    talk.receive("first")
    try await eventually(within: .seconds(30), "the last one") { talk.lines.contains("update last") }
    #expect((1...70).contains(talk.stage.messages.components(separatedBy: "too often").count - 1))
  }

  @Test("one that does not read what it is told is ended before that fills the memory")
  func deaf() async throws {
    let talk = try Talk("sleep 60")
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 0..<8 { talk.receive(text) }
    try await eventually(within: .seconds(10), "it is ended") { talk.lines.contains("ended") }
    #expect(talk.stage.messages.contains("it does not read what it is told"))
    try await isGone(talk)
  }

  private func isGone(_ talk: Talk) async throws { try await talk.stage.hasNoProcess() }

  @Test("when the session goes, the program has the end of its input; one that does not heed it is killed")
  func released() async throws {
    var talk: Talk? = try Talk(Self.counter)
    talk?.receive("first")
    try await talk?.says(["update 1", "received true"])
    let stage = try #require(talk).stage
    talk = nil
    try await eventually(within: .seconds(10), "it saw the end") {
      (try? String(contentsOfFile: "\(stage.home.path)/told", encoding: .utf8))?.hasSuffix("end\n") == true
    }
    var deaf: Talk? = try Talk("trap '' TERM; read -r line; echo '{\"type\":\"update\"}'; sleep 60")
    deaf?.receive("first")
    try await deaf?.says(["update ", "received true"])
    let home = try #require(deaf).stage
    deaf = nil
    try await home.hasNoProcess()
  }
}
