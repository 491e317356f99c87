internal import DBus
internal import Dispatch
internal import Synchronization

/// What the waiting thread is told, in order: one thread puts, one takes.
final class NotifySendMailbox: Sendable {
  enum Item: Sendable {
    case bus(Inbox.Item)
    /// The user pressed Ctrl-C.
    case interrupted
  }

  private let items = Mutex<[Item]>([])
  private let filled = DispatchSemaphore(value: 0)

  func put(_ item: Item) {
    items.withLock { $0.append(item) }
    filled.signal()
  }

  /// Waits for the next item; nil when there is none until `deadline`.
  func take(until deadline: DispatchTime = .distantFuture) -> Item? {
    guard filled.wait(timeout: deadline) == .success else { return nil }
    return items.withLock { $0.removeFirst() }
  }

  /// Runs `body` on another thread and waits for it: this mode has nothing else to do meanwhile, and an asynchronous
  /// `main` would cost more than the notification.
  static func wait<Success: Sendable>(
    for body: @escaping @Sendable () async throws(BusError) -> Success
  ) -> Result<Success, BusError> {
    let answer = Answer<Success>()
    Task.detached {
      do throws(BusError) {
        answer.give(.success(try await body()))
      } catch {
        answer.give(.failure(error))
      }
    }
    return answer.wait()
  }

  private final class Answer<Success: Sendable>: Sendable {
    private let result = Mutex<Result<Success, BusError>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func give(_ result: Result<Success, BusError>) {
      self.result.withLock { $0 = result }
      done.signal()
    }

    func wait() -> Result<Success, BusError> {
      while true {
        done.wait()
        if let result = result.withLock({ $0 }) { return result }
      }
    }
  }
}
