import DBus
import DesktopServices
import ExtensionHost
import Foundation
import NotificationBridge
import TestSupport
import Testing

/// Extensions that the user manager runs.
@Suite("Extensions under the user manager", .timeLimit(.minutes(1)))
struct ManagerTests {
  private static let answer = #"printf '{"type":"content","content":{"title":"%s"}}\n'"#

  /// A home whose extensions are run by the manager on a bus, if one is there.
  private func stage(_ bus: PrivateBus) async throws -> BundleStage {
    let connection = try await BusConnection.connect(to: bus.address)
    var limits = ExtensionLimits()
    limits.endDelay = .milliseconds(200)
    return try BundleStage(limits, units: TransientUnits(session: connection))
  }

  @Test("the program runs in a unit of its own, with its own variables over the manager's, and the unit goes with it")
  func unit() async throws {
    let bus = try await PrivateBus()
    var behavior = FakeUserManager.Behavior()
    behavior.environment = ["PATH": "/usr/bin:/bin", "OF_MANAGER": "yes"]
    let manager = try await FakeUserManager.start(at: bus.address, behavior)
    let stage = try await stage(bus)
    let path = try stage.install(
      "Change", BundleStage.list(BundleStage.service),
      program: """
        #!/bin/sh
        read -r line
        echo careful >&2
        \(Self.answer) "$OF_MANAGER $NOTIFY_BRIDGE_APP_ID ${HOME-unset} $(pwd)"
        """)
    #expect(await stage.modify()?.title == "yes org.example.Chat unset \(path)")
    let unit = try #require(manager.started.first)
    #expect(unit.name.hasPrefix("notify-bridge-extension-") && unit.type == "exec" && unit.path == "\(path)/run")
    // For a bridge that is not there any more to end it.
    #expect(unit.properties["RuntimeMaxUSec"]?.asInteger ?? 0 > 30_000_000)
    try await eventually(within: .seconds(10), "the unit goes") { manager.units.isEmpty }
    #expect(stage.messages.contains("says 'careful'"))
  }

  @Test("one that does not end is stopped through the manager, and one that fails gives the original")
  func ends() async throws {
    let bus = try await PrivateBus()
    let manager = try await FakeUserManager.start(at: bus.address)
    let stage = try await stage(bus)
    try stage.install(
      "Change", BundleStage.list(BundleStage.service),
      program: "#!/bin/sh\nread -r line; \(Self.answer) here; exec sleep 60")
    #expect(await stage.modify()?.title == "here")
    try await eventually(within: .seconds(10), "it is stopped") { !manager.stopped.isEmpty && manager.units.isEmpty }
    try stage.install("Change", BundleStage.list(BundleStage.service), program: "#!/bin/sh\nexit 3")
    #expect(await stage.modify() == nil)
    #expect(stage.messages.contains("without an answer"))
  }

  @Test("a manager that refuses gives the original; without a manager the program is a child")
  func absent() async throws {
    let bus = try await PrivateBus()
    var behavior = FakeUserManager.Behavior()
    behavior.answer = { _ in .refuse("org.freedesktop.systemd1.Masked", "no more units") }
    let manager = try await FakeUserManager.start(at: bus.address, behavior)
    let stage = try await stage(bus)
    try stage.install(
      "Change", BundleStage.list(BundleStage.service), program: "#!/bin/sh\nread -r line; \(Self.answer) \"$HOME\"")
    #expect(await stage.modify() == nil)
    #expect(stage.messages.contains("no more units"))
    await manager.stop()
    #expect(await stage.modify()?.title == stage.home.path)
  }
}
