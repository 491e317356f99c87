internal import DBus
internal import NotificationBridge

/// `send`: shows one notification, and waits for its end if asked to.
enum SendCommand {
  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let plan = try SendPlan(arguments, invocation)
    for note in plan.notes { Output.message(note) }
    return Host.wait(on: QueueExecutor()) { await send(plan, invocation.environment) }
  }

  private static func send(_ plan: SendPlan, _ environment: [String: String]) async -> ExitStatus {
    let connection: BusConnection
    let executor: BusExecutor
    do throws(BusProblem) {
      executor = try Host.executor()
      connection = try await Host.connect(environment, on: executor)
    } catch {
      Output.message(error.text)
      return .noDaemon
    }
    let engine = Host.engine(on: connection, executor: executor, listens: plan.waits)
    let wait = SendWait()
    await engine.submit(
      Submission(
        plan.request, from: plan.application, onAccepted: { wait.give(.accepted($0)) },
        onOutcome: { wait.give(.ended($0)) }))
    while true {
      switch await wait.next() {
      case .accepted(.failure(let error)): return report(error)
      case .accepted(.success(let accepted)):
        report(accepted, plan)
        guard plan.waits else { return .success }
        if let timeout = plan.timeout { wait.give(.timeIsUp, after: timeout) }
      case .ended(let outcome):
        report(outcome, plan)
        if case .responded = outcome {
          // Some daemons leave it open: it is closed before we go.
          await engine.finishClosing()
          await engine.stop()
          await connection.close()
        }
        return ExitStatus(outcome)
      case .timeIsUp:
        if plan.json { Output.json(Ended(outcome: "time-limit", identifier: plan.request.identifier)) }
        return .timeLimit
      }
    }
  }

  private static func report(_ error: BridgeError) -> ExitStatus {
    Output.message(error.description)
    if error.code == .noDaemon { Output.message("'notify-bridge doctor' says what can be done") }
    return ExitStatus(error)
  }

  private static func report(_ accepted: DeliveryReport, _ plan: SendPlan) {
    if plan.printsIdentifier {
      if plan.json {
        Output.json(["identifier": accepted.identifier])
      } else {
        Output.result(accepted.identifier)
      }
    }
    for dropped in accepted.dropped { Output.message("not shown as asked: \(dropped)") }
  }

  private static func report(_ outcome: Outcome, _ plan: SendPlan) {
    let name = plan.request.identifier
    switch outcome {
    case .responded(let response):
      if plan.json {
        Output.json(Ended(response))
      } else {
        Output.result(response.action.word + (response.text.map { "\t" + oneLine($0) } ?? ""))
      }
      return
    case .daemonLost:
      Output.message("the notification daemon went away: nobody can answer \(name.quotedForPeople) any more")
      if plan.json { Output.json(Ended(outcome: "daemon-lost", identifier: name)) }
    case .dismissed: if plan.json { Output.json(Ended(outcome: "dismissed", identifier: name)) }
    case .expired: if plan.json { Output.json(Ended(outcome: "expired", identifier: name)) }
    case .closed: if plan.json { Output.json(Ended(outcome: "closed", identifier: name)) }
    case .replaced: if plan.json { Output.json(Ended(outcome: "replaced", identifier: name)) }
    }
  }

  /// A reply is one line here; `--json` has it as it was typed.
  private static func oneLine(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The one JSON object of a waiting `send`.
  private struct Ended: Encodable {
    var outcome: String
    var identifier: String
    var action: String?
    var text: String?
    var activationToken: String?
    var userInfo: [String: PropertyValue]?

    init(outcome: String, identifier: String) {
      self.outcome = outcome
      self.identifier = identifier
    }

    init(_ response: ResponseRecord) {
      let request = response.notification.request
      self.init(outcome: "action", identifier: request.identifier)
      action = response.action.word
      text = response.text
      activationToken = response.activationToken
      userInfo = request.content.userInfo.isEmpty ? nil : request.content.userInfo
    }
  }
}

extension ResponseRecord.Action {
  /// How scripts see it.
  var word: String {
    switch self {
    case .default: "default"
    case .dismiss: "dismiss"
    case .settings: "settings"
    case .custom(let identifier): identifier
    }
  }
}
