import Foundation
import TestSupport
import Testing

/// The sample extensions, as an application's that pushes.
enum SampleExtension {
  static let application = "org.example.App"

  /// Puts a sample together, checks it as its author would, and installs it in the place of others.
  static func install(_ name: String, in session: DaemonSession) async throws {
    let made = try await BinaryRunner.run(
      try Binaries.file("Tests/Tools/make-samples"), [session.home.path + "/samples", name],
      environment: [
        "SAMPLE_PROGRAMS": (try Binaries.debugProduct("sample-invitation") as NSString).deletingLastPathComponent
      ])
    if made.status != 0 { throw RunnerError("make-samples: \(made.errors)") }
    let bundle = "\(session.home.path)/samples/\(name).appex"
    let checked = try await session.run("extension", "check", bundle)
    #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
    let installed = try await session.run("extension", "install", bundle, "--app", application, "--replace")
    #expect(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
  }

  /// Takes it away.
  static func remove(_ name: String, from session: DaemonSession) async throws {
    #expect(try await session.run("extension", "remove", name, "--app", application).status == 0)
  }

  /// Where the program of an installed one is in the home.
  static func program(_ name: String, of bundle: String, in session: DaemonSession) -> String {
    "data/notify-bridge/extensions/\(application)/\(bundle).appex/\(name)"
  }

  /// Registers the application's categories, as JSON.
  static func register(_ category: String, in session: DaemonSession) async throws {
    let set = try await session.run("categories", "--app", application, "--set", "-", input: .text(category))
    #expect(set.status == 0 && set.errors.isEmpty, "\(set.errors)")
  }

  /// Pushes a payload.
  /// - Returns: what is shown then.
  static func push(
    _ payload: String, as name: String, to session: DaemonSession
  ) async throws -> DaemonSession.Call {
    let count = session.calls().count
    let pushed = try await session.run("push", application, "-", "--collapse-id", name, input: .text(payload))
    // Where the daemon cannot show all of it, that is said.
    let errors = pushed.errors.split(separator: "\n").filter { !$0.contains("not shown as asked") }
    #expect(pushed.status == 0 && errors.isEmpty, "\(pushed.errors)")
    return try await session.call(number: count + 1)
  }

  /// The response to a notification, as a line of the command says it.
  static func response(to name: String, in session: DaemonSession) async throws -> String {
    let waited = try await session.run("wait", name, "--app", application, "--timeout", "10s")
    #expect(waited.status == 0 && waited.errors.isEmpty, "\(waited.errors)")
    return waited.output
  }

  /// Presses a button, and waits for what is shown then.
  /// - Returns: that, and the seconds from the press on the bus to it.
  static func press(_ key: String, in session: DaemonSession) async throws -> (DaemonSession.Call, Double) {
    let (calls, presses) = (session.calls().count, session.presses().count)
    try await session.click(key)
    let call = try await session.call(number: calls + 1)
    let press = try #require(session.timedPresses().dropFirst(presses).first { $0.key == key })
    return (call, call.time - press.time)
  }
}
