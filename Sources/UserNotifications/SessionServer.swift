import DBus
import FreedesktopNotifications
import Synchronization

/// The daemon of the user's session. The bus is not touched before something has to be shown, and a bus that was not
/// there is looked for again the next time.
final class SessionServer: NotificationServer {
  private struct State: Sendable {
    var daemon: DaemonServer?
    var connecting: Task<Result<DaemonServer, BusError>, Never>?
    var handler: @Sendable (ServerEvent) -> Void = { _ in }
  }

  private let address: @Sendable () throws(BusError) -> BusAddress
  private let executor: BusExecutor
  private let state = Mutex(State())

  /// - Parameters:
  ///   - executor: whose thread the connection uses.
  ///   - address: asked at each attempt to connect.
  init(on executor: BusExecutor, address: @escaping @Sendable () throws(BusError) -> BusAddress) {
    self.executor = executor
    self.address = address
  }

  func start(_ handler: @escaping @Sendable (ServerEvent) -> Void) { state.withLock { $0.handler = handler } }

  nonisolated(nonsending) func profile() async throws(BusError) -> ServerProfile { try await daemon().profile() }

  func notify(_ notification: FreedesktopNotifications.Notification, token: DeliveryToken) {
    // The engine asks for the profile before it posts, and that connects.
    let (daemon, handler) = state.withLock { ($0.daemon, $0.handler) }
    guard let daemon else {
      handler(.refused(token, BusError(.notConnected, "there is no connection to the session bus")))
      return
    }
    daemon.notify(notification, token: token)
  }

  func close(serverID: UInt32) { state.withLock { $0.daemon }?.close(serverID: serverID) }

  private nonisolated(nonsending) func daemon() async throws(BusError) -> DaemonServer {
    let connecting = state.withLock { state in
      if let daemon = state.daemon { return Task { Result<DaemonServer, BusError>.success(daemon) } }
      if let connecting = state.connecting { return connecting }
      let connecting = Task { await connect() }
      state.connecting = connecting
      return connecting
    }
    return try await connecting.value.get()
  }

  private func connect() async -> Result<DaemonServer, BusError> {
    var options = BusConnection.Options()
    options.reconnects = true
    let result: Result<DaemonServer, BusError>
    do throws(BusError) {
      let connection = try await BusConnection.connect(to: try address(), options: options, on: executor)
      let daemon = DaemonServer(on: connection)
      daemon.start(state.withLock { $0.handler })
      result = .success(daemon)
    } catch {
      result = .failure(error)
    }
    state.withLock { state in
      state.daemon = try? result.get()
      state.connecting = nil
    }
    return result
  }
}
