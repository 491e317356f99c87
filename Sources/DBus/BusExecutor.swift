internal import CLinux
internal import Glibc
internal import Synchronization

/// What a ``BusExecutor`` waits for besides work and time.
protocol PolledSocket: AnyObject {
  /// Adds what is to be waited for.
  func addDescriptors(to list: inout [pollfd])
  /// True if there is something to do without waiting.
  var hasMore: Bool { get }
  /// Does what is to be done; `ready` is the list as it came back.
  func serve(_ ready: ArraySlice<pollfd>)
}

/// A serial executor on a thread of its own, which waits for a connection's socket, for work and for time limits.
///
/// A connection makes one for itself; whoever works hand in hand with a connection may make one, let actors of its own
/// run on it and give it to the connection, so that what comes from the bus is handled without another thread. It
/// serves one connection, and its thread ends when that and all who said ``hold()`` have let go.
///
/// Whoever gives work, from whatever thread, joins the same line, so that the order in which work was given is the
/// order in which it is done. Work given on the thread itself (by a handler) is done before `perform` returns, after
/// whatever was in the line before it.
///
/// A thread with `poll` of its own and not a dispatch queue: a call costs half the thread switches, and a read and a
/// write source on one descriptor were seen to lose events (libdispatch 6.3 on Linux).
///
/// Unchecked since the plain variables are touched on the thread only.
public final class BusExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  private struct Line {
    var work: [@Sendable () -> Void] = []
    /// What is never done inside other work: a task's next part may be a call's answer and plain work a signal, so they
    /// share one line.
    var turns: [Turn] = []
    var holders = 0
    /// True while the thread waits and nobody has rung yet.
    var isAsleep = false
    var isFinished = false

    /// True if the bell must be rung for something new.
    mutating func mustWake() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private enum Turn {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct Alarm {
    let time: UInt64
    let number: UInt64
    let body: () -> Void
  }

  /// Names work that is to be done later, for ``cancel(_:)``.
  public struct Ticket: Sendable, Hashable { fileprivate let number: UInt64 }

  private let issued = Atomic<UInt64>(0)

  private func newTicket() -> Ticket { Ticket(number: issued.add(1, ordering: .relaxed).newValue) }

  private let line = Mutex(Line())
  private let bell: OwnedDescriptor
  private let thread = Atomic<UInt>(0)

  private var isWorking = false
  private var alarms: [Alarm] = []
  private var descriptors: [pollfd] = []
  /// What is waited for; on the thread only.
  weak var socket: (any PolledSocket)?

  /// Starts the thread.
  /// - Throws: ``BusError`` with code `notConnected` if the system has no thread or descriptor left.
  public init() throws(BusError) {
    bell = OwnedDescriptor(adopting: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
    if bell.rawValue < 0 {
      throw BusError(.notConnected, "no descriptor for the connection can be opened (error \(errno))")
    }
    try BusThread.start { [self] in run() }
  }

  /// True on the connection's thread.
  public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Traps off the thread: every touch of the C connection comes by here.
  public func assertCurrent() { precondition(isCurrent, "not on the connection's thread") }

  /// Does `work` on the thread, behind all work given before. Once the thread has ended it is dropped.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    let isCurrent = isCurrent
    let mustWake = line.withLock { line in
      if line.isFinished { return false }
      line.work.append(work)
      return line.mustWake()
    }
    if isCurrent {
      workThroughLine()
    } else if mustWake {
      ring()
    }
  }

  /// Does `body` on the thread at `time` (see ``monotonicTime()``) or soon after. To be called on the thread.
  @discardableResult
  func schedule(at time: UInt64, _ body: @escaping () -> Void) -> Ticket {
    let ticket = newTicket()
    schedule(at: time, ticket, body)
    return ticket
  }

  private func schedule(at time: UInt64, _ ticket: Ticket, _ body: @escaping () -> Void) {
    assertCurrent()
    // The soonest comes last.
    let index = alarms.firstIndex { $0.time <= time } ?? alarms.count
    alarms.insert(Alarm(time: time, number: ticket.number, body: body), at: index)
  }

  /// Takes back work that was to be done later, so that nothing wakes for it; work that was done already is ignored.
  public func cancel(_ ticket: Ticket) {
    perform { [self] in
      if let index = alarms.firstIndex(where: { $0.number == ticket.number }) { alarms.remove(at: index) }
    }
  }

  /// Does `work` on the thread soon, never inside other work, not even when given on the thread itself.
  public func performLater(_ work: @escaping @Sendable () -> Void) {
    let mustWake = line.withLock { line in
      if line.isFinished { return false }
      line.turns.append(.work(work))
      return line.mustWake()
    }
    if mustWake { ring() }
  }

  /// Does `work` on the thread after `delay`, or soon after; not inside other work. Sleep of the machine does not count.
  @discardableResult
  public func perform(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> Ticket {
    let (seconds, attoseconds) = max(delay, .zero).components
    let time = monotonicTime() + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    let ticket = newTicket()
    perform { [self] in schedule(at: time, ticket, work) }
    return ticket
  }

  /// Keeps the thread alive until ``letGo()``.
  public func hold() { line.withLock { $0.holders += 1 } }

  /// Ends a ``hold()``. When the last one has ended, the thread does what was given to it and ends; nothing may be asked
  /// of the executor afterwards.
  public func letGo() {
    let mustWake = line.withLock { line in
      line.holders -= 1
      if line.holders == 0 { line.isFinished = true }
      return line.isFinished && line.mustWake()
    }
    if mustWake { ring() }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = line.withLock { line in
      line.turns.append(.job(job))
      return line.mustWake()
    }
    if mustWake { ring() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  public func checkIsolated() { assertCurrent() }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

/// The thread.
extension BusExecutor {
  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    while true {
      workThroughLine()
      takeTurns()
      soundAlarms()
      if line.withLock({ $0.isFinished && $0.work.isEmpty && $0.turns.isEmpty }) { break }
      wait()
    }
    alarms = []
    thread.store(0, ordering: .relaxed)
  }

  private func workThroughLine() {
    // Work that gives work comes here again: the outer loop does it in its turn.
    if isWorking { return }
    isWorking = true
    while true {
      let batch = line.withLock { line in
        let batch = line.work
        line.work = []
        return batch
      }
      if batch.isEmpty { break }
      for work in batch { work() }
    }
    isWorking = false
  }

  private func takeTurns() {
    let turns = line.withLock { line in
      defer { line.turns = [] }
      return line.turns
    }
    for turn in turns {
      switch turn {
      case .job(let job):
        unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      case .work(let work): work()
      }
    }
  }

  private func soundAlarms() {
    guard let next = alarms.last, next.time <= monotonicTime() else { return }
    let now = monotonicTime()
    while let alarm = alarms.last, alarm.time <= now {
      alarms.removeLast()
      alarm.body()
    }
  }

  /// Waits for the bell, the socket and the next alarm, and serves the socket.
  private func wait() {
    descriptors.removeAll(keepingCapacity: true)
    descriptors.append(pollfd(fd: bell.rawValue, events: Int16(POLLIN), revents: 0))
    let socket = socket
    socket?.addDescriptors(to: &descriptors)
    var limit: Int64 = socket?.hasMore == true ? 0 : waitingTime
    line.withLock { line in
      line.isAsleep = line.work.isEmpty && line.turns.isEmpty && limit != 0
      if !line.isAsleep { limit = 0 }
    }
    let count = unsafe descriptors.withUnsafeMutableBufferPointer { list in
      unsafe clinux_poll(list.baseAddress, UInt32(list.count), limit)
    }
    line.withLock { $0.isAsleep = false }
    // Interrupted, or out of kernel memory: nothing is known to be ready.
    if count < 0 { for index in descriptors.indices { descriptors[index].revents = 0 } }
    if descriptors[0].revents != 0 { silence() }
    // What was given before a message came is done before that message is read.
    workThroughLine()
    if let socket, socket === self.socket { socket.serve(descriptors.dropFirst()) }
  }

  /// Nanoseconds until the next alarm; negative for none.
  private var waitingTime: Int64 {
    guard let next = alarms.last else { return -1 }
    let now = monotonicTime()
    return next.time <= now ? 0 : Int64(next.time - now)
  }

  private func ring() {
    var one: UInt64 = 1
    _ = unsafe write(bell.rawValue, &one, 8)
  }

  private func silence() {
    var count: UInt64 = 0
    _ = unsafe read(bell.rawValue, &count, 8)
  }
}
