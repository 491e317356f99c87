import DBus
import Synchronization
import TestSupport

/// Keeps calls unanswered.
final class Keeper: Sendable {
  private let calls = Mutex<[IncomingCall]>([])

  var count: Int { calls.withLock { $0.count } }
  func keep(_ call: IncomingCall) { calls.withLock { $0.append(call) } }
  /// Takes all calls out.
  func take() -> [IncomingCall] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}

/// An inbox that writes down what it gets.
final class Recorder: Sendable {
  private let items: Items
  let inbox: Inbox

  private final class Items: Sendable {
    let all = Mutex<[Inbox.Item]>([])
  }

  init() {
    let items = Items()
    self.items = items
    inbox = Inbox { item in items.all.withLock { $0.append(item) } }
  }

  var all: [Inbox.Item] { items.all.withLock { $0 } }

  var signals: [Message] {
    all.compactMap { item in if case .signal(let message) = item { message } else { nil } }
  }

  /// The items in short: `signal NAME`, `reply TOKEN ok`, `reply TOKEN timedOut`, `disconnected`, `reconnected`, …
  var summary: [String] {
    all.map { item in
      switch item {
      case .signal(let message): "signal \(message.member?.text ?? "")"
      case .reply(let token, .success): "reply \(token) ok"
      case .reply(let token, .failure(let error)): "reply \(token) \(error.code)"
      case .subscriptionFailed(_, let error): "subscriptionFailed \(error.code)"
      case .disconnected: "disconnected"
      case .reconnected: "reconnected"
      }
    }
  }
}

/// The error that `body` throws; nil if none.
func busError(_ body: () async throws(BusError) -> Void) async -> BusError? {
  do throws(BusError) {
    try await body()
    return nil
  } catch {
    return error
  }
}
