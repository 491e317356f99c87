public import DBus
internal import Synchronization

/// A user manager (`systemd --user`) for tests, on a real bus: it records what it is asked for, runs commands or says
/// that it did, and keeps units as the real one does (`RemainAfterExit`, `CollectMode`).
public final class FakeUserManager: Sendable {
  /// What becomes of a unit that is started.
  public enum Answer: Sendable {
    /// Its command is run for real, with its environment, input and time limit.
    case run
    /// As if its program had exited with this status, at once.
    case exit(Int32)
    /// As if its program had been ended by this signal, at once.
    case signal(Int32)
    /// As if it had run into its time limit, at once.
    case timeout
    /// Its job ends with this result (`failed`, `canceled`, `timeout`, …) and no program ran.
    case job(String)
    /// It runs until ``FakeUserManager/finish(_:_:)``, or a signal by `KillUnit`.
    case keepRunning
    /// It is not started: the call is answered with this error.
    case refuse(ErrorName, String)
    /// It is started as `keepRunning`, but the call is never answered.
    case silence
  }

  /// How the manager behaves; the closure runs on the connection's thread.
  public struct Behavior: Sendable {
    public var answer: @Sendable (StartedUnit) -> Answer = { _ in .run }
    /// Variables that units get beneath their own.
    public var environment: [String: String] = [:]
    /// Properties that the manager does not know, as an older one would not.
    public var unknownProperties: Set<String> = []

    /// Units that are told to keep running do not end with SIGTERM.
    public var ignoresTermination = false

    public init() {}
  }

  private let connection: BusConnection
  private let core: FakeUnits
  private let export: Export

  /// Connects to the bus and takes the name.
  public static func start(
    at address: BusAddress, _ behavior: Behavior = Behavior()
  ) async throws -> FakeUserManager {
    let connection = try await BusConnection.connect(to: address)
    let manager = FakeUserManager(connection, behavior)
    guard try await connection.requestName("org.freedesktop.systemd1", .doNotQueue) == .owner else {
      throw BusError(.unexpectedReply, "the name is taken")
    }
    return manager
  }

  private init(_ connection: BusConnection, _ behavior: Behavior) {
    self.connection = connection
    core = FakeUnits(connection, behavior)
    export = connection.export(core.interface, at: "/org/freedesktop/systemd1")
  }

  /// Every unit that was asked for, oldest first, refused ones too.
  public var started: [StartedUnit] { core.started }
  /// Names given to `StopUnit`, oldest first.
  public var stopped: [String] { core.stopped }
  /// What `KillUnit` was called with, oldest first.
  public var killed: [(name: String, signal: Int32)] { core.killed }
  /// Names of the units that the manager knows now.
  public var units: [String] { core.units }

  /// Ends the program of a unit that was told to keep running.
  public func finish(_ unit: String, _ ending: BinaryResult.Ending) { core.finish(unit, ending) }

  /// Forgets all units and gets another identity, as after a logout; the name stays.
  public func restart() { core.restart() }

  /// Leaves the bus. Programs that run are ended.
  public func stop() async {
    core.restart()
    await connection.close()
  }
}

/// A unit as it was asked for.
public struct StartedUnit: Sendable {
  public let name: String
  public let mode: String
  public let properties: [String: Value]

  /// `ExecStart`: the program's path.
  public var path: String { exec?.first?.asString ?? "" }
  /// `ExecStart`: the words, the program's own name first, as they came.
  public var words: [String] { exec.flatMap { $0.count > 1 ? $0[1].asStrings : nil } ?? [] }
  /// `Environment`.
  public var environment: [String: String] {
    Dictionary(
      (properties["Environment"]?.asStrings ?? []).map { entry in
        let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }, uniquingKeysWith: { $1 })
  }
  /// `StandardInputData`, where standard input is to be read from it.
  public var input: [UInt8] {
    properties["StandardInput"]?.asString == "data" ? properties["StandardInputData"]?.asBytes ?? [] : []
  }
  /// `Type`.
  public var type: String { properties["Type"]?.asString ?? "simple" }
  /// `TimeoutStartUSec`.
  public var timeLimit: Duration? { properties["TimeoutStartUSec"]?.asInteger.map { .microseconds($0) } }

  private var exec: [Value]? { properties["ExecStart"]?.asArray?.first?.asStructure }

  /// The words behind the program's name, as the program gets them: with the manager's variables put in.
  func arguments(_ environment: [String: String]) -> [String] {
    words.dropFirst().flatMap { Self.expanded($0, environment) }
  }

  /// As systemd.service(5), "Command lines": `$$` is a dollar, `${NAME}` the variable, a whole word `$NAME` its words.
  private static func expanded(_ word: String, _ environment: [String: String]) -> [String] {
    if word.hasPrefix("$"), !word.hasPrefix("$$"), !word.hasPrefix("${") {
      return (environment[String(word.dropFirst())] ?? "").split(separator: " ").map(String.init)
    }
    var result = ""
    var rest = Substring(word)
    while let character = rest.popFirst() {
      if character == "$", rest.first == "$" {
        rest.removeFirst()
        result.append("$")
      } else if character == "$", rest.first == "{", let end = rest.firstIndex(of: "}") {
        result += environment[String(rest[rest.index(after: rest.startIndex)..<end])] ?? ""
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(character)
      }
    }
    return [result]
  }
}
