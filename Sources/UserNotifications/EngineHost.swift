import DBus
import DesktopEnvironment
import DesktopServices
import FreedesktopNotifications
import NotificationBridge

/// The engine of this process and the application that it speaks for.
struct EngineHost: Sendable {
  let application: ApplicationRecord
  let engine: BridgeEngine
  let log: any BridgeLog

  /// The rules of time zones, read once for the process.
  static let zones = SystemZones()

  init(application: ApplicationRecord, engine: BridgeEngine, log: any BridgeLog) {
    self.application = application
    self.engine = engine
    self.log = log
  }

  /// That of this process, on the user's session bus. Nothing is connected yet.
  static func inProcess() -> EngineHost {
    let application = ApplicationIdentity.current.record()
    let environment = ProcessInfo.processInfo.environment
    let log = StandardErrorLog()
    var policy = EnginePolicy()
    policy.soundFolders = soundFolders(application.identifier, environment)
    let executor = executor()
    let server = SessionServer(on: executor) { () throws(BusError) in
      try BusAddress.session(environment: ProcessInfo.processInfo.environment)
    }
    let engine = BridgeEngine(
      server: server,
      surroundings: .init(
        clock: SystemClock(), zones: zones, images: PixbufDecoder(), log: log, thumbnails: thumbnails(environment),
        opener: opener(environment, log)),
      policy: policy, on: executor)
    return EngineHost(application: application, engine: engine, log: log)
  }

  /// Pictures of movies; they go with the process.
  private static func thumbnails(_ environment: [String: String]) -> MovieThumbnails {
    let folder = NSTemporaryDirectory() + "/notify-bridge-thumbnails-\(UUID().uuidString)"
    var options = MovieThumbnails.Options(environment: environment, folder: folder)
    options.session = { await session() }
    let thumbnails = MovieThumbnails(options)
    Leaving.add { thumbnails.removeEverything() }
    return thumbnails
  }

  private static func opener(_ environment: [String: String], _ log: any BridgeLog) -> FileOpener {
    var options = FileOpener.Options(environment: environment, log: log)
    options.session = { await session() }
    return FileOpener(options)
  }

  /// A connection for what is seldom needed; it goes when it was used.
  private static func session() async -> BusConnection? {
    guard let address = try? BusAddress.session(environment: ProcessInfo.processInfo.environment) else { return nil }
    var options = BusConnection.Options()
    options.connectTimeout = .seconds(2)
    return try? await BusConnection.connect(to: address, options: options)
  }

  static func executor() -> BusExecutor {
    do throws(BusError) {
      return try BusExecutor()
    } catch {
      fatalError("UserNotifications: \(error)")
    }
  }

  /// Apple's order: the application's data, the folder that it shares with its extensions, its resources.
  private static func soundFolders(_ application: String, _ environment: [String: String]) -> [String] {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let data = XDGPaths(environment: environment).dataHome
    var folders = ["\(data)/\(application)/Library/Sounds"]
    if let group = value("NOTIFY_BRIDGE_GROUP_DIR") { folders.append("\(group)/Library/Sounds") }
    if let resources = Bundle.main.resourcePath { folders.append(resources) }
    folders.append(Bundle.main.bundlePath)
    return folders
  }
}

/// Messages for people on standard error, one line each.
struct StandardErrorLog: BridgeLog {
  func write(_ level: LogLevel, _ text: String) {
    guard level >= .warning else { return }
    FileHandle.standardError.write(Data("UserNotifications: \(level): \(text)\n".utf8))
  }
}
