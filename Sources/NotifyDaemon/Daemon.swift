internal import BridgeControl
internal import BridgeStore
internal import DBus
internal import DesktopEnvironment
internal import DesktopServices
internal import ExtensionHost
internal import FoundationEssentials
internal import FreedesktopNotifications
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// Everything that the bridge is made of, put together and taken apart in reverse.
final class Daemon: Sendable {
  private let connection: BusConnection
  private let engine: BridgeEngine
  private let store: SQLiteStore
  private let launcher: ResponseLauncher
  private let settings: SettingsFile
  private let desktop: Desktop
  private let control: ControlService
  private let nameWatch: NameWatch

  private init(
    connection: BusConnection, engine: BridgeEngine, store: SQLiteStore, launcher: ResponseLauncher,
    settings: SettingsFile, desktop: Desktop, control: ControlService, nameWatch: NameWatch
  ) {
    self.connection = connection
    self.engine = engine
    self.store = store
    self.launcher = launcher
    self.settings = settings
    self.desktop = desktop
    self.control = control
    self.nameWatch = nameWatch
  }

  /// Starts it; when this returns, the name is ours and calls are served.
  /// - Throws: ``StartError``: no bus (3), the name is taken (0), the store cannot be opened (1).
  static func start(
    on executor: BusExecutor, log: any BridgeLog, ending: Ending
  ) async throws(StartError) -> Daemon {
    let environment = Self.environment()
    let paths = XDGPaths(environment: environment)
    let connection = try await connect(executor, environment)
    // Of two bridges the second must not touch the store.
    if ((try? await connection.owner(of: ControlInterface.busName)) ?? nil) != nil { throw taken }
    let settings = SettingsFile(paths: paths, log: log)
    let folder = paths.stateHome + "/notify-bridge"
    let store: SQLiteStore
    do throws(BridgeError) {
      store = try SQLiteStore(folder: folder, limits: settings.current.history, log: log)
    } catch {
      throw StartError(status: 1, message: error.description)
    }
    let attachments = AttachmentStage(AttachmentStore(folder: folder))
    let launcher = ResponseLauncher(
      session: connection, paths: paths, environment: environment, timeout: settings.current.handlerTimeout,
      executor: executor, log: log)
    await launcher.prepare()
    let desktop = await Desktop.connect(connection, environment, executor, log)
    let folders = ExtensionFolders(dataHome: paths.dataHome, dataDirectories: paths.dataDirectories)
    let extensions = ExtensionHost(
      folders: folders, environment: environment, units: TransientUnits(session: connection), on: executor, log: log)
    // A daemon that hangs has the call still, and answers it or ends: it is neither given up nor posted twice.
    var limits = DaemonServer.Limits()
    limits.notify = .seconds(60 * 60 * 24 * 365)
    let engine = BridgeEngine(
      server: DaemonServer(on: connection, limits: limits, identifiesBus: true),
      surroundings: .init(
        clock: SystemClock(), zones: SystemZones(environment: environment), images: PixbufDecoder(), log: log,
        facts: desktop, sounds: settings.current.playsSounds ? desktop : nil, badges: desktop,
        launcher: launcher, extensions: extensions, store: store,
        thumbnails: Self.thumbnails(folder: folder + "/thumbnails", environment, connection),
        opener: Self.opener(environment, connection, executor, log)),
      policy: settings.current.policy(soundFolders: soundFolders(paths), groupsFolder: folders.groups),
      on: executor)
    desktop.tell(engine)
    var surroundings = ControlService.Surroundings(
      identify: { name, answer in
        if settings.refresh() { engine.enqueue { $0.setPolicy(settings.policy($0.policy)) } }
        desktop.identify(name, answer)
      },
      stage: { attachments.stage($0, $1, $2) },
      problems: { store.problems + settings.current.problems + launcher.problems + extensions.problems },
      status: { ["store": .string(store.path), "settings": .string(settings.file)] },
      version: Program.version, pendingLimit: settings.current.pendingLimit, log: log)
    surroundings.extensions = extensions
    surroundings.strings = { ApplicationStrings.tables(of: $0, environment: environment) }
    let control = ControlService(engine: engine, connection: connection, surroundings: surroundings, on: executor)
    await control.start()
    // Calls come as soon as we have the name: everything is there by now.
    guard try await acquireName(connection) else { throw taken }
    attachments.serve(engine, executor)
    return Daemon(
      connection: connection, engine: engine, store: store, launcher: launcher, settings: settings, desktop: desktop,
      control: control, nameWatch: NameWatch(connection, executor, log: log, ending: ending))
  }

  /// Reads the settings anew.
  func reload() {
    let settings = settings
    engine.enqueue { if settings.refresh() { $0.setPolicy(settings.policy($0.policy)) } }
  }

  /// Ends it: what is known is kept, what is shown stays.
  func stop() async {
    await engine.stop()
    desktop.stop()
    store.close()
    await connection.close()
  }

  private static var taken: StartError {
    StartError(status: 0, message: "another bridge has the name \(ControlInterface.busName)")
  }

  private static func connect(
    _ executor: BusExecutor, _ environment: [String: String]
  ) async throws(StartError) -> BusConnection {
    var options = BusConnection.Options()
    options.reconnects = true
    do throws(BusError) {
      return try await BusConnection.connect(
        to: try BusAddress.session(environment: environment), options: options, on: executor)
    } catch {
      throw StartError(status: 3, message: "the session bus cannot be reached: \(error)")
    }
  }

  private static func acquireName(_ connection: BusConnection) async throws(StartError) -> Bool {
    do throws(BusError) {
      let reply = try await connection.requestName(ControlInterface.busName, .doNotQueue)
      return reply == .owner || reply == .alreadyOwner
    } catch {
      throw StartError(status: 3, message: "the name \(ControlInterface.busName) cannot be had: \(error)")
    }
  }

  /// Where sounds are looked for by name, whatever the application.
  private static func soundFolders(_ paths: XDGPaths) -> [String] {
    paths.dataSearchPath.map { $0 + "/sounds" }
  }

  /// All variables, once.
  private static func environment() -> [String: String] {
    var result: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return result
  }
}

/// Ends the process when there is nothing more to do for it: somebody else has taken the name, and two bridges would do
/// things twice; or the bus has gone for good, and the next session's bridge needs the store.
private final class NameWatch: Sendable {
  /// How long a bus may be away.
  static let patience = Duration.seconds(60)

  private let subscription: Subscription
  private let inbox: Inbox

  init(_ connection: BusConnection, _ executor: BusExecutor, log: any BridgeLog, ending: Ending) {
    let losses = Losses()
    inbox = Inbox { [weak connection] item in
      switch item {
      case .signal(let message) where message.body.first?.asString == ControlInterface.busName.text:
        log.write(.warning, "somebody else has taken the name \(ControlInterface.busName)")
        ending.end(1)
      case .disconnected:
        let loss = losses.count.add(1, ordering: .relaxed).newValue
        executor.perform(after: Self.patience) { [weak connection] in
          // Not of an earlier loss: the bus may have come back and gone again meanwhile.
          guard let connection, connection.uniqueName == nil, losses.count.load(ordering: .relaxed) == loss else {
            return
          }
          log.write(.info, "the session bus has not come back: the session is over")
          ending.end(0)
        }
      default: break
      }
    }
    subscription = connection.subscribe(
      MatchRule(sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameLost"), to: inbox)
  }
}

/// Counts how often the bus went away.
private final class Losses: Sendable {
  let count = Atomic(0)
}
