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
    /// Those of the thread before it whose place on the screen it takes, oldest first.
    var predecessors: [NotificationKey] = []
    /// What it was told and has not answered yet.
    var questions = 0
    /// It has said something new since the notification was posted last.
    var hasChanged = false
    /// Nil: it knows its notification by now; else what waits for that.
    var waiting: [@Sendable (isolated BridgeEngine) -> Void]? = []
  }

  /// How many extensions are at work at once. The oldest that has nothing to do is ended then, and started anew when it
  /// is needed; if all have, further notifications wait for a while.
  private static let drawingLimit = 16

  // MARK: Which

  func bundle(_ application: String, _ request: RequestRecord) -> ContentExtension? {
    let category = request.content.categoryIdentifier
    guard let runner = surroundings.extensions, !category.isEmpty else { return nil }
    return runner.contentExtension(of: application, for: category)
  }

  /// Whether a content extension draws a delivered notification.
  func isDrawnNow(_ entry: Ledger.Entry) -> Bool {
    !Self.isSummary(entry.key) && bundle(entry.key.application, entry.record.request) != nil
  }

  func drawingName(
    _ application: String, _ request: RequestRecord, _ bundle: ContentExtension
  ) -> DrawingName {
    let thread = request.content.threadIdentifier
    return DrawingName(
      application: application, bundle: bundle.name, thread: thread,
      identifier: thread.isEmpty ? request.identifier : "")
  }

  /// Whether a delivery waits for a content extension. One that is shown again is as it was, if that is still known.
  func isDrawn(_ delivery: Delivery) -> Bool {
    let (application, request) = (delivery.key.application, delivery.submission.request)
    guard !Self.isSummary(delivery.key), let bundle = bundle(application, request) else { return false }
    return delivery.shownAt == nil || drawings[drawingName(application, request, bundle)] == nil
  }

  /// The extension's work on a notification, if it is at work.
  func drawing(_ application: String, _ request: RequestRecord) -> (DrawingName, Drawing)? {
    // Looking for the bundle costs something, and most applications have none at work.
    guard drawings.keys.contains(where: { $0.application == application }), let bundle = bundle(application, request)
    else { return nil }
    let name = drawingName(application, request, bundle)
    return drawings[name].map { (name, $0) }
  }

  func open(_ name: DrawingName, _ bundle: ContentExtension, _ record: NotificationRecord) {
    guard let runner = surroundings.extensions else { return }
    let number = nextNumber()
    let session = runner.open(bundle, of: record.application) { [weak self] event in
      self?.enqueue { $0.take(event, from: name, number) }
    }
    drawings[name] = Drawing(
      number: number, bundle: bundle, session: session,
      key: NotificationKey(application: name.application, identifier: record.request.identifier))
  }

  /// - Returns: false: each has something to do.
  @discardableResult
  func makeRoom() -> Bool {
    guard drawings.count >= Self.drawingLimit else { return true }
    let idle = drawings.filter { $0.value.questions == 0 && !isComing($0.value.key) }
    guard let oldest = idle.min(by: { $0.value.number < $1.value.number }) else { return false }
    drawings[oldest.key] = nil
    return true
  }

  // MARK: Delivery

  /// Has the content extension draw a notification before it is posted.
  func draw(_ delivery: Delivery) {
    let (number, request) = (delivery.number, delivery.submission.request)
    guard let bundle = bundle(delivery.key.application, request) else { return isDrawn(number, nil) }
    let name = drawingName(delivery.key.application, request, bundle)
    let record = NotificationRecord(
      application: delivery.submission.application, request: request,
      date: delivery.shownAt ?? surroundings.clock.now)
    if drawings[name] == nil {
      guard makeRoom() else {
        undrawn.append(number)
        _ = schedule(.drawing(number), after: policy.extensionLimit)
        return
      }
      open(name, bundle, record)
    }
    tell(name, record) { $0.isDrawn(number, name) }
  }

  /// Has drawn what waits for an extension to be free, in order.
  func drawWaiting() {
    while let number = undrawn.first, makeRoom() {
      undrawn.removeFirst()
      if let delivery = outbox[number] { draw(delivery) }
    }
  }

  /// It has waited long enough.
  func drawingIsLate(_ number: UInt64) {
    guard let index = undrawn.firstIndex(of: number) else { return }
    undrawn.remove(at: index)
    if let delivery = outbox[number] {
      surroundings.log.write(
        .warning,
        "too many content extensions are at work: \(delivery.key.identifier.quotedForPeople) is shown as it is")
    }
    isDrawn(number, nil)
  }

  /// Tells the extension of a notification; then, or when that took too long, goes on.
  func tell(
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
          // What waits keeps it at work.
          for work in waiting { work(engine) }
        }
        then(engine)
        engine.endDrawings()
        engine.drawWaiting()
      }
    }
  }

  /// The extension has drawn it, or does not.
  private func isDrawn(_ number: UInt64, _ name: DrawingName?) {
    // It may have been removed meanwhile.
    guard let delivery = outbox[number] else { return endDrawings() }
    if let name, let drawing = drawings[name], drawing.key != delivery.key {
      drawings[name]?.predecessors.removeAll { $0 == delivery.key }
      drawings[name]?.predecessors.append(drawing.key)
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

  /// What is about to be posted takes all along that the extension has said, and the place of those before it.
  /// - Returns: the number of that place with the daemon.
  func takeAlong(_ delivery: Delivery) -> UInt32? {
    guard let (name, drawing) = drawing(delivery.key.application, delivery.submission.request) else { return nil }
    if drawing.key == delivery.key {
      drawings[name]?.hasChanged = false
    } else if !drawing.predecessors.contains(delivery.key) {
      return nil
    }
    let before = drawing.predecessors.prefix { $0 != delivery.key }.compactMap { ledger[$0] }
    return before.last { $0.isOpen && $0.serverID != nil }?.serverID
  }

  /// A drawn notification is on the screen: those before it of its thread are not any more, and stay in the list.
  func settleDrawing(_ key: NotificationKey, _ request: RequestRecord) {
    guard let (name, drawing) = drawing(key.application, request), let newest = ledger[drawing.key], newest.isOpen
    else {
      return
    }
    for predecessor in drawing.predecessors where !isComing(predecessor) {
      drawings[name]?.predecessors.removeAll { $0 == predecessor }
      guard let entry = ledger[predecessor], entry.isOpen else { continue }
      // They were posted at the same time, and have places of their own.
      if entry.serverID != newest.serverID { close(entry) }
      ledger.update(predecessor) {
        $0.isOpen = false
        $0.serverID = nil
        $0.onOutcome = nil
        $0.waiters = []
      }
      end(entry, .replaced)
    }
    redraw(name)
  }

  /// Whether a notification is on its way to the daemon.
  private func isComing(_ key: NotificationKey) -> Bool {
    inFlight.values.contains { $0.delivery.key == key }
      || !outbox.numbers(of: key.application, [key.identifier]).isEmpty
  }

  /// Ends the extensions whose notifications have left the screen. One that is asked something ends once it has answered.
  func endDrawings() {
    for (name, drawing) in drawings where drawing.questions == 0 && !isNeeded(drawing) { drawings[name] = nil }
  }

  private func isNeeded(_ drawing: Drawing) -> Bool {
    let key = drawing.key
    if let entry = ledger[key], entry.isOpen || entry.consultations > 0 { return true }
    return isComing(key)
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
  func redraw(_ name: DrawingName) {
    guard let drawing = drawings[name], drawing.hasChanged, drawing.questions == 0, let entry = ledger[drawing.key],
      entry.isOpen, entry.serverID != nil, entry.consultations == 0, !entry.isAboutToClose
    else { return }
    // One that waits to be posted takes it along.
    guard outbox.numbers(of: drawing.key.application, [drawing.key.identifier]).isEmpty else { return }
    drawings[name]?.hasChanged = false
    showAgain(entry)
  }
}
