internal import DBus
internal import Foundation
public import FreedesktopNotifications
internal import Glibc

/// The session of a program that runs in this very process, for exit tests: a process has one center, which finds its
/// bus by the environment. The daemon is a fake one; its user acts through this object.
public final class ProgramStage: Sendable {
  private let bus: PrivateBus
  private let home: TemporaryHome
  public let daemon: FakeNotificationServer

  /// Leads this process to a bus and a home of its own. Make one before the center is used, and no second.
  public init(_ behavior: FakeNotificationServer.Behavior = .init()) async throws {
    bus = try await PrivateBus()
    home = try TemporaryHome()
    daemon = try await FakeNotificationServer.start(at: bus.address, behavior)
    let session = ["DBUS_SESSION_BUS_ADDRESS": bus.address.text, "NOTIFY_BRIDGE_APP_ID": "org.example.Program"]
    for (name, value) in home.environment.merging(session, uniquingKeysWith: { $1 }) {
      // Nothing else of this process has read or written its environment by now.
      _ = unsafe setenv(name, value, 1)
    }
  }

  /// The titles of what was posted, oldest first, once there are so many.
  public func titles(_ count: Int) async throws -> [String] {
    try await eventually(within: .seconds(20), "\(count) are posted") { daemon.posted.count >= count }
    return daemon.posted.map(\.notification.summary)
  }

  /// What was posted last with this title; waits for it.
  public func posted(_ title: String) async throws -> ReceivedNotification { try await last(title).notification }

  /// Presses a button; `default` is the notification itself.
  public func press(_ key: String, on title: String) async throws {
    daemon.invoke(try await last(title).serverID, key)
  }

  /// Types a reply.
  public func reply(_ text: String, to title: String) async throws {
    daemon.reply(try await last(title).serverID, text)
  }

  /// Dismisses it.
  public func dismiss(_ title: String) async throws { daemon.close(try await last(title).serverID, .dismissed) }

  /// The titles of what the program closed, in order.
  public var closed: [String] {
    let posted = daemon.posted
    return daemon.closeCalls.map { number in
      posted.last { $0.serverID == number }?.notification.summary ?? "unknown"
    }
  }

  private func last(_ title: String) async throws -> FakeNotificationServer.Posted {
    try await eventually(within: .seconds(20), "\(title) is posted") {
      daemon.posted.contains { $0.notification.summary == title }
    }
    guard let posted = daemon.posted.last(where: { $0.notification.summary == title }) else {
      throw RunnerError(title)
    }
    return posted
  }
}
