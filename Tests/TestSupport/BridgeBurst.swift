internal import DBus
import Glibc
import Synchronization

extension DaemonSession {
  /// What became of one request of a burst.
  public enum Burst: Sendable, Hashable {
    /// The daemon took it.
    case shown
    /// The bridge keeps it for later, and why.
    case queued(String)
    /// The name of the error, and what it says.
    case refused(String)
  }

  /// Hands the bridge `count` requests at once, without waiting for answers: `title 1`, `title 2` and so on, each a
  /// notification of its own.
  /// - Parameter lifetime: of each, in milliseconds; nil: the daemon's.
  /// - Returns: what the bridge answered, in order.
  /// - Throws: ``RunnerError`` when an answer is missing after `limit`.
  public func burst(_ count: Int, title: String, lifetime: Int64? = nil, within limit: Duration) async throws -> [Burst]
  {
    guard let address = environment["DBUS_SESSION_BUS_ADDRESS"] else { throw RunnerError("there is no bus") }
    let connection = try await BusConnection.connect(to: BusAddress(address))
    // A bus keeps few calls for a program that it is about to start.
    _ = try await connection.call(
      MethodCall(
        to: .bus, at: .bus, "org.freedesktop.DBus", "StartServiceByName", [.string(BridgeService.busName), .uint32(0)]))
    let answers = Mutex<[UInt64: Burst]>([:])
    let inbox = Inbox { item in
      if case .reply(let token, let answer) = item { answers.withLock { $0[token] = Self.burst(answer) } }
    }
    for number in 1...count {
      let content = Value.properties([("title", .string("\(title) \(number)"))])
      let request = Value.properties([
        ("identifier", .string("\(title)-\(number)")), ("content", content),
        ("desktop", .properties(lifetime.map { [("lifetime", .int64($0))] } ?? [])),
      ])
      connection.post(
        MethodCall(
          to: "org.notifybridge.Bridge1", at: "/org/notifybridge/Bridge1", "org.notifybridge.Bridge1", "Post",
          [.string("org.example.Burst"), request, .array(of: "h", []), .properties([])]),
        timeout: limit, to: inbox, token: UInt64(number))
    }
    try await eventually(within: limit, "the bridge answers \(count) requests") {
      answers.withLock { $0.count } == count
    }
    await connection.close()
    return answers.withLock { answers in (1...count).compactMap { answers[UInt64($0)] } }
  }

  private static func burst(_ answer: Result<Message, BusError>) -> Burst {
    switch answer {
    case .failure(let error): return .refused("\(error)")
    case .success(let message):
      let report = message.body.first?.asProperties ?? [:]
      if report["delivered"] == .boolean(true) { return .shown }
      if case .string(let reason)? = report["delay"] { return .queued(reason) }
      return .refused("an answer without sense: \(message.body)")
    }
  }
}
