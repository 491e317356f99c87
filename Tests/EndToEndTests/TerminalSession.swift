import DBus
import TestSupport
import Testing

/// A private bus, and the built command on it.
struct TerminalSession {
  let bus: PrivateBus
  let command: String

  init() async throws {
    bus = try await PrivateBus()
    command = try Binaries.notifyBridge()
  }

  /// Leads programs to the bus and nowhere else.
  var environment: [String: String?] { ["DBUS_SESSION_BUS_ADDRESS": bus.address.text, "TERM": nil] }

  /// Starts the daemon in its plain form and waits until it serves.
  func daemon(_ options: [String] = [], input: BinaryRunner.Input = .open) async throws -> BinaryRunner {
    let daemon = try BinaryRunner(
      command, ["terminal", "--plain"] + options, environment: environment, input: input, timeLimit: .seconds(60))
    #expect(try await daemon.line() == "ready org.freedesktop.Notifications")
    return daemon
  }

  /// Starts any program on the bus.
  func start(_ program: String, _ arguments: [String], timeLimit: Duration = .seconds(30)) throws -> BinaryRunner {
    try BinaryRunner(program, arguments, environment: environment, timeLimit: timeLimit)
  }

  /// Starts the command on the bus.
  func send(_ arguments: [String]) throws -> BinaryRunner { try start(command, ["send"] + arguments) }

  /// Calls a method of the daemon through gdbus.
  func call(_ method: String, _ arguments: String...) async throws -> BinaryResult {
    try await start(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.\(method)", "--",
      ] + arguments
    ).result()
  }
}
