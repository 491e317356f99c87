internal import DBus
internal import Glibc

/// A program that we talk with by lines, over its standard input and output, for as long as it lives: under the user
/// manager where one is given and there, else as a child of this process. Under neither does a shell see it, and it has
/// no descriptor but the three.
///
/// What it says comes in batches; the next one is read after ``proceed()``, so that one that writes without end waits
/// instead of filling our memory. All but the public methods runs on the service thread; unchecked since the plain
/// variables are touched there only.
public final class LineProgram: @unchecked Sendable {
  public struct Limits: Sendable {
    /// The longest line that it may write, in bytes.
    public var line = 1 << 20
    /// How much of what it was told it may leave unread, in bytes.
    public var unread = 4 << 20
    /// How long after the end of its input it gets SIGTERM, and how long after that SIGKILL.
    public var endDelay = Duration.seconds(2)
    public var killDelay = Duration.seconds(2)

    public init() {}
  }

  public enum Event: Sendable {
    /// Whole lines without their ends. No more is read until ``LineProgram/proceed()``.
    case lines([[UInt8]])
    /// What it wrote to standard error, cut to 4 KiB a line.
    case errors([String])
    /// It keeps to no limit: why. No more is read; it is to be ended.
    case broke(String)
    /// It has ended; nil: how is not known. The last event.
    case ended(CommandEnding?)
    /// It did not start. The last event.
    case failed(CommandError)
  }

  /// How long after its end its outputs are read, if something else still holds them; and how long after the end of its
  /// output it may live.
  private static let drainLimit = Duration.seconds(1)
  private static let errorLineLimit = 4096

  /// Who runs it.
  private enum Home {
    case child(pid_t)
    case unit(TransientUnits, UnitName)
  }

  /// Our end of a pipe.
  private struct End {
    var descriptor: Int32 = -1
    let token: ServiceThread.Token
    var isOpen = false
    var partial: [UInt8] = []
  }

  private let thread = ServiceThread.shared
  private let command: Command
  private let inherited: [String: String]
  private let units: TransientUnits?
  private let executor: (any TaskExecutor)?
  private let description: String
  private let limits: Limits
  private let events: @Sendable (Event) -> Void

  private var home: Home?
  private var input, output, errors: End
  private var unsent: ArraySlice<UInt8> = []
  private var isPaused = false
  private var isEnding = false
  private var hasExited = false
  private var isFinished = false
  private let alarm: ServiceThread.Token
  private let errorAlarm: ServiceThread.Token

  /// Starts the program; what comes of it is an event.
  /// - Parameters:
  ///   - command: its input does not count; its time limit does under the user manager, for when we are not there to end
  ///     it; 0 is none.
  ///   - inherited: variables beneath the command's, when it is a child; the user manager has its own.
  ///   - units: nil: as a child.
  ///   - executor: where calls of the user manager are waited for.
  ///   - description: a line for people, shown by `systemctl`.
  ///   - events: called in order, on any thread; must not block.
  public init(
    _ command: Command, inherited: [String: String] = [:], under units: TransientUnits? = nil,
    on executor: (any TaskExecutor)? = nil, description: String, limits: Limits = Limits(),
    _ events: @escaping @Sendable (Event) -> Void
  ) {
    self.command = command
    self.inherited = inherited
    self.units = units
    self.executor = executor
    self.description = description
    self.limits = limits
    self.events = events
    input = End(token: thread.newToken())
    output = End(token: thread.newToken())
    errors = End(token: thread.newToken())
    alarm = thread.newToken()
    errorAlarm = thread.newToken()
    if !BlockingWork.start({ self.start() }) {
      events(.failed(CommandError(.refused, "'\(command.program)' cannot be started: no thread is left")))
    }
  }

  /// Tells it something, behind all that it was told before.
  public func send(_ bytes: [UInt8]) {
    thread.perform { [self] in
      guard !isFinished, !isEnding else { return }
      guard unsent.count + bytes.count <= limits.unread else { return breaks("it does not read what it is told") }
      let wasEmpty = unsent.isEmpty
      unsent += bytes
      if wasEmpty, input.isOpen { watchInput() }
    }
  }

  /// Reads on after a batch of lines.
  public func proceed() {
    thread.perform { [self] in
      isPaused = false
      if output.isOpen { watchOutput() }
    }
  }

  /// Ends it: the end of its input, and SIGTERM and SIGKILL to it and what it started if it does not heed that. What it
  /// says from now on is not heard.
  public func end() {
    thread.perform { [self] in
      if !isFinished, !isEnding { beginEnd() }
    }
  }

  // MARK: Starting

  private func start() {
    if let fault = command.fault() { return events(.failed(CommandError(.invalid, fault))) }
    var pipes: [Pipe] = []
    do throws(CommandError) {
      for _ in 0..<3 { pipes.append(try Pipe()) }
      let flags = fcntl(pipes[0].writing, F_GETFL)
      _ = fcntl(pipes[0].writing, F_SETFL, flags | O_NONBLOCK)
      if let units {
        start(under: units, pipes)
      } else {
        try startChild(pipes)
      }
    } catch {
      for pipe in pipes { pipe.close() }
      events(.failed(error))
    }
  }

  private func startChild(_ pipes: [Pipe]) throws(CommandError) {
    var command = command
    command.environment = inherited.merging(command.environment) { $1 }
    let child = try Spawn.start(
      command, stands: .ours(input: pipes[0].reading, output: pipes[1].writing, errors: pipes[2].writing))
    if thread.perform({ self.begin(.child(child), pipes) }) { return }
    // Without the thread nothing could read or end it.
    kill(-child, SIGKILL)
    _ = ExitWatch.reap(child)
    throw CommandError(.uncertain, "'\(command.program)' was ended at once, since no thread is left to watch it")
  }

  private func start(under units: TransientUnits, _ pipes: [Pipe]) {
    Task(executorPreference: executor) {
      do throws(CommandError) {
        let unit = try await units.startConversing(
          self.command, description: self.description, input: pipes[0].reading, output: pipes[1].writing,
          errors: pipes[2].writing)
        self.thread.perform { self.begin(.unit(units, unit), pipes) }
      } catch  where error.code == .unavailable {
        let isStarted = BlockingWork.start {
          do throws(CommandError) {
            try self.startChild(pipes)
          } catch {
            for pipe in pipes { pipe.close() }
            self.events(.failed(error))
          }
        }
        if !isStarted {
          for pipe in pipes { pipe.close() }
          self.events(.failed(error))
        }
      } catch {
        for pipe in pipes { pipe.close() }
        self.events(.failed(error))
      }
    }
  }

  // MARK: On the service thread

  private func begin(_ home: Home, _ pipes: [Pipe]) {
    Glibc.close(pipes[0].reading)
    Glibc.close(pipes[1].writing)
    Glibc.close(pipes[2].writing)
    self.home = home
    (input.descriptor, input.isOpen) = (pipes[0].writing, true)
    (output.descriptor, output.isOpen) = (pipes[1].reading, true)
    (errors.descriptor, errors.isOpen) = (pipes[2].reading, true)
    watchOutput()
    watchErrors()
    if !unsent.isEmpty { watchInput() }
    if case .child(let child) = home { ExitWatch.watch(child) { [self] in exited() } }
    if isEnding { beginEnd() }
  }

  private func watchInput() { thread.watch(input.descriptor, for: POLLOUT, as: input.token) { [self] _ in write() } }
  private func watchOutput() { thread.watch(output.descriptor, for: POLLIN, as: output.token) { [self] _ in read() } }
  private func watchErrors() {
    thread.watch(errors.descriptor, for: POLLIN, as: errors.token) { [self] _ in readErrors() }
  }

  private func write() {
    let count = unsafe unsent.withUnsafeBytes { unsafe Glibc.write(input.descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      unsent = unsent.dropFirst(count)
      if !unsent.isEmpty { return }
      unsent = []
      thread.forget(input.token)
    } else if errno != EAGAIN, errno != EINTR {
      // A program need not read what it is told.
      unsent = []
      close(\.input)
    }
  }

  private func read() {
    guard let bytes = take(\.output) else {
      close(\.output)
      return outputEnded()
    }
    var lines: [[UInt8]] = []
    split(bytes, &output.partial) { lines.append($0) }
    if output.partial.count > limits.line || lines.contains(where: { $0.count > limits.line }) {
      return breaks("it wrote a line of over \(limits.line) bytes")
    }
    guard !lines.isEmpty else { return }
    isPaused = true
    thread.forget(output.token)
    events(.lines(lines))
  }

  private func readErrors() {
    guard let bytes = take(\.errors) else {
      close(\.errors)
      if case .unit? = home, isEnding { finish(nil) }
      return
    }
    var lines: [String] = []
    split(bytes, &errors.partial) { lines.append(String(decoding: $0.prefix(Self.errorLineLimit), as: UTF8.self)) }
    if errors.partial.count > Self.errorLineLimit { errors.partial.removeSubrange(Self.errorLineLimit...) }
    if !lines.isEmpty { events(.errors(lines)) }
    guard bytes.count >= Self.chunk else { return }
    // It writes a lot: it shall not keep us busy.
    thread.forget(errors.token)
    thread.schedule(after: .milliseconds(50), as: errorAlarm) { [self] in if errors.isOpen { watchErrors() } }
  }

  private static let chunk = 16 << 10

  /// What there is to read; nil at the end.
  private func take(_ end: WritableKeyPath<LineProgram, End>) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    let descriptor = self[keyPath: end].descriptor
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return Array(buffer.prefix(count)) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  private func split(_ bytes: [UInt8], _ partial: inout [UInt8], _ use: ([UInt8]) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      use(partial + rest[..<end])
      partial = []
      rest = rest[(end + 1)...]
    }
    partial += rest
  }

  private func breaks(_ why: String) {
    guard !isEnding, !isFinished else { return }
    close(\.output)
    events(.broke(why))
  }

  private func close(_ path: ReferenceWritableKeyPath<LineProgram, End>) {
    guard self[keyPath: path].isOpen else { return }
    self[keyPath: path].isOpen = false
    self[keyPath: path].partial = []
    thread.forget(self[keyPath: path].token)
    Glibc.close(self[keyPath: path].descriptor)
  }

  // MARK: Its end

  private func outputEnded() {
    switch home {
    case .child where hasExited: reap()
    case .child: thread.schedule(after: Self.drainLimit, as: alarm) { [self] in if !isEnding { beginEnd() } }
    case .unit(let units, let unit):
      finish(nil)
      Task(executorPreference: executor) { await units.remove(unit) }
    case nil: break
    }
  }

  private func exited() {
    hasExited = true
    close(\.input)
    if output.isOpen, !isEnding { drain() } else { reap() }
  }

  /// Reads what is left, unless something else holds the output.
  private func drain() {
    thread.forget(alarm)
    thread.schedule(after: Self.drainLimit, as: alarm) { [self] in isPaused ? drain() : reap() }
  }

  private func reap() {
    guard case .child(let child)? = home, !isFinished else { return }
    // While it is not reaped its number, and so its group's, is nobody else's.
    kill(-child, SIGKILL)
    finish(ExitWatch.reap(child))
  }

  private func finish(_ ending: CommandEnding?) {
    guard !isFinished else { return }
    isFinished = true
    unsent = []
    // What it wrote last, its end of line missing, or not yet read.
    if errors.isOpen, case .child? = home { readRemainingErrors() }
    thread.forget(alarm)
    thread.forget(errorAlarm)
    close(\.input)
    close(\.output)
    close(\.errors)
    events(.ended(ending))
  }

  private func readRemainingErrors() {
    var list = pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&list, 1, 0) > 0, let bytes = take(\.errors) else { return }
    var lines: [String] = []
    split(bytes, &errors.partial) { lines.append(String(decoding: $0.prefix(Self.errorLineLimit), as: UTF8.self)) }
    if !errors.partial.isEmpty {
      lines.append(String(decoding: errors.partial.prefix(Self.errorLineLimit), as: UTF8.self))
    }
    if !lines.isEmpty { events(.errors(lines)) }
  }

  private func beginEnd() {
    isEnding = true
    // Before it is started: begin(_:_:) comes back here.
    guard let home else { return }
    unsent = []
    close(\.input)
    close(\.output)
    thread.forget(alarm)
    if hasExited { return reap() }
    thread.schedule(after: limits.endDelay, as: alarm) { [self] in
      switch home {
      case .child(let child):
        kill(-child, SIGTERM)
        thread.schedule(after: limits.killDelay, as: alarm) { kill(-child, SIGKILL) }
      case .unit(let units, let unit):
        // The manager sends both signals.
        Task(executorPreference: executor) { [self] in
          await units.remove(unit)
          thread.perform { self.finish(nil) }
        }
      }
    }
  }
}
