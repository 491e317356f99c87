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
        return try await body(client)
      } catch let error as BusProblem {
        Output.message(error.text)
        return .noDaemon
      } catch let error as BridgeError {
        Output.message(error.description)
        return ExitStatus(error)
      } catch {
        Output.message("\(error)")
        return .failure
      }
    }
  }
}
