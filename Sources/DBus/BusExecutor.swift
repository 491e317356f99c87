internal import Dispatch
internal import Synchronization

/// The serial executor of one connection: a dispatch queue with one line of work for it.
///
/// Whoever gives work, from whatever thread, joins the same line, so that the order in which work was given is the
/// order in which it is done. Work given on the queue itself (by a handler) is done before `perform` returns, after
/// whatever was in the line before it.
///
/// Unchecked since its one plain variable, `isWorking`, is touched by `workThroughLine()` alone, which runs on the queue.
final class BusExecutor: SerialExecutor, @unchecked Sendable {
  private struct Line {
    var work: [@Sendable () -> Void] = []
    var isScheduled = false
  }

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Where the connection lives.
  let queue: DispatchQueue
  private let line = Mutex(Line())
  private var isWorking = false

  init() {
    queue = DispatchQueue(label: "notify-bridge.bus")
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// True on the connection's queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  /// Traps off the queue: every touch of the C connection comes by here.
  func assertCurrent() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Does `work` on the queue, behind all work given before.
  func perform(_ work: @escaping @Sendable () -> Void) {
    let isCurrent = isCurrent
    let mustSchedule = line.withLock { line in
      line.work.append(work)
      if isCurrent || line.isScheduled { return false }
      line.isScheduled = true
      return true
    }
    if isCurrent {
      workThroughLine()
    } else if mustSchedule {
      queue.async { self.workThroughLine() }
    }
  }

  private func workThroughLine() {
    // Work that gives work comes here again: the outer loop does it in its turn.
    if isWorking { return }
    isWorking = true
    while true {
      let batch = line.withLock { line in
        let batch = line.work
        line.work = []
        if batch.isEmpty { line.isScheduled = false }
        return batch
      }
      if batch.isEmpty { break }
      for work in batch { work() }
    }
    isWorking = false
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { assertCurrent() }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }
}
