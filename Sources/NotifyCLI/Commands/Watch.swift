internal import BridgeControl
internal import DBus
internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge

/// A `watch` that runs: asks for the events behind the last one that it had, over and over, whatever happens to the
/// bridge and the bus meanwhile.
struct Watch: Sendable {
  let session: BridgeSession
  let application: String
  let filter: WatchFilter
  let after: Int64?
  let count: Int
  let ending: WatchEnding

  /// How long it tries to reach a bridge that has gone.
  private static let patience = Duration.seconds(30)

  func run() async -> ExitStatus {
    Task(executorPreference: session.executor) { ending.end(.ended(await follow())) }
    switch await ending.next() {
    case .ended(let status): return status
    case .noReader: return .success
    case .timeLimit: return .timeLimit
    // A signal's status is none of those that the verbs share.
    case .signal(let number): exit(128 + number)
    }
  }

  private func follow() async -> ExitStatus {
    var session = session
    var last = after
    var printed = 0
    var failedSince: ContinuousClock.Instant?
    var pause = Duration.milliseconds(100)
    while true {
      do throws(BridgeError) {
        // From now on, by number, so that a cut before the first event loses nothing either.
        let start: Int64
        if let last { start = last } else { start = try await present(session.client) }
        last = start
        let events = try await session.client.nextEvents(after: start, application: application)
        // All of them are of kinds that only a newer bridge knows: go on behind them, one by one.
        if events.isEmpty { last = start + 1 }
        for event in events {
          if ending.hasCome { return .success }
          last = event.sequence
          guard filter.takes(event) else { continue }
          guard Output.json(EventLine.JSON(event)) else { return .success }
          printed += 1
          if printed >= count { return .success }
        }
        failedSince = nil
        pause = .milliseconds(100)
        continue
      } catch {
        guard error.code == .noBus else { return SendReport.failure(error) }
        let since = failedSince ?? .now
        failedSince = since
        if since.duration(to: .now) > Self.patience { return SendReport.failure(error) }
      }
      await sleep(pause)
      pause = min(pause * 2, .seconds(2))
      if session.client.connection.uniqueName == nil, let new = try? await session.reconnected() { session = new }
    }
  }

  /// The number of the last event so far.
  private func present(_ client: ControlClient) async throws(BridgeError) -> Int64 {
    guard case .integer(let number)? = try await client.status()["lastEvent"] else { return 0 }
    return number
  }

  private func sleep(_ time: Duration) async {
    await withCheckedContinuation { continuation in
      session.executor.perform(after: time) { continuation.resume() }
    }
  }
}
