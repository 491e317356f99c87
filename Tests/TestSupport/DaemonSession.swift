import Foundation
import Synchronization

/// A real notification daemon on a bus and a display of its own, by `Tests/Daemons/with-daemon`.
///
/// At most two run at a time: they are whole desktops, and a slow one would fail another's test.
public final class DaemonSession: Sendable {
  /// Its name as `with-daemon --list` gives it.
  public let daemon: String
  /// Leads a program to this session and to an empty home.
  public let environment: [String: String]
  /// The home of the programs that the session starts, and of the bridge.
  public let home: TemporaryHome
  private let bridge: BridgeService?
  private static let running = Mutex(0)

  private init(_ daemon: String, environment: [String: String], home: TemporaryHome, bridge: BridgeService?) {
    self.daemon = daemon
    self.environment = environment
    self.home = home
    self.bridge = bridge
  }

  private static func takePlace() -> Bool {
    running.withLock { count in
      if count == 2 { return false }
      count += 1
      return true
    }
  }

  /// Whether the daemon is installed.
  public static func isInstalled(_ daemon: String) async throws -> Bool {
    let list = try await BinaryRunner.run(try Binaries.file("Tests/Daemons/with-daemon"), ["--list"])
    return list.output.split(separator: "\n").contains { $0 == daemon }
  }

  /// Runs `body` beside the daemon, which is there and has its name when `body` starts.
  /// - Parameters:
  ///   - activate: starts nothing; the first call on the bus does.
  ///   - bridge: the bus starts the built bridge when somebody asks for it, with these settings; nil: there is none.
  ///   - limit: of the whole session.
  /// - Throws: ``RunnerError`` with the daemon's log when it does not start; what `body` throws.
  public static func with<Value: Sendable>(
    _ daemon: String, activate: Bool = false, bridge: BridgeSettings? = nil, limit: Duration = .seconds(60),
    _ body: @Sendable (DaemonSession) async throws -> Value
  ) async throws -> Value {
    while !takePlace() { try await Task.sleep(for: .milliseconds(20)) }
    defer { running.withLock { $0 -= 1 } }

    let home = try TemporaryHome()
    let service = try bridge.map { try prepare($0, in: home) }
    let variables = "^(DISPLAY|WAYLAND_DISPLAY|DBUS_[A-Z_]*|NOTIFYD_[A-Z]*)="
    // The command of the harness: says how to reach the session, then stays until its input ends, with us at the latest.
    let runner = try BinaryRunner(
      try Binaries.file("Tests/Daemons/with-daemon"),
      [daemon] + (activate ? ["--activate"] : []) + (bridge == nil ? [] : ["--services", home.path + "/services"])
        + ["--", "/bin/sh", "-c", "env | grep -E '\(variables)'; echo session is up; exec cat"],
      environment: home.environment, input: .open, timeLimit: limit)
    return try await runner.whileRunning { runner in
      _ = try await runner.line(within: limit) { $0 == "session is up" }
      var environment = home.environment
      for line in runner.printed().split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        if parts.count == 2 { environment[parts[0]] = parts[1] }
      }
      return try await body(DaemonSession(daemon, environment: environment, home: home, bridge: service))
    }
  }

  /// What the bridge finds in its home.
  public struct BridgeSettings: Sendable {
    /// The text of `notify-bridge.conf`.
    public var configuration: String
    /// The texts of files in `handlers.d`, by name without `.handler`.
    public var handlers: [String: String]

    /// Those of a fresh home, unless told.
    public init(configuration: String = "", handlers: [String: String] = [:]) {
      self.configuration = configuration
      self.handlers = handlers
    }
  }

  private static func prepare(_ settings: BridgeSettings, in home: TemporaryHome) throws -> BridgeService {
    try home.makeFolder("etc")
    try home.write(settings.configuration, to: "config/notify-bridge/notify-bridge.conf")
    for (name, text) in settings.handlers {
      try home.write(text, to: "config/notify-bridge/handlers.d/\(name).handler")
    }
    let service = try BridgeService(in: home, variables: ["XDG_CONFIG_DIRS": home.path + "/etc", "LC_ALL": "C.UTF-8"])
    try home.write(service.file, to: "services/\(BridgeService.busName).service")
    return service
  }

  /// Kills the bridge, as a crash would, and waits until the bus knows; the next call starts it anew.
  public func killBridge() async throws {
    guard let bridge, !bridge.processes.isEmpty else { throw RunnerError("no bridge runs") }
    bridge.kill()
    let question = [
      "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/", "-m", "org.freedesktop.DBus.NameHasOwner",
      BridgeService.busName,
    ]
    try await eventually(within: .seconds(10), "the bus knows that the bridge has gone") {
      try await BinaryRunner.run("gdbus", question, environment: self.environment).output == "(false,)\n"
    }
  }

  /// The process of the bridge; nil while none runs.
  public var bridgeProcess: Int32? { bridge?.processes.last }

  /// Runs the built command in the session, to its end.
  public func run(
    _ arguments: String..., input: BinaryRunner.Input = .nothing, timeLimit: Duration = .seconds(30)
  ) async throws -> BinaryResult {
    try await BinaryRunner.run(
      try Binaries.notifyBridge(), arguments, environment: environment, input: input, timeLimit: timeLimit)
  }

  /// Starts a program in the session.
  public func start(
    _ program: String, _ arguments: [String], timeLimit: Duration = .seconds(30)
  ) throws -> BinaryRunner {
    try BinaryRunner(program, arguments, environment: environment, timeLimit: timeLimit)
  }

  // MARK: What the user does and sees

  /// Presses the action with `key` on the newest notification; `default` is its body, `dismiss` closes it.
  public func click(_ key: String) async throws { try await tool("click", [daemon, key]) }

  /// Types a reply into the newest notification and sends it (Plasma).
  public func reply(_ text: String) async throws { try await tool("click", [daemon, "inline-reply", text]) }

  /// Kills the daemon, leaves it down for some seconds and starts it again.
  public func restart(down seconds: Int = 0) async throws { try await tool("restart", [daemon, "\(seconds)"]) }

  /// Writes the whole screen as PNG to `file`.
  public func screenshot(to file: String) async throws { try await tool("screenshot", [daemon, file]) }

  // MARK: What went over the bus

  /// One answered `Notify` call, as `bus-log` saw it.
  public struct Call: Sendable, Decodable {
    /// When it was called, in seconds of a clock that is the same for all of the session.
    public var time: Double
    public var id: UInt32
    public var app: String
    /// The number of the notification that it takes the place of; 0: none.
    public var replaces: UInt32
    public var summary: String
    public var body: String
    public var icon: String
    /// Keys and labels in turn.
    public var actions: [String]
    /// The names of its hints.
    public var hints: [String]
    public var expire: Int32
  }

  /// One notification that the daemon said it closed.
  public struct Closing: Sendable, Hashable {
    public var id: UInt32
    /// 1 expired, 2 dismissed, 3 closed by a call.
    public var reason: UInt32
  }

  /// The keys of the `ActionInvoked` signals so far.
  public func presses() -> [String] { timedPresses().map(\.key) }

  /// The same, with their times, as those of the calls.
  public func timedPresses() -> [(key: String, time: Double)] {
    struct Argument: Decodable {
      var text: String?
      init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }
    struct Line: Decodable {
      var member: String
      var time: Double
      var arguments: [Argument]
    }
    return contents("bus.jsonl").split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
      .filter { $0.member == "ActionInvoked" && $0.arguments.count == 2 }
      .compactMap { line in line.arguments[1].text.map { ($0, line.time) } }
  }

  /// The `NotificationClosed` signals so far.
  public func closings() -> [Closing] {
    struct Line: Decodable {
      var member: String
      var arguments: [UInt32]
    }
    return contents("bus.jsonl").split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
      .filter { $0.member == "NotificationClosed" && $0.arguments.count == 2 }
      .map { Closing(id: $0.arguments[0], reason: $0.arguments[1]) }
  }

  /// The answered `Notify` calls so far.
  public func calls() -> [Call] {
    // The other lines are signals, and the last one may be half written.
    contents("bus.jsonl").split(separator: UInt8(ascii: "\n"))
      .compactMap { try? JSONDecoder().decode(Call.self, from: $0) }
  }

  /// The newest call once `count` calls were answered.
  public func call(number count: Int, within limit: Duration = .seconds(10)) async throws -> Call {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      let calls = calls()
      if calls.count >= count { return calls[count - 1] }
      try await Task.sleep(for: .milliseconds(10))
    }
    let logs = ["bus.jsonl", "log"].map { "\($0): " + String(decoding: contents($0), as: UTF8.self) }
    throw RunnerError("\(daemon): no Notify call number \(count) was answered within \(limit); " + logs.joined())
  }

  /// What the harness wrote to one of its files.
  private func contents(_ name: String) -> Data {
    FileManager.default.contents(atPath: (environment["NOTIFYD_DIR"] ?? "") + "/" + name) ?? Data()
  }

  private func tool(_ name: String, _ arguments: [String]) async throws {
    let result = try await BinaryRunner.run(
      try Binaries.file("Tests/Daemons/\(name)"), arguments, environment: environment, timeLimit: .seconds(60))
    if result.status != 0 { throw RunnerError("\(name) \(arguments): status \(result.status), \(result.errors)") }
  }
}
