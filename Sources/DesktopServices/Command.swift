/// A program to be run: a vector of words, never a text for a shell.
public struct Command: Sendable, Hashable {
  /// An absolute path, or a name that is searched in the `PATH` of ``environment`` (else in ``standardPath``).
  public var program: String
  /// The words behind the program's own name. None may have a NUL.
  public var arguments: [String]
  /// The variables that it gets. Run directly, it gets no others; the user manager adds its own beneath them.
  public var environment: [String: String]
  /// An absolute path; nil: the user's home under the user manager, ours when run directly.
  public var workingDirectory: String?
  /// What it reads from standard input, then the end.
  public var input: [UInt8]
  /// How long it may run. Then it and what it started get SIGTERM, and two seconds later SIGKILL.
  public var timeLimit: Duration

  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil, input: [UInt8] = [], timeLimit: Duration = .seconds(30)
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.input = input
    self.timeLimit = timeLimit
  }

  /// Where a name is searched when ``environment`` has no `PATH`.
  public static let standardPath = "/usr/local/bin:/usr/bin:/bin"
}

/// How a program ended.
public enum CommandEnding: Sendable, Hashable {
  /// By itself, with this status (0…255).
  case exited(Int32)
  /// By a signal, this one.
  case signalled(Int32)
  /// Its time was over and it was ended.
  case timedOut
}

/// What came of a program that ran.
public struct CommandResult: Sendable, Hashable {
  /// How it ended.
  public var ending: CommandEnding
  /// What it wrote; nil where the user manager ran it: then the journal has it, under the unit's name.
  public var output: CommandOutput?

  public init(_ ending: CommandEnding, output: CommandOutput? = nil) {
    self.ending = ending
    self.output = output
  }
}

/// What a program wrote.
public struct CommandOutput: Sendable, Hashable {
  /// Standard output; what is beyond 64 KiB was read and thrown away.
  public var standardOutput: [UInt8]
  /// Standard error; likewise.
  public var standardError: [UInt8]
  /// How many bytes were thrown away.
  public var dropped: Int
  /// True if something that the program started still held an output one second after its end.
  public var wasLeftOpen: Bool

  public init(
    standardOutput: [UInt8] = [], standardError: [UInt8] = [], dropped: Int = 0, wasLeftOpen: Bool = false
  ) {
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.dropped = dropped
    self.wasLeftOpen = wasLeftOpen
  }
}

/// Why a program did not run, or why it is not known what came of it.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was. New codes may be added; always have a default case.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case programNotFound, invalid, refused, unavailable, uncertain }
    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// There is no such program, or it may not be executed. It did not run.
    public static let programNotFound = Code(.programNotFound)
    /// The command itself cannot be given to any program, for example for a NUL in a word. It did not run.
    public static let invalid = Code(.invalid)
    /// The system or the user manager did not start it. It did not run.
    public static let refused = Code(.refused)
    /// There is no user manager on the bus. It did not run.
    public static let unavailable = Code(.unavailable)
    /// It may have run, or may still run: the connection or the user manager went, or no answer came.
    public static let uncertain = Code(.uncertain)

    public var description: String { kind.rawValue }
  }

  /// What kind of failure it was.
  public var code: Code
  /// One sentence for people, without a final full stop.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
