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
    return Self.requiresAuthentication(identifier, actions)
  }

  private static func requiresAuthentication(_ identifier: String, _ actions: [ActionRecord]) -> Bool {
    actions.contains { $0.identifier == identifier && $0.options.contains(.authenticationRequired) }
  }

  /// Whether what the user did to a notification that a content extension draws has to wait; then it is done once the
  /// session is unlocked.
  func holdByLock(
    _ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?
  ) -> Bool {
    // The extension may have put actions of its own in the place of the notification's.
    guard surroundings.facts?.isLocked == true, case .custom(let identifier) = action, isDrawnNow(entry),
      Self.requiresAuthentication(identifier, actions(of: entry))
    else { return false }
    guard heldByLock.count < Self.responsesKept else {
      surroundings.log.write(
        .warning, "too much waits for the unlock: an action of \(key.identifier.quotedForPeople) is lost")
      return true
    }
    let response = ResponseRecord(
      notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    heldByLock.append(response)
    keepForExtension(response)
    // Most daemons close it now: that is no end yet.
    ledger.update(key) {
      $0.consultations += 1
      $0.activationToken = nil
      $0.awaitsText = nil
    }
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
      guard let before = ledger[key], before.record.date == response.notification.date else {
        forward(response)
        continue
      }
      ledger.update(key) { $0.consultations = max($0.consultations - 1, 0) }
      guard let entry = ledger[key] else { continue }
      respond(key, entry, response.action, text: response.text, kept: response)
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
    endDrawings()
  }
}
