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
    #expect(silent.status == 0)
    #expect(silent.errors.contains("background"))
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
    let named = #"{"Simulator Target Bundle":"org.example.Sim","aps":{"alert":"x"}}"#
    #expect(try await fixture.run("push", "-", input: .text(named)).status == 0)
    #expect(try await fixture.posted(1).notification.hints["desktop-entry"] == .string("org.example.Sim"))
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
}
