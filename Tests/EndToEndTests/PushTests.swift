import DBus
import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// `push`, with the bridge and without.
@Suite(.timeLimit(.minutes(2))) struct PushTests {
  @Test("a payload is shown, its custom keys come back with the response, and its name replaces")
  func shown() async throws {
    let fixture = try await BridgeFixture()
    let file = try fixture.home.write(
      #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"a < b"},"badge":2},"link":"L"}"#, to: "p.json")
    for round in 1...2 {
      let result = try await fixture.run("push", "org.example.App", file, "--collapse-id", "c")
      #expect((result.status, result.output) == (0, ""))
      let notification = try await fixture.posted(round).notification
      #expect((notification.summary, notification.body) == ("T", "<b>S</b>\na &lt; b"))
    }
    #expect(fixture.daemon.posted.map(\.notification.replacesID) == [0, 1])
    fixture.daemon.invoke(1, "default")
    let waited = try await fixture.run("wait", "--app", "org.example.App", "c", "--json")
    #expect(waited.output.contains(#""link":"L""#), "\(waited.output)")
    let badge = try await fixture.run("badge", "--app", "org.example.App")
    #expect(badge.output == "2\n")
  }

  @Test("C095, C097, C101: what is wrong is said on standard error; what can be shown is shown; status 0")
  func warnings() async throws {
    let fixture = try await BridgeFixture()
    let silent = try await fixture.run("push", "-", input: .text(#"{"aps":{"content-available":1}}"#))
    #expect(silent.status == 1)
    #expect(silent.errors.contains("background") && silent.errors.contains("no process of 'notify-bridge'"))
    for (payload, words) in [
      (#"{"aps":{"content_available":1,"alert":"x"}}"#, "content_available"),
      (#"{"aps":{"alert":"x","badge":"3"}}"#, "badge"), (#"{"aps":{"alert":"x","category":"nobody"}}"#, "'nobody'"),
    ] {
      let result = try await fixture.run("push", "-", input: .text(payload))
      #expect(result.status == 0)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    #expect(fixture.daemon.posted.count == 3)
    #expect(fixture.daemon.posted[2].notification.actions.map(\.key) == ["default"])
  }

  @Test("explain has the buttons of the category that the application registered")
  func explained() async throws {
    let fixture = try await BridgeFixture()
    let payload = #"{"aps":{"alert":"x","category":"message"}}"#
    let before = try await fixture.run("explain", "--app", "org.example.App", "--payload", "-", input: .text(payload))
    #expect(before.status == 0 && before.output.contains("has not registered the category 'message'"))
    let category = #"[{"identifier":"message","actions":[{"identifier":"like","title":"Like","options":2}]}]"#
    let set = try await fixture.run(
      "categories", "--app", "org.example.App", "--set", "-", input: .text(category))
    #expect(set.status == 0, "\(set.errors)")
    let after = try await fixture.run("explain", "--app", "org.example.App", "--payload", "-", input: .text(payload))
    #expect(after.status == 0 && after.output.contains("'like' = 'Like'"), "\(after.output)")
    #expect(!after.output.contains("not registered") && after.output.contains("'Like' looks like the others"))
    #expect(fixture.daemon.posted.isEmpty)
  }

  @Test("C094: a payload that is too large, or none, ends with 2 and says why; without the bridge it works too")
  func refused() async throws {
    let fixture = try await CommandFixture()
    let large = #"{"aps":{"alert":""# + String(repeating: "x", count: 4077) + #""}}"#
    #expect(large.utf8.count == 4097)
    let result = try await fixture.run("push", "-", input: .text(large))
    #expect(result.status == 2)
    #expect(result.errors.contains("4097"))
    #expect(try await fixture.run("push", "-", input: .text("{}")).status == 2)
    #expect(try await fixture.run("push").status == 2)
    #expect(try await fixture.run("push", "-", "--collapse-id", String(repeating: "x", count: 65)).status == 2)
    #expect(try await fixture.run("push", "-", "--collapse-id", "a\nb").status == 2)
    let largest = #"{"aps":{"alert":""# + String(repeating: "x", count: 4076) + #""}}"#
    #expect(try await fixture.run("push", "-", input: .text(largest)).status == 0)
    _ = try await fixture.posted(1)
    let named = #"{"Simulator Target Bundle":"org.example.Sim","aps":{"alert":"x"}}"#
    #expect(try await fixture.run("push", "-", input: .text(named)).status == 0)
    #expect(try await fixture.posted(2).notification.hints["desktop-entry"] == .string("org.example.Sim"))
  }

  @Test("any language pushes over the bus")
  func overTheBus() async throws {
    let fixture = try await BridgeFixture()
    let answer = try await fixture.connection.call(
      MethodCall(
        to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Push",
        [
          .string("org.example.App"), .bytes(Array(#"{"aps":{"alert":"x","sound":7}}"#.utf8)),
          .properties([("collapseIdentifier", .string("c"))]),
        ]))
    let report = answer.body[0].asProperties
    #expect(report?["delivered"] == .boolean(true))
    #expect(report?["identifier"] == .string("c"))
    #expect(report?["notes"]?.asArray?.count == 1)
  }

  @Test("a background push goes to the application's connected processes, and the report says to how many")
  func background() async throws {
    let fixture = try await BridgeFixture()
    let got = AsyncStream.makeStream(of: String?.self)
    var exports: [Export] = []
    var connections: [BusConnection] = []
    for takes in [true, false, true] {
      let process = try await BusConnection.connect(to: fixture.bus.address)
      connections.append(process)
      exports.append(
        process.export(
          ExportedInterface(
            "org.notifybridge.Client1",
            methods: [
              .init("Push", takes: [.init("payload", "a{sv}")], returns: [.init("taken", "b")]) { call in
                if takes { got.continuation.yield(call.message.body[0].asProperties?["job"]?.asString) }
                call.reply([.boolean(takes)])
              }
            ]), at: "/org/notifybridge/Client1"))
      _ = try await process.call(
        MethodCall(
          to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Register",
          [.string("org.example.App"), .properties([])]))
    }
    // Another application's process is not asked, and one that knows nothing of pushes does not hold them up.
    _ = try await fixture.connection.call(
      MethodCall(
        to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Register",
        [.string("org.example.App"), .properties([])]))
    let payload = #"{"aps":{"content-available":1},"job":"sync"}"#
    let result = try await fixture.run("push", "org.example.App", "-", "--json", input: .text(payload))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(#""background":true"#) && result.output.contains(#""processes":2"#))
    #expect(result.errors.contains("2 processes of 'org.example.App'"))
    var jobs = got.stream.makeAsyncIterator()
    for _ in 0..<2 { #expect(await jobs.next() == "sync") }
    #expect(fixture.daemon.posted.isEmpty)
    // What is shown is told too.
    let shown = #"{"aps":{"content-available":1,"alert":"x"},"job":"more"}"#
    #expect(try await fixture.run("push", "org.example.App", "-", input: .text(shown)).status == 0)
    for _ in 0..<2 { #expect(await jobs.next() == "more") }
    _ = try await fixture.posted(1)
    let nobody = try await fixture.run("push", "org.example.Other", "-", "--json", input: .text(payload))
    #expect(nobody.status == 1)
    #expect(nobody.output.contains(#""processes":0"#) && nobody.errors.contains("'org.example.Other'"))
    for connection in connections { await connection.close() }
    withExtendedLifetime(exports) {}
  }

  private static let tables = [
    "de.lproj/Localizable.strings": "/* von wem */ \"FROM\" = \"Nachricht von %@\";",
    "en.lproj/Localizable.strings": "FROM = \"Message from %@\";",
    "de.lproj/Localizable.stringsdict": """
    <plist version="1.0"><dict><key>COUNT</key><dict>
    <key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>
    <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
    <key>NSStringFormatValueTypeKey</key><string>d</string>
    <key>one</key><string>%d Datei</string><key>other</key><string>%d Dateien</string></dict></dict></dict></plist>
    """,
  ]
  private static let localized = """
    {"Simulator Target Bundle":"org.example.App","aps":{"alert":{"title-loc-key":"FROM","title-loc-args":["Ana"],
    "loc-key":"COUNT","loc-args":[2]}}}
    """

  @Test(
    "C099: keys come from the application's tables in the bridge's language; explain and a trial folder do the same")
  func localisation() async throws {
    let fixture = try await BridgeFixture(variables: ["LC_ALL": "de_DE.UTF-8"])
    let folder = "data/notify-bridge/applications/org.example.App"
    for (name, text) in Self.tables { try fixture.home.write(text, to: "\(folder)/\(name)") }
    let result = try await fixture.run("push", "-", input: .text(Self.localized))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let notification = try await fixture.posted(1).notification
    #expect((notification.summary, notification.body) == ("Nachricht von Ana", "2 Dateien"))
    // Of another application nothing is known; the literal text stands in where there is one.
    let other = try await fixture.run(
      "push", "org.example.Other", "-",
      input: .text(#"{"aps":{"alert":{"title":"T","title-loc-key":"FROM","loc-key":"COUNT"}}}"#))
    #expect(other.status == 0 && other.errors.contains("'COUNT'") && other.errors.contains("'FROM'"))
    #expect(try await fixture.posted(2).notification.summary == "T")
    #expect(try await fixture.posted(2).notification.body == "COUNT")
    let explained = try await fixture.run(
      "explain", "--payload", "-", input: .text(Self.localized), environment: ["LC_ALL": "de_DE.UTF-8"])
    #expect(explained.output.contains("'Nachricht von Ana'"), "\(explained.output) \(explained.errors)")
    let trial = try fixture.home.makeFolder("trial/en.lproj")
    try fixture.home.write("FROM = \"Trial %@\"; COUNT = \"n\";", to: "trial/en.lproj/Localizable.strings")
    let tried = try await fixture.run(
      "push", "-", "--strings", (trial as NSString).deletingLastPathComponent, input: .text(Self.localized))
    #expect(tried.status == 0, "\(tried.errors)")
    #expect(try await fixture.posted(3).notification.summary == "Trial Ana")
  }

  @Test("without the bridge the command looks the keys up itself, in its own language")
  func localisationAlone() async throws {
    let fixture = try await CommandFixture()
    let home = try TemporaryHome()
    for (name, text) in Self.tables {
      try home.write(text, to: "data/notify-bridge/applications/org.example.App/\(name)")
    }
    for (locale, summary) in [("de_DE.UTF-8", "Nachricht von Ana"), ("C.UTF-8", "Message from Ana")] {
      let result = try await fixture.run(
        "push", "-", input: .text(Self.localized),
        environment: ["XDG_DATA_HOME": "\(home.path)/data", "LC_ALL": locale, "LANGUAGE": nil])
      #expect(result.status == 0, "\(result.errors)")
      try await eventually(within: .seconds(10), summary) {
        fixture.daemon.posted.last?.notification.summary == summary
      }
    }
    let background = try await fixture.run("push", "-", input: .text(#"{"aps":{"content-available":1}}"#))
    #expect(background.status == 3 && background.errors.contains("background"))
  }

  @Test("C100: custom keys come back as they were: null, nesting as deep as the bus carries, numbers, any text")
  func customKeys() async throws {
    let fixture = try await BridgeFixture()
    let nest = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
    let payload = #"""
      {"aps":{"alert":"x"},"a":null,"b":[1,null,0.5,-9223372036854775808],"c":{"ü":"😀\u0000"},"$date":{"$date":5},
      "d":\#(nest(15)),"e":\#(nest(40))}
      """#
    let file = try fixture.home.write(payload, to: "p.apns")
    let result = try await fixture.run("push", "org.example.App", file, "--collapse-id", "c")
    #expect(result.status == 0 && result.errors.contains("'e' is nested over 15 levels"), "\(result.errors)")
    fixture.daemon.invoke(try await fixture.posted(1).serverID, "default")
    let waited = try await fixture.run("wait", "--app", "org.example.App", "c", "--json")
    #expect(waited.status == 0, "\(waited.errors)")
    #expect(waited.output.contains(#""a":null,"aps":{"alert":"x"},"b":[1,null,0.5,-9223372036854775808]"#))
    #expect(waited.output.contains("\"d\":\(nest(15))"), "\(waited.output)")
  }
}
