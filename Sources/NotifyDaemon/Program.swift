internal import DBus
internal import Dispatch
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// The process: starts the bridge, waits for the signal that ends it, and ends it in order.
enum Program {
  static let version = "0.1.0"
  static let help = """
    Usage: notify-bridged [--version]

    The resident bridge of notify-bridge. The session bus starts it when somebody asks for org.notifybridge.Bridge1;
    see notify-bridged(8).
    """

  static func print(_ text: String, to descriptor: Int32) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  }

  /// - Returns: the exit status.
  static func run() -> Int32 {
    // Before there is any thread: the signals are this one's to take.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let log = ErrorLog()
    let executor: BusExecutor
    do throws(BusError) {
      executor = try BusExecutor()
    } catch {
      log.write(.error, error.description)
      return 1
    }
    executor.hold()
    let outcome = Mutex<Int32?>(nil)
    let ending = Ending { status in
      outcome.withLock { $0 = status }
      // Wakes the thread that waits for signals.
      kill(getpid(), SIGUSR1)
    }
    let daemon = Mutex<Daemon?>(nil)
    Task(executorPreference: executor) {
      do throws(StartError) {
        let made = try await Daemon.start(on: executor, log: log, ending: ending)
        daemon.withLock { $0 = made }
      } catch {
        log.write(error.status == 0 ? .info : .error, error.message)
        ending.end(error.status)
      }
    }
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      if let status = outcome.withLock({ $0 }) {
        if let running = daemon.withLock({ $0 }) { stop(running, executor) }
        return status
      }
      switch number {
      case SIGHUP: daemon.withLock { $0 }?.reload()
      case SIGTERM, SIGINT:
        guard let running = daemon.withLock({ $0 }) else { return 0 }
        stop(running, executor)
        return 0
      default: break
      }
    }
  }

  /// Lets the bridge end in order; a bus that does not take anything is not waited for.
  private static func stop(_ daemon: Daemon, _ executor: BusExecutor) {
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: executor) {
      await daemon.stop()
      done.signal()
    }
    _ = done.wait(timeout: .now() + .seconds(5))
  }
}

/// Ends the process from within.
struct Ending: Sendable {
  let end: @Sendable (Int32) -> Void
  init(_ end: @escaping @Sendable (Int32) -> Void) { self.end = end }
}

/// Why the bridge does not start.
struct StartError: Error {
  let status: Int32
  let message: String
}
