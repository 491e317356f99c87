internal import FoundationEssentials
internal import FreedesktopNotifications

/// Content extensions: programs of the applications' own that draw what is shown of a category.
///
/// One works on a notification, or on all of a thread: then the newest is on the screen and what the extension shows is
/// of all of them. It is started when its notification is delivered, and ends when that leaves the screen.
extension BridgeEngine {
  /// Names the work of one extension.
  struct DrawingName: Sendable, Hashable {
    let application: String
    let bundle: String
    /// Empty: it works on a single notification.
    let thread: String
    let identifier: String
  }

  /// A content extension at work.
  struct Drawing: Sendable {
    /// Tells it from earlier ones of the same name.
    let number: UInt64
    let bundle: ContentExtension
    let session: any ContentExtensionSession
    /// What it has said so far.
    var shown = ContentUpdate()
    /// The notification that it draws: the newest of its thread.
    var key: NotificationKey
    /// The one of the thread that was on the screen before, whose place the newest takes.
    var predecessor: NotificationKey?
    /// What it was told and has not answered yet.
    var questions = 0
    /// It has said something new since the notification was posted last.
    var hasChanged = false
    /// Nil: it knows its notification by now; else what waits for that.
    var waiting: [@Sendable (isolated BridgeEngine) -> Void]? = []
  }

  /// How many extensions are at work while nobody waits for them; the oldest is ended then, and started anew when it is
  /// needed.
  private static let drawingLimit = 16
  /// How many are at work at all: each is a process and three descriptors. What comes then is shown as it is.
  private static let busyLimit = 64

  // MARK: Which

  private func bundle(_ application: String, _ request: RequestRecord) -> ContentExtension? {
    let category = request.content.categoryIdentifier
    guard let runner = surroundings.extensions, !category.isEmpty else { return nil }
    return runner.contentExtension(of: application, for: category)
  }

  /// Whether a content extension draws a delivered notification.
  func isDrawnNow(_ entry: Ledger.Entry) -> Bool {
    !Self.isSummary(entry.key) && bundle(entry.key.application, entry.record.request) != nil
  }

  private func drawingName(
    _ application: String, _ request: RequestRecord, _ bundle: ContentExtension
  ) -> DrawingName {
    let thread = request.content.threadIdentifier
    return DrawingName(
      application: application, bundle: bundle.name, thread: thread,
      identifier: thread.isEmpty ? request.identifier : "")
  }

  /// Whether a delivery waits for a content extension.
  func isDrawn(_ delivery: Delivery) -> Bool {
    surroundings.extensions != nil && delivery.shownAt == nil && !Self.isSummary(delivery.key)
      && bundle(delivery.key.application, delivery.submission.request) != nil
  }

  /// The extension's work on a notification, if it is at work.
  func drawing(_ application: String, _ request: RequestRecord) -> (DrawingName, Drawing)? {
    guard !drawings.isEmpty, let bundle = bundle(application, request) else { return nil }
    let name = drawingName(application, request, bundle)
    return drawings[name].map { (name, $0) }
  }

  /// Starts an extension, unless too many are at work.
  private func open(_ name: DrawingName, _ bundle: ContentExtension, _ record: NotificationRecord) {
    guard let runner = surroundings.extensions else { return }
    endIdleDrawings(leaving: Self.drawingLimit - 1)
    guard drawings.count < Self.busyLimit else {
      return surroundings.log.write(
        .warning,
        "\(drawings.count) content extensions are at work: \(bundle.name.quotedForPeople) does not draw "
          + record.request.identifier.quotedForPeople)
    }
    let number = nextNumber()
    let session = runner.open(bundle, of: record.application) { [weak self] event in
      self?.enqueue { $0.take(event, from: name, number) }
    }
    drawings[name] = Drawing(
      number: number, bundle: bundle, session: session,
      key: NotificationKey(application: name.application, identifier: record.request.identifier))
  }

  /// Ends the oldest of those for which nobody waits, and whose notification is not about to be posted.
  private func endIdleDrawings(leaving limit: Int) {
    guard drawings.count > limit else { return }
    let idle = drawings.filter { _, drawing in
      drawing.questions == 0 && outbox.numbers(of: drawing.key.application, [drawing.key.identifier]).isEmpty
    }
    for (name, _) in idle.sorted(by: { $0.value.number < $1.value.number }).prefix(drawings.count - limit) {
      drawings[name] = nil
    }
  }

  // MARK: Delivery

  /// Has the content extension draw a notification before it is posted.
  func draw(_ delivery: Delivery) {
    let (number, request) = (delivery.number, delivery.submission.request)
    guard let bundle = bundle(delivery.key.application, request) else { return isDrawn(number, nil) }
    let name = drawingName(delivery.key.application, request, bundle)
    let record = NotificationRecord(
      application: delivery.submission.application, request: request, date: surroundings.clock.now)
    if drawings[name] == nil { open(name, bundle, record) }
    tell(name, record) { $0.isDrawn(number, name) }
  }

  /// Tells the extension of a notification; then, or when that took too long, goes on.
  private func tell(
    _ name: DrawingName, _ record: NotificationRecord, _ then: @escaping @Sendable (isolated BridgeEngine) -> Void
  ) {
    guard let drawing = drawings[name] else { return then(self) }
    drawings[name]?.questions += 1
    let request = record.request
    let actions =
      request.desktop.actions ?? categories[name.application]?[request.content.categoryIdentifier]?.actions ?? []
    drawing.session.receive(record, actions: actions, within: policy.extensionLimit) { [weak self] _ in
      self?.enqueue { engine in
        if engine.drawings[name]?.number == drawing.number {
          engine.drawings[name]?.questions -= 1
          let waiting = engine.drawings[name]?.waiting ?? []
          engine.drawings[name]?.waiting = nil
          then(engine)
          for work in waiting { work(engine) }
        } else {
          then(engine)
        }
      }
    }
  }

  /// The extension has drawn it, or does not.
  private func isDrawn(_ number: UInt64, _ name: DrawingName?) {
    guard let delivery = outbox[number] else {
      // It was removed meanwhile.
      if let key = name.flatMap({ drawings[$0]?.key }) { endDrawing(key) }
      return
    }
    if let name, let drawing = drawings[name], drawing.key != delivery.key {
      drawings[name]?.predecessor = drawing.key
      drawings[name]?.key = delivery.key
    }
    let content = presented(delivery.submission.request, of: delivery.key.application).content
    outbox.update(number) {
      $0.awaitsExtension = false
      if !media.isNeeded(for: content) { $0.media = Translator.Media() }
    }
    if let delivery = outbox[number] { lookUp(delivery) }
    pump()
  }

  /// A request as its content extension shows it.
  func presented(_ request: RequestRecord, of application: String) -> RequestRecord {
    guard let (_, drawing) = drawing(application, request), drawing.key.identifier == request.identifier else {
      return request
    }
    return DrawnRequest(drawing.bundle, drawing.shown).apply(
      to: request, category: categories[application]?[request.content.categoryIdentifier])
  }

  /// What is about to be posted takes all along that the extension has said; and it takes the place of the one before it.
  /// - Returns: that one's number with the daemon.
  func takeAlong(_ delivery: Delivery) -> UInt32? {
    guard let (name, drawing) = drawing(delivery.key.application, delivery.submission.request),
      drawing.key == delivery.key
    else { return nil }
    drawings[name]?.hasChanged = false
    guard let predecessor = drawing.predecessor, let entry = ledger[predecessor], entry.isOpen else { return nil }
    return entry.serverID
  }

  /// A drawn notification is on the screen: the one before it of its thread is not any more, and stays in the list.
  func settleDrawing(_ key: NotificationKey, _ request: RequestRecord) {
    guard let (name, drawing) = drawing(key.application, request), drawing.key == key else { return }
    defer { endIdleDrawings(leaving: Self.drawingLimit) }
    if let predecessor = drawing.predecessor {
      drawings[name]?.predecessor = nil
      if let entry = ledger[predecessor], entry.isOpen {
        ledger.update(predecessor) {
          $0.isOpen = false
          $0.serverID = nil
          $0.onOutcome = nil
          $0.waiters = []
        }
        end(entry, .replaced)
      }
    }
    redraw(name)
  }

  /// Its notification has left the screen: the extension ends.
  func endDrawing(_ key: NotificationKey) {
    // While it decides it stays, unless there is nothing left to decide about. Its bundle may have gone meanwhile.
    guard !drawings.isEmpty, ledger[key].map({ !$0.isOpen && $0.consultations == 0 }) ?? true,
      outbox.numbers(of: key.application, [key.identifier]).isEmpty,
      let name = drawings.first(where: { $0.value.key == key })?.key
    else { return }
    drawings[name] = nil
  }

  // MARK: What it says

  private func take(_ event: ContentExtensionEvent, from name: DrawingName, _ number: UInt64) {
    guard let drawing = drawings[name], drawing.number == number else { return }
    switch event {
    case .updated(let update):
      drawings[name]?.shown.merge(update)
      if drawings[name]?.shown != drawing.shown { drawings[name]?.hasChanged = true }
      redraw(name)
    case .performDefaultAction:
      if let entry = ledger[drawing.key] { respond(drawing.key, entry, .default, text: nil, isDecided: true) }
    case .dismiss:
      guard ledger[drawing.key] != nil else { return }
      note(.closed, drawing.key)
      withdraw(drawing.key, .closed)
    case .ended:
      surroundings.log.write(.debug, "the content extension \(name.bundle.quotedForPeople) has ended")
    }
  }

  /// Posts what is on the screen anew, in place, if the extension shows something else by now.
  private func redraw(_ name: DrawingName) {
    guard let drawing = drawings[name], drawing.hasChanged, drawing.questions == 0, let entry = ledger[drawing.key],
      entry.isOpen, entry.serverID != nil, entry.consultations == 0, !entry.isAboutToClose
    else { return }
    // One that waits to be posted takes it along.
    guard outbox.numbers(of: drawing.key.application, [drawing.key.identifier]).isEmpty else { return }
    drawings[name]?.hasChanged = false
    showAgain(entry)
  }

  // MARK: What the user does

  /// Hands what the user did to the content extension that draws the notification: it decides what becomes of it.
  /// - Returns: false: none draws it.
  func consult(
    _ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?
  ) -> Bool {
    guard !Self.isSummary(key), action != .settings, let bundle = bundle(key.application, entry.record.request) else {
      return false
    }
    let name = drawingName(key.application, entry.record.request, bundle)
    ledger.update(key) {
      $0.consultations += 1
      $0.activationToken = nil
      $0.awaitsText = nil
    }
    let response = ResponseRecord(
      notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    if drawings[name] == nil {
      open(name, bundle, entry.record)
      tell(name, entry.record) { _ in }
    }
    if drawings[name]?.waiting == nil {
      ask(name, response)
    } else {
      drawings[name]?.waiting?.append { $0.ask(name, response) }
    }
    return true
  }

  private func ask(_ name: DrawingName, _ response: ResponseRecord) {
    guard let drawing = drawings[name] else { return isDecided(name, response, nil) }
    drawings[name]?.questions += 1
    if case .custom(let identifier) = response.action, let used = DrawnRequest.use(identifier, in: drawing.shown) {
      drawings[name]?.shown = used.after
      drawings[name]?.hasChanged = true
      switch used.change {
      case .control(let change):
        drawing.session.use(change, within: policy.extensionLimit) { [weak self] _ in
          self?.enqueue { $0.isDecided(name, response, .doNotDismiss, by: drawing.number) }
        }
      case .playing(let isPlaying):
        drawing.session.setPlaying(isPlaying)
        isDecided(name, response, .doNotDismiss, by: drawing.number)
      }
      return
    }
    drawing.session.respond(response, within: policy.extensionResponseLimit) { [weak self] decision in
      self?.enqueue { $0.isDecided(name, response, decision, by: drawing.number) }
    }
  }

  /// - Parameter decision: nil: the extension does not say; then the response goes to the application.
  private func isDecided(
    _ name: DrawingName, _ response: ResponseRecord, _ decision: ContentExtensionDecision?, by number: UInt64? = nil
  ) {
    if let number, drawings[name]?.number == number { drawings[name]?.questions -= 1 }
    let key = NotificationKey(
      application: name.application, identifier: response.notification.request.identifier)
    // It may have been replaced or removed meanwhile.
    guard let before = ledger[key], before.record.date == response.notification.date else { return }
    ledger.update(key) { $0.consultations = max($0.consultations - 1, 0) }
    guard let entry = ledger[key] else { return }
    if let decision {
      note(
        .handled, key,
        [
          "extension": .string(name.bundle), "action": .dictionary(response.action.document),
          "status": .string(decision.rawValue),
        ])
    } else {
      surroundings.log.write(
        .warning,
        "the content extension \(name.bundle.quotedForPeople) did not say what becomes of "
          + "\(key.identifier.quotedForPeople); its application gets the response")
    }
    switch decision ?? .dismissAndForwardAction {
    case .doNotDismiss: keepShown(key, entry, name, hadText: response.text != nil)
    case .dismiss:
      takeOff(key, entry)
      note(.closed, key)
      end(entry, .closed)
      leaveThread(key, entry)
    case .dismissAndForwardAction where response.action == .dismiss: dismiss(key, entry, isDecided: true)
    case .dismissAndForwardAction:
      respond(
        key, entry, response.action, text: response.text, isDecided: true, activationToken: response.activationToken)
    }
  }

  /// The notification stays, whatever the daemon makes of a press.
  private func keepShown(_ key: NotificationKey, _ entry: Ledger.Entry, _ name: DrawingName, hadText: Bool) {
    guard entry.consultations == 0 else { return }
    if !entry.isOpen {
      drawings[name]?.hasChanged = false
      showAgain(entry)
    } else if profile?.quirks.ignoresResident == true || hadText {
      // What is posted before the daemon has closed it would be closed too.
      ledger.update(key) { $0.isAboutToClose = true }
      _ = schedule(.stay(key, date: entry.record.date), after: .milliseconds(300))
    } else {
      redraw(name)
    }
  }

  /// The daemon has left it open.
  func stays(_ key: NotificationKey, _ date: Date) {
    guard let entry = ledger[key], entry.record.date == date, entry.isAboutToClose else { return }
    ledger.update(key) { $0.isAboutToClose = false }
    if let (name, _) = drawing(key.application, entry.record.request) { redraw(name) }
  }

  /// What a close means for a notification whose extension is asked, or wants it kept.
  /// - Returns: false: nothing of the kind.
  func closedWhileDrawn(_ key: NotificationKey, _ entry: Ledger.Entry) -> Bool {
    if entry.consultations > 0 {
      ledger.update(key) { $0.isOpen = false }
      return true
    }
    guard entry.isAboutToClose else { return false }
    ledger.update(key) {
      $0.isOpen = false
      $0.isAboutToClose = false
    }
    if let entry = ledger[key] { showAgain(entry) }
    return true
  }
}
