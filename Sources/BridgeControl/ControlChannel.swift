public import DBus
public import FoundationEssentials
public import NotificationBridge
internal import Synchronization

/// The bridge as a program with a delegate sees it: calls take effect in the order in which they are made, from any
/// thread and without waiting; responses come to a handler, whatever the bridge goes through meanwhile.
///
/// Answers and handlers are called on the connection's thread; they must not block.
public final class ControlChannel: Sendable {
  public typealias Answer<Answered> = @Sendable (Result<Answered, BridgeError>) -> Void

  /// What a process with a delegate wants to hear.
  public struct Registration: Sendable {
    public var application: String
    /// It is asked how to present notifications.
    public var presents: Bool
    /// Takes responses; each once, however often the bridge gives it. To be acknowledged when it has been dealt with.
    public var receive: @Sendable (ResponseRecord) -> Void
    /// Says how to present a notification; nil: no opinion.
    public var present: @Sendable (NotificationRecord, @escaping @Sendable (PresentationOptions?) -> Void) -> Void
    /// Takes a push that tells the application something, by its whole payload; false: nothing here wants it.
    public var push: @Sendable ([String: PropertyValue]) -> Bool = { _ in false }
    /// Shows the application's own settings for notifications; false: nobody here can.
    public var openSettings: @Sendable () -> Bool = { false }

    public init(
      application: String, presents: Bool, receive: @escaping @Sendable (ResponseRecord) -> Void,
      present:
        @escaping @Sendable (NotificationRecord, @escaping @Sendable (PresentationOptions?) -> Void) -> Void
    ) {
      self.application = application
      self.presents = presents
      self.receive = receive
      self.present = present
    }
  }

  private struct State: Sendable {
    var answers: [UInt64: @Sendable (Result<Message, BusError>) -> Void] = [:]
    var issued: UInt64 = 0
    var registration: Registration?
    /// The bridge that is trusted: its present unique name.
    var owner: String?
    var seen: [UUID] = []
    var export: Export?
    var subscription: Subscription?
    /// Attempts to register with a bridge that has gone.
    var attempts = 0
  }

  private let connection: BusConnection
  private let executor: BusExecutor
  private let state = Mutex(State())
  private let inbox: Inbox
  private let log: any BridgeLog

  /// - Parameters:
  ///   - connection: a connection on which the bridge was found.
  ///   - executor: that of the connection.
  public init(on connection: BusConnection, executor: BusExecutor, log: any BridgeLog) {
    self.connection = connection
    self.executor = executor
    self.log = log
    let link = Link()
    inbox = Inbox { link.channel?.take($0) }
    link.channel = self
    let subscription = connection.subscribe(
      MatchRule(
        sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: ControlInterface.busName.text), to: inbox)
    state.withLock { $0.subscription = subscription }
  }

  /// Breaks the cycle between the channel and its inbox.
  private final class Link: Sendable {
    private struct Target: Sendable { weak var channel: ControlChannel? }
    private let target = Mutex(Target())
    var channel: ControlChannel? {
      get { target.withLock { $0.channel } }
      set { target.withLock { $0.channel = newValue } }
    }
  }

  // MARK: Calls

  /// Does `work` soon, where answers come too.
  public func later(_ work: @escaping @Sendable () -> Void) { executor.performLater(work) }

  /// - Parameter mayRepeat: the bridge may end under it: then it is made again, of the one that is there by then.
  private func post(
    _ member: MemberName, _ body: [Value], timeout: Duration = .seconds(60), mayRepeat: Bool = true,
    _ take: @escaping Answer<Message>
  ) {
    let token = state.withLock { state in
      state.issued += 1
      state.answers[state.issued] = { [weak self] result in
        // What was shown, or may have been, is not shown twice.
        if case .failure(let error) = result, error.isCalleeGone, mayRepeat, member != "Post", let self {
          post(member, body, timeout: timeout, mayRepeat: false, take)
        } else {
          take(result.mapError { BridgeError(bridge: $0) })
        }
      }
      return state.issued
    }
    connection.post(
      ControlClient.methodCall(member, body, startsService: true), timeout: timeout, to: inbox, token: token)
  }

  private func post<Answered>(
    _ member: MemberName, _ body: [Value], _ answer: @escaping Answer<Answered>,
    _ read: @escaping @Sendable (Message) throws(BridgeError) -> Answered
  ) {
    post(member, body) { result in
      switch result {
      case .failure(let error): answer(.failure(error))
      case .success(let message):
        do throws(BridgeError) {
          answer(.success(try read(message)))
        } catch {
          answer(.failure(error))
        }
      }
    }
  }

  private var client: ControlClient { ControlClient(on: connection) }

  public func add(
    _ request: RequestRecord, from application: ApplicationRecord, files: [OwnedDescriptor],
    options: ControlClient.PostOptions, _ answer: @escaping Answer<DeliveryReport>
  ) {
    post("Post", ControlClient.postBody(request, application, files, options), answer) {
      [client] message throws(BridgeError) in
      try DeliveryReport(document: try client.document(message, 0), named: "report")
    }
  }

  public func remove(_ what: ControlClient.Removal, of application: String, pending: Bool, delivered: Bool) {
    post("Remove", ControlClient.removeBody(what, application, pending, delivered)) { [log] result in
      if case .failure(let error) = result { log.write(.warning, "notifications were not removed: \(error)") }
    }
  }

  public func pending(_ application: String, _ answer: @escaping Answer<[ControlClient.Pending]>) {
    post("List", [.string(application), .string("pending")], answer) { [client] message throws(BridgeError) in
      try client.pending(message)
    }
  }

  public func delivered(_ application: String, _ answer: @escaping Answer<[NotificationRecord]>) {
    post("List", [.string(application), .string("delivered")], answer) { [client] message throws(BridgeError) in
      try client.records(message)
    }
  }

  public func setCategories(_ records: [CategoryRecord], of application: String) {
    post("SetCategories", [.string(application), RecordCoding.values(records.map(\.document))]) { [log] result in
      if case .failure(let error) = result { log.write(.warning, "categories were not registered: \(error)") }
    }
  }

  public func setBadge(_ count: Int, of application: String, _ answer: @escaping Answer<Void>) {
    post("SetBadge", [.string(application), .uint32(UInt32(clamping: count))], answer) { _ throws(BridgeError) in }
  }

  public func authorize(
    _ options: AuthorizationRecord.Options, application: String, _ answer: @escaping Answer<AuthorizationRecord>
  ) {
    // The user may take a while to answer.
    let body: [Value] = [.string(application), .uint64(UInt64(options.rawValue))]
    post("RequestAuthorization", body, timeout: .seconds(24 * 60 * 60)) { [client] result in
      switch result {
      case .failure(let error): answer(.failure(error))
      case .success(let message):
        do throws(BridgeError) {
          answer(
            .success(try AuthorizationRecord(document: try client.document(message, 0), named: "authorization")))
        } catch {
          answer(.failure(error))
        }
      }
    }
  }

  public func settings(_ application: String, _ answer: @escaping Answer<SettingsRecord>) {
    post("Settings", [.string(application)], answer) { [client] message throws(BridgeError) in
      try SettingsRecord(document: try client.document(message, 0), named: "settings")
    }
  }

  /// Says that a response has been dealt with: the bridge gives it to nobody else.
  public func acknowledge(_ response: UUID, of application: String) {
    client.sendAcknowledgement(of: response, application: application)
  }

  // MARK: Responses

  /// Takes an application's responses from now on; also from a bridge that was started anew.
  public func register(_ registration: Registration) {
    let isFirst = state.withLock { state in
      state.registration = registration
      return state.export == nil
    }
    if isFirst {
      let export = connection.export(clientInterface(), at: ControlInterface.clientPath)
      state.withLock { $0.export = export }
    }
    sendRegistration(registration)
  }

  private func sendRegistration(_ registration: Registration) {
    let options: [String: PropertyValue] = ["presents": .boolean(registration.presents), "fetches": .boolean(true)]
    post("Register", [.string(registration.application), RecordCoding.value(options)]) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: state.withLock { $0.attempts = 0 }
      case .failure(let error):
        let attempts = state.withLock { state in
          state.attempts += 1
          return state.attempts
        }
        guard attempts <= 5 else {
          return log.write(.warning, "responses do not come any more: the resident bridge has gone: \(error)")
        }
        executor.perform(after: .milliseconds(200 << attempts)) { [weak self] in self?.registerAgain() }
      }
    }
  }

  private func registerAgain() {
    if let registration = state.withLock({ $0.registration }) { sendRegistration(registration) }
  }

  private func take(_ item: Inbox.Item) {
    switch item {
    case .reply(let token, let answer):
      // Who answers for the name is the bridge; at once, since its own call may be the next message.
      if case .success(let message) = answer { state.withLock { $0.owner = message.sender?.text ?? $0.owner } }
      // Later, since a failure may come while its caller still holds a lock of its own.
      if let take = state.withLock({ $0.answers.removeValue(forKey: token) }) {
        executor.performLater { take(answer) }
      }
    case .signal(let message):
      guard message.body.count == 3, message.body[0].asString == ControlInterface.busName.text,
        let owner = message.body[2].asString
      else { return }
      let wasKnown = state.withLock { state in
        defer { if owner.isEmpty { state.owner = nil } }
        return state.registration != nil && state.owner != nil && state.owner != owner
      }
      // The bridge was started anew, or has gone and is started by the call itself.
      if wasKnown || !owner.isEmpty && state.withLock({ $0.registration != nil && $0.owner != owner }) {
        registerAgain()
      }
    case .reconnected: registerAgain()
    case .disconnected, .subscriptionFailed: break
    }
  }

  private func clientInterface() -> ExportedInterface {
    ExportedInterface(
      ControlInterface.clientInterface,
      methods: [
        .init("Respond", takes: [.init("response", "a{sv}")]) { [weak self] call in
          guard let self, isTrusted(call) else { return call.fail(.accessDenied, "only the bridge may call this") }
          respond(call)
        },
        .init("WillPresent", takes: [.init("notification", "a{sv}")], returns: [.init("options", "x")]) {
          [weak self] call in
          guard let self, isTrusted(call) else { return call.fail(.accessDenied, "only the bridge may call this") }
          present(call)
        },
        .init("Push", takes: [.init("payload", "a{sv}")], returns: [.init("taken", "b")]) { [weak self] call in
          guard let self, isTrusted(call) else { return call.fail(.accessDenied, "only the bridge may call this") }
          let payload = call.message.body.first.flatMap(RecordCoding.document)
          let push = state.withLock { $0.registration?.push }
          call.reply([.boolean(payload.flatMap { push?($0) } ?? false)])
        },
        .init("OpenSettings", returns: [.init("shown", "b")]) { [weak self] call in
          guard let self, isTrusted(call) else { return call.fail(.accessDenied, "only the bridge may call this") }
          call.reply([.boolean(state.withLock { $0.registration?.openSettings }?() ?? false)])
        },
      ])
  }

  /// Whether it is the bridge that calls. Until it has answered the registration nothing can be for us.
  private func isTrusted(_ call: IncomingCall) -> Bool {
    let owner = state.withLock { $0.owner }
    return owner != nil && call.message.sender?.text == owner
  }

  private func respond(_ call: IncomingCall) {
    guard let document = call.message.body.first.flatMap(RecordCoding.document),
      let response = try? ResponseRecord(document: document, named: "response")
    else { return call.fail(.invalidArguments, "this is no response") }
    call.reply()
    let receive = state.withLock { state -> (@Sendable (ResponseRecord) -> Void)? in
      guard let registration = state.registration, !state.seen.contains(response.id) else { return nil }
      state.seen.append(response.id)
      if state.seen.count > 1_000 { state.seen.removeFirst(500) }
      return registration.receive
    }
    receive?(response)
  }

  private func present(_ call: IncomingCall) {
    guard let document = call.message.body.first.flatMap(RecordCoding.document),
      let record = try? NotificationRecord(document: document, named: "notification"),
      let registration = state.withLock({ $0.registration }), registration.presents
    else { return call.reply([.int64(-1)]) }
    registration.present(record) { options in
      call.reply([.int64(options.map { Int64(clamping: $0.rawValue) } ?? -1)])
    }
  }
}
