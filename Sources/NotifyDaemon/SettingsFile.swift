internal import DesktopEnvironment
internal import DesktopServices
internal import NotificationBridge
internal import Synchronization

/// The user's settings and the system's; a change counts at the next call that the bridge gets.
final class SettingsFile: Sendable {
  private struct State: Sendable {
    var stamps: [String]
    var configuration: Configuration
  }

  private let files: [String]
  private let log: any BridgeLog
  private let state: Mutex<State>

  init(paths: XDGPaths, log: any BridgeLog) {
    let files = paths.configSearchPath.map { $0 + "/notify-bridge/notify-bridge.conf" }
    self.files = files
    self.log = log
    let configuration = Configuration(files)
    state = Mutex(State(stamps: Self.stamps(files), configuration: configuration))
    for problem in configuration.problems { log.write(.warning, problem) }
  }

  /// The user's file, for messages.
  var file: String { files[0] }

  var current: Configuration { state.withLock { $0.configuration } }

  /// Reads the files, if they changed.
  /// - Returns: whether they did.
  func refresh() -> Bool {
    let stamps = Self.stamps(files)
    guard state.withLock({ $0.stamps != stamps }) else { return false }
    let configuration = Configuration(files)
    state.withLock { $0 = State(stamps: stamps, configuration: configuration) }
    for problem in configuration.problems { log.write(.warning, problem) }
    return true
  }

  /// The policy as it is set now.
  func policy(_ former: EnginePolicy) -> EnginePolicy {
    current.policy(soundFolders: former.soundFolders, groupsFolder: former.groupsFolder)
  }

  private static func stamps(_ files: [String]) -> [String] { files.map(FileMark.text) }
}
