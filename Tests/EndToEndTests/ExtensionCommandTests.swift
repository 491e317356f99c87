import Foundation
import Glibc
import TestSupport
import Testing

/// `extension`, without bus and bridge.
@Suite(.timeLimit(.minutes(2))) struct ExtensionCommandTests {
  private static let application = "org.example.Chat"

  /// Runs the command in a folder of the home.
  private func run(
    _ home: TemporaryHome, _ arguments: String..., environment: [String: String?] = [:],
    input: BinaryRunner.Input = .nothing
  ) async throws -> BinaryResult {
    var variables: [String: String?] = home.environment.mapValues { $0 }
    variables["XDG_DATA_DIRS"] = "\(home.path)/system"
    return try await BinaryRunner.run(
      try Binaries.notifyBridge(), ["extension"] + arguments, environment: variables.merging(environment) { $1 },
      directory: home.path, input: input)
  }

  private func installed(_ home: TemporaryHome, _ name: String) -> String {
    "\(home.path)/data/notify-bridge/extensions/\(Self.application)/\(name).appex"
  }

  @Test("a service extension is made, passes its check, and is installed, listed and removed")
  func service() async throws {
    let home = try TemporaryHome()
    let made = try await run(home, "new", "Mark", "--app", Self.application)
    #expect(made.status == 0 && made.output.contains("Mark/Mark.appex/Info.plist\n") && made.errors.isEmpty)
    let checked = try await run(home, "check", "Mark/Mark.appex/")
    #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
    #expect(checked.output.contains("service extension 'Mark'"))
    #expect(checked.output.contains("'Sample' -> '[Changed] Sample'"))
    let install = try await run(home, "install", "Mark/Mark.appex", "--app", Self.application)
    #expect((install.status, install.output) == (0, installed(home, "Mark") + "\n"))
    var status = stat()
    #expect(unsafe stat(installed(home, "Mark") + "/Mark", &status) == 0 && status.st_mode & 0o777 == 0o700)
    let list = try await run(home, "list", "--json")
    let line = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any])
    #expect(line["application"] as? String == Self.application && line["name"] as? String == "Mark")
    #expect(line["kind"] as? String == "service" && line["state"] as? String == "active")
    #expect(line["path"] as? String == installed(home, "Mark"))
    let remove = try await run(home, "remove", "Mark", environment: ["NOTIFY_BRIDGE_APP_ID": Self.application])
    #expect((remove.status, remove.errors) == (0, ""))
    #expect(try await run(home, "list").output.isEmpty)
    let folder = (installed(home, "Mark") as NSString).deletingLastPathComponent
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    let again = try await run(home, "remove", "Mark", "--app", Self.application)
    #expect(again.status == 1 && again.errors.contains("there is no extension 'Mark'"))
  }

  @Test("what was installed before stays, unless its place is to be taken")
  func replaces() async throws {
    let home = try TemporaryHome()
    _ = try await run(home, "new", "Mark")
    #expect(try await run(home, "install", "Mark/Mark.appex", "--app", Self.application).status == 0)
    try home.write("new", to: "Mark/Mark.appex/file")
    let refused = try await run(home, "install", "Mark/Mark.appex", "--app", Self.application)
    #expect(refused.status == 2 && refused.errors.contains("--replace"))
    #expect(!FileManager.default.fileExists(atPath: installed(home, "Mark") + "/file"))
    #expect(try await run(home, "install", "Mark/Mark.appex", "--app", Self.application, "--replace").status == 0)
    #expect(FileManager.default.fileExists(atPath: installed(home, "Mark") + "/file"))
  }

  @Test("what a killed installation left is removed by a later one, and one that runs is left alone")
  func leftovers() async throws {
    let home = try TemporaryHome()
    _ = try await run(home, "new", "Mark")
    let folder = (installed(home, "Mark") as NSString).deletingLastPathComponent
    for name in [".new.killed", ".new.running"] {
      try home.write("x", to: "data/notify-bridge/extensions/\(Self.application)/\(name)/Mark.appex/Mark")
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100_000)], ofItemAtPath: folder + "/.new.killed")
    #expect(try await run(home, "install", "Mark/Mark.appex", "--app", Self.application).status == 0)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == [".new.running", "Mark.appex"])
  }

  @Test("the shell's service extension changes the title of any payload, whatever is in it")
  func payloads() async throws {
    let home = try TemporaryHome()
    _ = try await run(home, "new", "Mark")
    let payload = #"""
      {"aps":{"alert":{"title":"He said \"title\":\"x\" {","body":"b\\"},"sound":"default"},
      "request":{"content":{"title":"inner"}},"identifier":"i"}
      """#
    let checked = try await run(home, "check", "Mark/Mark.appex", "--payload", "-", input: .text(payload))
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.output.contains(#"'He said "title":"x" {' -> '[Changed] He said "title":"x" {'"#))
    #expect(checked.output.contains("  body         'b\\'\n") && checked.output.contains("3 keys\n"))
    let background = try await run(
      home, "check", "Mark/Mark.appex", "--payload", "-", input: .text(#"{"aps":{"content-available":1}}"#))
    #expect(background.status == 2 && background.errors.contains("background"))
  }

  @Test("a content extension for sh passes its check, in any sh", arguments: ["sh", "busybox sh", "bash --posix"])
  func content(shell: String) async throws {
    let home = try TemporaryHome()
    for (name, kind) in [("Draw", ["--content", "-c", "a<b", "-c", "meeting"]), ("Mark", ["--service"])] {
      let made = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["extension", "new", name] + kind,
        environment: home.environment.mapValues { $0 }, directory: home.path)
      #expect(made.status == 0)
      let file = "\(home.path)/\(name)/\(name).appex/\(name)"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      // A shell that is not there is no reason to fail; sh is.
      let words = shell.split(separator: " ").map(String.init)
      guard FileManager.default.fileExists(atPath: "/bin/\(words[0])") else { continue }
      try home.write(
        text.replacingOccurrences(of: "#!/bin/sh", with: "#!/bin/\(shell)"), to: "\(name)/\(name).appex/\(name)",
        permissions: 0o700)
      let checked = try await run(home, "check", "\(name)/\(name).appex")
      #expect(checked.status == 0, "\(checked.errors)")
      let words2 =
        name == "Draw" ? ["draws 'a<b', 'meeting'", "'Draw", "a click on it: dismissAndForwardAction"] : ["[Changed]"]
      for word in words2 { #expect(checked.output.contains(word), "\(checked.output)") }
    }
  }

  @Test("check tells of a content extension what is shown, and why its title is not")
  func shown() async throws {
    let home = try TemporaryHome()
    _ = try await run(home, "new", "Draw", "--content", "-c", "call")
    let program =
      "#!/bin/sh\nread -r line\necho '{\"type\":\"update\",\"content\":{\"title\":\"Mine\",\"body\":\"Drawn\"}}'\n"
      + "read -r line\necho '{\"type\":\"done\",\"option\":\"dismiss\"}'\nread -r line\n"
    try home.write(program, to: "Draw/Draw.appex/Draw", permissions: 0o700)
    let plain = try await run(home, "check", "Draw/Draw.appex")
    #expect(plain.status == 0 && plain.output.contains("  title        'Sample'\n"), "\(plain.output)\(plain.errors)")
    #expect(plain.output.contains("its title 'Mine' is not shown") && plain.output.contains("OverridesDefaultTitle"))
    #expect(plain.output.contains("-> 'Drawn\\u{a}A notification"), "its text stands above the notification's own")
    let list = "\(home.path)/Draw/Draw.appex/Info.plist"
    let text = try String(contentsOfFile: list, encoding: .utf8)
    try home.write(
      text.replacingOccurrences(
        of: "<key>UNNotificationExtensionDefaultContentHidden",
        with: "<key>UNNotificationExtensionOverridesDefaultTitle</key><true/>"
          + "<key>UNNotificationExtensionDefaultContentHidden"), to: "Draw/Draw.appex/Info.plist")
    let overriding = try await run(home, "check", "Draw/Draw.appex")
    #expect(overriding.output.contains("'Sample' -> 'Mine'") && !overriding.output.contains("is not shown"))
  }

  @Test("check names every mistake by its key, and what the program did")
  func mistakes() async throws {
    let home = try TemporaryHome()
    _ = try await run(home, "new", "Draw", "--content", "-c", "call")
    let list = "\(home.path)/Draw/Draw.appex/Info.plist"
    let good = try String(contentsOfFile: list, encoding: .utf8)
    try home.write(
      good.replacingOccurrences(of: "<real>0.5</real>", with: "<real>-1</real>")
        .replacingOccurrences(of: "CFBundleExecutable", with: "CFBundleProgram"), to: "Draw/Draw.appex/Info.plist")
    let broken = try await run(home, "check", "Draw/Draw.appex")
    #expect(broken.status == 1 && broken.output.isEmpty)
    for key in ["CFBundleExecutable", "UNNotificationExtensionInitialContentSizeRatio"] {
      #expect(broken.errors.contains(key), "\(broken.errors)")
    }
    #expect(try await run(home, "install", "Draw/Draw.appex", "--app", Self.application).status == 1)
    try home.write(good, to: "Draw/Draw.appex/Info.plist")
    try home.write("#!/bin/sh\necho oops >&2; exit 4\n", to: "Draw/Draw.appex/Draw", permissions: 0o700)
    let failing = try await run(home, "check", "Draw/Draw.appex")
    #expect(failing.status == 1)
    for words in ["'oops'", "it ended with status 4"] { #expect(failing.errors.contains(words), "\(failing.errors)") }
    #expect(try await run(home, "check", "Nothing.appex").status == 1)
  }

  @Test("list shows what is in the way of what, what is broken, and what stands in for another")
  func list() async throws {
    let home = try TemporaryHome()
    for name in ["One", "Two"] {
      _ = try await run(home, "new", name, "--content", "-c", "call")
      _ = try await run(home, "install", "\(name)/\(name).appex", "--app", Self.application)
    }
    let both = try await run(home, "list")
    #expect(both.status == 1)
    #expect(both.output.components(separatedBy: "'One' and 'Two' are both content extensions for 'call'").count == 3)
    _ = try await run(home, "remove", "Two", "--app", Self.application)
    try home.write("", to: "system/notify-bridge/extensions/\(Self.application)/Broken.appex/Info.plist")
    let list = try await run(home, "list", "--app", Self.application)
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    // A line for each of its mistakes.
    #expect(rows.count == 3 && rows[0][1...4] == ["One", "content", "active", "call"])
    #expect(rows.dropFirst().allSatisfy { $0[1...3] == ["Broken", "-", "broken"] } && list.status == 1)
  }

  @Test("wrong usage ends with 2 and makes nothing")
  func usage() async throws {
    let home = try TemporaryHome()
    let wrong: [[String]] = [
      [], ["make"], ["new"], ["new", "a b"], ["new", "../x"], ["new", "x", "--content"], ["new", "x", "-c", "c"],
      ["new", "x", "--service", "--content"], ["new", "x", "--shell", "--swift"], ["new", "x", "--package", "/"],
      ["new", "x", "--app", "a/b"], ["new", "x", "--replace"], ["list", "x"], ["check"], ["install", "x.appex"],
      ["remove", "--app", "a"], ["remove", "x"],
    ]
    for arguments in wrong {
      let result = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["extension"] + arguments, environment: home.environment.mapValues { $0 },
        directory: home.path)
      #expect(result.status == 2 && result.output.isEmpty, "\(arguments): \(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/x"))
  }

  @Test("the templates for Swift are packages that name their classes as for Apple's systems")
  func swift() async throws {
    let home = try TemporaryHome()
    for (name, options, words) in [
      ("Mark", ["--package", "lib"], ["class NotificationService: UNNotificationServiceExtension {"]),
      (
        "Draw", ["--content", "-c", "call"],
        ["class NotificationViewController: NSViewController, UNNotificationContentExtension {"]
      ),
    ] {
      let made = try await BinaryRunner.run(
        try Binaries.notifyBridge(), ["extension", "new", "--swift", name] + options,
        environment: home.environment.mapValues { $0 }, directory: home.path)
      #expect(made.status == 0)
      var sources = ""
      for file in made.output.split(separator: "\n") where file.hasSuffix(".swift") {
        sources += try String(contentsOfFile: "\(home.path)/\(file)", encoding: .utf8)
      }
      for word in words { #expect(sources.contains(word)) }
      #expect(sources.contains("\(name == "Mark" ? "NotificationService" : "NotificationViewController").main()\n"))
    }
    let manifest = try String(contentsOfFile: "\(home.path)/Mark/Package.swift", encoding: .utf8)
    #expect(manifest.contains(#".package(name: "notify-bridge", path: "\#(home.path)/lib")"#))
    // The bundle is missing its program until it is built.
    try home.write("#!/bin/sh\n", to: "Mark.appex/Mark", permissions: 0o700)
    try FileManager.default.copyItem(
      atPath: "\(home.path)/Mark/Info.plist", toPath: "\(home.path)/Mark.appex/Info.plist")
    let checked = try await run(home, "check", "Mark.appex")
    #expect(checked.status == 1 && checked.errors.contains("without an answer"))
  }
}
