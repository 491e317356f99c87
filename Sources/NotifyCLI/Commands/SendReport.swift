internal import NotificationBridge

/// What `send` and `wait` say of a notification.
enum SendReport {
  static func failure(_ error: BridgeError) -> ExitStatus {
    Output.message(error.description)
    if error.code == .noDaemon { Output.message("'notify-bridge doctor' says what can be done") }
    return ExitStatus(error)
  }

  static func accepted(_ accepted: DeliveryReport, _ plan: SendPlan) {
    if plan.printsIdentifier {
      if plan.json {
        Output.json(["identifier": accepted.identifier])
      } else {
        Output.result(accepted.identifier)
      }
    }
    if let delay = accepted.delay { Output.message("it is kept and shown later: \(delay)") }
    for dropped in accepted.dropped { Output.message("not shown as asked: \(dropped)") }
  }

  static func timeIsUp(_ identifier: String, json: Bool) -> ExitStatus {
    if json { Output.json(Ended(outcome: "time-limit", identifier: identifier)) }
    return .timeLimit
  }

  static func outcome(_ outcome: Outcome, _ name: String, json: Bool) {
    switch outcome {
    case .responded(let response):
      if json {
        Output.json(Ended(response))
      } else {
        Output.result(response.action.word + (response.text.map { "\t" + oneLine($0) } ?? ""))
      }
      return
    case .daemonLost:
      Output.message("the notification daemon went away: nobody can answer \(name.quotedForPeople) any more")
      if json { Output.json(Ended(outcome: "daemon-lost", identifier: name)) }
    case .dismissed: if json { Output.json(Ended(outcome: "dismissed", identifier: name)) }
    case .expired: if json { Output.json(Ended(outcome: "expired", identifier: name)) }
    case .closed: if json { Output.json(Ended(outcome: "closed", identifier: name)) }
    case .replaced: if json { Output.json(Ended(outcome: "replaced", identifier: name)) }
    }
  }

  /// A reply is one line here; `--json` has it as it was typed.
  private static func oneLine(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The one JSON object of a command that waits.
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
