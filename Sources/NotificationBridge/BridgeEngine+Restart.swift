internal import FoundationEssentials
internal import FreedesktopNotifications

extension BridgeEngine {
  /// Takes over what was kept. Before anything else is done.
  func load() {
    guard let store = surroundings.store else { return }
    outbox.isStored = true
    pending.isStored = true
    ledger.isStored = true
    journal.isStored = true
    let state: StoredState
    do throws(BridgeError) {
      state = try store.load()
    } catch {
      surroundings.log.write(.error, "what was kept cannot be read: \(error)")
      return
    }
    issued = max(issued, state.lastNumber)
    sequence = state.lastSequence
    for (application, records) in state.categories {
      categories[application] = Dictionary(records.map { ($0.identifier, $0) }) { _, last in last }
    }
    authorizations = state.authorizations
    fetching = state.fetching
    badges = state.badges
    for (application, count) in badges where count > 0 { surroundings.badges?.show(count, of: application) }
    loadDelivered(state.delivered)
    loadQueued(state.queued)
    loadResponses(state.responses)
    pendingZone = surroundings.zones.current
    pending.load(state.pending)
    // A zone that was changed while the bridge was away counts too.
    for key in pending.followingZone {
      guard let item = pending.item(key), let trigger = submission(of: item)?.request.trigger else { continue }
      pending.recompute(key, trigger)
    }
    runPending()
    if !outbox.isEmpty || !ledger.entries.isEmpty { findProfile() }
  }

  private func loadDelivered(_ rows: [DeliveredRow]) {
    for row in rows.sorted(by: { $0.number < $1.number }) {
      var entry = Ledger.Entry(
        record: row.record, keys: row.keys.compactMapValues(Translator.ActionMeaning.init(word:)),
        reportsDismissal: row.reportsDismissal, lacksCategory: false, onOutcome: nil, serverID: nil,
        acceptedAt: monotonic.now, order: row.number)
      entry.isOpen = row.isOpen
      entry.formerPlace = row.place
      ledger.load(entry, for: row.key)
    }
  }

  /// Once it can be closed: its time may have been over long ago.
  private func expireLater(_ key: NotificationKey, _ entry: Ledger.Entry) {
    guard let lifetime = entry.record.request.desktop.lifetime, lifetime > 0 else { return }
    let left = entry.record.date.addingTimeInterval(Double(lifetime) / 1000 + 1)
      .timeIntervalSince(surroundings.clock.now)
    _ = schedule(.expiry(key, order: entry.order), after: .seconds(max(left, 0)))
  }

  /// Does `body` once it is known which of the former life's notifications are still there, or that nobody says so.
  /// - Parameter waited: called behind it, if that was not at once.
  /// - Returns: whether it is to come.
  public func whenSettled(
    _ body: @escaping @Sendable (isolated BridgeEngine) -> Void, waited: @escaping @Sendable () -> Void
  ) -> Bool {
    guard profileTask != nil, ledger.entries.values.contains(where: { $0.formerPlace != nil }) else {
      body(self)
      return false
    }
    settling.append {
      body($0)
      waited()
    }
    return true
  }

  func endSettling() {
    let waiting = settling
    settling = []
    for body in waiting { body(self) }
  }

  private func loadQueued(_ rows: [QueuedRow]) {
    for row in rows.sorted(by: { $0.number < $1.number }) {
      var delivery = Delivery(
        number: row.number, submission: Submission(row.request, from: row.application), shownAt: row.shownAt)
      delivery.isReported = true
      // It may have been shown: it alone can appear twice.
      delivery.mayBeDouble = row.isInFlight && row.shownAt == nil
      prepare(&delivery, asks: false)
      outbox.load(delivery)
      lookUp(delivery)
    }
  }

  private func loadResponses(_ rows: [ResponseRow]) {
    for row in rows {
      var item = ResponseJournal.Item(response: row.response)
      switch row.state {
      case .waiting: journal.load(item)
      case .handling(let name):
        item.place = .handler(name)
        journal.load(item)
        settle(item, name)
      }
    }
    offerFree()
  }

  /// Now that it is known who shows notifications: what the bridge posted in its former life is still there, or gone.
  func settleFormerPlaces() {
    guard let run = ledger.run else { return }
    let quirks = profile?.quirks
    for (key, entry) in ledger.entries.sorted(by: { $0.value.order < $1.value.order }) {
      guard let place = entry.formerPlace else { continue }
      ledger.update(key) { $0.formerPlace = nil }
      guard entry.isOpen else { continue }
      if place.run != run || quirks?.withdrawsWithSender == true && entry.record.application.isKnown {
        lose(key, entry)
      } else {
        ledger.update(key) { $0.serverID = place.serverID }
        expireLater(key, entry)
        // These tell the last poster alone of clicks: that must be us.
        if quirks?.tellsLastPosterOnly == true, let entry = ledger[key] { showAgain(entry) }
      }
    }
  }

  /// The session was locked or unlocked: what is on the screen is hidden or shown in place.
  public func lockChanged() {
    for entry in ledger.entries.values.sorted(by: { $0.order < $1.order }) { adaptToLock(entry) }
    releaseHeld()
  }

  /// Shows a notification anew if it says more or less than it may by now; also one that was on its way meanwhile.
  func adaptToLock(_ entry: Ledger.Entry) {
    guard policy.hidesPreviewsWhenLocked, let profile, !profile.quirks.hidesItselfWhenLocked, entry.isOpen,
      entry.serverID != nil, entry.isHidden != (surroundings.facts?.isLocked == true),
      // One that waits to be posted is posted as it may be then.
      outbox.numbers(of: entry.key.application, [entry.key.identifier]).isEmpty
    else { return }
    showAgain(entry)
  }

  /// The time zone or the clock may have changed, or the machine has slept.
  public func timeChanged() { runPending() }

  /// The files that something still needs; nil when that cannot be known.
  public func attachmentsInUse() -> Set<String>? {
    commit()
    var requests = outbox.all.map(\.submission.request)
    requests += preparing.values.map(\.request)
    requests += inFlight.values.map(\.record.request)
    requests += ledger.entries.values.map(\.record.request)
    requests += journal.all.map(\.response.notification.request)
    let paths = Set(requests.flatMap { $0.content.attachments.map(\.path) })
    do throws(BridgeError) {
      return paths.union(try surroundings.store?.pendingAttachments() ?? [])
    } catch {
      return nil
    }
  }
}
