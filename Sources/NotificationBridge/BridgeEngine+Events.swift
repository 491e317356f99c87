internal import DBus
internal import FoundationEssentials
internal import FreedesktopNotifications

extension BridgeEngine {
  func take(_ event: ServerEvent) {
    switch event {
    case .accepted(let token, let serverID): accepted(token, serverID)
    case .refused(let token, let error): refused(token, error)
    case .activationToken(let serverID, _), .actionInvoked(let serverID, _), .replied(let serverID, _),
      .closed(let serverID, _):
      // One fewer, whoever's it was: there may be room again.
      if case .closed = event, isPaused {
        pauseReason = nil
        enqueue { $0.pump() }
      }
      if let key = ledger.key(serverID: serverID) {
        handle(event, of: key)
      } else if closing[serverID] != nil {
        if case .closed = event { finishClosing(serverID) }
      } else if !inFlight.isEmpty {
        park(event)
      } else {
        surroundings.log.write(.debug, "ignored a signal for notification \(serverID), which is not ours")
      }
    case .ownerChanged(let owner):
      lastFailure = nil
      owners += 1
      self.owner = owner
      // It was asked already: what it answered, and the numbers that it gave, hold.
      if let owner, profile?.owner == owner { return pump() }
      ownerChanged(hasOwner: owner != nil)
    case .disconnected(let error):
      surroundings.log.write(.warning, "the session bus is gone: \(error)")
      owner = nil
      ownerChanged(hasOwner: false)
    case .reconnected:
      lastFailure = nil
      pump()
      // A daemon that was back before us is not announced.
      if !lost.isEmpty { findProfile() }
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
    cancel(flight.answerTicket)
    outbox.finish(flight.delivery.number)
    let key = flight.delivery.key
    if isObsolete(flight.delivery) {
      if serverID != 0 { server.close(serverID: serverID) }
      claimParked(serverID)
      return pump()
    }
    if serverID == 0 {
      surroundings.log.write(
        .warning, "the notification daemon gave no number for \(key.identifier.quotedForPeople): nothing can follow")
    }
    enter(flight.delivery, flight.record, flight.translation, flight.category, serverID: serverID == 0 ? nil : serverID)
    if flight.isTimed { _ = schedule(.expiry(key, order: flight.delivery.number), after: policy.usualLifetime) }
    claimParked(serverID)
    if flight.isWithdrawn {
      withdraw(key, .closed)
    } else if !settleSummary(key), let entry = ledger[key] {
      adaptToLock(entry)
      settleDrawing(key, entry.record.request)
    }
    pump()
  }

  /// Puts what was delivered into the ledger, and tells its sender.
  func enter(
    _ delivery: Delivery, _ record: NotificationRecord, _ translation: Translator.Result, _ category: CategoryRecord?,
    serverID: UInt32?
  ) {
    guard policy.keepsDelivered else { return report(delivery, translation) }
    let key = delivery.key
    let content = record.request.content
    var entry = Ledger.Entry(
      record: record, keys: translation.keys,
      reportsDismissal: record.request.desktop.reportsDismissal
        || category?.options.contains(.customDismissAction) == true,
      lacksCategory: category == nil && !content.categoryIdentifier.isEmpty,
      onOutcome: delivery.submission.onOutcome, serverID: serverID, acceptedAt: monotonic.now,
      order: delivery.number)
    entry.isHidden = delivery.conditions?.hidesPreviews == true
    if profile?.quirks.keepsFirstButtons == true { entry.buttons = translation.notification.actions }
    let old = ledger[key]
    if delivery.shownAt != nil {
      entry.waiters = old?.waiters ?? []
      entry.consultations = old?.consultations ?? 0
    } else {
      entry.waiters = waiters.removeValue(forKey: key) ?? []
    }
    _ = ledger.insert(entry, for: key)
    ledger.trim(key.application, limit: policy.deliveredLimit, hardLimit: policy.hardDeliveredLimit)
    if delivery.shownAt == nil {
      if let old {
        note(.replaced, key)
        end(old, .replaced)
      }
      if !Self.isSummary(key) { note(.delivered, key, content.title.isEmpty ? [:] : ["title": .string(content.title)]) }
      if delivery.conditions?.presentation.contains(.badge) != false { applyBadge(of: delivery) }
      playSound(of: delivery, delivery.conditions ?? .init())
    }
    if let lifetime = record.request.desktop.lifetime, lifetime > 0 {
      _ = schedule(.expiry(key, order: delivery.number), after: .milliseconds(lifetime) + .seconds(1))
    }
    report(delivery, translation)
  }

  /// Tells the sender that it was delivered: it is there to see, kept or not.
  private func report(_ delivery: Delivery, _ translation: Translator.Result) {
    guard delivery.shownAt == nil, !delivery.isReported else { return }
    let report = DeliveryReport(
      identifier: delivery.key.identifier, isDelivered: true, dropped: translation.dropped)
    answer(durably: false) { _ in delivery.submission.onAccepted(.success(report)) }
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
    guard let flight = inFlight.removeValue(forKey: token) else { return }
    var delivery = flight.delivery
    cancel(flight.answerTicket)
    let mayComeLater = error.meansTooMany && delivery.refusals < policy.refusalRetries
    if flight.isWithdrawn {
      outbox.finish(delivery.number)
      if !delivery.isReported, delivery.shownAt == nil {
        let text = "\(delivery.key.identifier.quotedForPeople) was removed before it was shown"
        delivery.submission.onAccepted(.failure(BridgeError(.cancelled, text)))
      }
    } else if mayComeLater {
      delivery.refusals += 1
      outbox.putBack(delivery)
      return pause(delivery.refusals, "the notification daemon has too many: \(error)")
    } else if policy.waitsForDaemon && error.mayHaveBeenShown && delivery.deaths < policy.deathRetries {
      // Of a bus that went nobody knows whether the daemon went too: only a daemon's own end counts.
      if error.code == .remote { delivery.deaths += 1 }
      if delivery.shownAt == nil { delivery.mayBeDouble = true }
      profile = nil
      outbox.putBack(delivery)
      claimParked(0)
      // Nobody knows whether it was this notification that the daemon died of: it is not started again at once.
      if delivery.deaths > 0 { return pause(delivery.deaths, "the notification daemon has ended") }
    } else if error.meansNoDaemon && (policy.waitsForDaemon || flight.translation.notification.replacesID != 0) {
      // Its owner's change, or its return, is announced; or the owner whose number was to be replaced has gone.
      profile = nil
      outbox.putBack(delivery)
    } else {
      outbox.finish(delivery.number)
      fail(delivery, BridgeError(delivering: delivery.key.identifier, error))
    }
    claimParked(0)
    pump()
  }

  /// Posts nothing for a while that doubles with each attempt.
  private func pause(_ attempts: Int, _ reason: String) {
    pauseReason = reason
    _ = schedule(
      .resume, after: min(policy.refusalPause * (1 << min(attempts - 1, 10)), policy.longestRefusalPause))
    if policy.waitsForDaemon { reportDelay(reason) }
  }

  func answerIsLate(_ token: DeliveryToken) {
    guard let flight = inFlight[token], !flight.delivery.isReported else { return }
    inFlight[token]?.delivery.isReported = true
    let name = flight.delivery.key.identifier
    let text = "no answer of the notification daemon for \(name.quotedForPeople) in time; it may still appear"
    flight.delivery.submission.onAccepted(.failure(BridgeError(.timedOut, text)))
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

extension BusError {
  /// The call may have taken effect: the daemon, or the bus, went before it was answered.
  var mayHaveBeenShown: Bool { code == .disconnected || code == .timedOut || code == .remote && name == .noReply }

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
