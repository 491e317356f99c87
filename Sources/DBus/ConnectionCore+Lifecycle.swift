internal import Dispatch
internal import Synchronization

extension ConnectionCore {
  /// Takes over the first connection.
  func start(_ opened: consuming OpenedConnection) {
    executor.assertCurrent()
    serve(opened)
  }

  private func serve(_ opened: consuming OpenedConnection) {
    attempt += 1
    epoch += 1
    let loop = BusLoop(
      opened, executor: executor, owner: self, maximumMessageSize: options.maximumMessageSize)
    self.loop = loop
    guard let hello = message("Hello", [], wantsReply: true) else { return }
    send(hello, to: .bus, timeout: options.connectTimeout, for: .hello)
  }

  /// The bus has answered `Hello`, or it did not in time.
  func finishHello(_ result: Result<Message, BusError>) {
    do throws(BusError) {
      let message = try result.get()
      guard let text = message.body.first?.asString, let name = try? BusName(text), name.isUnique else {
        throw BusError(.unexpectedReply, "the bus answered Hello without a name")
      }
      finishConnecting(name)
    } catch {
      failConnecting(error)
    }
  }

  private func finishConnecting(_ name: BusName) {
    uniqueName.withLock { $0 = name }
    let isFirst = stage == .starting
    stage = .connected
    pause = Self.firstPause
    for entry in subscriptions { sendRule(entry) }
    for wanted in wantedNames {
      let body: [Value] = [.string(wanted.name.text), .uint32(wanted.options.rawValue)]
      if let message = message("RequestName", body, wantsReply: false) { send(message) }
    }
    if isFirst { started.finish(.success(())) } else { deliverToAll(.reconnected(name)) }
  }

  private func failConnecting(_ error: BusError) {
    loop?.close()
    loop = nil
    calls = [:]
    deadlines.removeAll()
    switch stage {
    case .starting:
      stage = .closed
      started.finish(.failure(error))
    case .lost: planReconnection()
    case .connected, .closing, .closed: break
    }
  }

  func loopEnded(_ loop: BusLoop) {
    guard loop === self.loop else { return }
    switch stage {
    case .starting, .lost:
      failConnecting(
        BusError(
          .authentication,
          "the bus at \(address) ended the connection before it took us in; a session bus takes only its own user"))
    case .connected: lose(BusError(.disconnected, "the bus ended the connection", name: .disconnected))
    case .closing: finishClosing()
    case .closed: break
    }
  }

  private func lose(_ error: BusError) {
    loop?.close()
    loop = nil
    uniqueName.withLock { $0 = nil }
    stage = options.reconnects ? .lost : .closed
    failAllCalls(error)
    deliverToAll(.disconnected(error))
    if stage == .lost { planReconnection() } else { letGo() }
  }

  private func planReconnection() {
    attempt += 1
    let attempt = attempt
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
      guard let self, self.stage == .lost, self.attempt == attempt else { return }
      self.reconnect()
    }
    pause = min(pause * 2, Self.longestPause)
  }

  private func reconnect() {
    do throws(BusError) {
      serve(try OpenedConnection(to: address))
    } catch {
      planReconnection()
    }
  }

  /// Sends what is left, for at most a second, and ends.
  func close(_ closer: Waiter<Void>?) {
    executor.assertCurrent()
    if let closer { closers.append(closer) }
    switch stage {
    case .closing: return
    case .closed: return finishClosing()
    case .starting, .lost:
      started.finish(.failure(BusError(.disconnected, "the connection was closed", name: .disconnected)))
      finishClosing()
    case .connected:
      stage = .closing
      executor.queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
        if let self, self.stage == .closing { self.finishClosing() }
      }
      loop?.tellWhenSent()
    }
  }

  func loopHasSentAll(_ loop: BusLoop) {
    if stage == .closing { finishClosing() }
  }

  private func finishClosing() {
    let wasClosed = stage == .closed
    stage = .closed
    loop?.close()
    loop = nil
    uniqueName.withLock { $0 = nil }
    if !wasClosed {
      let error = BusError(.disconnected, "the connection was closed", name: .disconnected)
      failAllCalls(error)
      deliverToAll(.disconnected(error))
      letGo()
    }
    for closer in closers { closer.finish(.success(())) }
    closers = []
  }

  /// Drops everything that could keep others alive: nothing comes any more.
  private func letGo() {
    timer?.cancel()
    timer = nil
    timerTime = nil
    // Releasing them can lead back here, so each property is empty before its former value goes.
    let former = (subscriptions, inboxes, objects)
    subscriptions = []
    inboxes = [:]
    wantedNames = []
    objects = ExportedObjects()
    withExtendedLifetime(former) {}
  }
}
