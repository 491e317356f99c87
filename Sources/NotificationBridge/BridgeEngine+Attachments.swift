extension BridgeEngine {
  /// The files that an application's notifications need: of those that are looked at, wait, are on their way or were
  /// delivered.
  public func attachmentPaths(of application: String) -> Set<String> {
    var requests = pendingRequests(of: application).map(\.request)
    requests += preparing.filter { $0.key.application == application }.map(\.value.request)
    requests += outbox.numbers(of: application, nil).compactMap { outbox[$0]?.submission.request }
    requests += inFlight.values.filter { $0.delivery.key.application == application }.map(\.record.request)
    requests += ledger.delivered(application).map(\.record.request)
    return Set(requests.flatMap { $0.content.attachments.map(\.path) })
  }
}
