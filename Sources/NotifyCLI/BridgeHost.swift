internal import BridgeControl
internal import DBus
internal import NotificationBridge

/// The verbs' way to the resident bridge.
enum BridgeHost {
  /// Runs `body` with the bridge, which is started if need be, while this thread waits. What went wrong is said on
  /// standard error.
  static func run(
    _ invocation: Invocation,
    _ body: @escaping @Sendable (ControlClient) async throws(BridgeError) -> ExitStatus
  ) -> ExitStatus {
    session(invocation) { session throws(BridgeError) in try await body(session.client) }
  }

  /// As ``run(_:_:)``, for what stays longer.
  static func session(
    _ invocation: Invocation,
    _ body: @escaping @Sendable (BridgeSession) async throws(BridgeError) -> ExitStatus
  ) -> ExitStatus {
    let executor: BusExecutor
    do throws(BusProblem) {
      executor = try Host.executor()
    } catch {
      Output.message(error.text)
      return .noDaemon
    }
    return Host.wait(on: executor) {
      do {
        let client = ControlClient(on: try await Host.connect(invocation.environment, on: executor))
        guard try await client.start() else {
          Output.message(
            "the resident bridge notify-bridged is not installed, and this needs it: 'notify-bridge doctor' says more")
          return .noDaemon
        }
        return try await body(
          BridgeSession(client: client, executor: executor, environment: invocation.environment))
      } catch let error as BusProblem {
        Output.message(error.text)
        return .noDaemon
      } catch let error as BridgeError {
        return SendReport.failure(error)
      } catch {
        Output.message("\(error)")
        return .failure
      }
    }
  }
}

/// A connection with the bridge, and the thread that it uses.
struct BridgeSession: Sendable {
  let client: ControlClient
  let executor: BusExecutor
  let environment: [String: String]

  /// The same by a new connection, after the old one was lost.
  func reconnected() async throws(BusProblem) -> BridgeSession {
    await client.connection.close()
    var environment = environment
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
      environment["DBUS_SESSION_BUS_ADDRESS"] = BusAddress(address).ofAnyRun.text
    }
    return BridgeSession(
      client: ControlClient(on: try await Host.connect(environment, on: executor)), executor: executor,
      environment: environment)
  }
}
