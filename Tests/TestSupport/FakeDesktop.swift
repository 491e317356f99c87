public import FreedesktopNotifications
public import NotificationBridge
internal import Synchronization

/// A desktop that says what a test wants, and keeps what it is told to do.
public final class FakeDesktop: DesktopFacts, SoundOutput, BadgeOutput {
  private struct State: Sendable {
    var isQuiet: Bool?
    var isLocked: Bool?
    var settings = DesktopSettings()
    var showsBadges = true
    var sounds: [String] = []
    var badges: [String] = []
  }
  private let state = Mutex(State())

  public init() {}

  /// What do-not-disturb is; nil: nobody tells.
  public func set(quiet: Bool?) { state.withLock { $0.isQuiet = quiet } }
  public func set(locked: Bool?) { state.withLock { $0.isLocked = locked } }
  public func set(settings: DesktopSettings) { state.withLock { $0.settings = settings } }
  public func set(showsBadges: Bool) { state.withLock { $0.showsBadges = showsBadges } }

  /// What was played: the file, or the name of the sound, in order.
  public var sounds: [String] { state.withLock { $0.sounds } }
  /// Application and count of each badge, in order.
  public var badges: [String] { state.withLock { $0.badges } }

  public nonisolated(nonsending) func doNotDisturb(_ profile: ServerProfile) async -> Bool? {
    state.withLock { $0.isQuiet }
  }
  public nonisolated(nonsending) func settings(
    of application: String, _ profile: ServerProfile
  ) async -> DesktopSettings {
    state.withLock { $0.settings }
  }
  public var isLocked: Bool? { state.withLock { $0.isLocked } }
  public var showsBadges: Bool { state.withLock { $0.showsBadges } }

  public func play(_ record: SoundRecord, file: String?, application: String) {
    let name =
      switch record.source {
      case .theme(let name): name
      default: file ?? "standard"
      }
    state.withLock { $0.sounds.append(name) }
  }

  public func show(_ count: Int, of application: String) {
    state.withLock { $0.badges.append("\(application) \(count)") }
  }
}
