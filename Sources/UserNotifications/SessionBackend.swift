import BridgeControl
import DBus
import NotificationBridge
import Synchronization

/// The resident bridge where there is one, else the engine of this process. Which of them is found out at the first
/// use; what is asked meanwhile waits, in order.
final class SessionBackend: CenterBackend {
  private enum State {
    case unused
    case deciding([@Sendable (any CenterBackend) -> Void])
    case decided(any CenterBackend)
  }

  private let state = Mutex(State.unused)
  private let decide: @Sendable () async -> any CenterBackend

  /// - Parameter decide: called once.
  init(_ decide: @escaping @Sendable () async -> any CenterBackend) { self.decide = decide }

  /// The backend of this process: the bridge on the user's session bus, started by the bus if need be.
  static func session() -> SessionBackend {
    SessionBackend {
      let environment = ProcessInfo.processInfo.environment
      let host = EngineHost.inProcess()
      guard environment["NOTIFY_BRIDGE_IN_PROCESS"] ?? "" == "" else { return EngineBackend(host: host) }
      return await backend(environment, host) ?? EngineBackend(host: host)
    }
  }

  /// Nil where there is no bridge.
  private static func backend(_ environment: [String: String], _ host: EngineHost) async -> BridgeBackend? {
    guard let address = try? BusAddress.session(environment: environment) else { return nil }
    let executor = EngineHost.executor()
    var options = BusConnection.Options()
    options.reconnects = true
    guard let connection = try? await BusConnection.connect(to: address, options: options, on: executor) else {
      return nil
    }
    do throws(BridgeError) {
      guard try await ControlClient(on: connection).start() else { return nil }
    } catch {
      host.log.write(.warning, "\(error); notifications end with this process")
      return nil
    }
    return BridgeBackend(
      ControlChannel(on: connection, executor: executor, log: host.log), application: host.application, log: host.log)
  }

  private func with(_ operation: @escaping @Sendable (any CenterBackend) -> Void) {
    let isFirst = state.withLock { state in
      switch state {
      case .unused:
        state = .deciding([operation])
        return true
      case .deciding(var waiting):
        waiting.append(operation)
        state = .deciding(waiting)
      case .decided(let backend): operation(backend)
      }
      return false
    }
    guard isFirst else { return }
    Task {
      let backend = await decide()
      state.withLock { state in
        // Under the lock: what is asked now comes behind what waited.
        if case .deciding(let waiting) = state { for operation in waiting { operation(backend) } }
        state = .decided(backend)
      }
    }
  }

  func setCaller(_ caller: DelegateCaller, asks: Bool) { with { $0.setCaller(caller, asks: asks) } }
  func authorize(
    _ options: AuthorizationRecord.Options,
    _ answer: @escaping @Sendable (Result<AuthorizationRecord, BridgeError>) -> Void
  ) {
    with { $0.authorize(options, answer) }
  }
  func settings(_ answer: @escaping @Sendable (SettingsRecord) -> Void) { with { $0.settings(answer) } }
  func setBadge(_ count: Int, _ answer: @escaping @Sendable (BridgeError?) -> Void) {
    with { $0.setBadge(count, answer) }
  }
  func setCategories(_ records: [CategoryRecord]) { with { $0.setCategories(records) } }
  func add(
    _ record: RequestRecord, taken: @escaping @Sendable () -> Void,
    _ answer: @escaping @Sendable (BridgeError?) -> Void, ended: @escaping @Sendable () -> Void
  ) {
    with { $0.add(record, taken: taken, answer, ended: ended) }
  }
  func pending(_ answer: @escaping @Sendable ([(RequestRecord, Date)]) -> Void) { with { $0.pending(answer) } }
  func delivered(_ answer: @escaping @Sendable ([NotificationRecord]) -> Void) { with { $0.delivered(answer) } }
  func removePending(_ identifiers: [String]?) { with { $0.removePending(identifiers) } }
  func removeDelivered(_ identifiers: [String]?) { with { $0.removeDelivered(identifiers) } }
  func acknowledge(_ response: ResponseRecord, sent: @escaping @Sendable () -> Void) {
    with { $0.acknowledge(response, sent: sent) }
  }
  func attachmentPaths(_ answer: @escaping @Sendable (Set<String>) -> Void) { with { $0.attachmentPaths(answer) } }
}
