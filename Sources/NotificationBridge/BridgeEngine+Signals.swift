internal import FoundationEssentials
internal import FreedesktopNotifications

/// What the daemon's signals mean for a delivered notification: what the user did, and how it ended.
extension BridgeEngine {
  func handle(_ event: ServerEvent, of key: NotificationKey) {
    guard let entry = ledger[key] else { return }
    switch event {
    case .activationToken(_, let token): ledger.update(key) { $0.activationToken = token }
    case .actionInvoked(_, let actionKey): invoked(actionKey, key, entry)
    case .replied(_, let text):
      guard let identifier = entry.keys.values.compactMap(\.textIdentifier).first else {
        surroundings.log.write(.debug, "ignored a reply to \(key.identifier.quotedForPeople), which asked for none")
        return
      }
      respond(key, entry, .custom(identifier), text: text)
    case .closed(_, let reason): closed(reason, key, entry)
    default: break
    }
  }

  private func invoked(_ actionKey: String, _ key: NotificationKey, _ entry: Ledger.Entry) {
    guard let meaning = entry.keys[actionKey] else {
      surroundings.log.write(
        .info, "ignored an action of \(key.identifier.quotedForPeople) that was not sent: \(actionKey.quotedForPeople)")
      return
    }
    if takesAttachmentPress(meaning, key, entry) { return }
    if case .textInput(let identifier) = meaning {
      // The text comes in a signal of its own; it is never invented.
      guard entry.awaitsText == nil else { return }
      ledger.update(key) { $0.awaitsText = identifier }
      _ = schedule(.text(key, order: entry.order), after: .milliseconds(500))
      return
    }
    respond(key, entry, ResponseTranslator.action(meaning), text: nil)
  }

  func textIsLate(_ key: NotificationKey, _ order: UInt64) {
    guard let entry = ledger[key], entry.order == order, let identifier = entry.awaitsText else { return }
    surroundings.log.write(
      .warning, "the daemon sent no text for \(key.identifier.quotedForPeople); it counts as a plain action")
    respond(key, entry, .custom(identifier), text: nil)
  }

  private func closed(_ reason: CloseReason, _ key: NotificationKey, _ entry: Ledger.Entry) {
    guard entry.isOpen else { return }
    if closedWhileDrawn(key, entry) { return }
    if staysAfterAttachmentPress(key, entry) { return }
    if entry.awaitsText != nil {
      ledger.update(key) { $0.isOpen = false }
      return
    }
    let ending = ResponseTranslator.ending(
      reason, age: entry.acceptedAt.duration(to: monotonic.now), lifetime: entry.record.request.desktop.lifetime,
      quirks: profile?.quirks ?? ServerQuirks(information: .unknown))
    switch ending {
    case .expired: markExpired(key, entry)
    case .gone:
      ledger.remove(key)
      note(.closed, key)
      end(entry, .closed)
      leaveThread(key, entry)
    case .dismissed: dismiss(key, entry)
    }
    pump()
  }

  func markExpired(_ key: NotificationKey, _ entry: Ledger.Entry) {
    ledger.update(key) {
      $0.isOpen = false
      $0.onOutcome = nil
      $0.waiters = []
    }
    // It stays in the list, but its outcome comes once.
    if entry.onOutcome != nil || !entry.waiters.isEmpty || isStored { note(.expired, key) }
    end(entry, .expired)
    endDrawings()
  }

  /// The user dismissed it.
  /// - Parameter decided: the response that a content extension has had already.
  func dismiss(_ key: NotificationKey, _ entry: Ledger.Entry, decided: ResponseRecord? = nil) {
    if Self.isSummary(key) { return dismissThread(key) }
    if decided == nil, entry.reportsDismissal, consult(key, entry, .dismiss, text: nil) {
      return ledger.update(key) { $0.isOpen = false }
    }
    ledger.remove(key)
    note(.dismissed, key)
    if entry.reportsDismissal { route(decided ?? ResponseRecord(notification: entry.record, action: .dismiss)) }
    end(entry, .dismissed)
    leaveThread(key, entry)
  }

  /// Tells whoever waits for the outcome of a delivery; it comes once.
  func end(_ entry: Ledger.Entry, _ outcome: Outcome) {
    guard entry.onOutcome != nil || !entry.waiters.isEmpty else { return }
    afterCommit { _ in
      entry.onOutcome?(outcome)
      for waiter in entry.waiters { waiter.take(outcome) }
    }
  }

  /// - Parameters:
  ///   - isDecided: a content extension has had it already.
  ///   - kept: the response, if it has waited.
  func respond(
    _ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?,
    isDecided: Bool = false, kept: ResponseRecord? = nil
  ) {
    if Self.isSummary(key) { return expandThread(key) }
    if !isDecided,
      holdByLock(key, entry, action, text: text) || consult(key, entry, action, text: text, kept: kept)
    {
      return
    }
    let response =
      kept
      ?? ResponseRecord(notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    note(.responded, key, response.detail)
    if entry.isResident, entry.isOpen {
      ledger.update(key) {
        $0.activationToken = nil
        $0.awaitsText = nil
        $0.onOutcome = nil
        $0.waiters = []
      }
    } else {
      takeOff(key, entry)
    }
    route(response, for: entry.waiters)
    if let onOutcome = entry.onOutcome { afterCommit { _ in onOutcome(.responded(response)) } }
    leaveThread(key, entry)
  }

  /// Takes out what was acted on. Some daemons leave it open. What is posted meanwhile under the same name waits: a
  /// number that the daemon is about to close, and may report closed twice, must not be used again.
  func takeOff(_ key: NotificationKey, _ entry: Ledger.Entry) {
    ledger.remove(key)
    guard entry.isOpen, let serverID = entry.serverID else { return }
    closing[serverID] = Closing(key: key, ticket: schedule(.close(serverID), after: .milliseconds(300)))
  }

  func finishClosing(_ serverID: UInt32) {
    guard let waiting = closing.removeValue(forKey: serverID) else { return }
    cancel(waiting.ticket)
    pump()
  }

  func closeAfterAction(_ serverID: UInt32) {
    guard closing.removeValue(forKey: serverID) != nil else { return }
    server.close(serverID: serverID)
    pump()
  }

  func expire(_ key: NotificationKey, _ order: UInt64) {
    guard let entry = ledger[key], entry.order == order, entry.isOpen, let serverID = entry.serverID else { return }
    server.close(serverID: serverID)
    markExpired(key, entry)
  }
}

extension ResponseRecord {
  /// What the history says of it.
  var detail: [String: PropertyValue] {
    var detail: [String: PropertyValue] = [
      "action": .dictionary(action.document), "response": .string(id.uuidString),
    ]
    if let text { detail["text"] = .string(text) }
    return detail
  }
}

extension Translator.ActionMeaning {
  /// The action that opens a text field.
  fileprivate var textIdentifier: String? { if case .textInput(let identifier) = self { identifier } else { nil } }
}
