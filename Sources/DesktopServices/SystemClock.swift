internal import CLinux
internal import Dispatch
public import FoundationEssentials
internal import Glibc
public import NotificationBridge
internal import Synchronization

/// The system's wall clock: waits by a kernel timer that also ends when the clock is set. Nothing wakes in between.
///
/// Source: timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`.
public struct SystemClock: WallClock {
  public init() {}

  public var now: Date { Date() }

  public func wake(at deadline: Date, _ body: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let wait = Wait(body)
    wait.start(until: deadline)
    return Holder(wait)
  }

  /// Ends the wait when it is released.
  private final class Holder: Sendable {
    private let wait: Wait
    init(_ wait: Wait) { self.wait = wait }
    deinit { wait.cancel() }
  }

  /// One wait; ends once, by the timer, a change of the clock, or cancellation.
  private final class Wait: Sendable {
    private struct State: Sendable {
      var body: (@Sendable () -> Void)?
      var cancelTimer: (@Sendable () -> Void)?
    }
    private let state: Mutex<State>
    private static let queue = DispatchQueue(label: "org.notifybridge.clock")

    init(_ body: @escaping @Sendable () -> Void) { state = Mutex(State(body: body)) }

    func start(until deadline: Date) {
      let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      // Without a timer the caller looks at the clock again at once; it must not spin, so it sleeps a little here.
      guard descriptor >= 0 else { return endLater() }
      let instant = max(deadline.timeIntervalSince1970, 1)
      var time = itimerspec()
      time.it_value.tv_sec = Int(min(instant.rounded(.down), 0x7FFF_FFFF_FFFF))
      time.it_value.tv_nsec = Int((instant - instant.rounded(.down)) * 1e9)
      let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
      guard unsafe timerfd_settime(descriptor, flags, &time, nil) == 0 else {
        close(descriptor)
        return endLater()
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
      source.setEventHandler { [weak self] in self?.end() }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      // Sources may be cancelled from any thread; libdispatch says so, its Swift overlay does not.
      nonisolated(unsafe) let cancellable = source
      let isLate = state.withLock { state in
        if state.body != nil { state.cancelTimer = { unsafe cancellable.cancel() } }
        return state.body == nil
      }
      if isLate { source.cancel() }
    }

    func cancel() { finish()?() }

    private func end() {
      let body = state.withLock { $0.body }
      cancel()
      body?()
    }

    /// - Returns: what cancels the timer.
    private func finish() -> (@Sendable () -> Void)? {
      state.withLock { state in
        state.body = nil
        return state.cancelTimer.take()
      }
    }

    private func endLater() {
      Self.queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.end() }
    }
  }
}
