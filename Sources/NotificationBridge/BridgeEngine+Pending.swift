public import FoundationEssentials

extension BridgeEngine {
  /// A request whose pictures are being looked at.
  struct Preparation: Sendable {
    /// Tells it from a later one of the same name.
    let number: UInt64
    let request: RequestRecord
  }

  // MARK: In

  /// Takes a request: shows it at once without a trigger, else keeps it until it is due. A pending request of the same
  /// name is replaced; a delivered one when this one is delivered.
  public func submit(_ submission: Submission) {
    if let error = refusal(of: submission) {
      submission.onAccepted(.failure(error))
      return
    }
    guard submission.request.trigger != nil, submission.request.trigger != .push else {
      pending.remove(submission.key)
      if outbox.count >= policy.queueLimit {
        let text = "\(outbox.count) notifications wait for the daemon already"
        submission.onAccepted(.failure(BridgeError(.tooMany, text)))
        return
      }
      deliver(submission)
      return
    }
    guard media.isNeeded(for: submission.request.content) else { return schedule(submission) }
    // A picture that cannot be shown is an error now, not when it is due.
    let number = nextNumber()
    preparing[submission.key] = Preparation(number: number, request: submission.request)
    Task(executorPreference: executor) { await self.schedule(submission, number) }
  }

  private func schedule(_ submission: Submission, _ number: UInt64) async {
    let key = submission.key
    do throws(BridgeError) {
      _ = try await media.prepare(submission.request.content, quirks: nil, ahead: true)
      guard preparing[key]?.number == number else {
        let text = "\(key.identifier.quotedForPeople) was removed or replaced meanwhile"
        submission.onAccepted(.failure(BridgeError(.cancelled, text)))
        return
      }
      preparing[key] = nil
      schedule(submission)
    } catch {
      if preparing[key]?.number == number { preparing[key] = nil }
      submission.onAccepted(.failure(error))
    }
  }

  private func schedule(_ submission: Submission) {
    let key = submission.key
    if case .refuse(let limit) = submission.limit, pending.count(of: key.application) >= limit, pending.item(key) == nil
    {
      submission.onAccepted(
        .failure(
          BridgeError(
            .tooMany,
            "\(limit) requests of \(key.application.quotedForPeople) wait already: remove some, or raise "
              + "'pending' in [limits] of notify-bridge.conf")))
      return
    }
    let former = pending.item(key)?.entry
    pending.remove(key)
    let now = surroundings.clock.now
    if pendingZone.isEmpty { pendingZone = surroundings.zones.current }
    let order = nextNumber()
    guard let due = pending.insert(submission, now: now, order: order) else {
      armPending()
      submission.onAccepted(
        .failure(
          BridgeError(
            .noDate,
            "the trigger of \(key.identifier.quotedForPeople) never fires: its date has passed, or there is no such date"
          )))
      return
    }
    note(.added, key, ["due": .date(due)])
    if case .keepSoonest(let limit) = submission.limit {
      for dropped in pending.dropBeyond(limit, of: key.application) {
        note(.failed, dropped, ["reason": .string("more than \(limit) requests of the application wait")])
        surroundings.log.write(
          .warning,
          "dropped the pending request \(dropped.identifier.quotedForPeople) of "
            + "\(key.application.quotedForPeople): more than \(limit) wait")
      }
    }
    armPending()
    let report = DeliveryReport(identifier: submission.request.identifier, isDelivered: false, due: due)
    answer(durably: true) { [weak self] error in
      guard let error else { return submission.onAccepted(.success(report)) }
      self?.enqueue { engine in
        engine.pending.takeBack(key, order: order, to: former)
        engine.armPending()
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

  // MARK: When they are due

  /// When a trigger that is added at `date` fires first; nil: never.
  public func nextDate(of trigger: TriggerRecord, after date: Date) -> Date? {
    NextFireDate(zones: surroundings.zones).next(after: date, trigger: trigger, added: date)
  }

  /// What is to be delivered for an item; nil, and reported, if the store does not have it any more.
  func submission(of item: PendingQueue.Item) -> Submission? {
    if let submission = item.submission { return submission }
    let key = item.entry.key
    do throws(BridgeError) {
      if let (request, application) = try surroundings.store?.pendingRequest(key) {
        return Submission(request, from: application)
      }
      surroundings.log.write(
        .error, "the pending request \(key.identifier.quotedForPeople) is not in the store any more")
    } catch {
      surroundings.log.write(.error, "the pending request \(key.identifier.quotedForPeople) cannot be read: \(error)")
    }
    return nil
  }

  func armPending() {
    guard isRunning, let next = pending.next() else {
      pendingWake = nil
      armedPending = nil
      return
    }
    guard armedPending != next || pendingWake == nil else { return }
    armedPending = next
    pendingWake = surroundings.clock.wake(at: next) { [weak self] in self?.enqueue { $0.runPending() } }
  }

  /// The timer has rung, or the clock or the zone was changed.
  func runPending() {
    pendingWake = nil
    followZone()
    let now = surroundings.clock.now
    let due = pending.due(at: now)
    if !due.isEmpty { commit() }
    for item in due {
      let key = item.entry.key
      let submission = submission(of: item)
      pending.fire(item, submission?.request.trigger, now: now)
      guard var submission else { continue }
      // Its sender was told when it was taken; from here on only failures are news.
      submission.onAccepted = { [log = surroundings.log] answer in
        if case .failure(let error) = answer {
          log.write(.error, "the due request \(key.identifier.quotedForPeople) was not shown: \(error)")
        }
      }
      deliver(submission)
    }
    armPending()
  }

  /// Computes dates anew that follow the system's zone, if that was changed.
  func followZone() {
    let zone = surroundings.zones.current
    guard zone != pendingZone else { return }
    pendingZone = zone
    commit()
    for key in pending.followingZone {
      guard let item = pending.item(key), let trigger = submission(of: item)?.request.trigger else { continue }
      pending.recompute(key, trigger)
    }
  }

  /// Takes pending requests away; nil takes all. Unknown identifiers are ignored.
  public func removePending(_ identifiers: [String]?, of application: String) {
    if identifiers == nil { preparing = preparing.filter { $0.key.application != application } }
    for identifier in identifiers ?? pending.list(application).map(\.entry.key.identifier) {
      let key = NotificationKey(application: application, identifier: identifier)
      preparing[key] = nil
      guard pending.remove(key) else { continue }
      note(.removed, key)
      for waiter in waiters.removeValue(forKey: key) ?? [] { waiter.take(.closed) }
    }
    armPending()
  }
}
