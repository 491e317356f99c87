import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// Extensions that the built bridge runs.
@Suite(.timeLimit(.minutes(2))) struct BridgeExtensionTests {
  private static let application = "org.example.Chat"

  /// Makes an extension of the built command's template and installs it.
  private func install(_ fixture: BridgeFixture, _ name: String, _ options: [String]) async throws {
    let environment = fixture.environment
    let command = try Binaries.notifyBridge()
    for arguments in [["new", name] + options, ["install", "\(name)/\(name).appex", "--app", Self.application]] {
      let result = try await BinaryRunner.run(
        command, ["extension"] + arguments, environment: environment, directory: fixture.home.path)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test("a content extension draws what is pushed; its control is a button whose label tells the state")
  func draws() async throws {
    let fixture = try await BridgeFixture()
    try await install(fixture, "Draw", ["--content", "-c", "call"])
    let payload = #"{"aps":{"alert":{"title":"Mara","body":"is calling"},"category":"call"}}"#
    let pushed = try await fixture.run("push", Self.application, "-", input: .text(payload))
    #expect(pushed.status == 0)
    let first = try await fixture.posted(1)
    #expect(first.notification.summary == "Mara")
    #expect(first.notification.body.hasPrefix("There is more to say."))
    let control = try #require(first.notification.actions.first)
    #expect(control.label.contains("Details"))
    fixture.daemon.invoke(first.serverID, control.key)
    let second = try await fixture.posted(2)
    #expect(second.notification.replacesID == first.serverID)
    #expect(second.notification.body.hasPrefix("Here are all the details."))
    #expect(second.notification.actions.first?.label != control.label)
  }

  @Test("a service extension changes what is pushed with mutable-content; one that fails leaves it as it was")
  func changes() async throws {
    let fixture = try await BridgeFixture()
    try await install(fixture, "Mark", ["--service"])
    func push(_ more: String) async throws {
      let payload = #"{"aps":{"alert":{"title":"Mara","body":"Lunch?"}\#(more)}}"#
      #expect(try await fixture.run("push", Self.application, "-", input: .text(payload)).status == 0)
    }
    try await push(#","mutable-content":1"#)
    #expect(try await fixture.posted(1).notification.summary == "[Changed] Mara")
    try await push("")
    #expect(try await fixture.posted(2).notification.summary == "Mara")
    try fixture.home.write(
      "#!/bin/sh\nexit 3\n", to: "data/notify-bridge/extensions/\(Self.application)/Mark.appex/Mark", permissions: 0o700
    )
    try await push(#","mutable-content":1"#)
    let third = try await fixture.posted(3).notification
    #expect((third.summary, third.body) == ("Mara", "Lunch?"))
    #expect(fixture.log.contains("it ended with status 3 without an answer"), "\(fixture.log)")
  }

  @Test("explain says which extension would draw, and doctor what is wrong with a bundle")
  func says() async throws {
    let fixture = try await BridgeFixture()
    try await install(fixture, "Draw", ["--content", "-c", "call"])
    let payload = #"{"aps":{"alert":"T","category":"call"}}"#
    let explained = try await fixture.run(
      "explain", "--app", Self.application, "--payload", "-", input: .text(payload))
    #expect(explained.output.contains("content extension 'Draw'") && explained.output.contains("0.5"))
    #expect(!(try await fixture.run("explain", "--app", Self.application, "T")).output.contains("extension"))
    // The class that send gives the daemon is no category of the application's: no extension would draw it.
    let sent = try await fixture.run("explain", "--app", Self.application, "--category", "call", "T")
    #expect(sent.output.contains("'call'") && !sent.output.contains("extension"))
    try fixture.home.write("<plist/>", to: "data/notify-bridge/extensions/\(Self.application)/Bad.appex/Info.plist")
    _ = try await fixture.run("send", "--detach", "T")
    let doctor = try await fixture.run("doctor")
    #expect((doctor.output + doctor.errors).contains("Bad.appex/Info.plist"), "\(doctor.output)\(doctor.errors)")
  }
}
