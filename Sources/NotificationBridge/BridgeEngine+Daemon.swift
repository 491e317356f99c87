internal import DBus
public import FreedesktopNotifications

/// The daemon: what it can do, its silence, its end.
extension BridgeEngine {
  func findProfile() {
    guard profileTask == nil else { return }
    // A daemon that dies as soon as the bus starts it is not started time and again.
    if policy.waitsForDaemon, let lastFailure, lastFailure.duration(to: monotonic.now) < .seconds(5) {
      return reportDelay("no notification daemon is running")
    }
    profileTask = Task(executorPreference: executor) { await self.askForProfile() }
  }

  private func askForProfile() async {
    let asked = owners
    let answer: Result<ServerProfile, BusError>
    do throws(BusError) {
      answer = .success(try await server.profile())
    } catch {
      answer = .failure(error)
    }
    let isOfNow = asked == owners
    profileTask = nil
    // Another daemon took the place of the one that was asked, and nobody else will ask it.
    if let owner, !isOfNow, (try? answer.get().owner) != owner { return findProfile() }
    defer { endSettling() }
    switch answer {
    case .success(let found):
      lastFailure = nil
      take(found)
    case .failure(let error) where policy.waitsForDaemon:
      lastFailure = monotonic.now
      surroundings.log.write(.info, "no notification daemon: \(error); notifications wait for one")
      reportDelay("no notification daemon is running")
      return
    case .failure(let error):
      for delivery in outbox.removeAll() {
        fail(delivery, BridgeError(delivering: delivery.key.identifier, error))
      }
    }
    pump()
  }

  private func take(_ found: ServerProfile) {
    profile = found
    if !found.capabilitiesKnown {
      surroundings.log.write(
        .warning, "the notification daemon does not say what it can do; plain text without buttons is sent")
    }
    if let busID = found.busID { ledger.run = busID + " " + found.owner.text }
    settleFormerPlaces()
    showLost()
  }

  /// Tells those who wait for an answer that their notifications are queued.
  func reportDelay(_ reason: String) { report(outbox.takeUnreported(), reason) }

  private func report(_ deliveries: [Delivery], _ reason: String) {
    for delivery in deliveries where delivery.shownAt == nil {
      let report = DeliveryReport(identifier: delivery.key.identifier, isDelivered: false, delay: reason)
      answer(durably: true) { error in
        delivery.submission.onAccepted(error.map { .failure($0) } ?? .success(report))
      }
    }
  }

  /// Sees to it that whoever waits for an answer gets one in time, whatever the daemon does.
  func watchQueue() {
    guard policy.waitsForDaemon, lateTicket == nil, let limit = policy.answerLimit else { return }
    let waiting = inFlight.values.filter { !$0.delivery.isReported }.map(\.delivery.queuedAt)
    guard let oldest = (waiting + [outbox.oldestUnreported].compactMap { $0 }).min() else { return }
    lateTicket = schedule(.late, after: max(monotonic.now.duration(to: oldest.advanced(by: limit)), .milliseconds(1)))
  }

  func queueIsLate() {
    lateTicket = nil
    guard let limit = policy.answerLimit else { return }
    let before = monotonic.now.advanced(by: .zero - limit)
    var late: [Delivery] = []
    for (token, flight) in inFlight where !flight.delivery.isReported && flight.delivery.queuedAt <= before {
      inFlight[token]?.delivery.isReported = true
      late.append(flight.delivery)
    }
    report(late + outbox.takeUnreported(before: before), "the notification daemon takes long to answer")
    watchQueue()
  }

  /// What the present daemon says of itself; nil if there is none.
  public func currentProfile() async -> ServerProfile? {
    if let profile { return profile }
    findProfile()
    await profileTask?.value
    return profile
  }

  // MARK: It comes and goes

  func ownerChanged(hasOwner: Bool) {
    profile = nil
    parked.removeAll()
    pauseReason = nil
    for waiting in closing.values { cancel(waiting.ticket) }
    closing.removeAll()
    let gone = ledger.entries.filter { $0.value.serverID != nil }.sorted { $0.value.order < $1.value.order }
    ledger.forgetNumbers()
    ledger.run = nil
    for (key, entry) in gone { lose(key, entry) }
    // Whoever has the name now is asked what it can do as soon as there is something to show.
    if hasOwner, !lost.isEmpty { findProfile() }
    if hasOwner { pump() }
  }

  /// The daemon that showed it has gone: it is shown again when one is there, or counts as lost.
  func lose(_ key: NotificationKey, _ entry: Ledger.Entry) {
    if policy.showsAgain, entry.isWorthShowing(now: surroundings.clock.now) {
      lost.append(key)
    } else {
      ledger.remove(key)
      note(.lost, key)
      end(entry, .daemonLost)
      endDrawing(key)
    }
  }

  /// Shows what the former daemon took with it, in order and silently, unless it was replaced or removed meanwhile.
  func showLost() {
    let keys = lost
    lost.removeAll()
    for key in keys {
      guard let entry = ledger[key], entry.serverID == nil else { continue }
      showAgain(entry)
    }
  }
}
