internal import Synchronization

extension ConnectionCore {
  /// Opens a connection and says `Hello`.
  func connect() {
    executor.assertCurrent()
    guard stage == .starting || stage == .lost else { return }
    attempt += 1
    if address.connectsAtOnce {
      do throws(BusError) {
        serve(try OpenedConnection(to: address))
      } catch {
        failConnecting(error)
      }
    } else {
      connectElsewhere(attempt)
    }
  }

  /// Connects on another thread: a name may have to be looked up, a network may be slow.
  private func connectElsewhere(_ attempt: Int) {
    let work: @Sendable () -> Void = { [self] in
      do throws(BusError) {
        let box = OpenedBox(try OpenedConnection(to: address))
        executor.perform {
          if self.attempt == attempt, let opened = box.take() { self.serve(opened) }
        }
      } catch {
        executor.perform {
          if self.attempt == attempt { self.failConnecting(error) }
        }
      }
    }
    do throws(BusError) {
      try BusThread.start(work)
    } catch {
      return failConnecting(error)
    }
    guard let limit = Deadlines.time(after: options.connectTimeout) else { return }
    executor.schedule(at: limit) { [weak self] in
      guard let self, self.attempt == attempt, loop == nil else { return }
      failConnecting(BusError(.timedOut, "the bus at \(address) could not be connected to in time"))
    }
  }

  private func serve(_ opened: consuming OpenedConnection) {
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
    connectedAt = monotonicTime()
    for entry in subscriptions { sendRule(entry) }
    for wanted in wantedNames {
      let body: [Value] = [.string(wanted.name.text), .uint32(wanted.options.rawValue)]
      if let message = message("RequestName", body, wantsReply: false) { send(message) }
    }
    if isFirst { started.finish(.success(())) } else { deliverToAll(.reconnected(name)) }
  }

  private func failConnecting(_ error: BusError) {
    // What still comes of this attempt is too late.
    attempt += 1
    loop?.close()
    loop = nil
    calls = [:]
    deadlines.removeAll()
    switch stage {
    case .starting:
      stage = .closed
      letGo()
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
    // A bus that lets us in and always hangs up is not pestered.
    if monotonicTime() - connectedAt > Self.steadyTime { pause = Self.firstPause }
    failAllCalls(error)
    deliverToAll(.disconnected(error))
    if stage == .lost { planReconnection() } else { letGo() }
  }

  private func planReconnection() {
    attempt += 1
    let attempt = attempt
    executor.schedule(at: monotonicTime() + UInt64(pause) * 1_000_000) { [weak self] in
      guard let self, self.stage == .lost, self.attempt == attempt else { return }
      self.connect()
    }
    pause = min(pause * 2, Self.longestPause)
  }

  /// Sends what is left, as long as something leaves each second and ten seconds at most, and ends.
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
      watchSending(rounds: 10)
      loop?.tellWhenSent()
    }
  }

  private func watchSending(rounds: Int) {
    let written = loop?.writes
    executor.schedule(at: monotonicTime() + 1_000_000_000) { [weak self] in
      guard let self, self.stage == .closing else { return }
      if rounds > 1, self.loop?.writes != written {
        self.watchSending(rounds: rounds - 1)
      } else {
        self.finishClosing()
      }
    }
  }

  func loopHasSentAll(_ loop: BusLoop) {
    if stage == .closing { finishClosing() }
  }

  private func finishClosing() {
    let previous = stage
    stage = .closed
    attempt += 1
    loop?.close()
    loop = nil
    uniqueName.withLock { $0 = nil }
    // Of an earlier loss the inboxes have been told.
    if previous == .connected || previous == .closing {
      let error = BusError(.disconnected, "the connection was closed", name: .disconnected)
      failAllCalls(error)
      deliverToAll(.disconnected(error))
    }
    if previous != .closed { letGo() }
    for closer in closers { closer.finish(.success(())) }
    closers = []
    if isReleased, !hasLetGoOfThread {
      hasLetGoOfThread = true
      executor.letGo()
    }
  }

  /// Drops everything that could keep others alive: nothing comes any more.
  private func letGo() {
    wantedNames = []
    // What these kept alive may end subscriptions and exports of its own as it goes: not while the tables change.
    let released = (subscriptions, inboxes, objects)
    subscriptions = []
    inboxes = [:]
    objects = ExportedObjects()
    withExtendedLifetime(released) {}
  }
}
