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

  public func wait(until deadline: Date) async {
    let wait = Wait()
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait.start(until: deadline, $0) }
    } onCancel: {
      wait.end()
    }
  }

  /// One wait; ends once, by the timer, a change of the clock, or cancellation.
  private final class Wait: Sendable {
    private struct State: Sendable {
      var hasEnded = false
      var continuation: CheckedContinuation<Void, Never>?
      var cancelTimer: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())
    private static let queue = DispatchQueue(label: "org.notifybridge.clock")

    func start(until deadline: Date, _ continuation: CheckedContinuation<Void, Never>) {
      let isOver = state.withLock { state in
        if !state.hasEnded { state.continuation = continuation }
        return state.hasEnded
      }
      if isOver { return continuation.resume() }
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
        if !state.hasEnded { state.cancelTimer = { unsafe cancellable.cancel() } }
        return state.hasEnded
      }
      if isLate { source.cancel() }
    }

    func end() {
      let (continuation, cancelTimer) = state.withLock { state in
        defer {
          state.hasEnded = true
          state.continuation = nil
          state.cancelTimer = nil
        }
        return (state.continuation, state.cancelTimer)
      }
      cancelTimer?()
      continuation?.resume()
    }

    private func endLater() {
      Self.queue.asyncAfter(deadline: .now() + .seconds(1)) { self.end() }
    }
  }
}
