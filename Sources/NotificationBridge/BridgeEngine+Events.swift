internal import DBus
internal import FoundationEssentials
internal import FreedesktopNotifications

extension BridgeEngine {
  /// Handles one event; they come in the order in which the daemon let us know.
  func handle(_ event: ServerEvent) {
    switch event {
    case .accepted(let token, let serverID): accepted(token, serverID)
    case .refused(let token, let error): refused(token, error)
    case .activationToken(let serverID, _), .actionInvoked(let serverID, _), .replied(let serverID, _),
      .closed(let serverID, _):
      if let key = ledger.key(serverID: serverID) {
        handle(event, of: key)
      } else if closing[serverID] != nil {
        if case .closed = event { finishClosing(serverID) }
      } else if !inFlight.isEmpty {
        park(event)
      } else {
        surroundings.log.write(.debug, "ignored a signal for notification \(serverID), which is not ours")
      }
    case .ownerChanged(let owner): ownerChanged(hasOwner: owner != nil)
    case .disconnected(let error):
      surroundings.log.write(.warning, "the session bus is gone: \(error)")
      ownerChanged(hasOwner: false)
    case .reconnected: pump()
    }
  }

  /// A legal daemon may signal before it replies: what comes for a number that is not known yet waits for the reply.
  private func park(_ event: ServerEvent) {
    guard parked.count < 4096 else {
      surroundings.log.write(.warning, "too many signals for unknown notifications; one was dropped")
      return
    }
    parked.append(event)
  }

  // MARK: Answers

  private func accepted(_ token: DeliveryToken, _ serverID: UInt32) {
    guard let flight = inFlight.removeValue(forKey: token) else { return }
    deadlines.remove(flight.answerTicket)
    let key = flight.delivery.key
    let content = flight.record.request.content
    if serverID == 0 {
      surroundings.log.write(
        .warning, "the notification daemon gave no number for \(key.identifier.quotedForPeople): nothing can follow")
    }
    let entry = Ledger.Entry(
      record: flight.record, keys: flight.translation.keys,
      reportsDismissal: flight.record.request.desktop.reportsDismissal
        || flight.category?.options.contains(.customDismissAction) == true,
      lacksCategory: flight.category == nil && !content.categoryIdentifier.isEmpty,
      onOutcome: flight.delivery.submission.onOutcome, serverID: serverID == 0 ? nil : serverID,
      acceptedAt: monotonic.now, order: token.number)
    if let old = ledger.insert(entry, for: key), flight.delivery.shownAt == nil { old.onOutcome?(.replaced) }
    if flight.delivery.conditions?.presentation.contains(.badge) != false, let badge = content.badge, badge >= 0 {
      badges[key.application] = badge
    }
    if let lifetime = flight.record.request.desktop.lifetime, lifetime > 0 {
      _ = schedule(.expiry(key, order: token.number), after: .milliseconds(lifetime) + .seconds(1))
    }
    if flight.delivery.shownAt == nil, !flight.isReported {
      flight.delivery.submission.onAccepted(
        .success(
          DeliveryReport(identifier: key.identifier, isDelivered: true, dropped: flight.translation.dropped)))
    }
    claimParked(serverID)
    if flight.isWithdrawn { withdraw(key, .closed) }
    pump()
  }

  private func claimParked(_ serverID: UInt32) {
    guard !parked.isEmpty else { return }
    let mine = parked.filter { $0.serverID == serverID && serverID != 0 }
    parked.removeAll { $0.serverID == serverID }
    for event in mine { handle(event) }
    if inFlight.isEmpty, !parked.isEmpty {
      surroundings.log.write(.debug, "dropped \(parked.count) signals for notifications that are not ours")
      parked.removeAll()
    }
  }

  private func refused(_ token: DeliveryToken, _ error: BusError) {
    guard var delivery = inFlight[token]?.delivery else { return }
    let flight = inFlight.removeValue(forKey: token)
    deadlines.remove(flight?.answerTicket)
    if error.meansTooMany, delivery.refusals < policy.refusalRetries, flight?.isWithdrawn == false {
      let pause = policy.refusalPause * (1 << delivery.refusals)
      delivery.refusals += 1
      outbox.putBack(delivery)
      isPaused = true
      _ = schedule(.resume, after: pause)
      return
    }
    if flight?.isReported == false {
      delivery.submission.onAccepted(.failure(BridgeError(delivering: delivery.key.identifier, error)))
    }
    claimParked(0)
    pump()
  }

  func answerIsLate(_ token: DeliveryToken) {
    guard let flight = inFlight[token], !flight.isReported else { return }
    inFlight[token]?.isReported = true
    flight.delivery.submission.onAccepted(
      .failure(
        BridgeError(
          .timedOut,
          "no answer of the notification daemon for \(flight.delivery.key.identifier.quotedForPeople) in "
            + "time; it may still appear")))
  }

  // MARK: Signals

  private func handle(_ event: ServerEvent, of key: NotificationKey) {
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
    if entry.awaitsText != nil {
      ledger.update(key) { $0.isOpen = false }
      return
    }
    let ending = ResponseTranslator.ending(
      reason, age: entry.acceptedAt.duration(to: monotonic.now), lifetime: entry.record.request.desktop.lifetime,
      quirks: profile?.quirks ?? ServerQuirks(information: .unknown))
    switch ending {
    case .expired:
      ledger.update(key) { $0.isOpen = false }
      tell(key, entry, .expired)
    case .gone:
      ledger.remove(key)
      entry.onOutcome?(.closed)
    case .dismissed:
      ledger.remove(key)
      if entry.reportsDismissal {
        router.route(ResponseRecord(notification: entry.record, action: .dismiss))
      }
      entry.onOutcome?(.dismissed)
    }
    pump()
  }

  /// The outcome of a delivery comes once, even if the notification stays in the list.
  private func tell(_ key: NotificationKey, _ entry: Ledger.Entry, _ outcome: Outcome) {
    ledger.update(key) { $0.onOutcome = nil }
    entry.onOutcome?(outcome)
  }

  private func respond(_ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?) {
    let response = ResponseRecord(
      notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    if entry.isResident, entry.isOpen {
      ledger.update(key) {
        $0.activationToken = nil
        $0.awaitsText = nil
      }
      router.route(response)
      tell(key, entry, .responded(response))
      return
    }
    ledger.remove(key)
    // Some daemons leave it open. What is posted meanwhile under the same name waits: a number that the daemon is
    // about to close, and may report closed twice, must not be used again.
    if entry.isOpen, let serverID = entry.serverID {
      let ticket = schedule(.close(serverID), after: .milliseconds(300))
      closing[serverID] = Closing(key: key, ticket: ticket)
    }
    router.route(response)
    entry.onOutcome?(.responded(response))
  }

  private func finishClosing(_ serverID: UInt32) {
    guard let waiting = closing.removeValue(forKey: serverID) else { return }
    deadlines.remove(waiting.ticket)
    pump()
  }

  func closeAfterAction(_ serverID: UInt32) {
    guard closing.removeValue(forKey: serverID) != nil else { return }
    server.close(serverID: serverID)
    pump()
  }

  func expire(_ key: NotificationKey, _ order: UInt64) {
    guard let entry = ledger[key], entry.order == order, entry.isOpen, let serverID = entry.serverID else { return }
    ledger.update(key) { $0.isOpen = false }
    server.close(serverID: serverID)
    tell(key, entry, .expired)
  }

  // MARK: The daemon comes and goes

  private func ownerChanged(hasOwner: Bool) {
    profile = nil
    parked.removeAll()
    for waiting in closing.values { deadlines.remove(waiting.ticket) }
    closing.removeAll()
    let hourAgo = surroundings.clock.now.addingTimeInterval(-3600)
    let gone = ledger.entries.filter { $0.value.serverID != nil }.sorted { $0.value.order < $1.value.order }
    ledger.forgetNumbers()
    for (key, entry) in gone {
      let request = entry.record.request
      let isCritical = request.content.interruptionLevel == .critical || request.desktop.urgency == 2
      let hasActions = entry.keys.count > 1
      if policy.showsAgain, entry.isOpen, isCritical || hasActions && entry.record.date > hourAgo {
        lost.append(key)
      } else {
        ledger.remove(key)
        entry.onOutcome?(.daemonLost)
      }
    }
    if hasOwner { showLost() }
    pump()
  }

  /// Shows what the former daemon took with it, in order and silently, unless it was replaced or removed meanwhile.
  private func showLost() {
    let keys = lost
    lost.removeAll()
    for key in keys {
      guard let entry = ledger[key], entry.serverID == nil else { continue }
      deliver(
        Submission(entry.record.request, from: entry.record.application, onOutcome: entry.onOutcome),
        shownAt: entry.record.date)
    }
  }
}

extension ServerEvent {
  /// The number that a signal is about.
  fileprivate var serverID: UInt32? {
    switch self {
    case .activationToken(let serverID, _), .actionInvoked(let serverID, _), .replied(let serverID, _),
      .closed(let serverID, _):
      serverID
    case .accepted, .refused, .ownerChanged, .disconnected, .reconnected: nil
    }
  }
}

extension Translator.ActionMeaning {
  /// The action that opens a text field.
  fileprivate var textIdentifier: String? { if case .textInput(let identifier) = self { identifier } else { nil } }
}

extension BusError {
  /// The daemon had too many, or too many at once: later it may take it.
  ///
  /// Plasma, notification-daemon and python-dbusmock name it; mate and notify-osd have unmapped GLib errors.
  var meansTooMany: Bool {
    guard code == .remote, let name = name?.text else { return false }
    return name == "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
      || name.hasSuffix("MaxNotificationsExceeded")
      || name.hasPrefix("org.gtk.GDBus.UnmappedGError") && name.hasSuffix("Code1")
      || name == "org.freedesktop.DBus.GLib.UnmappedError.NotifyOsd.Code1"
      || name == ErrorName.limitsExceeded.text
  }
}
