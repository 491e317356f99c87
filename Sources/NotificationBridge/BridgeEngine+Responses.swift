public import FoundationEssentials

extension BridgeEngine {
  // MARK: Who takes responses

  /// Responses of one application that wait for somebody to take them: every click on a notification of which nobody
  /// wants to hear is one, and they stay until somebody does.
  static let responsesKept = 1_000

  /// Sets who takes an application's responses; nil takes it away. What waited is handed over in order, and so is what
  /// the former one had not acknowledged.
  public func setHandler(_ handler: ApplicationHandler?, for application: String) {
    handlers[application] = handler
    for item in journal.all where item.place == .application && item.key.application == application {
      journal.place(item.response.id, .free)
    }
    offerFree(application)
  }

  /// Says that an application fetches its responses itself once it is started: it may be started for one.
  public func setFetching(_ application: String) {
    if fetching.insert(application).inserted { keep(.setFetching(application)) }
  }

  /// Says that a response of an application's has arrived where it was given to; it is not given to anybody else.
  /// Repeats do nothing.
  public func acknowledge(_ response: UUID, of application: String) {
    guard let item = journal[response], item.key.application == application else { return }
    switch item.place {
    case .waiter, .application, .free: journal.remove(response)
    case .handler, .extension: break
    }
  }

  /// Routes a response: to who waits for the notification's outcome, else the application's handler, else a registered
  /// command, else the application is started; else it waits.
  func route(_ response: ResponseRecord, for waiting: [OutcomeWaiter] = []) {
    journal.add(response)
    if isHeldByLock(response) {
      heldWaiters[response.id] = waiting
      return surroundings.log.write(
        .info,
        "the response to \(response.notification.request.identifier.quotedForPeople) waits for the session to be unlocked"
      )
    }
    // At once: if the taker goes before it is kept, others are to get it.
    if let taker = waiting.first { journal.place(response.id, .waiter(taker.id)) }
    afterCommit(durably: true) { engine in
      if waiting.isEmpty { return engine.offer(response.id) }
      for waiter in waiting { waiter.take(.responded(response)) }
    }
  }

  /// Offers what nobody has once more, after something changed.
  public func offerFree(_ application: String? = nil) {
    for item in journal.free(application) { offer(item.response.id) }
  }

  private func offer(_ id: UUID) {
    guard let item = journal[id], item.place == .free, !isHeldByLock(item.response) else { return }
    let response = item.response
    if let handler = handlers[item.key.application] {
      if handler.acknowledges {
        journal.place(id, .application)
      } else {
        journal.remove(id)
      }
      handler.receive(response)
    } else if let launcher = surroundings.launcher {
      if let name = launcher.handler(for: response) {
        // One at a time: its runs come in the order of the responses, and a crash leaves one in doubt at most.
        if !busyCommands.contains(Self.shown(name)) { run(name, for: response) }
      } else if response.action == .dismiss, !fetching.contains(item.key.application) {
        // Nobody is started to hear of a dismissal; whoever waits later finds it in the history.
        journal.remove(id)
      } else if fetching.contains(item.key.application), response.action != .dismiss, !item.hasStarted {
        journal.setStarted(id)
        launcher.start(response) { [log = surroundings.log] started in
          if !started {
            log.write(.info, "\(item.key.application.quotedForPeople) cannot be started; its response waits for it")
          }
        }
        leave(id, of: item.key.application)
      } else {
        leave(id, of: item.key.application)
      }
    } else {
      leave(id, of: item.key.application)
    }
  }

  private func leave(_ id: UUID, of application: String) {
    guard journal.leave(id) > Self.responsesKept else { return }
    for item in journal.forgetOldest(of: application, beyond: Self.responsesKept) {
      surroundings.log.write(
        .info, "nobody has asked for the response to \(item.key.identifier.quotedForPeople): it is forgotten")
    }
  }

  // MARK: Registered commands

  private func run(_ name: String, for response: ResponseRecord) {
    busyCommands.insert(Self.shown(name))
    journal.place(response.id, .handler(name))
    afterCommit(durably: true) { engine in
      engine.surroundings.launcher?.run(name, for: response) { [weak engine] result in
        engine?.enqueue { $0.ended(name, response, result) }
      }
    }
  }

  /// The part of a command's name that people see.
  private static func shown(_ name: String) -> String { String(name.prefix { $0 != "\t" }) }

  private func ended(_ mark: String, _ response: ResponseRecord, _ result: HandlerResult) {
    busyCommands.remove(Self.shown(mark))
    if result.isUncertain { return uncertain(response.id, mark, because: result.status) }
    let name = Self.shown(mark)
    if let item = journal.remove(response.id) {
      note(
        .handled, item.key,
        ["handler": .string(name), "status": .string(result.status), "response": .string(response.id.uuidString)])
      if !result.succeeded {
        surroundings.log.write(
          .warning, "the handler \(name.quotedForPeople) for \(item.key.identifier.quotedForPeople): \(result.status)")
      }
    }
    afterCommit { $0.surroundings.launcher?.finished(response.id) }
    offerFree()
  }

  /// What was in flight when the bridge ended.
  func settle(_ item: ResponseJournal.Item, _ name: String) {
    guard let launcher = surroundings.launcher else { return uncertain(item.response.id, name) }
    busyCommands.insert(Self.shown(name))
    launcher.outcome(of: name, for: item.response) { [weak self] fate in
      self?.enqueue { engine in
        engine.busyCommands.remove(Self.shown(name))
        switch fate {
        case .neverStarted:
          engine.journal.place(item.response.id, .free)
          engine.offerFree()
        case .ended(let result): engine.ended(name, item.response, result)
        case .unknown: engine.uncertain(item.response.id, name)
        }
      }
    }
  }

  private func uncertain(_ id: UUID, _ mark: String, because reason: String = "the bridge ended while it ran") {
    let name = Self.shown(mark)
    guard let item = journal.remove(id) else { return }
    note(
      .uncertain, item.key,
      ["handler": .string(name), "response": .string(id.uuidString), "reason": .string(reason)])
    surroundings.log.write(
      .warning,
      "nobody knows how far the handler \(name.quotedForPeople) for \(item.key.identifier.quotedForPeople) came, and it "
        + "is not run again: \(reason)")
    offerFree()
  }

  // MARK: Who waits

  /// Waits for how a notification ends; `take` is called once, on the engine, at once where that is known already.
  /// A response that it is given counts as taken with ``acknowledge(_:of:)``.
  /// - Parameter next: it waits for the next notification of that name, which is about to be submitted.
  /// - Throws: ``BridgeError`` with code `unknownNotification`.
  /// - Returns: a number for ``endWait(_:)``.
  public func wait(
    for key: NotificationKey, next: Bool = false, _ take: @escaping @Sendable (Outcome) -> Void
  ) throws(BridgeError) -> UInt64 {
    let waiter = OutcomeWaiter(id: nextNumber(), take: take)
    let isComing =
      !outbox.numbers(of: key.application, [key.identifier]).isEmpty || pending.item(key) != nil
      || inFlight.values.contains { $0.delivery.key == key }
    if next {
      waiters[key, default: []].append(waiter)
    } else if let entry = ledger[key] {
      if entry.isOpen {
        ledger.update(key) { $0.waiters.append(waiter) }
      } else {
        take(.expired)
      }
    } else if let item = journal.free(key.application).first(where: { $0.key == key && !isHeldByLock($0.response) }) {
      journal.place(item.response.id, .waiter(waiter.id))
      take(.responded(item.response))
    } else if isComing {
      waiters[key, default: []].append(waiter)
    } else {
      take(try lastOutcome(of: key))
    }
    return waiter.id
  }

  private func lastOutcome(of key: NotificationKey) throws(BridgeError) -> Outcome {
    let events = try history(after: 0, application: key.application, limit: 1_000, newest: true)
    for record in events.reversed() where record.identifier == key.identifier {
      switch record.event {
      case .dismissed: return .dismissed
      case .expired: return .expired
      case .closed, .removed, .failed: return .closed
      case .replaced: return .replaced
      case .lost: return .daemonLost
      // It was answered, and somebody has the answer; or its end is not known. What was before it is another's end.
      case .responded, .delivered, .added: throw unknown(key)
      case .repeated, .handled, .uncertain: continue
      }
    }
    throw unknown(key)
  }

  /// Nobody waits under that number any more. What it was given and did not acknowledge goes to somebody else.
  public func endWait(_ id: UInt64) {
    for (key, list) in waiters where list.contains(where: { $0.id == id }) {
      let rest = list.filter { $0.id != id }
      waiters[key] = rest.isEmpty ? nil : rest
    }
    for (key, entry) in ledger.entries where entry.waiters.contains(where: { $0.id == id }) {
      ledger.update(key) { $0.waiters.removeAll { $0.id == id } }
    }
    for (response, list) in heldWaiters where list.contains(where: { $0.id == id }) {
      heldWaiters[response] = list.filter { $0.id != id }
    }
    for item in journal.all where item.place == .waiter(id) {
      journal.place(item.response.id, .free)
      offer(item.response.id)
    }
  }

  // MARK: By hand

  /// Acts on a delivered notification as if the user had pressed its button: also on one whose popup has gone.
  /// - Parameters:
  ///   - action: the identifier of one of its actions; nil: the click on the notification.
  ///   - text: what the user typed, for a text action.
  /// - Throws: ``BridgeError`` with code `unknownNotification` or `invalidRequest`.
  public func act(on key: NotificationKey, action: String?, text: String?) throws(BridgeError) {
    guard let entry = ledger[key] else { throw unknown(key) }
    let actions = actions(of: entry)
    guard let action else {
      if text != nil { throw BridgeError(.invalidRequest, "a text goes with an action: name the action too") }
      return respond(key, entry, .default, text: nil)
    }
    guard let record = actions.first(where: { $0.identifier == action }) else {
      // The extension ended with its popup: its buttons are those that were shown.
      if isDrawnNow(entry),
        let meaning = entry.keys.values.first(where: { ResponseTranslator.action($0) == .custom(action) }),
        text == nil || meaning == .textInput(identifier: action)
      {
        return respond(key, entry, .custom(action), text: text)
      }
      let names = actions.map(\.identifier.quotedForPeople).joined(separator: ", ")
      throw BridgeError(
        .unknownNotification,
        "\(key.identifier.quotedForPeople) has no action \(action.quotedForPeople)"
          + (names.isEmpty ? "; it has none" : "; it has \(names)"))
    }
    if text != nil, record.textInput == nil {
      throw BridgeError(.invalidRequest, "the action \(action.quotedForPeople) takes no text")
    }
    respond(key, entry, .custom(action), text: text)
  }

  /// The actions of a delivered notification.
  func actions(of entry: Ledger.Entry) -> [ActionRecord] {
    let request = presented(entry.record.request, of: entry.key.application)
    return request.desktop.actions
      ?? categories[entry.key.application]?[request.content.categoryIdentifier]?.actions ?? []
  }

  /// Shows a delivered notification once more, as after its popup has gone.
  /// - Throws: ``BridgeError`` with code `unknownNotification`.
  public func show(_ key: NotificationKey) throws(BridgeError) {
    guard let entry = ledger[key] else { throw unknown(key) }
    showAgain(entry)
  }

  private func unknown(_ key: NotificationKey) -> BridgeError {
    BridgeError(
      .unknownNotification,
      "\(key.application.quotedForPeople) has no notification \(key.identifier.quotedForPeople)")
  }
}
