internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread for all that this target waits for: descriptors (timers, pipes, children, watched folders) and time
/// limits. It starts with the first use and sleeps without limit while nothing is due.
///
/// A thread with `poll` and not libdispatch: dispatch's worker pool has a monitor that wakes the process every second
/// once a worker exists, and the resident bridge must not wake up while idle.
///
/// Unchecked since the plain variables are touched on the thread only; `perform` is the only way there.
final class ServiceThread: @unchecked Sendable {
  /// The thread of this process.
  static let shared = ServiceThread()

  /// Names something watched or due; never used twice.
  typealias Token = UInt64

  private struct Line {
    var work: [@Sendable () -> Void] = []
    /// -1 until the thread runs.
    var bell: Int32 = -1
    /// True while the thread waits and nobody has rung yet.
    var isAsleep = false
  }

  private struct Watched {
    let descriptor: Int32
    let events: Int16
    let handler: (Int16) -> Void
  }

  private struct Alarm {
    let time: UInt64
    let token: Token
    let body: () -> Void
  }

  private let line = Mutex(Line())
  private let thread = Atomic<UInt>(0)
  private let lastToken = Atomic<Token>(0)
  private var watched: [Token: Watched] = [:]
  /// The soonest comes last.
  private var alarms: [Alarm] = []

  /// Does `work` on the thread, behind all work given before. `work` must not block.
  /// - Returns: false, with nothing done, if the system has no thread or descriptor left for us.
  @discardableResult
  func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
    let bell: Int32? = line.withLock { line in
      guard isStarted(&line) else { return nil }
      line.work.append(work)
      defer { line.isAsleep = false }
      return line.isAsleep ? line.bell : -1
    }
    guard let bell else { return false }
    if bell >= 0 { eventfd_write(bell, 1) }
    return true
  }

  /// A number for something that is about to be watched or due.
  func newToken() -> Token { lastToken.add(1, ordering: .relaxed).newValue }

  // MARK: On the thread only

  /// Calls `handler` with the events that came, each time that there are any, until ``forget(_:)``.
  func watch(_ descriptor: Int32, for events: Int32, as token: Token, _ handler: @escaping (Int16) -> Void) {
    assertCurrent()
    watched[token] = Watched(descriptor: descriptor, events: Int16(events), handler: handler)
  }

  /// Calls `body` once, `delay` from now, unless ``forget(_:)`` comes first.
  func schedule(after delay: Duration, as token: Token, _ body: @escaping () -> Void) {
    assertCurrent()
    let time = Self.time(after: delay)
    let index = alarms.firstIndex { $0.time <= time } ?? alarms.count
    alarms.insert(Alarm(time: time, token: token, body: body), at: index)
  }

  /// Ends what has this number; a number that stands for nothing any more is no mistake.
  func forget(_ token: Token) {
    assertCurrent()
    if watched.removeValue(forKey: token) == nil { alarms.removeAll { $0.token == token } }
  }

  /// True on the thread.
  private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func assertCurrent() { precondition(isCurrent, "not on the service thread") }

  /// Starts the thread if it does not run yet.
  private func isStarted(_ line: inout Line) -> Bool {
    if line.bell >= 0 { return true }
    let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else { return false }
    guard DetachedThread.start(name: "nb-services", { [self] in run(bell) }) else {
      close(bell)
      return false
    }
    line.bell = bell
    return true
  }

  private func run(_ bell: Int32) {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    while true {
      workThroughLine()
      soundAlarms()
      wait(bell)
    }
  }

  private func workThroughLine() {
    while true {
      let batch = line.withLock { line in
        defer { line.work = [] }
        return line.work
      }
      if batch.isEmpty { return }
      for work in batch { work() }
    }
  }

  private func soundAlarms() {
    while let alarm = alarms.last, alarm.time <= clinux_monotonic_time() {
      alarms.removeLast()
      alarm.body()
    }
  }

  private func wait(_ bell: Int32) {
    var list = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    var tokens: [Token] = []
    for (token, entry) in watched {
      list.append(pollfd(fd: entry.descriptor, events: entry.events, revents: 0))
      tokens.append(token)
    }
    var limit: Int64 = -1
    if let next = alarms.last?.time {
      let now = clinux_monotonic_time()
      limit = next <= now ? 0 : Int64(clamping: next - now)
    }
    line.withLock { line in
      line.isAsleep = line.work.isEmpty
      if !line.isAsleep { limit = 0 }
    }
    let count = unsafe list.withUnsafeMutableBufferPointer { buffer in
      unsafe clinux_poll(buffer.baseAddress, UInt32(buffer.count), limit)
    }
    line.withLock { $0.isAsleep = false }
    // Interrupted, or out of kernel memory: nothing is known to be ready.
    if count <= 0 { return }
    if list[0].revents != 0 {
      var rings: eventfd_t = 0
      _ = unsafe eventfd_read(bell, &rings)
    }
    // An earlier handler may have ended a later one's watch.
    for (index, token) in tokens.enumerated() where list[index + 1].revents != 0 {
      watched[token]?.handler(list[index + 1].revents)
    }
  }

  /// The monotonic time in nanoseconds; what would be beyond a century is cut.
  private static func time(after delay: Duration) -> UInt64 {
    let seconds = min(max(delay / .seconds(1), 0), 3e9)
    return clinux_monotonic_time() + UInt64(seconds * 1e9)
  }
}

/// Something that happens once on the ``ServiceThread`` after a while, unless it is cancelled.
public struct ServiceTimer: Sendable {
  private let token: ServiceThread.Token

  /// - Parameter body: called on the service thread; it must not block. If that thread cannot be had, at once.
  public init(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    let thread = ServiceThread.shared
    let token = thread.newToken()
    self.token = token
    if !thread.perform({ thread.schedule(after: delay, as: token, body) }) { body() }
  }

  /// After this the body is not begun any more, but may be running.
  public func cancel() {
    let token = token
    ServiceThread.shared.perform { ServiceThread.shared.forget(token) }
  }
}
