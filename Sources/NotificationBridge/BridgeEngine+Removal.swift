internal import FoundationEssentials
internal import FreedesktopNotifications

/// Taking notifications away.
extension BridgeEngine {
  /// Takes delivered notifications away; nil takes all. Unknown identifiers are ignored, and nobody is told.
  public func removeDelivered(_ identifiers: [String]?, of application: String) {
    let wanted = identifiers.map(Set.init)
    for number in outbox.numbers(of: application, wanted) {
      guard let delivery = outbox.remove(number) else { continue }
      note(.removed, delivery.key)
      endDrawing(delivery.key)
      if !delivery.isReported, delivery.shownAt == nil {
        delivery.submission.onAccepted(
          .failure(
            BridgeError(.cancelled, "\(delivery.key.identifier.quotedForPeople) was removed before it was shown"))
        )
      }
      for waiter in waiters.removeValue(forKey: delivery.key) ?? [] { waiter.take(.closed) }
    }
    for (token, flight) in inFlight where flight.delivery.key.application == application {
      if wanted?.contains(flight.delivery.key.identifier) ?? true { inFlight[token]?.isWithdrawn = true }
    }
    let keys =
      identifiers.map { $0.map { NotificationKey(application: application, identifier: $0) } }
      ?? ledger.delivered(application).map(\.key)
    for key in keys where ledger[key] != nil {
      note(.removed, key)
      withdraw(key, .closed)
    }
  }

  /// Takes all notifications of a thread away, pending ones too.
  /// - Returns: how many there were.
  public func removeThread(_ thread: String, of application: String) -> Int {
    let waiting = pending.list(application).filter { submission(of: $0)?.request.content.threadIdentifier == thread }
    let delivered = ledger.delivered(application).filter { $0.record.request.content.threadIdentifier == thread }
    removePending(waiting.map(\.entry.key.identifier), of: application)
    removeDelivered(delivered.map(\.key.identifier), of: application)
    return waiting.count + delivered.count
  }

  /// Closes a delivered notification and forgets it.
  func withdraw(_ key: NotificationKey, _ outcome: Outcome) {
    guard let entry = ledger.remove(key) else { return }
    // An expired one may still be in the daemon's history.
    close(entry)
    end(entry, outcome)
    leaveThread(key, entry)
  }

  /// Has the daemon close one. At once, before anything is kept: after a crash it can be closed once more, but not at
  /// all if nobody knows of it any more.
  func close(_ entry: Ledger.Entry) { if let serverID = entry.serverID { server.close(serverID: serverID) } }
}
