internal import DBus

/// What became of a unit.
public enum UnitState: Sendable, Hashable {
  /// This manager has never started it.
  case neverStarted
  /// It waits to be started, or runs, or is being stopped.
  case running
  /// Its program ran and ended.
  case finished(CommandEnding)
  /// The manager tried to start it and could not; the program did not run. With the manager's word for the reason.
  case notExecuted(String)
  /// It cannot be told: no manager, another one than asked for, or no answer.
  case unknown
}

extension TransientUnits {
  /// What became of a unit, for whoever does not know since it crashed meanwhile.
  /// - Parameter manager: the ``Manager/identity`` under which it was to be started. When the present manager is another
  ///   one (the user logged out, or the machine started anew), its not knowing the unit says nothing. Nil: the present.
  public nonisolated(nonsending) func state(of unit: UnitName, under manager: String?) async -> UnitState {
    guard let owner = await owner() else { return .unknown }
    if let manager {
      guard let present = await self.manager(), present.identity == manager else { return .unknown }
    }
    let path: ObjectPath
    do throws(BusError) {
      guard case .objectPath(let answer)? = try await call("GetUnit", [.string(unit.text)], of: owner).first else {
        return .unknown
      }
      path = answer
    } catch {
      return error.name == .noSuchUnit ? .neverStarted : .unknown
    }
    return await state(at: path, owner)
  }

  private nonisolated(nonsending) func state(at path: ObjectPath, _ owner: BusName) async -> UnitState {
    guard let active = await property("ActiveState", of: .unit, at: path, of: owner)?.asString,
      let result = await property("Result", of: .service, at: path, of: owner)?.asString,
      let code = await property("ExecMainCode", of: .service, at: path, of: owner)?.asInteger,
      let status = await property("ExecMainStatus", of: .service, at: path, of: owner)?.asInteger
    else { return .unknown }
    switch active {
    case "active", "failed": return Self.ending(result, code, status)
    case "inactive":
      if code != 0 { return Self.ending(result, code, status) }
      let job = await property("Job", of: .unit, at: path, of: owner)?.asStructure?.first?.asInteger
      return job == 0 ? .neverStarted : .running
    case "deactivating" where result == "timeout": return .finished(.timedOut)
    default: return .running
    }
  }

  /// - Parameters:
  ///   - result: the manager's word for it.
  ///   - code: as in waitid(2): 1 exited, 2 killed, 3 killed with a core; 0 if no process ended.
  ///   - status: the exit status or the signal.
  private static func ending(_ result: String, _ code: Int, _ status: Int) -> UnitState {
    if result == "timeout" { return .finished(.timedOut) }
    let status = Int32(truncatingIfNeeded: status)
    switch code {
    case 1: return .finished(.exited(status))
    case 2, 3: return .finished(.signalled(status))
    default: return .notExecuted(result)
    }
  }
}

extension ErrorName {
  static let noSuchUnit: ErrorName = "org.freedesktop.systemd1.NoSuchUnit"
}
extension InterfaceName {
  static let unit: InterfaceName = "org.freedesktop.systemd1.Unit"
  static let service: InterfaceName = "org.freedesktop.systemd1.Service"
}
