import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopServices

@Suite("Bringing applications up", .timeLimit(.minutes(1)))
struct ApplicationActivationTests {
  /// An application on the bus.
  private final class Application: Sendable {
    let connection: BusConnection
    private let calls = Mutex<[[String: Value]]>([])
    private let export = Mutex<Export?>(nil)

    init(_ bus: PrivateBus, _ name: BusName, at path: ObjectPath, answers: Bool = true) async throws {
      connection = try await BusConnection.connect(to: bus.address)
      let activate = ExportedInterface.Method("Activate", takes: [.init("platform_data", "a{sv}")]) {
        [weak self] call in
        self?.calls.withLock { $0.append(call.message.body[0].asProperties ?? [:]) }
        if answers { call.reply() } else { self?.keep(call) }
      }
      let interface = ExportedInterface("org.freedesktop.Application", methods: [activate])
      let export = connection.export(interface, at: path)
      self.export.withLock { $0 = export }
      _ = try await connection.requestName(name)
    }

    private let silent = Mutex<[IncomingCall]>([])
    private func keep(_ call: IncomingCall) { silent.withLock { $0.append(call) } }

    var activations: [[String: Value]] { calls.withLock { $0 } }
  }

  private func stage(_ services: [String: String] = [:]) async throws -> (PrivateBus, ApplicationActivation) {
    let bus = try await PrivateBus(services: services)
    return (bus, ApplicationActivation(session: try await BusConnection.connect(to: bus.address)))
  }

  @Test("The path is the specification's")
  func path() {
    #expect(ApplicationActivation.path("org.example.Some-App_2")?.text == "/org/example/Some_App_2")
    #expect(ApplicationActivation.path("org..App") == nil)
  }

  @Test("C066: an application is activated, with the token under both names or without one")
  func activate() async throws {
    let (bus, activation) = try await stage()
    let application = try await Application(bus, "org.example.Some-App", at: "/org/example/Some_App")
    #expect(await activation.activate("org.example.Some-App", token: "tok") == .activated)
    #expect(await activation.activate("org.example.Some-App") == .activated)
    #expect(
      application.activations == [["desktop-startup-id": .string("tok"), "activation-token": .string("tok")], [:]])
  }

  @Test("What cannot be activated over the bus is told apart from what failed")
  func outcomes() async throws {
    let (bus, activation) = try await stage([
      "a.service": "[D-BUS Service]\nName=org.example.Broken\nExec=/bin/false\n"
    ])
    for name in ["org.example.None", "firefox", "", "not a name", ":1.0", "org.example.\0"] {
      #expect(await activation.activate(name) == .notActivatable, "\(name)")
    }
    let other = try await Application(bus, "org.example.Other", at: "/elsewhere")
    #expect(await activation.activate("org.example.Other") == .notActivatable)
    guard case .failed = await activation.activate("org.example.Broken") else {
      Issue.record("it did not fail")
      return
    }
    let silent = try await Application(bus, "org.example.Silent", at: "/org/example/Silent", answers: false)
    guard case .uncertain = await activation.activate("org.example.Silent", timeLimit: .milliseconds(100)) else {
      Issue.record("it is not uncertain")
      return
    }
    withExtendedLifetime((other, silent)) {}
  }

  @Test("A program is started by the user manager, with the token")
  func unit() async throws {
    let (bus, activation) = try await stage()
    var behavior = FakeUserManager.Behavior()
    behavior.answer = { _ in .keepRunning }
    let manager = try await FakeUserManager.start(at: bus.address, behavior)
    let started = try await activation.start(
      "org.example.App", Command("/bin/true", ["--new"], environment: ["NOTIFY_BRIDGE_RESPONSE": "7"]), token: "tok")
    #expect(started == .unit(try UnitName(try #require(manager.units.first))))
    let unit = try #require(manager.started.first)
    #expect(unit.words == ["/bin/true", "--new"])
    #expect(
      unit.environment == [
        "NOTIFY_BRIDGE_RESPONSE": "7", "XDG_ACTIVATION_TOKEN": "tok", "DESKTOP_STARTUP_ID": "tok",
      ])
  }

  @Test("Without a user manager a program is started in a session of its own; one that is refused is not started twice")
  func process() async throws {
    let (bus, activation) = try await stage()
    let home = try TemporaryHome()
    let command = Command("/bin/sh", ["-c", "echo \"$XDG_ACTIVATION_TOKEN\" >> '\(home.path)/out'"])
    guard case .process = try await activation.start("org.example.App", command, token: "tok") else {
      Issue.record("it is no process")
      return
    }
    try await eventually(within: .seconds(10), "it ran") { (try? home.read("out")) == "tok\n" }
    var behavior = FakeUserManager.Behavior()
    behavior.answer = { _ in .refuse("org.example.Error.No", "no") }
    let manager = try await FakeUserManager.start(at: bus.address, behavior)
    await #expect(throws: CommandError.self) { try await activation.start("org.example.App", command) }
    #expect(try home.read("out") == "tok\n")
    await manager.stop()
  }
}
