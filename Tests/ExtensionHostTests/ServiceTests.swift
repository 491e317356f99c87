import ExtensionHost
import Foundation
import Glibc
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// What becomes of notifications in the hands of service extensions, with real programs.
@Suite("Service extensions", .timeLimit(.minutes(2)))
struct ServiceTests {
  /// Limits with which a test need not wait.
  private static var short: ExtensionLimits {
    var limits = ExtensionLimits()
    limits.serviceTime = .milliseconds(300)
    limits.serviceGrace = .milliseconds(200)
    limits.endDelay = .milliseconds(200)
    limits.killDelay = .milliseconds(200)
    return limits
  }

  private static let answer = #"printf '%s\n' '{"type":"content","content":{"title":"Changed"}}'"#

  private func stage(_ script: String, _ limits: ExtensionLimits = ExtensionLimits()) throws -> BundleStage {
    let stage = try BundleStage(limits)
    try stage.install("Change", BundleStage.list(BundleStage.service), program: "#!/bin/sh\n" + script)
    return stage
  }

  @Test("it is told the notification and its application, and its answer takes the place of the original")
  func changes() async throws {
    let stage = try stage("read -r line; printf '%s' \"$line\" >\"$HOME/told\"\n" + Self.answer)
    let content = try #require(await stage.modify("Title; $(rm) \u{2028}\n\"x\""))
    #expect(content.title == "Changed" && content.body.isEmpty)
    let told = try #require(FileManager.default.contents(atPath: "\(stage.home.path)/told"))
    let object = try #require(try JSONSerialization.jsonObject(with: told) as? [String: Any])
    #expect(object["type"] as? String == "request")
    let request = try #require(object["request"] as? [String: Any])
    #expect(request["identifier"] as? String == "one")
    #expect((request["content"] as? [String: Any])?["title"] as? String == "Title; $(rm) \u{2028}\n\"x\"")
    #expect((object["application"] as? [String: Any])?["identifier"] as? String == "org.example.Chat")
    #expect(stage.messages.isEmpty)
    try await stage.hasNoProcess()
  }

  @Test("it runs in its bundle, with the variables of handlers and its own, and a folder that it shares")
  func surroundings() async throws {
    let stage = try stage(
      """
      { pwd; echo "$NOTIFY_BRIDGE_EXTENSION"; echo "$NOTIFY_BRIDGE_APP_ID"; echo "$NOTIFY_BRIDGE_GROUP_DIR"; ls -ld \
      "$NOTIFY_BRIDGE_GROUP_DIR" | cut -c1-10; ls /proc/self/fd | tr '\\n' ' '; } >"$HOME/told"
      \(Self.answer)
      """)
    #expect(await stage.modify()?.title == "Changed")
    let told = try String(contentsOfFile: "\(stage.home.path)/told", encoding: .utf8).split(separator: "\n")
    let bundle = "\(stage.home.path)/data/notify-bridge/extensions/org.example.Chat/Change.appex"
    // ls has the folder that it lists as 3.
    #expect(
      told == [
        Substring(bundle), Substring(bundle), "org.example.Chat",
        "\(stage.home.path)/data/notify-bridge/groups/org.example.Chat", "drwx------", "0 1 2 3 ",
      ])
  }

  @Test(
    "without a usable answer the original is shown, and the log says once why",
    arguments: [
      ("exit 3", "it ended with status 3 without an answer"), ("kill -SEGV $$", "it was ended by signal 11"),
      ("echo garbage", "'garbage' is no JSON object"), ("echo '{\"type\":\"dismiss\"}'", "its answer is no content"),
      ("echo '{\"type\":\"content\",\"content\":{\"badge\":1}}'", "neither title, subtitle nor body"),
      ("echo '{\"type\":\"content\"}'", "line.content must be"), ("printf '\\377\\n'", "is no JSON object"),
      ("echo '{\"type\":\"content\",\"content\":{\"title\":3}}'", "line.content.title must be text"),
      ("head -c 2000000 /dev/zero | tr '\\0' x", "a line of over 1048576 bytes"),
      ("head -c 2000 /dev/zero | tr '\\0' '['; echo", "is no JSON object"),
      ("exec cat /dev/urandom", "is no JSON object"), ("exec >&-; sleep 60", "without an answer"),
    ])
  func unusable(script: String, word: String) async throws {
    let stage = try stage("read -r line\n" + script, Self.short(time: .seconds(20)))
    #expect(await stage.modify() == nil)
    #expect(stage.messages.contains(word), "\(stage.messages)")
    #expect(stage.messages.components(separatedBy: "the original is shown").count == 2)
    try await stage.hasNoProcess()
  }

  private static func short(time: Duration) -> ExtensionLimits {
    var limits = short
    limits.serviceTime = time
    return limits
  }

  @Test("one that cannot be executed gives the original")
  func notExecutable() async throws {
    let stage = try BundleStage()
    try stage.install("Change", BundleStage.list(BundleStage.service), program: "#!/nonexistent/interpreter\n")
    #expect(await stage.modify() == nil)
    #expect(stage.messages.contains("it was not started"))
  }

  @Test("when its time is over it is told so, and what it says then counts")
  func lastWord() async throws {
    let stage = try stage(
      "read -r line; read -r line; case $line in *expire*) \(Self.answer) ;; esac", Self.short)
    #expect(await stage.modify()?.title == "Changed")
  }

  @Test("one that gives no answer even then gives the original, and is ended, all that it started with it")
  func late() async throws {
    let stage = try stage("trap '' TERM; sleep 60 & sleep 61", Self.short)
    let start = ContinuousClock.now
    #expect(await stage.modify() == nil)
    #expect(start.duration(to: .now) >= .milliseconds(500))
    #expect(stage.messages.contains("it gave no answer within"))
    try await stage.hasNoProcess()
  }

  @Test("its first answer counts; what it says after that, and its not ending, change nothing")
  func firstAnswer() async throws {
    let again = Self.answer.replacingOccurrences(of: "Changed", with: "Again")
    let stage = try stage(
      "read -r line; \(Self.answer); \(again); trap '' TERM; sleep 60", Self.short(time: .seconds(20)))
    let answers = Mutex<[String?]>([])
    stage.host.modify(stage.request("Title"), of: BundleStage.application) { content in
      answers.withLock { $0.append(content?.title) }
    }
    try await eventually(within: .seconds(10), "an answer") { answers.withLock { !$0.isEmpty } }
    try await stage.hasNoProcess()
    #expect(answers.withLock { $0 } == ["Changed"])
    #expect(stage.messages.isEmpty)
  }

  @Test("of its files those are kept that can be read, by absolute paths; the log names the others")
  func attachments() async throws {
    let stage = try BundleStage()
    let picture = try stage.home.write("picture", to: "picture.png")
    let files = [picture, "picture.png", "/nonexistent", stage.home.path, "/dev/zero"].map {
      #"{"identifier":"a","path":"\#($0)","type":"public.png"}"#
    }
    try stage.install(
      "Change", BundleStage.list(BundleStage.service),
      program: """
        #!/bin/sh
        echo '{"type":"content","content":{"title":"T","attachments":[\(files.joined(separator: ","))]}}'
        """)
    #expect(await stage.modify()?.attachments.map(\.path) == [picture])
    #expect(stage.messages.components(separatedBy: "is left out").count == 5)
  }

  @Test("what it writes to standard error is logged with a limit")
  func errors() async throws {
    let stage = try stage(
      "i=0; while [ $i -lt 3000 ]; do echo \"line $i\" >&2; i=$((i+1)); done; \(Self.answer)")
    #expect(await stage.modify()?.title == "Changed")
    try await stage.hasNoProcess()
    #expect(stage.messages.contains("extension 'Change' of 'org.example.Chat': says 'line 0'"))
    #expect(stage.log.messages(from: .info).count < 100)
  }

  @Test("of many at once a few run, the others wait in order, and other applications do not wait for them")
  func many() async throws {
    var limits = ExtensionLimits()
    limits.servicesAtOnce = 2
    let stage = try BundleStage(limits)
    // Each waits until the test lets it go.
    try stage.install(
      "Slow", BundleStage.list(BundleStage.service),
      program: """
        #!/bin/sh
        read -r line
        echo x >>"$HOME/running"
        while [ ! -e "$HOME/go" ]; do sleep 0.05; done
        \(Self.answer)
        """)
    try stage.install(
      "Fast", BundleStage.list(BundleStage.service), program: "#!/bin/sh\nread -r line; \(Self.answer)",
      of: "org.example.Fast")
    let answers = Mutex<[Int]>([])
    for number in 0..<8 {
      stage.host.modify(stage.request("Title"), of: BundleStage.application) { content in
        if content?.title == "Changed" { answers.withLock { $0.append(number) } }
      }
    }
    func running() -> Int { FileManager.default.contents(atPath: "\(stage.home.path)/running")?.count ?? 0 }
    try await eventually(within: .seconds(10), "two run") { running() == 4 }
    let fast = ApplicationRecord(identifier: "org.example.Fast", name: "Fast")
    #expect(await stage.modify(of: fast)?.title == "Changed")
    #expect(running() == 4 && answers.withLock { $0.isEmpty })
    try stage.home.write("", to: "go")
    try await eventually(within: .seconds(20), "all answer") { answers.withLock { $0.count } == 8 }
    // One of the two that ran; how soon the other is done is not said.
    #expect([0, 1].contains(answers.withLock { $0[0] }))
  }

  @Test("one that waits for others beyond its time is shown as it is; too many are at once")
  func waiting() async throws {
    var limits = Self.short
    limits.servicesAtOnce = 1
    limits.servicesWaiting = 1
    let stage = try stage("sleep 60", limits)
    let answers = Mutex<[Int]>([])
    for number in 0..<3 {
      stage.host.modify(stage.request("Title"), of: BundleStage.application) { content in
        if content == nil { answers.withLock { $0.append(number) } }
      }
    }
    #expect(answers.withLock { $0 } == [2])
    try await eventually(within: .seconds(10), "all answer") { answers.withLock { $0.count } == 3 }
    for words in ["others took its time", "1 notifications wait for it"] { #expect(stage.messages.contains(words)) }
    try await stage.hasNoProcess()
  }
}
