import DBus
import Foundation
import FreedesktopNotifications
import TestSupport

/// The built command on a private bus with a fake daemon.
final class CommandFixture: Sendable {
  let bus: PrivateBus
  let daemon: FakeNotificationServer
  let home: TemporaryHome

  init(_ behavior: FakeNotificationServer.Behavior = .init()) async throws {
    bus = try await PrivateBus()
    daemon = try await FakeNotificationServer.start(at: bus.address, behavior)
    home = try TemporaryHome()
  }

  /// What the command runs in: this bus and an empty home.
  var environment: [String: String?] {
    var result: [String: String?] = home.environment.mapValues { $0 }
    result["DBUS_SESSION_BUS_ADDRESS"] = bus.address.text
    return result
  }

  /// Runs the command to its end.
  func run(
    _ arguments: String..., input: BinaryRunner.Input = .nothing, environment: [String: String?] = [:]
  ) async throws -> BinaryResult {
    try await BinaryRunner.run(
      try Binaries.notifyBridge(), arguments, environment: self.environment.merging(environment) { $1 }, input: input)
  }

  /// Starts the command.
  func start(_ arguments: String...) throws -> BinaryRunner {
    try BinaryRunner(try Binaries.notifyBridge(), arguments, environment: environment)
  }

  /// Waits for the daemon's `count`th notification.
  func posted(_ count: Int) async throws -> FakeNotificationServer.Posted {
    try await eventually(within: .seconds(10), "notification \(count)") { self.daemon.posted.count >= count }
    return daemon.posted[count - 1]
  }
}
