import DBus
import FreedesktopNotifications
import Synchronization

/// The daemon of the user's session. The bus is not touched before something has to be shown, and a bus that was not
/// there is looked for again the next time.
final class SessionServer: NotificationServer {
  private struct State: Sendable {
    var daemon: DaemonServer?
    var connecting: Task<Result<DaemonServer, BusError>, Never>?
  }

  let events: AsyncStream<ServerEvent>
  private let continuation: AsyncStream<ServerEvent>.Continuation
  private let address: @Sendable () throws(BusError) -> BusAddress
  private let state = Mutex(State())

  /// - Parameter address: asked at each attempt to connect.
  init(address: @escaping @Sendable () throws(BusError) -> BusAddress) {
    self.address = address
    (events, continuation) = AsyncStream.makeStream(of: ServerEvent.self, bufferingPolicy: .unbounded)
  }

  deinit { continuation.finish() }

  func profile() async throws(BusError) -> ServerProfile { try await daemon().profile() }

  func notify(_ notification: FreedesktopNotifications.Notification, token: DeliveryToken) {
    // The engine asks for the profile before it posts, and that connects.
    guard let daemon = state.withLock({ $0.daemon }) else {
      continuation.yield(.refused(token, BusError(.notConnected, "there is no connection to the session bus")))
      return
    }
    daemon.notify(notification, token: token)
  }

  func close(serverID: UInt32) { state.withLock { $0.daemon }?.close(serverID: serverID) }

  private func daemon() async throws(BusError) -> DaemonServer {
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
      let connection = try await BusConnection.connect(to: try address(), options: options)
      result = .success(DaemonServer(on: connection, events: (events, continuation)))
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
