import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopServices

@Suite("Badges", .timeLimit(.minutes(1)))
struct LauncherBadgesTests {
  /// A dock: it takes the name if it shall, and writes down what it hears.
  private final class Dock: Sendable {
    struct Update: Hashable {
      let path: String
      let uri: String
      let count: Int64?
      let visible: Bool?
    }

    let connection: BusConnection
    private let heard = Mutex<[Update]>([])
    private let subscription: Subscription

    init(_ bus: PrivateBus) async throws {
      connection = try await BusConnection.connect(to: bus.address)
      let link = WeakLink<Dock>()
      let inbox = Inbox { item in
        guard case .signal(let message) = item, message.signature == "sa{sv}" else { return }
        link.target?.hear(message)
      }
      subscription = connection.subscribe(
        MatchRule(interface: "com.canonical.Unity.LauncherEntry", member: "Update"), to: inbox)
      link.target = self
      // Once this is answered the rule is in force.
      _ = try await connection.owner(of: .bus)
    }

    private func hear(_ message: Message) {
      let properties = message.body[1].asProperties
      var count: Int64?
      if case .int64(let number)? = properties?["count"] { count = number }
      let update = Update(
        path: message.path?.text ?? "", uri: message.body[0].asString ?? "", count: count,
        visible: properties?["count-visible"]?.asBool)
      heard.withLock { $0.append(update) }
    }

    func appear() async throws { _ = try await connection.requestName("com.canonical.Unity") }

    var updates: [Update] { heard.withLock { $0 } }
  }

  private struct Stage {
    let bus: PrivateBus
    let dock: Dock
    let badges: LauncherBadges
    let connection: BusConnection
    let changes: Counter

    init(dockIsThere: Bool = true) async throws {
      bus = try await PrivateBus()
      dock = try await Dock(bus)
      if dockIsThere { try await dock.appear() }
      connection = try await BusConnection.connect(to: bus.address)
      changes = Counter()
      badges = LauncherBadges(on: connection) { [changes] in changes.add() }
      try await eventually(within: .seconds(10), "the bus has said") { [badges] in badges.isSupported != nil }
    }
  }

  @Test("A number is sent as the convention says, and taken away with 0")
  func set() async throws {
    let stage = try await Stage()
    #expect(stage.badges.isSupported == true)
    stage.badges.set(7, for: "org.example.App")
    stage.badges.set(7, for: "org.example.App")
    stage.badges.set(0, for: "org.example.App")
    stage.badges.set(-3, for: "org.example.Other")
    stage.badges.set(2, for: "org.example.Grüße")
    try await eventually(within: .seconds(10), "three updates") { stage.dock.updates.count >= 3 }
    let uri = "application://org.example.App.desktop"
    #expect(stage.dock.updates.map(\.uri) == [uri, uri, "application://org.example.Grüße.desktop"])
    #expect(stage.dock.updates.map(\.count) == [7, 0, 2])
    #expect(stage.dock.updates.map(\.visible) == [true, false, true])
    #expect(stage.badges.counts == ["org.example.Grüße": 2])
  }

  @Test("The path ends in GLib's hash of the URI")
  func path() async throws {
    // python3: h = 5381; h = (h * 33 + (b - 256 if b > 127 else b)) % 2**32
    for (application, hash) in [("org.gnome.Evolution", 3411922424), ("org.example.Grüße", 474290056)]
      as [(String, UInt32)]
    {
      #expect(LauncherBadges.path(application).text == "/com/canonical/unity/launcherentry/\(hash)")
    }
  }

  @Test("A dock that comes later, or again, is told all numbers; one that goes is noticed")
  func later() async throws {
    let stage = try await Stage(dockIsThere: false)
    #expect(stage.badges.isSupported == false)
    // That nobody is there is news too, the first time.
    try await eventually(within: .seconds(10), "it is told") { stage.changes.value == 1 }
    stage.badges.set(3, for: "org.example.A")
    stage.badges.set(4, for: "org.example.B")
    stage.badges.set(0, for: "org.example.B")
    try await eventually(within: .seconds(10), "three updates") { stage.dock.updates.count == 3 }
    try await stage.dock.appear()
    try await eventually(within: .seconds(10), "a fourth") { stage.dock.updates.count == 4 }
    #expect(stage.dock.updates.last?.count == 3)
    #expect(stage.badges.isSupported == true)
    try await stage.dock.connection.releaseName("com.canonical.Unity")
    try await eventually(within: .seconds(10), "it has gone") { stage.badges.isSupported == false }
    try await eventually(within: .seconds(10), "both are told") { stage.changes.value == 3 }
  }

  @Test("All numbers are taken away before leaving")
  func clear() async throws {
    let stage = try await Stage()
    for number in 1...5 { stage.badges.set(number, for: "org.example.A\(number)") }
    stage.badges.clearAll()
    await stage.connection.close()
    try await eventually(within: .seconds(10), "ten updates") { stage.dock.updates.count == 10 }
    #expect(stage.dock.updates.suffix(5).allSatisfy { $0.count == 0 && $0.visible == false })
    #expect(Set(stage.dock.updates.suffix(5).map(\.uri)).count == 5)
  }

  @Test("A listener may ask")
  func query() async throws {
    let stage = try await Stage()
    stage.badges.set(9, for: "org.example.App")
    try await eventually(within: .seconds(10), "an update") { stage.dock.updates.count == 1 }
    let path = try ObjectPath(stage.dock.updates[0].path)
    let answer = try await stage.dock.connection.call(
      MethodCall(
        to: try #require(stage.connection.uniqueName), at: path, "com.canonical.Unity.LauncherEntry", "Query"))
    #expect(answer.body.first == .string("application://org.example.App.desktop"))
    #expect(answer.body.last?.asProperties?["count"] == .int64(9))
  }

  @Test("After the bus was lost all numbers are sent again")
  func reconnection() async throws {
    let bus = try await PrivateBus()
    var options = BusConnection.Options()
    options.reconnects = true
    let connection = try await BusConnection.connect(to: bus.address, options: options)
    let badges = LauncherBadges(on: connection)
    badges.set(5, for: "org.example.App")
    try await bus.restart()
    let dock = try await Dock(bus)
    try await dock.appear()
    try await eventually(within: .seconds(20), "an update") { dock.updates.contains { $0.count == 5 } }
    #expect(badges.isSupported == true)
  }
}

/// How often something happened.
final class Counter: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
