internal import BridgeControl
internal import DBus
internal import DesktopServices
internal import FreedesktopNotifications
internal import NotificationBridge

/// What the bridge knows of the desktop, and what it does there.
final class Desktop: DesktopFacts {
  private let quiet: DoNotDisturb

  private init(_ connection: BusConnection, _ environment: [String: String]) {
    quiet = DoNotDisturb(connection: connection, environment: environment)
  }

  static func connect(
    _ session: BusConnection, _ environment: [String: String], _ executor: BusExecutor, _ log: any BridgeLog
  ) async -> Desktop {
    Desktop(session, environment)
  }

  func tell(_ engine: BridgeEngine) {}
  func stop() {}

  func identify(_ name: BusName, _ answer: @escaping @Sendable (ControlService.Caller) -> Void) { answer(.free) }

  var sounds: (any SoundOutput)? { nil }
  var badges: (any BadgeOutput)? { nil }

  nonisolated(nonsending) func doNotDisturb(_ profile: ServerProfile) async -> Bool? {
    await quiet.doNotDisturb(profile)
  }
  nonisolated(nonsending) func settings(of application: String, _ profile: ServerProfile) async -> DesktopSettings {
    DesktopSettings()
  }
  var isLocked: Bool? { nil }
  var showsBadges: Bool { false }
}
