internal import DBus
internal import FoundationEssentials
internal import NotificationBridge

/// Who waits for outcomes and events, and who takes responses.
extension ControlService {
  // MARK: Outcomes

  /// A place kept for a caller that waits for how a notification ends.
  struct Reservation: Sendable {
    let id: UInt64
    let sender: BusName
    let key: NotificationKey
    /// Known before the caller asked.
    var outcome: Outcome?
    /// The caller's `Wait`, once it has come.
    var call: IncomingCall?
  }

  /// Keeps a place for the caller of a `Post`, whose `Wait` follows.
  func reserve(_ key: NotificationKey, for call: IncomingCall) -> UInt64? {
    // Files may have been taken over since it was made: then nobody is there who would come for the place.
    guard let sender = call.message.sender, !call.isVoid else { return nil }
    let answer: Result<UInt64, BridgeError> = engine.assumeIsolated { engine in
      do throws(BridgeError) {
        let box = WaiterNumber()
        let id = try engine.wait(for: key, next: true) { [weak self] outcome in
          self?.later { $0.ended(box.value, outcome) }
        }
        box.set(id)
        return .success(id)
      } catch {
        return .failure(error)
      }
    }
    guard let id = try? answer.get() else { return nil }
    reservations.append(Reservation(id: id, sender: sender, key: key))
    watch(sender)
    return id
  }

  func drop(_ id: UInt64) {
    reservations.removeAll { $0.id == id }
    engine.assumeIsolated { $0.endWait(id) }
  }

  func wait(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    guard let sender = call.message.sender, !call.isVoid else { return }
    let key = NotificationKey(application: try application(call.text(0), caller), identifier: call.text(1))
    if let index = reservations.firstIndex(where: { $0.sender == sender && $0.key == key && $0.call == nil }) {
      reservations[index].call = call
      return settle(reservations[index].id)
    }
    let box = WaiterNumber()
    let answer: Result<UInt64, BridgeError> = engine.assumeIsolated { engine in
      do throws(BridgeError) {
        return .success(
          try engine.wait(for: key) { [weak self] outcome in self?.later { $0.ended(box.value, outcome) } })
      } catch {
        return .failure(error)
      }
    }
    let id = try answer.get()
    box.set(id)
    reservations.append(Reservation(id: id, sender: sender, key: key, call: call))
    watch(sender)
  }

  private func ended(_ id: UInt64, _ outcome: Outcome) {
    guard let index = reservations.firstIndex(where: { $0.id == id }) else { return }
    reservations[index].outcome = outcome
    settle(id)
  }

  /// Answers, if both the outcome and the call are there. A response is the caller's once it is acknowledged.
  private func settle(_ id: UInt64) {
    guard let index = reservations.firstIndex(where: { $0.id == id }), let call = reservations[index].call,
      let outcome = reservations[index].outcome
    else { return }
    if case .responded(let response) = outcome {
      call.reply([.string(outcome.word), RecordCoding.value(response.document)])
    } else {
      reservations.remove(at: index)
      call.reply([.string(outcome.word), RecordCoding.value([:])])
    }
  }

  func acknowledge(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let application = try application(call.text(0), caller)
    guard let id = UUID(uuidString: call.text(1)) else {
      throw BridgeError(.invalidRequest, "\(call.text(1).quotedForPeople) is no response's identifier: a UUID is")
    }
    reservations.removeAll { if case .responded(let response)? = $0.outcome { response.id == id } else { false } }
    engine.assumeIsolated { engine in
      engine.acknowledge(id, of: application)
      engine.answer(durably: true) { call.finish($0) }
    }
  }

  // MARK: Events

  /// A caller that waits for events.
  struct Watcher: Sendable {
    let call: IncomingCall
    let after: Int64
    let application: String?
    let limit: Int
  }

  /// Events in one answer.
  private static let eventLimit = 1_000

  func history(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let watcher = try watcher(call, caller)
    // Without a beginning it is the newest that are wanted.
    call.reply([RecordCoding.values(try events(watcher, newest: watcher.after <= 0).map(\.document))])
  }

  func events(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    var watcher = try watcher(call, caller)
    let last = engine.assumeIsolated { $0.lastSequence }
    // From now on; and one who comes from a history that is no longer there begins with the present one.
    if watcher.after < 0 || watcher.after > last {
      watcher = Watcher(call: call, after: last, application: watcher.application, limit: watcher.limit)
    }
    let found = try events(watcher, newest: false)
    guard found.isEmpty else { return call.reply([RecordCoding.values(found.map(\.document))]) }
    guard let sender = call.message.sender, !call.isVoid else { return }
    watch(sender)
    watchers.append(watcher)
  }

  private func watcher(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) -> Watcher {
    let limit = call.message.body[2].asInteger ?? 0
    return Watcher(
      call: call, after: Int64(call.message.body[0].asInteger ?? 0),
      application: try applications(call.text(1), caller),
      limit: limit > 0 ? min(limit, Self.eventLimit) : Self.eventLimit)
  }

  private func events(_ watcher: Watcher, newest: Bool) throws(BridgeError) -> [HistoryRecord] {
    let answer: Result<[HistoryRecord], BridgeError> = engine.assumeIsolated { engine in
      do throws(BridgeError) {
        return .success(
          try engine.history(
            after: watcher.after, application: watcher.application, limit: watcher.limit, newest: newest))
      } catch {
        return .failure(error)
      }
    }
    return try answer.get()
  }

  func tellWatchers() {
    let waiting = watchers
    watchers = []
    for watcher in waiting {
      do throws(BridgeError) {
        let found = try events(watcher, newest: false)
        if found.isEmpty {
          watchers.append(watcher)
        } else {
          watcher.call.reply([RecordCoding.values(found.map(\.document))])
        }
      } catch {
        watcher.call.fail(error)
      }
    }
  }

  // MARK: Applications that take their responses

  /// A process that speaks for an application and takes its responses.
  struct Client: Sendable {
    let sender: BusName
    /// It is asked how to present notifications.
    let presents: Bool
  }

  func register(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    guard let sender = call.message.sender, !call.isVoid else { return }
    let application = try application(call.text(0), caller)
    let reader = DocumentReader(RecordCoding.document(call.message.body[1]) ?? [:], path: "options")
    let client = Client(sender: sender, presents: try reader.flag("presents") ?? false)
    let fetches = try reader.flag("fetches") ?? false
    watch(sender)
    var list = (clients[application] ?? []).filter { $0.sender != sender }
    list.append(client)
    clients[application] = list
    if fetches { engine.assumeIsolated { $0.setFetching(application) } }
    call.reply()
    updateHandler(application)
  }

  func unregister(_ application: String, _ sender: BusName?) {
    clients[application] = clients[application]?.filter { $0.sender != sender }
    updateHandler(application)
  }

  /// The newest process gets the responses; every one that wants to is asked how to present.
  func updateHandler(_ application: String) {
    let list = clients[application] ?? []
    guard let newest = list.last else {
      clients[application] = nil
      engine.assumeIsolated { $0.setHandler(nil, for: application) }
      return
    }
    let asked = list.filter(\.presents).map(\.sender)
    let presenter: ApplicationHandler.Presenter?
    if asked.isEmpty {
      presenter = nil
    } else {
      presenter = { [weak self] record, answer in self?.later { $0.ask(asked, record, answer) } ?? answer(nil) }
    }
    let handler = ApplicationHandler(willPresent: presenter, acknowledges: true) { [connection] response in
      connection.send(
        MethodCall(
          to: newest.sender, at: ControlInterface.clientPath, ControlInterface.clientInterface, "Respond",
          [RecordCoding.value(response.document)], startsService: false))
    }
    engine.assumeIsolated { $0.setHandler(handler, for: application) }
  }

  /// Asks each how to present a notification; what one of them holds back is held back. Who does not answer in time, or
  /// has no opinion, does not count.
  private func ask(
    _ clients: [BusName], _ record: NotificationRecord, _ answer: @escaping @Sendable (PresentationOptions?) -> Void
  ) {
    let opinions = Opinions(clients.count, answer)
    for client in clients {
      let call = MethodCall(
        to: client, at: ControlInterface.clientPath, ControlInterface.clientInterface, "WillPresent",
        [RecordCoding.value(record.document)], startsService: false)
      self.call(call, timeout: .seconds(10)) { result in
        var options: PresentationOptions?
        if case .success(let message) = result, let number = message.body.first?.asInteger, number >= 0 {
          options = PresentationOptions(rawValue: UInt(number))
        }
        opinions.take(options)
      }
    }
  }
}
