internal import DBus
internal import FoundationEssentials
internal import FreedesktopNotifications

extension BridgeEngine {
  /// A notification that ended by an action and that the daemon may still show.
  struct Closing: Sendable {
    let key: NotificationKey
    var ticket: Deadlines<Deadline>.Ticket?
  }

  // MARK: In

  func deliver(_ submission: Submission, shownAt: Date? = nil) {
    let number = nextNumber()
    var delivery = Delivery(number: number, submission: submission, shownAt: shownAt)
    prepare(&delivery, asks: true)
    outbox.append(delivery)
    lookUp(delivery)
    let presenter = shownAt == nil ? handlers[submission.key.application]?.willPresent : nil
    if let presenter, delivery.conditions == nil {
      let conditions = conditions(of: delivery)
      let record = NotificationRecord(
        application: submission.application, request: submission.request, date: surroundings.clock.now)
      // Answers come in the order of the questions where the application gives them so: notifications keep theirs.
      presenter(record) { [weak self] options in
        var conditions = conditions
        conditions.presentation = options ?? .all
        self?.enqueue { [conditions] in $0.isPresented(number, conditions) }
      }
    }
    pump()
  }

  /// Fills in what need not be found out.
  func prepare(_ delivery: inout Delivery, asks: Bool) {
    delivery.awaitsExtension = isDrawn(delivery)
    let content = presented(delivery.submission.request, of: delivery.key.application).content
    if !delivery.awaitsExtension, !media.isNeeded(for: content) { delivery.media = Translator.Media() }
    let hasPresenter = handlers[delivery.key.application]?.willPresent != nil
    if !asks || delivery.shownAt != nil || !hasPresenter { delivery.conditions = conditions(of: delivery) }
  }

  private func conditions(of delivery: Delivery) -> Translator.Conditions {
    var conditions = Translator.Conditions()
    conditions.isProvisional = authorization(of: delivery.key.application).status == .provisional
    conditions.hasSettings = authorization(of: delivery.key.application).options.contains(
      .providesAppNotificationSettings)
    if delivery.shownAt != nil { conditions.presentation.remove(.sound) }
    conditions.badgesAreShown = surroundings.facts?.showsBadges == true
    conditions.soundsArePlayed = surroundings.sounds != nil
    return conditions
  }

  /// Looks up pictures and sounds, if there are any.
  func lookUp(_ delivery: Delivery) {
    if delivery.awaitsExtension { return draw(delivery) }
    guard delivery.media == nil else { return }
    let (number, own) = (delivery.number, delivery.submission.request.content)
    let application = delivery.key.application
    let content = presented(delivery.submission.request, of: application).content
    Task(executorPreference: executor) {
      // A picture of an extension's that cannot be shown is no reason to show nothing; what is pushed has no others.
      let isExtensions = content.attachments != own.attachments || delivery.submission.request.trigger == .push
      await self.prepare(number, content, application, mayLackPictures: isExtensions)
    }
  }

  private func prepare(
    _ number: UInt64, _ content: ContentRecord, _ application: String, mayLackPictures: Bool
  ) async {
    do throws(BridgeError) {
      let found = try await media.prepare(content, of: application, quirks: await currentProfile()?.quirks)
      outbox.update(number) { $0.media = found }
    } catch {
      if mayLackPictures, !content.attachments.isEmpty {
        surroundings.log.write(.warning, "an extension's picture is left out: \(error)")
        var content = content
        content.attachments = []
        return await prepare(number, content, application, mayLackPictures: false)
      } else if let delivery = outbox.remove(number) {
        fail(delivery, error)
      }
    }
    pump()
  }

  /// Ends a delivery that has not been shown.
  func fail(_ delivery: Delivery, _ error: BridgeError) {
    note(.failed, delivery.key, ["reason": .string(error.description)])
    if delivery.isReported || delivery.shownAt != nil {
      surroundings.log.write(.error, "\(delivery.key.identifier.quotedForPeople) was not shown: \(error)")
    }
    if !delivery.isReported, delivery.shownAt == nil { delivery.submission.onAccepted(.failure(error)) }
    for waiter in waiters.removeValue(forKey: delivery.key) ?? [] { waiter.take(.closed) }
    endDrawings()
  }

  private func isPresented(_ number: UInt64, _ conditions: Translator.Conditions) {
    if conditions.presentation.isDisjoint(with: [.list, .banner, .alert]) {
      // Neither shown nor listed; what it says of the badge and the sound still holds.
      if let delivery = outbox.remove(number) {
        if conditions.presentation.contains(.badge) { applyBadge(of: delivery) }
        if conditions.presentation.contains(.sound) { playSound(of: delivery, conditions) }
        delivery.submission.onAccepted(
          .success(DeliveryReport(identifier: delivery.key.identifier, isDelivered: false)))
        delivery.submission.onOutcome?(.closed)
        for waiter in waiters.removeValue(forKey: delivery.key) ?? [] { waiter.take(.closed) }
      }
    } else {
      outbox.update(number) { $0.conditions = conditions }
    }
    pump()
  }

  func applyBadge(of delivery: Delivery) {
    if let badge = delivery.submission.request.content.badge, badge >= 0 {
      setBadge(badge, for: delivery.key.application)
    }
  }

  /// Plays what the daemon does not: once, and under do-not-disturb only what is critical.
  func playSound(of delivery: Delivery, _ conditions: Translator.Conditions) {
    guard let sounds = surroundings.sounds, let profile, !profile.capabilities.sound, delivery.shownAt == nil,
      conditions.presentation.contains(.sound), !conditions.isProvisional
    else { return }
    let content = delivery.submission.request.content
    let isCritical = content.interruptionLevel == .critical
    guard let sound = content.sound ?? (isCritical ? SoundRecord(.standard, isCritical: true) : nil) else { return }
    let (file, application) = (delivery.media?.soundFile, delivery.key.application)
    guard !sound.isCritical, let facts = surroundings.facts else {
      return sounds.play(sound, file: file, application: application)
    }
    Task(executorPreference: executor) {
      if await facts.doNotDisturb(profile) == true { return }
      if await facts.settings(of: application, profile).sounds == false { return }
      sounds.play(sound, file: file, application: application)
    }
  }

  // MARK: Out

  /// Posts what can be posted, in order.
  func pump() {
    if !drawings.isEmpty { endDrawings() }
    if !undrawn.isEmpty { drawWaiting() }
    guard !outbox.isEmpty, isRunning else { return }
    if let pauseReason {
      if policy.waitsForDaemon { reportDelay(pauseReason) }
      return
    }
    defer { watchQueue() }
    guard let profile else {
      findProfile()
      return
    }
    while inFlight.count < policy.inFlightLimit, let delivery = outbox.next({ !isBusy($0) }) { post(delivery, profile) }
  }

  /// Whether a number of that name is on its way in or out.
  private func isBusy(_ key: NotificationKey) -> Bool {
    for flight in inFlight.values where flight.delivery.key == key { return true }
    for waiting in closing.values where waiting.key == key { return true }
    return false
  }

  private func post(_ delivery: Delivery, _ profile: ServerProfile) {
    let request = delivery.submission.request
    let category = categories[delivery.key.application]?[request.content.categoryIdentifier]
    var conditions = delivery.conditions ?? .init()
    conditions.hidesPreviews =
      policy.hidesPreviewsWhenLocked && surroundings.facts?.isLocked == true && !profile.quirks.hidesItselfWhenLocked
    let predecessor = takeAlong(delivery)
    if conditions.hidesPreviews { conditions.threadCount = threadCount(of: delivery) }
    var translation = Translator(for: profile).translate(
      presented(request, of: delivery.key.application), from: delivery.submission.application, category: category,
      media: delivery.media ?? .init(),
      conditions: conditions)
    // A number of a notification that the daemon has closed is void by the specification.
    let place = ledger[delivery.key].flatMap { $0.isOpen ? $0.serverID : nil } ?? predecessor
    let leavesPlace = place.map { !canBeTaken($0, by: translation.notification, profile) } ?? false
    if let place, !leavesPlace { translation.notification.replacesID = place }
    // The button of the former has just been pressed, so the pointer is there.
    let isTimed =
      leavesPlace && profile.quirks.losesTimeUnderPointer && translation.notification.expireTimeout == .serverDefault
    if isTimed { translation.notification.expireTimeout = .never }
    if isObsolete(delivery) { return outbox.finish(delivery.number) }
    let token = DeliveryToken(delivery.number)
    let record = NotificationRecord(
      application: delivery.submission.application, request: request,
      date: delivery.shownAt ?? surroundings.clock.now)
    if collapse(delivery, record, translation, category) { return }
    if delivery.mayBeDouble { note(.repeated, delivery.key) }
    outbox.markInFlight(delivery.number)
    var posted = delivery
    posted.conditions = conditions
    inFlight[token] = InFlight(
      delivery: posted, record: record, translation: translation, category: category, postedAt: monotonic.now,
      answerTicket: policy.waitsForDaemon ? nil : policy.answerLimit.map { schedule(.answer(token), after: $0) },
      isTimed: isTimed)
    let left = leavesPlace ? place : nil
    // What the daemon says of the former from now on is of no interest.
    if let left, let key = ledger.key(serverID: left) { ledger.update(key) { $0.serverID = nil } }
    afterCommit { [notification = translation.notification] in
      // Ahead of it: LXQt does not show what reads as one that is open.
      if let left { $0.server.close(serverID: left) }
      $0.server.notify(notification, token: token)
    }
  }

  /// Whether a notification can take the place of an open one, or of that something would be left on the screen.
  private func canBeTaken(_ place: UInt32, by notification: Notification, _ profile: ServerProfile) -> Bool {
    guard let shown = ledger.key(serverID: place).flatMap({ ledger[$0] }) else { return true }
    if profile.quirks.keepsReplyField, shown.isReplied { return false }
    return !profile.quirks.keepsFirstButtons || shown.buttons == notification.actions
  }

  /// Whether it shows again what has been answered, removed or replaced by now.
  func isObsolete(_ delivery: Delivery) -> Bool {
    guard let shownAt = delivery.shownAt else { return false }
    guard let entry = ledger[delivery.key] else { return true }
    return !Self.isSummary(delivery.key) && entry.record.date != shownAt
  }

  // MARK: Late categories

  func showLateCategories(of application: String) {
    for entry in ledger.delivered(application) where entry.lacksCategory && entry.isOpen {
      guard entry.acceptedAt.duration(to: monotonic.now) < policy.lateCategory,
        categories[application]?[entry.record.request.content.categoryIdentifier] != nil
      else { continue }
      showAgain(entry)
    }
  }

  /// Posts a delivered notification once more, as the same one: silently, with its date, and its sender waits on.
  func showAgain(_ entry: Ledger.Entry) {
    deliver(
      Submission(entry.record.request, from: entry.record.application, onOutcome: entry.onOutcome),
      shownAt: entry.record.date)
  }
}

extension Ledger.Entry {
  var key: NotificationKey {
    NotificationKey(application: record.application.identifier, identifier: record.request.identifier)
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
