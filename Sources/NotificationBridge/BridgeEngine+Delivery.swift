internal import DBus
internal import FoundationEssentials
public import FreedesktopNotifications

extension BridgeEngine {
  /// A notification that ended by an action and that the daemon may still show.
  struct Closing: Sendable {
    let key: NotificationKey
    var ticket: Deadlines<Deadline>.Ticket?
  }

  // MARK: In

  /// Takes a request: shows it at once without a trigger, else keeps it until it is due. A pending request of the same
  /// name is replaced; a delivered one when this one is delivered.
  public func submit(_ submission: Submission) {
    if let error = refusal(of: submission) {
      submission.onAccepted(.failure(error))
      return
    }
    _ = pending.remove(submission.key)
    guard submission.request.trigger != nil, submission.request.trigger != .push else {
      deliver(submission)
      return
    }
    let number = nextNumber()
    guard pending.insert(submission, now: surroundings.clock.now, order: number) != nil else {
      armPending()
      submission.onAccepted(
        .failure(
          BridgeError(.noDate, "the trigger of \(submission.request.identifier.quotedForPeople) never fires")))
      return
    }
    reportBeyondLimit(of: submission.key.application)
    armPending()
    let report = DeliveryReport(identifier: submission.request.identifier, isDelivered: false)
    guard media.isNeeded(for: submission.request.content) else {
      submission.onAccepted(.success(report))
      return
    }
    // A picture that cannot be shown is an error now, not when it is due.
    Task { [media] in
      do throws(BridgeError) {
        _ = try await media.prepare(submission.request.content, quirks: nil)
        submission.onAccepted(.success(report))
      } catch {
        _ = pending.remove(submission.key)
        armPending()
        submission.onAccepted(.failure(error))
      }
    }
  }

  private func refusal(of submission: Submission) -> BridgeError? {
    let content = submission.request.content
    if authorization(of: submission.key.application).status == .denied {
      return BridgeError(
        .notAllowed, "\(submission.key.application.quotedForPeople) is not allowed to show notifications")
    }
    let hasText = !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty
    if !hasText, content.sound == nil, content.badge == nil, content.attachments.isEmpty {
      return BridgeError(
        .noContent, "\(submission.request.identifier.quotedForPeople) has no text, sound, badge or attachment")
    }
    return nil
  }

  private func reportBeyondLimit(of application: String) {
    for dropped in pending.dropBeyond(policy.pendingLimit, of: application) {
      surroundings.log.write(
        .warning,
        "dropped the pending request \(dropped.request.identifier.quotedForPeople) of "
          + "\(application.quotedForPeople): more than \(policy.pendingLimit) wait")
    }
  }

  func deliver(_ submission: Submission, shownAt: Date? = nil) {
    let number = nextNumber()
    let application = submission.key.application
    var delivery = Delivery(number: number, submission: submission, shownAt: shownAt)
    var conditions = Translator.Conditions()
    conditions.isProvisional = authorization(of: application).status == .provisional
    let content = submission.request.content
    if !media.isNeeded(for: content) { delivery.media = Translator.Media() }
    let presenter = shownAt == nil ? router.handler(application)?.willPresent : nil
    if shownAt != nil { conditions.presentation.remove(.sound) }
    if presenter == nil { delivery.conditions = conditions }
    let media = delivery.media
    outbox.append(delivery)
    if media == nil {
      Task { await self.prepare(number, content) }
    }
    if let presenter {
      let record = NotificationRecord(
        application: submission.application, request: submission.request, date: surroundings.clock.now)
      // Answers come in the order of the questions where the application gives them so: notifications keep theirs.
      presenter(record) { [weak self, conditions] options in
        var conditions = conditions
        conditions.presentation = options ?? .all
        self?.enqueue { [conditions] in $0.isPresented(number, conditions) }
      }
    }
    pump()
  }

  private func prepare(_ number: UInt64, _ content: ContentRecord) async {
    do throws(BridgeError) {
      let found = try await media.prepare(content, quirks: await currentProfile()?.quirks)
      outbox.update(number) { $0.media = found }
    } catch {
      if let delivery = outbox.remove(number) { delivery.submission.onAccepted(.failure(error)) }
    }
    pump()
  }

  private func isPresented(_ number: UInt64, _ conditions: Translator.Conditions) {
    if conditions.presentation.isDisjoint(with: [.list, .banner, .alert]) {
      // Neither shown nor listed; what it says of the badge and the sound still holds.
      if let delivery = outbox.remove(number) {
        if conditions.presentation.contains(.badge) { applyBadge(of: delivery) }
        delivery.submission.onAccepted(
          .success(DeliveryReport(identifier: delivery.key.identifier, isDelivered: false)))
        delivery.submission.onOutcome?(.closed)
      }
    } else {
      outbox.update(number) { $0.conditions = conditions }
    }
    pump()
  }

  private func applyBadge(of delivery: Delivery) {
    if let badge = delivery.submission.request.content.badge, badge >= 0 { badges[delivery.key.application] = badge }
  }

  // MARK: Out

  /// Posts what can be posted, in order.
  func pump() {
    guard !isPaused, !outbox.isEmpty else { return }
    guard let profile else {
      findProfile()
      return
    }
    let busy = Set(inFlight.values.map(\.delivery.key)).union(closing.values.map(\.key))
    var posted: Set<NotificationKey> = []
    while inFlight.count < policy.inFlightLimit,
      let delivery = outbox.next({ !busy.contains($0) && !posted.contains($0) })
    {
      posted.insert(delivery.key)
      post(delivery, profile)
    }
  }

  private func post(_ delivery: Delivery, _ profile: ServerProfile) {
    let request = delivery.submission.request
    let category = categories[delivery.key.application]?[request.content.categoryIdentifier]
    var translation = Translator(for: profile).translate(
      request, from: delivery.submission.application, category: category, media: delivery.media ?? .init(),
      conditions: delivery.conditions ?? .init())
    // A number of a notification that the daemon has closed is void by the specification.
    if let shown = ledger[delivery.key], shown.isOpen, let serverID = shown.serverID {
      translation.notification.replacesID = serverID
    }
    let token = DeliveryToken(delivery.number)
    let record = NotificationRecord(
      application: delivery.submission.application, request: request,
      date: delivery.shownAt ?? surroundings.clock.now)
    inFlight[token] = InFlight(
      delivery: delivery, record: record, translation: translation, category: category, postedAt: monotonic.now,
      answerTicket: policy.answerLimit.map { schedule(.answer(token), after: $0) })
    server.notify(translation.notification, token: token)
  }

  private func findProfile() {
    guard profileTask == nil else { return }
    profileTask = Task {
      let answer: Result<ServerProfile, BusError>
      do throws(BusError) {
        answer = .success(try await server.profile())
      } catch {
        answer = .failure(error)
      }
      foundProfile(answer)
    }
  }

  private func foundProfile(_ answer: Result<ServerProfile, BusError>) {
    profileTask = nil
    switch answer {
    case .success(let found):
      profile = found
      if !found.capabilitiesKnown {
        surroundings.log.write(
          .warning, "the notification daemon does not say what it can do; plain text without buttons is sent")
      }
    case .failure(let error):
      for delivery in outbox.removeAll() {
        delivery.submission.onAccepted(.failure(BridgeError(delivering: delivery.key.identifier, error)))
      }
    }
    pump()
  }

  /// What the present daemon says of itself; nil if there is none.
  public func currentProfile() async -> ServerProfile? {
    if let profile { return profile }
    findProfile()
    await profileTask?.value
    return profile
  }

  // MARK: Removal

  /// Takes pending requests away; nil takes all. Unknown identifiers are ignored.
  public func removePending(_ identifiers: [String]?, of application: String) {
    for identifier in identifiers ?? pending.list(application).map(\.request.identifier) {
      _ = pending.remove(NotificationKey(application: application, identifier: identifier))
    }
    armPending()
  }

  /// Takes delivered notifications away; nil takes all. Unknown identifiers are ignored, and nobody is told.
  public func removeDelivered(_ identifiers: [String]?, of application: String) {
    let wanted = identifiers.map(Set.init)
    for number in outbox.numbers(of: application, wanted) {
      guard let delivery = outbox.remove(number) else { continue }
      delivery.submission.onAccepted(
        .failure(BridgeError(.cancelled, "\(delivery.key.identifier.quotedForPeople) was removed before it was shown")))
    }
    for (token, flight) in inFlight where flight.delivery.key.application == application {
      if wanted?.contains(flight.delivery.key.identifier) ?? true { inFlight[token]?.isWithdrawn = true }
    }
    for entry in ledger.delivered(application) {
      let identifier = entry.record.request.identifier
      guard wanted?.contains(identifier) ?? true else { continue }
      withdraw(NotificationKey(application: application, identifier: identifier), .closed)
    }
  }

  /// Closes a delivered notification and forgets it.
  func withdraw(_ key: NotificationKey, _ outcome: Outcome) {
    guard let entry = ledger.remove(key) else { return }
    // An expired one may still be in the daemon's history.
    if let serverID = entry.serverID { server.close(serverID: serverID) }
    entry.onOutcome?(outcome)
  }

  // MARK: Pending

  func armPending() {
    pendingTask?.cancel()
    guard let next = pending.next else { return }
    pendingTask = Task { [weak self, clock = surroundings.clock] in
      await clock.wait(until: next)
      guard !Task.isCancelled else { return }
      await self?.runPending()
    }
  }

  private func runPending() {
    pending.recompute()
    for submission in pending.due(at: surroundings.clock.now) {
      var due = submission
      let identifier = submission.key.identifier
      // Its sender was told when it was taken; from here on only failures are news.
      due.onAccepted = { [log = surroundings.log] answer in
        if case .failure(let error) = answer {
          log.write(.error, "the due request \(identifier.quotedForPeople) was not shown: \(error)")
        }
      }
      deliver(due)
    }
    armPending()
  }

  // MARK: Late categories

  func showLateCategories(of application: String) {
    for entry in ledger.delivered(application) where entry.lacksCategory && entry.isOpen {
      guard entry.acceptedAt.duration(to: monotonic.now) < policy.lateCategory,
        categories[application]?[entry.record.request.content.categoryIdentifier] != nil
      else { continue }
      deliver(
        Submission(entry.record.request, from: entry.record.application, onOutcome: entry.onOutcome),
        shownAt: entry.record.date)
    }
  }
}

extension BridgeError {
  /// What a bus error means for the notification `identifier`.
  init(delivering identifier: String, _ error: BusError) {
    let name = identifier.quotedForPeople
    switch error.code {
    case .timedOut:
      self.init(.timedOut, "no answer of the notification daemon for \(name); it may still appear", cause: error)
    case .disconnected, .notConnected, .authentication, .noAddress:
      self.init(.noBus, "the session bus is gone, \(name) was not shown", cause: error)
    case _ where error.meansNoDaemon:
      self.init(
        .noDaemon, "no notification daemon is running and none could be started, \(name) was not shown", cause: error)
    case .invalidValue, .tooLarge, .invalidName:
      self.init(.invalidRequest, "\(name) cannot be sent", cause: error)
    default: self.init(.refused, "the notification daemon refused \(name)", cause: error)
    }
  }
}
