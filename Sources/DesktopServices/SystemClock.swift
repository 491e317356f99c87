internal import CLinux
internal import Dispatch
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

  public func wake(at deadline: Date, _ body: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let wait = ClockWait(body)
    wait.start(until: deadline, zone)
    return Holder(wait)
  }

  /// As ``wake(at:_:)``, for a task; ends also when the task is cancelled.
  public nonisolated(nonsending) func wait(until deadline: Date) async {
    let once = Mutex<(isOver: Bool, continuation: CheckedContinuation<Void, Never>?)>((false, nil))
    let end: @Sendable () -> Void = {
      let continuation = once.withLock { state in
        state.isOver = true
        return state.continuation.take()
      }
      continuation?.resume()
    }
    let wait = ClockWait(end)
    await withTaskCancellationHandler {
      wait.start(until: deadline, zone)
      await withCheckedContinuation { continuation in
        let isOver = once.withLock { state in
          if !state.isOver { state.continuation = continuation }
          return state.isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wait.cancel()
      end()
    }
  }

  /// Ends the wait when it is released.
  private final class Holder: Sendable {
    private let wait: ClockWait
    init(_ wait: ClockWait) { self.wait = wait }
    deinit { wait.cancel() }
  }
}

/// One wait; ends once, by the timer, a change of the clock or the zone, or cancellation.
private final class ClockWait: Sendable {
  private struct State: Sendable {
    /// Nil: it has ended.
    var body: (@Sendable () -> Void)?
    var stop: (@Sendable () -> Void)?
  }
  private let state: Mutex<State>

  init(_ body: @escaping @Sendable () -> Void) { state = Mutex(State(body: body)) }

  func start(until deadline: Date, _ zone: ZoneWatcher) {
    let thread = ServiceThread.shared
    guard let timer = Self.timer(deadline) else { return endLater() }
    let token = thread.newToken()
    let isWatched = thread.perform { [self] in
      thread.watch(timer, for: POLLIN, as: token) { [self] _ in end() }
      zone.add(token) { [self] in end() }
    }
    guard isWatched else {
      close(timer)
      return endLater()
    }
    let stop: @Sendable () -> Void = {
      thread.perform {
        thread.forget(token)
        zone.remove(token)
        close(timer)
      }
    }
    let isLate = state.withLock { state in
      if state.body != nil { state.stop = stop }
      return state.body == nil
    }
    if isLate { stop() }
  }

  func cancel() { finish().stop?() }

  /// False: it had ended before.
  @discardableResult
  private func end() -> Bool {
    let (body, stop) = finish()
    stop?()
    body?()
    return body != nil
  }

  private func finish() -> (body: (@Sendable () -> Void)?, stop: (@Sendable () -> Void)?) {
    state.withLock { state in (state.body.take(), state.stop.take()) }
  }

  /// Without a timer the caller looks at the clock again; it must not spin, so that takes a little.
  private func endLater() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { self.end() }
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
