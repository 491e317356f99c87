internal import BridgeControl
internal import DBus
internal import NotificationBridge

/// `send`: shows one notification, and waits for its end if asked to: through the resident bridge where there is one.
enum SendCommand {
  static func run(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) -> ExitStatus {
    let plan = try SendPlan(arguments, invocation)
    for note in plan.notes { Output.message(note) }
    return run(plan, invocation)
  }

  /// Does what a plan says.
  static func run(_ plan: SendPlan, _ invocation: Invocation) -> ExitStatus {
    let executor: BusExecutor
    do throws(BusProblem) {
      executor = try Host.executor()
    } catch {
      Output.message(error.text)
      return .noDaemon
    }
    return Host.wait(on: executor) { await send(plan, invocation.environment, executor) }
  }

  private static func send(
    _ plan: SendPlan, _ environment: [String: String], _ executor: BusExecutor
  ) async -> ExitStatus {
    let connection: BusConnection
    do throws(BusProblem) {
      connection = try await Host.connect(environment, on: executor)
    } catch {
      Output.message(error.text)
      return .noDaemon
    }
    let wait = SendWait(executor)
    if !plan.isDirect {
      let client = ControlClient(on: connection)
      do throws(BridgeError) {
        if try await client.start() { return await BridgeSend(plan, client, wait).run() }
      } catch {
        Output.message("\(error); going on without it")
      }
    }
    if let trigger = plan.request.trigger, trigger != .push {
      Output.message(
        "a schedule needs the resident bridge notify-bridged, which does not run and cannot be started here: "
          + "'notify-bridge doctor' says more")
      return .noDaemon
    }
    for note in plan.directNotes { Output.message(note) }
    return await direct(plan, connection, wait, executor)
  }

  private static func direct(
    _ plan: SendPlan, _ connection: BusConnection, _ wait: SendWait, _ executor: BusExecutor
  ) async -> ExitStatus {
    let engine = Host.engine(on: connection, executor: executor, listens: plan.waits)
    await engine.submit(
      Submission(
        plan.request, from: plan.application, onAccepted: { wait.give(.accepted($0)) },
        onOutcome: { wait.give(.ended($0)) }))
    while true {
      switch await wait.next() {
      case .accepted(.failure(let error)): return SendReport.failure(error)
      case .accepted(.success(let accepted)):
        SendReport.accepted(accepted, plan)
        guard plan.waits else { return .success }
        if let timeout = plan.timeout { wait.give(.timeIsUp, after: timeout) }
      case .ended(let outcome):
        SendReport.outcome(outcome, plan.request.identifier, json: plan.json)
        if case .responded = outcome {
          // Some daemons leave it open: it is closed before we go.
          await engine.finishClosing()
          await engine.stop()
          await connection.close()
        }
        return ExitStatus(outcome)
      case .failed(let error): return SendReport.failure(error)
      case .timeIsUp: return SendReport.timeIsUp(plan.request.identifier, json: plan.json)
      }
    }
  }
}
