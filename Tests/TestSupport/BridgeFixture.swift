public import DBus
import Foundation
import FreedesktopNotifications
import Glibc
import Synchronization

/// The built command and the built resident bridge on a private bus that starts the bridge by activation, with a fake
/// daemon and a home of their own. What is left of the bridge ends with this object.
public final class BridgeFixture: Sendable {
  public let bus: PrivateBus
  public let home: TemporaryHome
  /// A connection of the test's own. It comes back with the bus.
  public let connection: BusConnection
  private let server: Mutex<FakeNotificationServer>
  private let service: BridgeService

  /// - Parameters:
  ///   - configuration: text of `notify-bridge.conf`.
  ///   - service: a shell script that the bus runs when a daemon is needed and none is there.
  ///   - variables: further ones for the bridge.
  public init(
    _ behavior: FakeNotificationServer.Behavior = .init(), configuration: String? = nil, service: String? = nil,
    variables: [String: String] = [:]
  ) async throws {
    home = try TemporaryHome()
    try home.makeFolder("etc")
    if let configuration { try home.write(configuration, to: "config/notify-bridge/notify-bridge.conf") }
    self.service = try BridgeService(
      in: home, variables: Self.variables(home).merging(variables) { $1 },
      unset: ["DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP"])
    var services = ["bridge.service": self.service.file]
    if let service {
      let script = try home.write("#!/bin/sh\n" + service, to: "start-daemon", permissions: 0o700)
      services["daemon.service"] = "[D-BUS Service]\nName=\(NotificationService.name)\nExec=\(script)\n"
    }
    bus = try await PrivateBus(services: services)
    server = Mutex(try await FakeNotificationServer.start(at: bus.address, behavior))
    var options = BusConnection.Options()
    options.reconnects = true
    connection = try await BusConnection.connect(to: bus.address, options: options)
  }

  deinit { service.kill() }

  private static func variables(_ home: TemporaryHome) -> [String: String] {
    home.environment.merging([
      "XDG_CONFIG_DIRS": home.path + "/etc", "XDG_DATA_DIRS": home.path + "/share", "LC_ALL": "C.UTF-8",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.path)/no-system-bus",
    ]) { $1 }
  }

  /// Whether a process is one that this fixture's bus has started: numbers are used again.
  public func isOurs(_ process: Int32) -> Bool { service.isOurs(process) }

  // MARK: The daemon

  /// The present fake daemon.
  public var daemon: FakeNotificationServer { server.withLock { $0 } }

  /// Ends the daemon and starts another.
  public func restartDaemon(_ behavior: FakeNotificationServer.Behavior = .init()) async throws {
    await daemon.stop()
    let new = try await FakeNotificationServer.start(at: bus.address, behavior)
    server.withLock { $0 = new }
  }

  /// Starts another daemon that takes the name over; the former one is left alone.
  public func restartDaemonInPlace(_ behavior: FakeNotificationServer.Behavior = .init()) async throws {
    let new = try await FakeNotificationServer.start(at: bus.address, behavior)
    server.withLock { $0 = new }
  }

  /// Waits for the daemon's `count`th notification.
  public func posted(_ count: Int) async throws -> FakeNotificationServer.Posted {
    try await eventually(within: .seconds(10), "notification \(count)") { self.daemon.posted.count >= count }
    return daemon.posted[count - 1]
  }

  // MARK: The command

  /// What the command runs in: this bus and this home.
  public var environment: [String: String?] {
    var result: [String: String?] = Self.variables(home).mapValues { $0 }
    result["DBUS_SESSION_BUS_ADDRESS"] = bus.address.text
    return result
  }

  /// Runs the command to its end.
  public func run(
    _ arguments: String..., input: BinaryRunner.Input = .nothing, environment: [String: String?] = [:]
  ) async throws -> BinaryResult {
    try await BinaryRunner.run(
      try Binaries.notifyBridge(), arguments, environment: self.environment.merging(environment) { $1 }, input: input)
  }

  /// Starts the command.
  public func start(_ arguments: String...) throws -> BinaryRunner {
    try BinaryRunner(try Binaries.notifyBridge(), arguments, environment: environment)
  }

  // MARK: The bridge

  /// The bridge's process; nil while none runs.
  public func bridgeProcess() async throws -> Int32? {
    let call = MethodCall(
      to: .bus, at: .bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID", [.string(BridgeService.busName)])
    do {
      return try await connection.call(call).body.first?.asUInt32.map { Int32($0) }
    } catch {
      if error.code == .remote || error.code == .notConnected || error.code == .disconnected { return nil }
      throw error
    }
  }

  /// Kills the bridge, as a crash would, and waits until the bus knows.
  public func killBridge() async throws {
    guard let process = try await bridgeProcess(), service.isOurs(process) else { throw RunnerError("no bridge runs") }
    _ = Glibc.kill(process, SIGKILL)
    try await eventually(within: .seconds(10), "the bus knows that the bridge has gone") {
      try await self.bridgeProcess() != process
    }
  }

  /// Everything that bus and bridge have written to their error streams.
  public var log: String { bus.log }
}
