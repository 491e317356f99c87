/// One subscription: its number, what it wants and who gets it.
struct SubscriptionEntry {
  let number: UInt64
  let rule: MatchRule
  let inbox: Inbox
}

/// An inbox that has been used, for news of the connection itself.
struct WeakInbox {
  weak var inbox: Inbox?
  /// Inboxes are told in the order in which they came.
  let number: Int
}

extension ConnectionCore {
  /// Sends the rule and lets signals come to the inbox.
  func add(_ entry: SubscriptionEntry) {
    executor.assertCurrent()
    remember(entry.inbox)
    if stage == .closing || stage == .closed { return }
    subscriptions.append(entry)
    if stage == .connected { sendRule(entry) }
  }

  /// Takes the rule back.
  func removeSubscription(_ number: UInt64) {
    executor.assertCurrent()
    guard let index = subscriptions.firstIndex(where: { $0.number == number }) else { return }
    let entry = subscriptions.remove(at: index)
    if let message = message("RemoveMatch", [.string(entry.rule.text)], wantsReply: false) { send(message) }
  }

  /// Sends `AddMatch`; the bus counts equal rules.
  func sendRule(_ entry: SubscriptionEntry) {
    guard let message = message("AddMatch", [.string(entry.rule.text)], wantsReply: true) else {
      let error = BusError(.invalidValue, "the rule's first argument cannot be sent")
      return deliver(.subscriptionFailed(entry.rule, error), to: entry.inbox)
    }
    send(message, to: .bus, timeout: .seconds(60), for: .rule(entry.rule, entry.inbox))
  }

  /// A signal came: each inbox with a fitting subscription gets it once.
  func receiveSignal(_ received: ReceivedMessage) {
    var message = received.head(.signal, sequence: sequence)
    var isComplete = false
    var served: [Inbox] = []
    for entry in subscriptions {
      guard entry.rule.fitsHead(of: message), !served.contains(where: { $0 === entry.inbox }) else { continue }
      if !isComplete {
        // What cannot be read is dropped: its sender alone is to blame.
        guard let body = try? received.body() else { return }
        message.body = body
        isComplete = true
      }
      if entry.rule.fits(message) { served.append(entry.inbox) }
    }
    for inbox in served { deliver(.signal(message), to: inbox) }
  }

  /// Keeps in mind that `inbox` wants to know what becomes of the connection.
  func remember(_ inbox: Inbox) {
    if inbox === lastInbox { return }
    lastInbox = inbox
    let key = ObjectIdentifier(inbox)
    if inboxes[key]?.inbox === inbox { return }
    inboxes = inboxes.filter { $0.value.inbox != nil }
    inboxes[key] = WeakInbox(inbox: inbox, number: nextInboxNumber)
    nextInboxNumber += 1
  }

  func deliverToAll(_ item: Inbox.Item) {
    for known in inboxes.values.sorted(by: { $0.number < $1.number }) {
      if let inbox = known.inbox { deliver(item, to: inbox) }
    }
  }

  /// A message to the bus itself; nil if `body` cannot be sent.
  func message(_ member: MemberName, _ body: [Value], wantsReply: Bool) -> MessageHandle? {
    try? MessageHandle(
      MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", member, body), wantsReply: wantsReply,
      maximumSize: options.maximumMessageSize)
  }
}
