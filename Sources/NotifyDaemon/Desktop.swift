internal import BridgeControl
internal import DBus
internal import DesktopServices
internal import FreedesktopNotifications
internal import NotificationBridge
internal import Synchronization

/// What the bridge knows of the desktop, and what it does there.
final class Desktop: DesktopFacts, SoundOutput, BadgeOutput {
  private struct State: Sendable {
    var engine: BridgeEngine?
    var lock: ScreenLock?
    var sleep: SleepMonitor?
  }

  private let state = Mutex(State())
  private let quiet: DoNotDisturb
  private let reader: ApplicationSettingsReader
  private let player: SoundPlayer
  private let launcher: LauncherBadges
  private let identifier: CallerIdentifier
  private let executor: BusExecutor
  private let log: any BridgeLog
  /// Kept alive; nil where there is no system bus.
  private let system: BusConnection?

  private init(
    _ session: BusConnection, _ system: BusConnection?, _ environment: [String: String], _ executor: BusExecutor,
    _ log: any BridgeLog
  ) {
    self.system = system
    self.executor = executor
    self.log = log
    quiet = DoNotDisturb(connection: session, environment: environment)
    reader = ApplicationSettingsReader(session: session, environment: environment)
    player = SoundPlayer(SoundPlayer.Options(environment: environment))
    launcher = LauncherBadges(on: session)
    identifier = CallerIdentifier(on: session)
  }

  /// Looks around; what is not there is done without.
  static func connect(
    _ session: BusConnection, _ environment: [String: String], _ executor: BusExecutor, _ log: any BridgeLog
  ) async -> Desktop {
    var options = BusConnection.Options()
    options.reconnects = true
    options.connectTimeout = .seconds(2)
    let system = try? await BusConnection.connect(to: .system(environment: environment), options: options)
    let desktop = Desktop(session, system, environment, executor, log)
    let lock = ScreenLock(session: session, system: system) { [weak desktop] in
      desktop?.engine?.enqueue { $0.lockChanged() }
    }
    let sleep = system.map { system in
      SleepMonitor(system: system) { [weak desktop] in desktop?.engine?.enqueue { $0.timeChanged() } }
    }
    desktop.state.withLock { state in
      state.lock = lock
      state.sleep = sleep
    }
    return desktop
  }

  private var engine: BridgeEngine? { state.withLock { $0.engine } }

  /// From now on the engine hears of what changes.
  func tell(_ engine: BridgeEngine) { state.withLock { $0.engine = engine } }

  /// Takes back what would stay behind.
  func stop() { launcher.clearAll() }

  // MARK: Callers

  func identify(_ name: BusName, _ answer: @escaping @Sendable (ControlService.Caller) -> Void) {
    Task(executorPreference: executor) { [identifier] in
      switch await identifier.identity(of: name) {
      case .free: answer(.free)
      case .application(let application): answer(.application(application))
      case .unknownSandbox: answer(.unknownSandbox)
      }
    }
  }

  // MARK: Facts

  nonisolated(nonsending) func doNotDisturb(_ profile: ServerProfile) async -> Bool? {
    await quiet.doNotDisturb(profile)
  }

  nonisolated(nonsending) func settings(of application: String, _ profile: ServerProfile) async -> DesktopSettings {
    await reader.settings(of: application, name: application, profile)
  }

  var isLocked: Bool? { state.withLock { $0.lock }?.isLocked }
  var showsBadges: Bool { launcher.isSupported == true }

  // MARK: Sounds and badges

  func play(_ record: SoundRecord, file: String?, application: String) {
    let sound: Sound =
      switch (record.source, file) {
      case (.theme(let name), _): .named(name)
      case (_, let file?): .file(file)
      default: .named("message-new-instant")
      }
    Task(executorPreference: executor) { [player, log] in
      switch await player.play(sound, for: application, volume: record.volume ?? 1) {
      case .played, .silent: break
      case .missing: log.write(.info, "there is no sound \(sound.name.quotedForPeople)")
      case .noPlayer: log.write(.info, "nothing here plays sounds: install libcanberra, pw-play or paplay")
      case .failed(let reason): log.write(.warning, "a sound was not played: \(reason)")
      }
    }
  }

  func show(_ count: Int, of application: String) { launcher.set(count, for: application) }
}
