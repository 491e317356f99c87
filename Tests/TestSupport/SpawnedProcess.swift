import CLinux
import Foundation
import Glibc
import Synchronization

/// One child process and the thread that feeds it, reads it, watches its time and reaps it.
///
/// Foundation's `Process` is not used: its pipes leak into other children that start at the same moment, and then
/// nobody sees the end of an output.
final class SpawnedProcess: Sendable {
  let program: String
  let processID: Int32
  private let timeLimit: Duration
  private let wake: Int32
  private let state: Mutex<State>

  private struct State {
    var outputs: [Int32: [UInt8]]
    var lineStart = 0
    var pendingInput: [UInt8]
    var inputEnds: Bool
    var terminates = false
    var isReaped = false
    var result: BinaryResult?
    var waiting: [CheckedContinuation<BinaryResult, Never>] = []
  }

  init(
    program: String, arguments: [String], environment: [String: String], directory: String?, input: [UInt8]?,
    keepsInputOpen: Bool, outputs: Set<Int32>, timeLimit: Duration
  ) throws {
    var plan = try SpawnPlan(hasInput: input != nil, outputs: outputs.sorted())
    defer { plan.closeChildEnds() }
    self.program = program
    self.timeLimit = timeLimit
    state = Mutex(
      State(
        outputs: Dictionary(uniqueKeysWithValues: outputs.map { ($0, []) }), pendingInput: input ?? [],
        inputEnds: !keepsInputOpen))
    do {
      processID = try plan.spawn(program, arguments, environment, directory)
    } catch {
      plan.closeOurEnds()
      throw error
    }
    let watch = clinux_pidfd_open(processID)
    wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    if watch < 0 || wake < 0 {
      let failure = errno
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
      close(watch)
      plan.closeOurEnds()
      throw RunnerError("\(program) cannot be watched: error \(failure)")
    }
    let loop = ProcessLoop(process: self, watch: watch, wake: wake, input: plan.input, outputs: plan.outputs)
    let start = ContinuousClock.now
    Thread.detachNewThread {
      var loop = loop
      loop.run(from: start)
    }
  }

  deinit { close(wake) }

  // MARK: For the runner, from any thread

  var hasEnded: Bool { state.withLock { $0.result != nil } }

  func collected(_ descriptor: Int32) -> [UInt8] { state.withLock { $0.outputs[descriptor] ?? [] } }

  func takeLine() -> String? {
    state.withLock { state in
      let bytes = (state.outputs[1] ?? [])[state.lineStart...]
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      state.lineStart = end + 1
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }

  func write(_ bytes: [UInt8], last: Bool) {
    state.withLock {
      $0.pendingInput += bytes
      $0.inputEnds = $0.inputEnds || last
    }
    eventfd_write(wake, 1)
  }

  /// The lock keeps the number ours: it is reaped under the same one.
  func signal(_ number: Int32) {
    state.withLock { if !$0.isReaped { kill(processID, number) } }
  }

  func terminate() {
    state.withLock { $0.terminates = true }
    eventfd_write(wake, 1)
  }

  func result() async -> BinaryResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.waiting.append(continuation) }
          return state.result
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      terminate()
    }
  }

  // MARK: For the loop, on its thread

  fileprivate var limit: Duration { timeLimit }
  fileprivate var isToEnd: Bool { state.withLock { $0.terminates } }

  /// What is to be written next; nil when the input has ended.
  fileprivate func nextInput() -> [UInt8]? {
    state.withLock { $0.pendingInput.isEmpty && $0.inputEnds ? nil : Array($0.pendingInput.prefix(65_536)) }
  }

  fileprivate func wrote(_ count: Int) { state.withLock { $0.pendingInput.removeFirst(count) } }

  fileprivate func add(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    state.withLock { $0.outputs[descriptor, default: []] += bytes }
  }

  /// How it ended; called when the watch descriptor says that it has.
  fileprivate func reap() -> BinaryResult.Ending {
    state.withLock { state in
      var status: Int32 = 0
      while unsafe waitpid(processID, &status, 0) < 0 && errno == EINTR {}
      state.isReaped = true
      return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
    }
  }

  fileprivate func finish(_ ending: BinaryResult.Ending, timedOut: Bool, leftOpen: Bool, duration: Duration) {
    let (result, waiting) = state.withLock { state in
      let result = BinaryResult(
        ending: ending, timedOut: timedOut, outputs: state.outputs, leftOutputsOpen: leftOpen, duration: duration)
      state.result = result
      defer { state.waiting = [] }
      return (result, state.waiting)
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }
}

/// The thread of one child: waits for all its descriptors at once, never for one alone.
private struct ProcessLoop {
  let process: SpawnedProcess
  let watch: Int32
  let wake: Int32
  var input: Int32?
  var outputs: [(number: Int32, ours: Int32)]

  mutating func run(from start: ContinuousClock.Instant) {
    // A program that ends without reading its input must not end us.
    var pipeSignal = sigset_t()
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)

    let clock = ContinuousClock()
    var deadline = start + process.limit
    var (timedOut, isTerminated, isKilled) = (false, false, false)
    var ending: BinaryResult.Ending?
    var duration = Duration.zero
    while ending == nil || !outputs.isEmpty {
      let wantsEnd = ending == nil && !isTerminated && process.isToEnd
      if wantsEnd || clock.now >= deadline {
        if ending != nil { break }
        if isTerminated {
          isKilled = true
          process.signal(SIGKILL)
        } else {
          timedOut = !wantsEnd
          isTerminated = true
          process.signal(SIGTERM)
        }
        deadline = clock.now + (isKilled ? .seconds(60) : .seconds(8))
      }
      if wait(clock.now.duration(to: deadline), watches: ending == nil) {
        ending = process.reap()
        duration = start.duration(to: clock.now)
        deadline = clock.now + .seconds(1)
        closeInput()
      }
    }
    let leftOpen = !outputs.isEmpty
    for output in outputs { close(output.ours) }
    close(watch)
    process.finish(ending ?? .signalled(SIGKILL), timedOut: timedOut, leftOpen: leftOpen, duration: duration)
  }

  /// Serves what is ready, and says whether the child has ended.
  private mutating func wait(_ limit: Duration, watches: Bool) -> Bool {
    if input != nil, process.nextInput() == nil { closeInput() }
    let hasInput = process.nextInput()?.isEmpty == false
    var ready = [
      pollfd(fd: watches ? watch : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasInput ? input ?? -1 : -1, events: Int16(POLLOUT), revents: 0),
    ]
    ready += outputs.map { pollfd(fd: $0.ours, events: Int16(POLLIN), revents: 0) }
    let milliseconds = Int32(min(max(limit / .milliseconds(1), 0), 60_000).rounded(.up))
    if unsafe poll(&ready, nfds_t(ready.count), milliseconds) <= 0 { return false }
    if ready[1].revents != 0 {
      var count: eventfd_t = 0
      unsafe eventfd_read(wake, &count)
    }
    if ready[2].revents != 0 { writeInput() }
    let readable = Set(ready.dropFirst(3).filter { $0.revents != 0 }.map(\.fd))
    outputs = outputs.filter { !readable.contains($0.ours) || read($0.ours, as: $0.number) }
    return ready[0].revents != 0
  }

  private mutating func closeInput() {
    if let input { close(input) }
    input = nil
  }

  private mutating func writeInput() {
    guard let input, let bytes = process.nextInput() else { return }
    let count = unsafe bytes.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
    if count > 0 {
      process.wrote(count)
    } else if errno != EAGAIN && errno != EINTR {
      closeInput()
    }
  }

  /// False at the end of the output, which is then closed.
  private func read(_ descriptor: Int32, as number: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { process.add(buffer[..<count], to: number) }
    if count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR) { return true }
    close(descriptor)
    return false
  }
}
