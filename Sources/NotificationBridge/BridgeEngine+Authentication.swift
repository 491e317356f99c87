/// Actions that only the user may take: while the session is locked their responses wait.
///
/// Source: Apple, UNNotificationActionOptions.authenticationRequired.
extension BridgeEngine {
  /// Whether a response has to wait for the session to be unlocked. Where nobody knows whether it is locked, none has.
  func isHeldByLock(_ response: ResponseRecord) -> Bool {
    guard surroundings.facts?.isLocked == true, case .custom(let identifier) = response.action else { return false }
    let request = response.notification.request
    let application = response.notification.application.identifier
    let actions =
      request.desktop.actions ?? categories[application]?[request.content.categoryIdentifier]?.actions ?? []
    return actions.contains { $0.identifier == identifier && $0.options.contains(.authenticationRequired) }
  }

  /// Whether what the user did to a notification that a content extension draws has to wait; then it is done once the
  /// session is unlocked.
  func holdByLock(
    _ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?
  ) -> Bool {
    let response = ResponseRecord(
      notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    guard isDrawnNow(entry), isHeldByLock(response) else { return false }
    heldByLock.append(response)
    return true
  }

  /// The session is unlocked: what waited for that goes its way.
  func releaseHeld() {
    guard surroundings.facts?.isLocked != true else { return }
    let drawn = heldByLock
    heldByLock = []
    for response in drawn {
      let key = NotificationKey(
        application: response.notification.application.identifier,
        identifier: response.notification.request.identifier)
      guard let entry = ledger[key], entry.record.date == response.notification.date else { continue }
      respond(key, entry, response.action, text: response.text, activationToken: response.activationToken)
    }
    let held = heldWaiters
    heldWaiters = [:]
    for item in journal.free(nil) {
      guard let taker = held[item.response.id]?.first else { continue }
      journal.place(item.response.id, .waiter(taker.id))
      let waiting = held[item.response.id] ?? []
      afterCommit { _ in for waiter in waiting { waiter.take(.responded(item.response)) } }
    }
    offerFree()
  }
}
