import DBus
import DesktopServices
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// login1 for tests: one user with sessions, on any bus.
final class FakeLogin: Sendable {
  private struct State {
    var display = "/"
    var hints: [String: Bool] = [:]
    var exports: [Export] = []
    var user = true
  }

  let connection: BusConnection
  private let state = Mutex(State())
  private static let user: ObjectPath = "/org/freedesktop/login1/user/_1000"

  init(_ bus: PrivateBus) async throws {
    connection = try await BusConnection.connect(to: bus.address)
    let manager = ExportedInterface(
      "org.freedesktop.login1.Manager",
      methods: [
        .init("GetUser", takes: [.init("uid", "u")], returns: [.init("user", "o")]) { [weak self] call in
          guard call.message.body[0] == .uint32(getuid()), self?.state.withLock({ $0.user }) == true else {
            return call.fail("org.freedesktop.login1.NoSuchUser", "no such user")
          }
          call.reply([.objectPath(Self.user)])
        }
      ])
    let user = ExportedInterface(
      "org.freedesktop.login1.User",
      properties: [
        .init("Display", "(so)") { [weak self] in
          let path = self?.state.withLock { $0.display } ?? "/"
          return .structure([.string(path == "/" ? "" : "s"), .objectPath(ObjectPath(unchecked: path))])
        }
      ])
    let exports = [
      connection.export(manager, at: "/org/freedesktop/login1"), connection.export(user, at: Self.user),
    ]
    state.withLock { $0.exports = exports }
  }

  func appear() async throws { _ = try await connection.requestName("org.freedesktop.login1") }

  static func path(_ session: String) -> String { "/org/freedesktop/login1/session/" + session }

  func addSession(_ session: String, locked: Bool) throws {
    let path = try ObjectPath(Self.path(session))
    let interface = ExportedInterface(
      "org.freedesktop.login1.Session",
      properties: [
        .init("LockedHint", "b") { [weak self] in .boolean(self?.state.withLock { $0.hints[session] } ?? false) }
      ])
    state.withLock { $0.hints[session] = locked }
    let export = connection.export(interface, at: path)
    state.withLock { $0.exports.append(export) }
  }

  /// Makes a session the user's display; nil: none.
  func show(_ session: String?, says: Bool = true) {
    state.withLock { $0.display = session.map(Self.path) ?? "/" }
    if says { changed(Self.user, "org.freedesktop.login1.User", [], ["Display"]) }
  }

  func setUser(_ isThere: Bool) { state.withLock { $0.user = isThere } }

  func lock(_ session: String, _ locked: Bool, withValue: Bool = true) {
    state.withLock { $0.hints[session] = locked }
    changed(
      ObjectPath(unchecked: Self.path(session)), "org.freedesktop.login1.Session",
      withValue ? [("LockedHint", .boolean(locked))] : [], withValue ? [] : ["LockedHint"])
  }

  func signal(_ member: MemberName, _ body: [Value]) {
    connection.emit(Signal(at: "/org/freedesktop/login1", "org.freedesktop.login1.Manager", member, body))
  }

  private func changed(
    _ path: ObjectPath, _ interface: String, _ values: [(String, Value)], _ invalidated: [String]
  ) {
    connection.emit(
      Signal(
        at: path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(interface), .properties(values), .strings(invalidated)]))
  }
}

/// A screen saver for tests.
final class FakeSaver: Sendable {
  let connection: BusConnection
  private let name: BusName
  private let interface: InterfaceName
  private let path: ObjectPath
  private let active = Mutex(false)
  private let export = Mutex<Export?>(nil)

  init(_ bus: PrivateBus, _ name: String, at path: ObjectPath, answers: Bool = true) async throws {
    connection = try await BusConnection.connect(to: bus.address)
    self.name = try BusName(name)
    interface = try InterfaceName(name)
    self.path = path
    let methods: [ExportedInterface.Method] =
      answers
      ? [
        .init("GetActive", returns: [.init("active", "b")]) { [weak self] call in
          call.reply([.boolean(self?.active.withLock { $0 } ?? false)])
        }
      ] : []
    let export = connection.export(ExportedInterface(interface, methods: methods), at: path)
    self.export.withLock { $0 = export }
  }

  func appear() async throws { _ = try await connection.requestName(name) }

  func set(_ active: Bool, says: Bool = true) {
    self.active.withLock { $0 = active }
    if says { connection.emit(Signal(at: path, interface, "ActiveChanged", [.boolean(active)])) }
  }
}

@Suite("Lock and sleep", .timeLimit(.minutes(1)))
struct SleepAndLockTests {
  private func lock(
    _ session: PrivateBus?, _ system: PrivateBus?, _ changes: Counter = Counter()
  ) async throws -> ScreenLock {
    var connections: [BusConnection?] = []
    for bus in [session, system] {
      if let bus {
        connections.append(try await BusConnection.connect(to: bus.address))
      } else {
        connections.append(nil)
      }
    }
    return ScreenLock(session: connections[0], system: connections[1]) { changes.add() }
  }

  private func becomes(_ lock: ScreenLock, _ expected: Bool?) async throws {
    try await eventually(within: .seconds(10), "locked is \(String(describing: expected))") {
      lock.isLocked == expected
    }
  }

  @Test("login1 tells by the hint of the user's graphical session, and when it changes")
  func login() async throws {
    let bus = try await PrivateBus()
    let login = try await FakeLogin(bus)
    try login.addSession("c1", locked: true)
    login.show("c1")
    try await login.appear()
    let changes = Counter()
    let lock = try await lock(nil, bus, changes)
    try await becomes(lock, true)
    login.lock("c1", false)
    try await becomes(lock, false)
    login.lock("c1", true, withValue: false)
    try await becomes(lock, true)
    #expect(changes.value == 3)
  }

  @Test("Another graphical session is followed, said so or not; without one nothing is known")
  func display() async throws {
    let bus = try await PrivateBus()
    let login = try await FakeLogin(bus)
    try login.addSession("c1", locked: true)
    try login.addSession("c2", locked: false)
    try await login.appear()
    login.setUser(false)
    let lock = try await lock(nil, bus)
    login.setUser(true)
    login.show("c1", says: false)
    login.signal("SessionNew", [.string("c1"), .objectPath("/org/freedesktop/login1/session/c1")])
    try await becomes(lock, true)
    login.show("c2")
    try await becomes(lock, false)
    login.lock("c1", true)
    login.lock("c2", true)
    try await becomes(lock, true)
    login.show(nil, says: false)
    login.signal("SessionRemoved", [.string("c2"), .objectPath("/org/freedesktop/login1/session/c2")])
    try await becomes(lock, nil)
  }

  @Test("login1 that comes later is noticed, and its going leaves it unknown")
  func later() async throws {
    let bus = try await PrivateBus()
    let lock = try await lock(nil, bus)
    #expect(lock.isLocked == nil)
    let login = try await FakeLogin(bus)
    try login.addSession("c1", locked: true)
    login.show("c1")
    try await login.appear()
    try await becomes(lock, true)
    await login.connection.close()
    try await becomes(lock, nil)
  }

  @Test("Others cannot lock or unlock in login1's name")
  func forged() async throws {
    let bus = try await PrivateBus()
    let login = try await FakeLogin(bus)
    try login.addSession("c1", locked: true)
    login.show("c1")
    try await login.appear()
    // A connection that hears everything, so that the bus lets the forged signal through.
    let connection = try await BusConnection.connect(to: bus.address)
    let everything = connection.subscribe(MatchRule(), to: Inbox { _ in })
    let changes = Counter()
    let lock = ScreenLock(session: nil, system: connection) { changes.add() }
    try await becomes(lock, true)
    let other = try await FakeLogin(bus)
    try other.addSession("c1", locked: false)
    other.lock("c1", false)
    // Answers come behind what was sent before: the bus has passed the signal on, and we have had it.
    _ = try await other.connection.owner(of: .bus)
    _ = try await connection.owner(of: .bus)
    #expect(lock.isLocked == true)
    #expect(changes.value == 1)
    withExtendedLifetime(everything) {}
  }

  @Test(
    "Every known screen saver tells",
    arguments: [
      ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"), ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
      ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"), ("org.freedesktop.ScreenSaver", "/ScreenSaver"),
      ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"), ("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"),
    ] as [(String, ObjectPath)])
  func savers(name: String, path: ObjectPath) async throws {
    let bus = try await PrivateBus()
    let saver = try await FakeSaver(bus, name, at: path)
    saver.set(true, says: false)
    let lock = try await lock(bus, nil)
    #expect(lock.isLocked == nil)
    try await saver.appear()
    try await becomes(lock, true)
    saver.set(false)
    try await becomes(lock, false)
    saver.set(true)
    try await becomes(lock, true)
    await saver.connection.close()
    try await becomes(lock, nil)
  }

  @Test("Any that says locked is believed; a screen saver that cannot be asked says nothing, and none is started")
  func together() async throws {
    let session = try await PrivateBus(services: [
      "s.service": "[D-BUS Service]\nName=org.gnome.ScreenSaver\nExec=/bin/touch /tmp/started\n"
    ])
    let system = try await PrivateBus()
    let login = try await FakeLogin(system)
    try login.addSession("c1", locked: false)
    login.show("c1")
    try await login.appear()
    let silent = try await FakeSaver(
      session, "org.freedesktop.ScreenSaver", at: "/org/freedesktop/ScreenSaver", answers: false)
    try await silent.appear()
    let saver = try await FakeSaver(session, "org.mate.ScreenSaver", at: "/org/mate/ScreenSaver")
    try await saver.appear()
    let lock = try await lock(session, system)
    try await becomes(lock, false)
    saver.set(true)
    try await becomes(lock, true)
    login.lock("c1", true)
    saver.set(false)
    _ = try await saver.connection.owner(of: .bus)
    try await becomes(lock, true)
    login.lock("c1", false)
    try await becomes(lock, false)
    #expect(!session.log.contains("Activating service"))
  }

  @Test("The end of a sleep is told, its beginning is not, and nobody else can tell")
  func sleep() async throws {
    let bus = try await PrivateBus()
    let login = try await FakeLogin(bus)
    try await login.appear()
    let connection = try await BusConnection.connect(to: bus.address)
    let everything = connection.subscribe(MatchRule(), to: Inbox { _ in })
    let woken = Counter()
    let monitor = SleepMonitor(system: connection) { woken.add() }
    // The answers to the monitor's own questions have come before this one.
    _ = try await connection.owner(of: .bus)
    let other = try await FakeLogin(bus)
    other.signal("PrepareForSleep", [.boolean(false)])
    _ = try await other.connection.owner(of: .bus)
    _ = try await connection.owner(of: .bus)
    #expect(woken.value == 0)
    login.signal("PrepareForSleep", [.boolean(true)])
    #expect(woken.value == 0)
    login.signal("PrepareForSleep", [.boolean(false)])
    try await eventually(within: .seconds(10), "it woke") { woken.value > 0 }
    login.signal("PrepareForSleep", [.string("false")])
    login.signal("PrepareForSleep", [.boolean(false)])
    try await eventually(within: .seconds(10), "it woke again") { woken.value == 2 }
    withExtendedLifetime((monitor, everything)) {}
  }
}
