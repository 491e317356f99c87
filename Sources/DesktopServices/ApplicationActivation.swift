public import DBus

/// Brings an application up: by the bus where it can be activated so, else by starting its program.
public struct ApplicationActivation: Sendable {
  /// What came of activating an application over the bus.
  public enum Outcome: Sendable, Hashable {
    /// It answered.
    case activated
    /// Nobody has its name and the bus cannot start it, or whoever has it is not to be activated: start its program.
    case notActivatable
    /// It could not be started, or answered with an error. With the reason for the log.
    case failed(String)
    /// It did not answer in time; it may come up yet.
    case uncertain(String)
  }

  /// What was started.
  public enum Started: Sendable, Hashable {
    /// A unit of the user manager's.
    case unit(UnitName)
    /// A process of its own session.
    case process(Int32)
  }

  private let connection: BusConnection
  private let units: TransientUnits

  /// - Parameter session: a connection to the session bus.
  public init(session: BusConnection) {
    connection = session
    units = TransientUnits(session: session)
  }

  /// Calls `org.freedesktop.Application.Activate` of the application, which the bus starts if it must.
  /// - Parameters:
  ///   - application: its id, which is its bus name too.
  ///   - token: lets it take the focus; from the notification daemon.
  public nonisolated(nonsending) func activate(
    _ application: String, token: String? = nil, timeLimit: Duration = .seconds(25)
  ) async -> Outcome {
    guard let name = try? BusName(application), !name.isUnique, let path = Self.path(application) else {
      return .notActivatable
    }
    // Under both names: the first is that of X11, the second that of Wayland.
    let data = token.map { token -> [(String, Value)] in
      [("desktop-startup-id", .string(token)), ("activation-token", .string(token))]
    }
    let call = MethodCall(to: name, at: path, "org.freedesktop.Application", "Activate", [.properties(data ?? [])])
    do throws(BusError) {
      _ = try await connection.call(call, timeout: timeLimit)
      return .activated
    } catch {
      return Self.outcome(error)
    }
  }

  /// Starts an application's program in a unit of its own, or, without a user manager, in a session of its own.
  /// - Parameters:
  ///   - application: its id.
  ///   - command: from its desktop entry's `Exec`; its time limit and input do not count.
  ///   - token: see ``activate(_:token:timeLimit:)``; it gets it as `XDG_ACTIVATION_TOKEN` and `DESKTOP_STARTUP_ID`.
  /// - Throws: ``CommandError``.
  public nonisolated(nonsending) func start(
    _ application: String, _ command: Command, token: String? = nil
  ) async throws(CommandError) -> Started {
    var command = command
    if let token {
      command.environment["XDG_ACTIVATION_TOKEN"] = token
      command.environment["DESKTOP_STARTUP_ID"] = token
    }
    do throws(CommandError) {
      return .unit(try await units.launchApplication(application, command, description: application))
    } catch  where error.code == .unavailable {
      return .process(try await ChildProcess.startDetached(command))
    }
  }

  private static func outcome(_ error: BusError) -> Outcome {
    switch error.code {
    case .remote:
      switch error.name {
      case .serviceUnknown?, .nameHasNoOwner?, .unknownMethod?, .unknownObject?, .unknownInterface?:
        return .notActivatable
      case .noReply?, .disconnected?: return .uncertain("\(error)")
      default: return .failed("\(error)")
      }
    // It was never sent.
    case .invalidValue, .tooLarge, .unsupported: return .failed("\(error)")
    default: return .uncertain("\(error)")
    }
  }

  /// Desktop Entry Specification, "D-Bus Activation": a slash, and the id with slashes for dots and `_` for dashes.
  static func path(_ application: String) -> ObjectPath? {
    let text = application.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }
    return try? ObjectPath("/" + String(text))
  }
}
