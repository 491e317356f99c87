import TestSupport
import Testing

/// A real terminal: a tmux server of a test's own, with one pane in which a shell runs.
struct Tmux {
  private let server: BinaryRunner
  private let socket: String
  private let home: TemporaryHome

  /// Starts the server and the shell.
  /// - Parameter environment: of the shell.
  init(columns: Int = 80, rows: Int = 24, environment: [String: String?]) async throws {
    home = try TemporaryHome()
    socket = home.path + "/tmux"
    server = try BinaryRunner(
      "tmux", ["-D", "-S", socket, "-f", "/dev/null"],
      environment: environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) { $1 },
      timeLimit: .seconds(90))
    try await eventually(within: .seconds(10), "tmux to start") {
      try await self.command("show-options", "-g", "prefix").status == 0
    }
    _ = try await command("set", "-g", "default-terminal", "tmux-256color")
    let made = try await command(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env PS1='ready> ' PS2= bash --norc --noprofile")
    if made.status != 0 { throw RunnerError("tmux: \(made.errors)") }
    try await shows("ready>")
  }

  /// Runs `body`, then ends the server and everything in it.
  func whileRunning<Value: Sendable>(_ body: @Sendable (Tmux) async throws -> Value) async throws -> Value {
    try await server.whileRunning { _ in try await body(self) }
  }

  /// Runs a tmux command; never starts a server (`-N`), which would outlive the test.
  @discardableResult
  func command(_ arguments: String...) async throws -> BinaryResult {
    try await BinaryRunner.run("tmux", ["-N", "-S", socket] + arguments)
  }

  /// Presses keys, by tmux's names or as text.
  func press(_ keys: String...) async throws {
    for key in keys { try await command("send-keys", key) }
  }

  /// Types text as it is.
  func type(_ text: String) async throws { try await command("send-keys", "-l", text) }

  /// What the pane shows.
  func screen(withColours: Bool = false) async throws -> [String] {
    try await BinaryRunner.run("tmux", ["-N", "-S", socket, "capture-pane", "-p"] + (withColours ? ["-e"] : []))
      .output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until the pane shows `text`.
  func shows(_ text: String, within limit: Duration = .seconds(10)) async throws {
    do {
      try await eventually(within: limit, "the terminal to show '\(text)'") {
        try await screen().contains { $0.contains(text) }
      }
    } catch let error as DidNotHappen {
      throw RunnerError("\(error); it shows:\n\(try await screen().joined(separator: "\n"))")
    }
  }

  /// What tmux knows of the pane, for example `#{alternate_on}`.
  func value(_ format: String) async throws -> String {
    try await command("display-message", "-p", format).output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
