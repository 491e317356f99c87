internal import FoundationEssentials
internal import FreedesktopNotifications

/// What the user does to a notification that a content extension draws: the extension hears of it first, and decides what
/// becomes of the notification.
extension BridgeEngine {
  /// Hands what the user did to the content extension that draws the notification: it decides what becomes of it.
  /// - Parameter kept: the response, if it has waited.
  /// - Returns: false: none draws it.
  func consult(
    _ key: NotificationKey, _ entry: Ledger.Entry, _ action: ResponseRecord.Action, text: String?,
    kept: ResponseRecord? = nil
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
    let response =
      kept
      ?? ResponseRecord(notification: entry.record, action: action, text: text, activationToken: entry.activationToken)
    keepForExtension(response)
    if drawings[name] == nil {
      makeRoom()
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

  /// If the bridge ends before the extension has decided, the application gets the response.
  func keepForExtension(_ response: ResponseRecord) {
    journal.add(response)
    journal.place(response.id, .extension)
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
    defer { endDrawings() }
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
    let isForwarded = decision ?? .dismissAndForwardAction == .dismissAndForwardAction
    if !isForwarded { journal.remove(response.id) }
    // It may have been replaced or removed meanwhile: what the user did counts all the same.
    guard let before = ledger[key], before.record.date == response.notification.date else {
      if isForwarded { forward(response) }
      return
    }
    ledger.update(key) { $0.consultations = max($0.consultations - 1, 0) }
    guard let entry = ledger[key] else { return }
    switch decision ?? .dismissAndForwardAction {
    case .doNotDismiss: keepShown(key, entry, name, hadText: response.text != nil)
    case .dismiss:
      takeOff(key, entry)
      note(.closed, key)
      end(entry, .closed)
      leaveThread(key, entry)
    case .dismissAndForwardAction where response.action == .dismiss: dismiss(key, entry, decided: response)
    case .dismissAndForwardAction:
      respond(key, entry, response.action, text: response.text, isDecided: true, kept: response)
    }
  }

  /// Hands the application what the user did to a notification that is not there any more.
  func forward(_ response: ResponseRecord) {
    let key = NotificationKey(
      application: response.notification.application.identifier, identifier: response.notification.request.identifier)
    note(.responded, key, response.detail)
    route(response)
  }

  /// The notification stays, whatever the daemon makes of a press.
  private func keepShown(_ key: NotificationKey, _ entry: Ledger.Entry, _ name: DrawingName, hadText: Bool) {
    guard entry.consultations == 0 else { return }
    // A newer one of the thread has its place.
    if let drawing = drawings[name], drawing.key != key, !entry.isOpen { return redraw(name) }
    if !entry.isOpen {
      drawings[name]?.hasChanged = false
      showAgain(entry)
    } else if profile?.quirks.ignoresResident == true || hadText {
      // What is posted before the daemon has closed it would be closed too.
      ledger.update(key) {
        $0.isAboutToClose = true
        $0.isReplied = hadText
      }
      if hadText, profile?.quirks.keepsReplyField == true { drawings[name]?.hasChanged = true }
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
