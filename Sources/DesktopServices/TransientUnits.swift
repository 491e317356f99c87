public import DBus
internal import Glibc

/// Runs programs through the user's service manager (`systemd --user`), as transient services: in a group of their own,
/// without the limits that the bridge itself is under, and in a way that can be looked at after a crash of ours.
///
/// A unit that ``run(_:as:description:)`` started stays known to the manager after the program has ended, until
/// ``remove(_:)``. So whoever must not run a command twice writes down the unit's name and the ``manager()`` first, runs
/// it, writes down what came of it, and only then removes the unit; after a crash ``state(of:under:)`` tells the rest.
///
/// Source: org.freedesktop.systemd1(5), systemd.service(5), systemd.exec(5).
public final class TransientUnits: Sendable {
  let connection: BusConnection

  /// - Parameter session: the connection to the session bus.
  public init(session: BusConnection) { connection = session }

  /// Which user manager runs. Units are known to one only: a name that another does not know may have run.
  public struct Manager: Sendable, Hashable {
    /// Who it is on the bus; changes when it executes itself anew, its units surviving.
    public var owner: BusName
    /// When it started, as text to be stored and compared.
    public var identity: String
  }

  /// How long a call of the manager may take.
  static let callLimit = Duration.seconds(10)

  /// True if a user manager is on the bus.
  public nonisolated(nonsending) func isAvailable() async -> Bool { await owner() != nil }

  /// The present user manager; nil if there is none or it does not answer.
  public nonisolated(nonsending) func manager() async -> Manager? {
    guard let owner = await owner(),
      let started = await property("UserspaceTimestamp", of: .manager, at: .manager, of: owner)?.asInteger
    else { return nil }
    return Manager(owner: owner, identity: String(started))
  }

  /// Runs a command to its end and tells how it ended. The unit stays until ``remove(_:)``.
  ///
  /// The program gets the manager's own environment with the command's laid over it; what it writes goes to the journal.
  /// What it leaves running in the background when it ends in time lives on.
  /// Cancelling the task ends the wait with `uncertain`; the program runs on.
  /// - Parameters:
  ///   - unit: a name that was not used before.
  ///   - description: a line for people, shown by `systemctl`.
  /// - Throws: ``CommandError``. With `uncertain`, ask ``state(of:under:)`` later.
  public nonisolated(nonsending) func run(
    _ command: Command, as unit: UnitName, description: String
  ) async throws(CommandError) -> CommandResult {
    let path = try checkedPath(command)
    guard let owner = await owner() else { throw Self.noManager }
    let watch = UnitWatch(connection, unit: unit, owner: owner)
    try await start(unit, Self.runProperties(command, path, description), owner)
    let ending = try await ending(of: unit, command.timeLimit, watch)
    return CommandResult(try Self.checked(ending, path))
  }

  /// Waits for the program's end, and ends it and all that it started when its time is over.
  private nonisolated(nonsending) func ending(
    of unit: UnitName, _ timeLimit: Duration, _ firstWatch: UnitWatch
  ) async throws(CommandError) -> CommandEnding {
    var watch = firstWatch
    // What to send when the time at hand is over, and how long to wait then.
    var steps = [(SIGTERM, Self.stopLimit), (SIGKILL, Self.callLimit)]
    var deadline = ContinuousClock.now + timeLimit
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      let news = left > .zero ? await watch.next(within: left) : nil
      if news == .disconnected { throw CommandError(.uncertain, "the connection was lost while \(unit) ran") }
      if Task.isCancelled { throw CommandError(.uncertain, "waiting for \(unit) was cancelled") }
      // A manager that executed itself anew knows its units still.
      if news == .managerChanged, let owner = await owner() {
        watch = UnitWatch(connection, unit: unit, owner: owner)
      }
      switch await state(of: unit, under: nil) {
      case .finished(let ending): return steps.count == 2 ? ending : .timedOut
      case .notExecuted(let reason): throw CommandError(.refused, "the user manager did not run \(unit): \(reason)")
      case .neverStarted:
        throw CommandError(.uncertain, "the user manager was started anew, or somebody else removed \(unit)")
      case .running, .unknown: break
      }
      if news != nil { continue }
      if steps.isEmpty { throw CommandError(.uncertain, "the user manager does not say what became of \(unit)") }
      let (signal, time) = steps.removeFirst()
      if let owner = await owner() {
        _ = try? await call("KillUnit", [.string(unit.text), .string("all"), .int32(signal)], of: owner)
      }
      deadline = .now + time
    }
  }

  /// Lets the manager forget a unit: stops it if it still runs, and clears its failure. One that is not there is fine. The
  /// manager may keep it until what its program left running has ended too.
  public nonisolated(nonsending) func remove(_ unit: UnitName) async {
    guard let owner = await owner() else { return }
    let watch = UnitWatch(connection, unit: unit, owner: owner)
    let stopped = try? await call("StopUnit", [.string(unit.text), .string("replace")], of: owner)
    if let job = stopped?.first { _ = await watch.isOver(job, within: Self.stopLimit + Self.callLimit) }
    // Fails where the unit went with its stop, as all do that had ended well.
    _ = try? await call("ResetFailedUnit", [.string(unit.text)], of: owner)
  }

  /// How long a program may take to end after SIGTERM, as ``Command/timeLimit`` says.
  static let stopLimit = Duration.seconds(2)

  /// How long after ``Command/timeLimit`` the manager ends a program that we did not.
  static let graceLimit = Duration.seconds(4)

  static let noManager = CommandError(.unavailable, "there is no user manager (systemd --user) on the session bus")

  /// The program's path, after a look at the words.
  func checkedPath(_ command: Command) throws(CommandError) -> String {
    if let fault = command.fault() { throw CommandError(.invalid, fault) }
    return try command.programPath()
  }

  /// Gives the unit to the manager.
  nonisolated(nonsending) func start(
    _ unit: UnitName, _ properties: [(String, Value)], _ owner: BusName
  ) async throws(CommandError) {
    let list = properties.map { Value.structure([.string($0.0), .variant($0.1)]) }
    do throws(BusError) {
      _ = try await call(
        "StartTransientUnit",
        [.string(unit.text), .string("fail"), .array(of: "(sv)", list), .array(of: "(sa(sv))", [])], of: owner)
    } catch {
      switch error.code {
      case .remote where error.name == .serviceUnknown || error.name == .nameHasNoOwner: throw Self.noManager
      case .remote where error.name != .noReply && error.name != .disconnected, .invalidValue, .tooLarge:
        throw CommandError(.refused, "the user manager did not start \(unit): \(error)")
      default: throw CommandError(.uncertain, "it is not known whether the user manager started \(unit): \(error)")
      }
    }
  }

  nonisolated(nonsending) func call(
    _ member: MemberName, _ body: [Value], of owner: BusName
  ) async throws(BusError) -> [Value] {
    try await connection.call(
      MethodCall(to: owner, at: .manager, .manager, member, body, startsService: false), timeout: Self.callLimit
    ).body
  }

  /// A property; nil if it cannot be read.
  nonisolated(nonsending) func property(
    _ name: String, of interface: InterfaceName, at path: ObjectPath, of owner: BusName
  ) async -> Value? {
    try? await connection.call(
      MethodCall(
        to: owner, at: path, "org.freedesktop.DBus.Properties", "Get", [.string(interface.text), .string(name)],
        startsService: false), timeout: Self.callLimit
    ).body.first?.unwrapped
  }

  nonisolated(nonsending) func owner() async -> BusName? {
    try? await connection.owner(of: .userManager)
  }

  /// systemd says of a program that cannot be executed that it exited with 203, which a program may do too.
  private static func checked(_ ending: CommandEnding, _ path: String) throws(CommandError) -> CommandEnding {
    if ending == .exited(203), !Command.isExecutable(path) {
      throw CommandError(.programNotFound, "there is no program \(path), or it may not be executed")
    }
    return ending
  }
}

extension BusName {
  static let userManager: BusName = "org.freedesktop.systemd1"
}
extension ObjectPath {
  static let manager: ObjectPath = "/org/freedesktop/systemd1"
}
extension InterfaceName {
  static let manager: InterfaceName = "org.freedesktop.systemd1.Manager"
}
