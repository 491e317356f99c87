/// A call that has no answer yet.
struct CallInFlight {
  /// Who gets the answer.
  enum Recipient {
    case waiter(Waiter<Message>)
    case inbox(Inbox, token: UInt64)
    /// `AddMatch` for this rule.
    case rule(MatchRule, Inbox)
    case hello
  }

  let recipient: Recipient
  let destination: BusName
}

extension ConnectionCore {
  /// Sends a call and sees to it that `recipient` gets one answer or error.
  func send(_ message: MessageHandle, to destination: BusName, timeout: Duration, for recipient: CallInFlight.Recipient)
  {
    executor.assertCurrent()
    if case .inbox(let inbox, _) = recipient { remember(inbox) }
    guard let loop, stage == .connected || recipient.isHello else {
      return finish(recipient, .failure(Self.notConnected))
    }
    if message.carriesDescriptors, !loop.passesDescriptors {
      return finish(recipient, .failure(BusError(.unsupported, "the bus passes no file descriptors")))
    }
    guard let serial = loop.send(message) else {
      return finish(recipient, .failure(BusError(.tooLarge, "there is no memory for the message")))
    }
    calls[serial] = CallInFlight(recipient: recipient, destination: destination)
    guard let time = Deadlines.time(after: timeout) else { return }
    deadlines.tidy(inFlight: calls.count) { calls[$0] != nil }
    deadlines.add(serial, at: time)
    setAlarm()
  }

  /// An answer or error came.
  func receiveAnswer(_ message: ReceivedMessage, _ kind: MessageKind) {
    let serial = message.replySerial
    guard let call = calls[serial] else { return }
    var head = message.head(kind, sequence: sequence)
    // Only the one who was called, or the bus in its place, may answer; behind a well-known name it can be anyone.
    if call.destination.isUnique || call.destination == .bus, let sender = head.sender, sender != .bus,
      sender != call.destination
    {
      return
    }
    calls[serial] = nil
    // Nothing wakes for a limit that no call has any more.
    if calls.isEmpty { forgetAlarm() }
    let result: Result<Message, BusError>
    do throws(BusError) {
      head.body = try message.body()
      result = kind == .error ? .failure(Self.error(head)) : .success(head)
    } catch {
      result = .failure(error)
    }
    finish(call.recipient, result)
  }

  private static func error(_ message: Message) -> BusError {
    let name = message.errorName ?? .failed
    let text = message.body.first?.asString ?? ""
    return BusError(.remote, text.isEmpty ? "the answer was the error \(name)" : text, name: name)
  }

  private func finish(_ recipient: CallInFlight.Recipient, _ result: Result<Message, BusError>) {
    switch recipient {
    case .waiter(let waiter): waiter.finish(result)
    case .inbox(let inbox, let token): deliver(.reply(token: token, result), to: inbox)
    case .rule(let rule, let inbox):
      // A rule lost with the connection is sent again with the next one.
      if case .failure(let error) = result, error.code != .disconnected {
        deliver(.subscriptionFailed(rule, error), to: inbox)
      }
    case .hello: finishHello(result)
    }
  }

  /// Ends all calls in flight, oldest first.
  func failAllCalls(_ error: BusError) {
    let ended = calls.sorted { $0.key < $1.key }
    calls = [:]
    deadlines.removeAll()
    for (_, call) in ended where !call.recipient.isHello { finish(call.recipient, .failure(error)) }
  }
}

/// Time limits.
extension ConnectionCore {
  private func setAlarm() {
    guard let next = deadlines.next else { return }
    if let alarmTime, alarmTime <= next { return }
    if let alarm { executor.cancel(alarm) }
    alarmTime = next
    alarm = executor.schedule(at: next) { [weak self] in self?.endOverdueCalls(next) }
  }

  private func forgetAlarm() {
    deadlines.removeAll()
    alarmTime = nil
    if let alarm = alarm.take() { executor.cancel(alarm) }
  }

  private func endOverdueCalls(_ time: UInt64) {
    executor.assertCurrent()
    // An earlier alarm was set since: this one has nothing to do.
    guard alarmTime == time else { return }
    alarmTime = nil
    alarm = nil
    let now = monotonicTime()
    while let serial = deadlines.takeDue(at: now) {
      guard let call = calls.removeValue(forKey: serial) else { continue }
      finish(
        call.recipient,
        .failure(BusError(.timedOut, "\(call.destination) did not answer in time", name: .noReply)))
    }
    setAlarm()
  }
}

extension CallInFlight.Recipient {
  var isHello: Bool { if case .hello = self { true } else { false } }
}
