/// How `notify-bridge terminal` behaves; a property for each of its flags.
public struct TerminalOptions: Sendable, Hashable {
  /// `--replace`: take the name over from the present daemon, if that allows it.
  public var replace = false
  /// `--once`: end after the first notification was closed, in whatever way, or answered by a button or a reply.
  public var once = false
  /// `--plain`: lines of text instead of a drawn screen: nothing moves the cursor, and commands are read from stdin, a
  /// line each. It is also what happens where stdin or stdout is no terminal or `TERM` names none that can be drawn on.
  public var plain = false
  /// `--press KEY|N` with `--after SECONDS` (3 by default): press that button of every notification without the user.
  public var press: AutomaticPress?
  /// What `GetServerInformation` gives as our version.
  public var version = "0"

  public init() {}
}

/// How a run of the terminal daemon ended.
public enum TerminalOutcome: Sendable, Hashable {
  /// The user quit, or `--once` was done.
  case finished
  /// Another daemon has the name; the text names it and says what to do.
  case nameTaken(String)
  /// It cannot run here, for example in the background of a terminal; the text says why.
  case failed(String)
  /// There is no bus, or it went away.
  case noBus(String)
  /// Another daemon took the name over.
  case replaced
  /// A signal (its number) asked it to end.
  case signal(Int32)

  /// 0 finished, 1 failed or the name is taken, 3 no bus, 13 replaced, 128 and the number of a signal.
  public var exitStatus: Int32 {
    switch self {
    case .finished: 0
    case .nameTaken, .failed: 1
    case .noBus: 3
    case .replaced: 13
    case .signal(let number): 128 + number
    }
  }

  /// One sentence for stderr, without a full stop; nil where there is nothing to say.
  public var message: String? {
    switch self {
    case .finished, .signal: nil
    case .nameTaken(let text), .failed(let text), .noBus(let text): text
    case .replaced: "another notification daemon took over, so this one ended"
    }
  }
}
