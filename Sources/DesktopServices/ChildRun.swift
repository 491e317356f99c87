internal import Glibc

/// One child from its start to its end. All but ``start()`` and ``cancel()`` runs on the service thread; unchecked
/// since the plain variables are touched there only.
final class ChildRun: @unchecked Sendable {
  /// How long after SIGTERM the rest gets SIGKILL.
  static let killDelay = Duration.seconds(2)
  /// How long after the child's end its outputs are read, if something else still holds them.
  private static let drainLimit = Duration.seconds(1)
  /// How much of each output is kept.
  private static let keptBytes = 64 << 10

  private enum Stage { case running, terminated, killed }

  /// An output: what was read of it, and our end while it is open.
  private struct Output {
    var descriptor: Int32
    let token: ServiceThread.Token
    var kept: [UInt8] = []
    var isOpen = true
  }

  private let command: Command
  private let finish: @Sendable (Result<CommandResult, CommandError>) -> Void
  private let thread = ServiceThread.shared

  private var child: pid_t = 0
  private var stage = Stage.running
  private var isCancelled = false
  private var hasEnded = false
  private var ending: CommandEnding?
  private var outputs: [Output] = []
  private var dropped = 0
  private var input: (descriptor: Int32, token: ServiceThread.Token, rest: ArraySlice<UInt8>)?
  private let alarm: ServiceThread.Token

  /// - Parameter finish: called once, on any thread.
  init(_ command: Command, _ finish: @escaping @Sendable (Result<CommandResult, CommandError>) -> Void) {
    self.command = command
    self.finish = finish
    alarm = thread.newToken()
  }

  /// Starts the program; for a thread that may block.
  func start() {
    do throws(CommandError) {
      let (child, input, outputs) = try spawn()
      if thread.perform({ [self] in begin(child, input, outputs) }) { return }
      // Without the thread nothing could read or end it.
      kill(-child, SIGKILL)
      _ = ExitWatch.reap(child)
      for end in outputs { close(end) }
      if let input { close(input) }
      throw CommandError(.uncertain, "'\(command.program)' was ended at once, since no thread is left to watch it")
    } catch {
      finish(.failure(error))
    }
  }

  /// Ends the program as its time limit would.
  func cancel() {
    thread.perform { [self] in
      isCancelled = true
      if child != 0, stage == .running, ending == nil { terminate() }
    }
  }

  private func spawn() throws(CommandError) -> (child: pid_t, input: Int32?, outputs: [Int32]) {
    var pipes: [Pipe] = []
    do throws(CommandError) {
      pipes.append(try Pipe())
      pipes.append(try Pipe())
      if !command.input.isEmpty { pipes.append(try Pipe()) }
      let input = pipes.count > 2 ? pipes[2] : nil
      let child = try Spawn.start(
        command, stands: .ours(input: input?.reading, output: pipes[0].writing, errors: pipes[1].writing))
      close(pipes[0].writing)
      close(pipes[1].writing)
      if let input {
        close(input.reading)
        let flags = fcntl(input.writing, F_GETFL)
        _ = fcntl(input.writing, F_SETFL, flags | O_NONBLOCK)
      }
      return (child, input?.writing, [pipes[0].reading, pipes[1].reading])
    } catch {
      for pipe in pipes { pipe.close() }
      throw error
    }
  }

  // MARK: On the service thread

  private func begin(_ child: pid_t, _ input: Int32?, _ outputs: [Int32]) {
    self.child = child
    for (index, descriptor) in outputs.enumerated() {
      let token = thread.newToken()
      self.outputs.append(Output(descriptor: descriptor, token: token))
      thread.watch(descriptor, for: POLLIN, as: token) { [self] _ in read(index) }
    }
    if let input {
      let token = thread.newToken()
      self.input = (input, token, command.input[...])
      thread.watch(input, for: POLLOUT, as: token) { [self] _ in write() }
    }
    ExitWatch.watch(child) { [self] in ended() }
    if isCancelled {
      terminate()
    } else {
      thread.schedule(after: command.timeLimit, as: alarm) { [self] in terminate() }
    }
  }

  /// The time is over.
  private func terminate() {
    thread.forget(alarm)
    stage = .terminated
    kill(-child, SIGTERM)
    thread.schedule(after: Self.killDelay, as: alarm) { [self] in killAll() }
  }

  private func killAll() {
    stage = .killed
    kill(-child, SIGKILL)
    if hasEnded { reap() }
  }

  private func ended() {
    hasEnded = true
    closeInput()
    // While the child is not reaped its number, and so its group's, is nobody else's.
    if stage == .terminated, outputs.contains(where: \.isOpen) { return }
    if stage == .terminated { kill(-child, SIGKILL) }
    reap()
  }

  private func reap() {
    thread.forget(alarm)
    guard let natural = ExitWatch.reap(child) else {
      closeAll()
      return finish(.failure(CommandError(.uncertain, "somebody else took the end of '\(command.program)'")))
    }
    ending = stage == .running ? natural : .timedOut
    if outputs.contains(where: \.isOpen) {
      thread.schedule(after: Self.drainLimit, as: alarm) { [self] in complete() }
    } else {
      complete()
    }
  }

  private func complete() {
    guard let ending else { return }
    let wasLeftOpen = outputs.contains(where: \.isOpen)
    closeAll()
    let output = CommandOutput(
      standardOutput: outputs[0].kept, standardError: outputs[1].kept, dropped: dropped, wasLeftOpen: wasLeftOpen)
    finish(.success(CommandResult(ending, output: output)))
  }

  private func closeAll() {
    thread.forget(alarm)
    for index in outputs.indices { closeOutput(index) }
    closeInput()
  }

  private func read(_ index: Int) {
    guard outputs[index].isOpen else { return }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe Glibc.read(outputs[index].descriptor, bytes.baseAddress, bytes.count)
    }
    if count > 0 {
      let room = Self.keptBytes - outputs[index].kept.count
      outputs[index].kept += buffer.prefix(min(count, room))
      dropped += max(count - room, 0)
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      closeOutput(index)
      if outputs.contains(where: \.isOpen) { return }
      // Nothing of the group writes any more: what was waited for is over.
      if ending != nil { complete() } else if hasEnded { killAll() }
    }
  }

  private func write() {
    guard let input else { return }
    let count = unsafe input.rest.withUnsafeBytes { unsafe Glibc.write(input.descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      self.input?.rest = input.rest.dropFirst(count)
      if count == input.rest.count { closeInput() }
    } else if errno != EAGAIN, errno != EINTR {
      // A program need not read what it is given.
      closeInput()
    }
  }

  private func closeInput() {
    guard let input else { return }
    thread.forget(input.token)
    close(input.descriptor)
    self.input = nil
  }

  private func closeOutput(_ index: Int) {
    guard outputs[index].isOpen else { return }
    outputs[index].isOpen = false
    thread.forget(outputs[index].token)
    close(outputs[index].descriptor)
  }
}
