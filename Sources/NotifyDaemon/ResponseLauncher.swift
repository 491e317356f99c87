internal import DBus
internal import DesktopEnvironment
internal import DesktopServices
internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge
internal import Synchronization

/// Starts handlers and applications for responses: through the user manager where there is one, else directly.
final class ResponseLauncher: Launcher {
  private struct State: Sendable {
    var folder: HandlerFolder
    var timeout: Duration
    /// The user manager as it was seen last: under it a unit can be asked for after a crash.
    var manager: String?
  }

  private let state: Mutex<State>
  private let units: TransientUnits
  private let activation: ApplicationActivation
  private let paths: XDGPaths
  private let environment: [String: String]
  private let executor: BusExecutor
  private let log: any BridgeLog

  init(
    session: BusConnection, paths: XDGPaths, environment: [String: String], timeout: Duration, executor: BusExecutor,
    log: any BridgeLog
  ) {
    units = TransientUnits(session: session)
    activation = ApplicationActivation(session: session)
    self.paths = paths
    self.environment = environment
    self.executor = executor
    self.log = log
    let folders = paths.configSearchPath.map { $0 + "/notify-bridge/handlers.d" }
    state = Mutex(State(folder: HandlerFolder(folders), timeout: timeout))
  }

  /// Looks for the user manager; before the first response.
  func prepare() async {
    let manager = await units.manager()?.identity
    state.withLock { $0.manager = manager }
    _ = problems
  }

  /// What is wrong with the handlers' files, a sentence each.
  var problems: [String] {
    let (problems, wasRead) = state.withLock { state in
      let wasRead = state.folder.refresh()
      return (state.folder.problems, wasRead)
    }
    if wasRead { for problem in problems { log.write(.warning, problem) } }
    return problems
  }

  // MARK: Handlers

  func handler(for response: ResponseRecord) -> String? {
    _ = problems
    return state.withLock { state in
      guard let handler = state.folder.handlers.first(where: { $0.matches(response) }) else { return nil }
      return HandlerMark(name: handler.name, manager: state.manager).text
    }
  }

  func run(_ handler: String, for response: ResponseRecord, onEnd: @escaping @Sendable (HandlerResult) -> Void) {
    let mark = HandlerMark(text: handler)
    let (found, timeout) = state.withLock { state in
      (state.folder.handlers.first { $0.name == mark.name }, state.timeout)
    }
    guard let found else {
      return onEnd(HandlerResult(status: "its file has gone", succeeded: false))
    }
    let command = Command(
      found.command[0], Array(found.command.dropFirst()),
      environment: variables(response, inherits: mark.manager == nil), workingDirectory: paths.home,
      input: HandlerInput.document(response), timeLimit: found.timeout ?? timeout)
    Task(executorPreference: executor) {
      onEnd(await self.run(command, mark, response))
      // Managers come, go and are started anew, with the bus for example; the next handler is for the present one.
      let manager = await self.units.manager()?.identity
      self.state.withLock { $0.manager = manager }
    }
  }

  private nonisolated(nonsending) func run(
    _ command: Command, _ mark: HandlerMark, _ response: ResponseRecord
  ) async -> HandlerResult {
    do throws(CommandError) {
      let result: CommandResult
      if mark.manager != nil, let unit = Self.unit(response.id) {
        let name = response.notification.request.identifier
        do throws(CommandError) {
          result = try await units.run(
            command, as: unit, description: "notify-bridge handler \(mark.name) for \(name.quotedForPeople)")
        } catch  where error.code == .unavailable {
          // It went since.
          var command = command
          command.environment = variables(response, inherits: true)
          return report(mark.name, try await ChildProcess.run(command))
        }
      } else {
        result = try await ChildProcess.run(command)
      }
      return report(mark.name, result)
    } catch {
      let isUncertain = error.code == .uncertain
      if !isUncertain { log.write(.error, "the handler \(mark.name.quotedForPeople) was not run: \(error)") }
      return HandlerResult(status: error.description, succeeded: false, isUncertain: isUncertain)
    }
  }

  private func report(_ name: String, _ result: CommandResult) -> HandlerResult {
    for (bytes, level) in [
      (result.output?.standardOutput ?? [], LogLevel.info), (result.output?.standardError ?? [], .warning),
    ] {
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(100) {
        log.write(level, "handler \(name.quotedForPeople): \(String(line).quotedForPeople)")
      }
    }
    return HandlerResult(result.ending)
  }

  func outcome(
    of handler: String, for response: ResponseRecord, _ answer: @escaping @Sendable (HandlerFate) -> Void
  ) {
    let mark = HandlerMark(text: handler)
    guard let manager = mark.manager, let unit = Self.unit(response.id) else { return answer(.unknown) }
    Task(executorPreference: executor) {
      let deadline = ContinuousClock.now + self.state.withLock { $0.timeout } + .seconds(60)
      while true {
        switch await self.units.state(of: unit, under: manager) {
        case .neverStarted: return answer(.neverStarted)
        // The unit stays until that is kept, see finished(_:): without either it would be run again after a second crash.
        case .finished(let ending): return answer(.ended(HandlerResult(ending)))
        case .notExecuted(let reason): return answer(.ended(HandlerResult(status: reason, succeeded: false)))
        case .unknown: return answer(.unknown)
        case .running:
          // It outlived us and is on its way to its end; that is looked at now and then, and not for ever.
          guard ContinuousClock.now < deadline else { return answer(.unknown) }
          await self.pause(.milliseconds(500))
        }
      }
    }
  }

  private nonisolated(nonsending) func pause(_ time: Duration) async {
    await withCheckedContinuation { continuation in executor.perform(after: time) { continuation.resume() } }
  }

  func finished(_ response: UUID) {
    guard let unit = Self.unit(response) else { return }
    Task(executorPreference: executor) { await self.units.remove(unit) }
  }

  private static func unit(_ response: UUID) -> UnitName? {
    try? UnitName("notify-bridge-handler-\(response.uuidString.lowercased()).service")
  }

  // MARK: What a handler is given

  /// - Parameter inherits: the bridge's own variables too, as the user manager would give them.
  private func variables(_ response: ResponseRecord, inherits: Bool) -> [String: String] {
    (inherits ? HandlerInput.inherited(environment) : [:]).merging(HandlerInput.variables(response)) { $1 }
  }

  // MARK: Applications

  func start(_ response: ResponseRecord, _ answer: @escaping @Sendable (Bool) -> Void) {
    let application = response.notification.application.identifier
    guard let entry = (try? DesktopEntry.find(application, in: paths)) ?? nil else { return answer(false) }
    Task(executorPreference: executor) { answer(await self.start(entry, response)) }
  }

  private nonisolated(nonsending) func start(_ entry: DesktopEntry, _ response: ResponseRecord) async -> Bool {
    let (name, token) = (entry.identifier, response.activationToken)
    if entry.isDBusActivatable {
      switch await activation.activate(name, token: token) {
      case .activated, .uncertain: return true
      case .notActivatable: break
      case .failed(let reason): log.write(.warning, "\(name.quotedForPeople) was not activated: \(reason)")
      }
    }
    guard let exec = entry.exec, let words = try? ExecLine.application(exec) else { return false }
    do throws(CommandError) {
      let hasManager = await units.isAvailable()
      let command = Command(
        words[0], Array(words.dropFirst()),
        environment: (hasManager ? [:] : environment).merging(["NOTIFY_BRIDGE_RESPONSE": response.id.uuidString]) {
          $1
        },
        workingDirectory: paths.home)
      _ = try await activation.start(name, command, token: token)
      return true
    } catch {
      log.write(.warning, "\(name.quotedForPeople) was not started: \(error)")
      return false
    }
  }
}

/// A handler and the user manager under which it is started, as they are kept while it runs.
struct HandlerMark: Sendable, Hashable {
  let name: String
  /// Nil: it is run directly.
  let manager: String?

  init(name: String, manager: String?) {
    self.name = name
    self.manager = manager
  }

  init(text: String) {
    let parts = text.split(separator: "\t", maxSplits: 1).map(String.init)
    name = parts.first ?? ""
    manager = parts.count == 2 ? parts[1] : nil
  }

  var text: String { manager.map { name + "\t" + $0 } ?? name }
}

extension HandlerResult {
  init(_ ending: CommandEnding) {
    switch ending {
    case .exited(let status): self.init(status: "\(status)", succeeded: status == 0)
    case .signalled(let number): self.init(status: "signal \(number)", succeeded: false)
    case .timedOut: self.init(status: "timed out", succeeded: false)
    }
  }
}
