/// A built program that runs: what it is given, what it prints, how it ends.
///
/// It inherits nothing by accident: no descriptor but 0, 1, 2 and the asked pipes, no signal mask, and no variable that
/// leads to the user's own session (see ``environment(_:)``). It ends on its own, when its time is over, or when the
/// task that waits for it is cancelled; a program that outlives a test is a failure of the test.
public final class BinaryRunner: Sendable {
  /// What the program reads from standard input.
  public enum Input: Sendable {
    /// `/dev/null`.
    case nothing
    /// These bytes, then the end.
    case bytes([UInt8])
    /// This text, then the end.
    case text(String)
    /// A pipe that stays open for ``BinaryRunner/write(_:)`` until ``BinaryRunner/closeInput()``.
    case open
  }

  private let process: SpawnedProcess

  /// Starts a program.
  /// - Parameters:
  ///   - program: its path; a name without a slash is searched in `PATH`.
  ///   - arguments: those behind the program's own name.
  ///   - name: the name it is called by, if not its path.
  ///   - variables: changes of ``environment(_:)``; nil removes a variable.
  ///   - directory: its working directory, if not ours.
  ///   - input: what it reads.
  ///   - pipes: further descriptors (3 and up) that it writes to, collected as standard output is.
  ///   - timeLimit: when it is over, the program gets SIGTERM, and eight seconds later SIGKILL.
  /// - Throws: ``RunnerError`` when it cannot be started.
  public init(
    _ program: String, _ arguments: [String] = [], name: String? = nil, environment variables: [String: String?] = [:],
    directory: String? = nil, input: Input = .nothing, pipes: Set<Int32> = [], timeLimit: Duration = .seconds(30)
  ) throws {
    let bytes: [UInt8]? =
      switch input {
      case .nothing: nil
      case .bytes(let bytes): bytes
      case .text(let text): Array(text.utf8)
      case .open: []
      }
    var keepsInputOpen = false
    if case .open = input { keepsInputOpen = true }
    process = try SpawnedProcess(
      program: program, arguments: [name ?? program] + arguments, environment: Self.environment(variables),
      directory: directory, input: bytes, keepsInputOpen: keepsInputOpen, outputs: pipes.union([1, 2]),
      timeLimit: timeLimit)
  }

  /// Runs a program to its end. The parameters are those of ``init(_:_:name:environment:directory:input:pipes:timeLimit:)``.
  public static func run(
    _ program: String, _ arguments: [String] = [], name: String? = nil, environment variables: [String: String?] = [:],
    directory: String? = nil, input: Input = .nothing, pipes: Set<Int32> = [], timeLimit: Duration = .seconds(30)
  ) async throws -> BinaryResult {
    try await BinaryRunner(
      program, arguments, name: name, environment: variables, directory: directory, input: input, pipes: pipes,
      timeLimit: timeLimit
    ).result()
  }

  /// The program's process, valid until ``result()`` returns.
  public var processID: Int32 { process.processID }

  /// What it printed so far to `descriptor`.
  public func printed(to descriptor: Int32 = 1) -> String {
    String(decoding: process.collected(descriptor), as: UTF8.self)
  }

  /// The next line of standard output that was not yet asked for and that `matches`, without its newline; lines before
  /// it are passed over.
  /// - Throws: ``RunnerError`` when there is none `within` that time, or the program ended without it.
  public func line(
    within limit: Duration = .seconds(10), where matches: @Sendable (String) -> Bool = { _ in true }
  ) async throws -> String {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
      let ended = process.hasEnded
      while let line = process.takeLine() {
        if matches(line) { return line }
      }
      if ended || clock.now > end {
        throw RunnerError(
          "\(process.program) \(ended ? "ended" : "ran \(limit)") without the expected line; output: "
            + "\(printed()), errors: \(printed(to: 2))")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Writes to the program's standard input, which was started as `.open`.
  public func write(_ text: String) { process.write(Array(text.utf8), last: false) }

  /// Ends the program's standard input.
  public func closeInput() { process.write([], last: true) }

  /// Sends a signal, unless the program has ended.
  public func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the program's end. When the waiting task is cancelled, the program is terminated.
  public func result() async -> BinaryResult { await process.result() }

  /// Runs `body` beside the program, which is terminated when `body` returns or throws.
  public func whileRunning<Value: Sendable>(
    _ body: @Sendable (BinaryRunner) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await body(self)
      process.terminate()
      _ = await result()
      return value
    } catch {
      process.terminate()
      let result = await result()
      throw RunnerError(
        "\(error)\nBeside it, \(process.program) ended with \(result.status); output: \(result.output), errors: "
          + result.errors)
    }
  }
}

/// How a program ended and what it printed.
public struct BinaryResult: Sendable {
  /// The two ways to end.
  public enum Ending: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// How it ended.
  public var ending: Ending
  /// Whether its time was over, so that it was ended from outside.
  public var timedOut: Bool
  /// What it wrote, by descriptor.
  public var outputs: [Int32: [UInt8]]
  /// Whether some process it left behind still held an output one second after it had ended.
  public var leftOutputsOpen: Bool
  /// From its start to its end.
  public var duration: Duration

  /// What it wrote to standard output.
  public var output: String { text(1) }
  /// What it wrote to standard error.
  public var errors: String { text(2) }
  /// What it wrote to `descriptor`; bytes that are no UTF-8 become U+FFFD.
  public func text(_ descriptor: Int32) -> String { String(decoding: outputs[descriptor] ?? [], as: UTF8.self) }

  /// Its exit status as a shell gives it: 128 and the number after a signal.
  public var status: Int32 {
    switch ending {
    case .exited(let status): status
    case .signalled(let number): 128 + number
    }
  }
}

/// Why a program could not be run, or did not do what was waited for.
public struct RunnerError: Error, CustomStringConvertible {
  /// What happened, for the test's log.
  public var description: String

  /// Makes an error.
  public init(_ description: String) { self.description = description }
}
