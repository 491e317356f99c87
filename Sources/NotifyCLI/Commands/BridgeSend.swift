internal import BridgeControl
internal import DBus
internal import Glibc
internal import NotificationBridge

/// `send` through the resident bridge.
struct BridgeSend: Sendable {
  private let plan: SendPlan
  private let client: ControlClient
  private let wait: SendWait

  init(_ plan: SendPlan, _ client: ControlClient, _ wait: SendWait) {
    self.plan = plan
    self.client = client
    self.wait = wait
  }

  func run() async -> ExitStatus {
    do throws(BridgeError) {
      var options = ControlClient.PostOptions()
      options.waits = plan.waits
      let report = try await client.post(plan.request, from: plan.application, files: try files(), options: options)
      SendReport.accepted(report, plan)
    } catch {
      return SendReport.failure(error)
    }
    guard plan.waits else { return .success }
    let key = NotificationKey(application: plan.application.identifier, identifier: plan.request.identifier)
    if let timeout = plan.timeout { wait.give(.timeIsUp, after: timeout) }
    return await BridgeWait(key, client, wait, json: plan.json).run()
  }

  /// The attachments, opened by us: the bridge may not see what we see.
  private func files() throws(BridgeError) -> [OwnedDescriptor] {
    var files: [OwnedDescriptor] = []
    for attachment in plan.request.content.attachments {
      let descriptor = unsafe open(attachment.path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else {
        throw BridgeError(.attachmentUnreadable, "\(attachment.path.quotedForPeople) cannot be opened any more")
      }
      files.append(OwnedDescriptor(adopting: descriptor))
    }
    return files
  }
}

/// Waits at the resident bridge for how a notification ends, and says so.
struct BridgeWait: Sendable {
  private let key: NotificationKey
  private let client: ControlClient
  private let wait: SendWait
  private let json: Bool

  init(_ key: NotificationKey, _ client: ControlClient, _ wait: SendWait, json: Bool) {
    self.key = key
    self.client = client
    self.wait = wait
    self.json = json
  }

  func run() async -> ExitStatus {
    Task(executorPreference: wait.executor) { await ask() }
    while true {
      switch await wait.next() {
      case .ended(let outcome):
        SendReport.outcome(outcome, key.identifier, json: json)
        // Printed: nobody else is to get it. Where the bridge has gone meanwhile, it may come once more.
        if case .responded(let response) = outcome {
          try? await client.acknowledge(response.id, of: key.application)
        }
        return ExitStatus(outcome)
      case .failed(let error): return SendReport.failure(error)
      case .timeIsUp: return SendReport.timeIsUp(key.identifier, json: json)
      case .accepted: continue
      }
    }
  }

  /// Asks for the outcome; of a bridge that was started anew, once more.
  private func ask() async {
    var failures = 0
    while true {
      let begun = ContinuousClock.now
      do throws(BridgeError) {
        return wait.give(.ended(try await client.wait(key)))
      } catch {
        guard error.code == .noBus else { return wait.give(.failed(error)) }
        failures = begun.duration(to: .now) > .seconds(5) ? 1 : failures + 1
        guard failures <= 5 else { return wait.give(.failed(error)) }
      }
      await wait.pause(.milliseconds(200 * failures))
    }
  }
}
