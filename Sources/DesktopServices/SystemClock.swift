internal import CLinux
public import FoundationEssentials
internal import Glibc
public import NotificationBridge
internal import Synchronization

/// The system's wall clock: waits by a kernel timer that also ends when the clock is set or the zone is changed.
/// Nothing wakes in between.
///
/// Source: timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`; inotify(7) on the entries `/etc/localtime` and `/etc/timezone`.
public struct SystemClock: WallClock {
  private let zone: ZoneWatcher

  /// - Parameter root: the folder that stands for `/`; tests have their own.
  public init(root: String = "/") { zone = ZoneWatcher.watcher(of: root) }

  public var now: Date { Date() }

  public nonisolated(nonsending) func wait(until deadline: Date) async {
    let wait = ClockWait()
    await withTaskCancellationHandler {
      let isStarted = await withCheckedContinuation { wait.start(until: deadline, zone, $0) }
      // Without a timer the caller looks at the clock again at once; it must not spin, so it sleeps a little here.
      if !isStarted { try? await Task.sleep(for: .seconds(1)) }
    } onCancel: {
      wait.end()
    }
  }
}

/// One wait; ends once, by the timer, a change of the clock or the zone, or cancellation.
private final class ClockWait: Sendable {
  private struct State: Sendable {
    var hasEnded = false
    /// Given false when the system has no timer left.
    var continuation: CheckedContinuation<Bool, Never>?
    var stop: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())

  func start(until deadline: Date, _ zone: ZoneWatcher, _ continuation: CheckedContinuation<Bool, Never>) {
    let isOver = state.withLock { state in
      if !state.hasEnded { state.continuation = continuation }
      return state.hasEnded
    }
    if isOver { return continuation.resume(returning: true) }
    let thread = ServiceThread.shared
    guard let timer = Self.timer(deadline) else { return end(isStarted: false) }
    let token = thread.newToken()
    let isWatched = thread.perform { [self] in
      thread.watch(timer, for: POLLIN, as: token) { [self] _ in end() }
      zone.add(token) { [self] in end() }
    }
    guard isWatched else {
      close(timer)
      return end(isStarted: false)
    }
    let stop: @Sendable () -> Void = {
      thread.perform {
        thread.forget(token)
        zone.remove(token)
        close(timer)
      }
    }
    let isLate = state.withLock { state in
      if !state.hasEnded { state.stop = stop }
      return state.hasEnded
    }
    if isLate { stop() }
  }

  func end(isStarted: Bool = true) {
    let (continuation, stop) = state.withLock { state in
      defer {
        state.hasEnded = true
        state.continuation = nil
        state.stop = nil
      }
      return (state.continuation, state.stop)
    }
    stop?()
    continuation?.resume(returning: isStarted)
  }

  private static func timer(_ deadline: Date) -> Int32? {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // Long before and long after every date that there is; also what is no number at all.
    let seconds = deadline.timeIntervalSince1970
    let instant = seconds > 1 ? min(seconds, 1e12) : 1
    var time = itimerspec()
    time.it_value.tv_sec = Int(instant.rounded(.down))
    time.it_value.tv_nsec = Int((instant - instant.rounded(.down)) * 1e9)
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    if unsafe timerfd_settime(descriptor, flags, &time, nil) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
