internal import DBus

extension TransientUnits {
  /// Starts a program that somebody talks with over its standard streams, in a unit of its own that goes with it. Its
  /// time limit is kept by the manager; 0 is none.
  /// - Parameters:
  ///   - description: a line for people.
  ///   - input, output, errors: what it reads from and writes to; they stay the caller's.
  /// - Returns: the unit. That the program was executed is not known yet.
  nonisolated(nonsending) func startConversing(
    _ command: Command, description: String, input: Int32, output: Int32, errors: Int32
  ) async throws(CommandError) -> UnitName {
    let path = try checkedPath(command)
    let unit = UnitName(
      unchecked: "notify-bridge-extension-\(String(UInt64.random(in: 0 ... .max), radix: 16)).service")
    guard let owner = await owner() else { throw Self.noManager }
    let streams: [OwnedDescriptor]
    do throws(BusError) {
      streams = [
        try OwnedDescriptor(duplicating: input), try OwnedDescriptor(duplicating: output),
        try OwnedDescriptor(duplicating: errors),
      ]
    } catch {
      throw CommandError(.refused, "\(path) cannot be started: \(error)")
    }
    try await start(unit, Self.conversingProperties(command, path, description, streams), owner)
    return unit
  }

  /// Starts an application in a unit of its own, `app-notifybridge-ID@RANDOM.service`, by which portals and desktops
  /// know which application it is. Returns once its program is executed; it lives on its own from there, without the
  /// command's time limit and input.
  /// - Parameters:
  ///   - id: the application's, the name of its desktop entry without `.desktop`.
  ///   - description: a line for people.
  /// - Returns: the unit.
  /// - Throws: ``CommandError``.
  public nonisolated(nonsending) func launchApplication(
    _ id: String, _ command: Command, description: String
  ) async throws(CommandError) -> UnitName {
    let path = try checkedPath(command)
    let unit = try Self.applicationUnit(id)
    guard let owner = await owner() else { throw Self.noManager }
    let watch = UnitWatch(connection, unit: unit, owner: owner)
    do throws(CommandError) {
      try await start(unit, Self.applicationProperties(command, path, description, knowsExitType: true), owner)
    } catch  where error.code == .refused {
      try await start(unit, Self.applicationProperties(command, path, description, knowsExitType: false), owner)
    }
    switch await watch.next(within: Self.callLimit) {
    case .jobRemoved(_, "done"): return unit
    case .jobRemoved(_, let result):
      if !Command.isExecutable(path) {
        throw CommandError(.programNotFound, "there is no program \(path), or it may not be executed")
      }
      throw CommandError(.refused, "the user manager could not start \(path): \(result)")
    case .managerChanged, .disconnected, nil:
      throw CommandError(.uncertain, "the user manager did not say whether it started \(path)")
    }
  }

  private static func applicationUnit(_ id: String) throws(CommandError) -> UnitName {
    let random = String(UInt64.random(in: 0 ... .max), radix: 16)
    do throws(BusError) {
      return try UnitName("app-notifybridge-\(UnitName.escape(id))@\(random).service")
    } catch {
      throw CommandError(.invalid, "the application's id '\(id)' is too long for a unit")
    }
  }
}
