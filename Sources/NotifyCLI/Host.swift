internal import DBus
internal import DesktopServices
internal import Dispatch
internal import FoundationEssentials
internal import FreedesktopNotifications
internal import NotificationBridge
internal import Synchronization

/// What the verbs share: the bus, the engine in this process, and waiting from a synchronous `main`.
enum Host {
  /// Runs `body` to its end on the global executor, while this thread waits. (An asynchronous `main` costs a statically
  /// linked program 6 ms.)
  /// - Parameter executor: where it runs instead, if given.
  static func wait(
    on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> ExitStatus
  ) -> ExitStatus {
    let done = DispatchSemaphore(value: 0)
    let box = StatusBox()
    Task(executorPreference: executor) {
      let status = await body()
      box.status.withLock { $0 = status }
      done.signal()
    }
    done.wait()
    return box.status.withLock { $0 }
  }

  private final class StatusBox: Sendable { let status = Mutex(ExitStatus.failure) }

  /// Connects to the session bus, or says what is wrong and what to do.
  /// - Parameter executor: whose thread the connection uses; nil: one of its own.
  static func connect(
    _ environment: [String: String], on executor: BusExecutor? = nil
  ) async throws(BusProblem) -> BusConnection {
    let address: BusAddress
    do throws(BusError) {
      address = try BusAddress.session(environment: environment)
      return try await BusConnection.connect(to: address, on: executor)
    } catch {
      throw BusProblem(error, environment)
    }
  }

  /// A thread for the bus and the engine.
  static func executor() throws(BusProblem) -> BusExecutor {
    do throws(BusError) {
      return try BusExecutor()
    } catch {
      throw BusProblem(error, [:])
    }
  }

  /// An engine that posts through `connection`.
  /// - Parameter listens: whether the end of notifications matters.
  static func engine(on connection: BusConnection, executor: BusExecutor, listens: Bool) -> BridgeEngine {
    var policy = EnginePolicy()
    policy.refusalRetries = 0
    policy.showsAgain = false
    policy.answerLimit = nil
    policy.keepsDelivered = listens
    var limits = DaemonServer.Limits()
    limits.notify = .seconds(30)
    return BridgeEngine(
      server: DaemonServer(on: connection, listens: listens, limits: limits),
      surroundings: .init(clock: SystemClock(), zones: OnlyGMT(), log: StandardErrorLog()), policy: policy,
      on: executor)
  }

  /// The command has no triggers; zones come with the resident bridge.
  private struct OnlyGMT: ZoneRules {
    let current = "GMT"
    func knows(_ zone: String) -> Bool { zone == "GMT" }
    func offset(of zone: String, at instant: Int64) -> Int { 0 }
    func instant(of wallClock: Int64, in zone: String) -> Int64 { wallClock }
  }
}

/// Why there is no bus, and what to do about it.
struct BusProblem: Error {
  let message: String
  let remedy: String

  init(_ error: BusError, _ environment: [String: String]) {
    let address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    switch error.code {
    case .authentication:
      message = "the session bus refused user \(UserID.current): it takes only the user that it belongs to"
      remedy =
        UserID.current == 0
        ? "say whose session is meant: notify-bridge --user NAME …"
        : "run the command as the user whose session it is; root can say notify-bridge --user NAME …"
    case .noAddress:
      message = error.message
      remedy =
        UserID.current == 0
        ? "root has no session of its own: say whose is meant with notify-bridge --user NAME …"
        : "log in to a desktop, set XDG_RUNTIME_DIR=/run/user/\(UserID.current) (cron, ssh), or run dbus-run-session"
    default:
      message = "the session bus cannot be reached: \(error)"
      remedy =
        address.isEmpty
        ? "look at the user manager: systemctl --user status dbus.socket"
        : "DBUS_SESSION_BUS_ADDRESS is \(address.quotedForPeople); unset it if it is of a former session"
    }
  }

  /// Message and remedy for standard error.
  var text: String { message + "\nnotify-bridge: " + remedy }
}
