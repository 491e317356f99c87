internal import DBus
internal import Dispatch
internal import FreedesktopNotifications
internal import Glibc

/// Everything that wakes the daemon, in one ordered stream.
enum HostEvent: Sendable {
  case notify(ReceivedNotification, NotifyAnswer)
  case close(UInt32, CloseAnswer)
  case input([UInt8])
  case inputEnded
  case timer
  case signal(Int32)
  case nameLost
  case busLost(BusError)
}

/// Puts what peers ask for into the stream.
final class ServiceCalls: NotificationServiceDelegate {
  private let events: AsyncStream<HostEvent>.Continuation

  init(_ events: AsyncStream<HostEvent>.Continuation) { self.events = events }

  func notify(_ notification: ReceivedNotification, answer: NotifyAnswer) {
    events.yield(.notify(notification, answer))
  }
  func close(serverID: UInt32, answer: CloseAnswer) { events.yield(.close(serverID, answer)) }
}

/// Puts keys, signals and the passing of time into the stream.
final class HostSources {
  private let events: AsyncStream<HostEvent>.Continuation
  private let queue = DispatchQueue(label: "notify-bridge.terminal")
  private var signals: [any DispatchSourceSignal] = []
  private let timer: any DispatchSourceTimer

  init(_ events: AsyncStream<HostEvent>.Continuation) {
    self.events = events
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { events.yield(.timer) }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
  }

  /// Takes signals over: they come as events and do nothing else.
  func watch(signals numbers: [Int32]) {
    for number in numbers {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [events] in events.yield(.signal(number)) }
      source.activate()
      signals.append(source)
    }
  }

  /// Wakes us once after `delay`; nil never. There is one timer: a new time takes the place of the old one.
  func wake(after delay: Duration?) {
    guard let delay else { return timer.schedule(deadline: .distantFuture) }
    let (seconds, attoseconds) = max(.zero, delay).components
    // Rounded up, so that what was waited for is due when it comes; a year is as good as longer.
    let nanoseconds = min(seconds, 31_536_000) * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
    timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)), leeway: .milliseconds(1))
  }

  /// Reads stdin until it ends. It waits in a thread of its own, since not everything that stdin may be can be
  /// watched; the thread ends with the process.
  func readInput() {
    let events = events
    DispatchQueue(label: "notify-bridge.terminal.input").async {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count > 0 {
          events.yield(.input(Array(buffer[..<count])))
        } else if count < 0, errno == EINTR {
          continue
        } else if count < 0, errno == EAGAIN {
          var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
          _ = unsafe poll(&wait, 1, -1)
        } else {
          events.yield(.inputEnded)
          return
        }
      }
    }
  }

  func stop() {
    timer.cancel()
    for source in signals { source.cancel() }
  }
}
