import DBus
import Synchronization
import TestSupport
import Testing

@Suite("The executor", .timeLimit(.minutes(1))) struct BusExecutorTests {
  /// Waits on the executor until it is told to go on.
  private actor Waiting {
    nonisolated let executor: BusExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private(set) var continuations: [CheckedContinuation<Void, Never>] = []

    init(_ executor: BusExecutor) { self.executor = executor }

    func add(_ number: Int, to done: Done) async {
      await withCheckedContinuation { continuations.append($0) }
      done.add(number)
    }

    /// Lets all go on, with work between them.
    func goOn(_ done: Done) {
      for (index, continuation) in continuations.enumerated() {
        continuation.resume()
        executor.performLater { done.add(-index) }
      }
    }
  }

  @Test("Parts of tasks and work for later are done in the order in which they were given")
  func order() async throws {
    let executor = try BusExecutor()
    executor.hold()
    defer { executor.letGo() }
    let (waiting, done) = (Waiting(executor), Done())
    for number in 0..<50 {
      Task(executorPreference: executor) { await waiting.add(number, to: done) }
      try await eventually(within: .seconds(10), "it waits") { await waiting.continuations.count == number + 1 }
    }
    await waiting.goOn(done)
    try await eventually(within: .seconds(10), "all is done") { done.all.count == 100 }
    #expect(done.all == (0..<50).flatMap { [$0, -$0] })
  }
}

private final class Done: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }
  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
