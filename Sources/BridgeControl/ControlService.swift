public import DBus
internal import FoundationEssentials
public import NotificationBridge
internal import Synchronization

/// The bridge's side of its bus interface: takes calls, each caller's in order, under the application that the caller
/// may speak for, and hands them to the engine.
///
/// Runs on the executor of the engine and of the connection.
public actor ControlService {
  /// For whom a caller may speak, as the bus vouches for it.
  public enum Caller: Sendable, Hashable {
    /// For whomever it says.
    case free
    /// It is sandboxed, and this is its application.
    case application(String)
    /// It is sandboxed, and cannot be named.
    case unknownSandbox
  }

  /// What the service needs from outside.
  public struct Surroundings: Sendable {
    /// Finds out who calls; answers once, from any thread.
    public var identify: @Sendable (BusName, @escaping @Sendable (Caller) -> Void) -> Void
    /// Takes over the attachments of a request: the records with their places in the bridge's own store. Answers once,
    /// from any thread.
    public var stage:
      @Sendable (
        [AttachmentRecord], [OwnedDescriptor?], @escaping @Sendable (Result<[AttachmentRecord], BridgeError>) -> Void
      ) -> Void
    /// What people should know: a store that was damaged, handlers that cannot be read. Called on the executor.
    public var problems: @Sendable () -> [String]
    /// Further entries for `Status`.
    public var status: @Sendable () -> [String: PropertyValue]
    /// The string tables of an application, for payloads that name their keys. Called on the executor.
    public var strings: @Sendable (_ application: String) -> StringTables? = { _ in nil }
    /// Runs the service extensions of applications; nil: nobody does.
    public var extensions: (any ExtensionRunner)?
    public var version: String
    /// Pending requests that a caller's application may have.
    public var pendingLimit: Int
    public var log: any BridgeLog

    public init(
      identify: @escaping @Sendable (BusName, @escaping @Sendable (Caller) -> Void) -> Void,
      stage:
        @escaping @Sendable (
          [AttachmentRecord], [OwnedDescriptor?],
          @escaping @Sendable (Result<[AttachmentRecord], BridgeError>) -> Void
        ) -> Void,
      problems: @escaping @Sendable () -> [String], status: @escaping @Sendable () -> [String: PropertyValue],
      version: String, pendingLimit: Int, log: any BridgeLog
    ) {
      self.identify = identify
      self.stage = stage
      self.problems = problems
      self.status = status
      self.version = version
      self.pendingLimit = pendingLimit
      self.log = log
    }
  }

  nonisolated let executor: BusExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  nonisolated let engine: BridgeEngine
  nonisolated let connection: BusConnection
  nonisolated let surroundings: Surroundings
  private var export: Export?

  /// Counts the runs of the bus: callers' names mean nothing in another one.
  nonisolated let busRun = Mutex(0)
  var callers: [BusName: CallerLine] = [:]
  var clients: [String: [Client]] = [:]
  var reservations: [Reservation] = []
  var watchers: [Watcher] = []
  var pushLines: [NotificationKey: PushLine] = [:]
  private var inbox: Inbox?
  private var answers: [UInt64: @Sendable (Result<Message, BusError>) -> Void] = [:]
  private var issued: UInt64 = 0

  public init(
    engine: BridgeEngine, connection: BusConnection, surroundings: Surroundings, on executor: BusExecutor
  ) {
    self.engine = engine
    self.connection = connection
    self.surroundings = surroundings
    self.executor = executor
  }

  /// Exports the interface. The name is asked for by the caller, when all is ready.
  public func start() {
    inbox = Inbox { [weak self] item in
      // At once: what was called before it is not done any more.
      if case .disconnected = item { self?.busRun.withLock { $0 += 1 } }
      self?.later { $0.take(item) }
    }
    export = connection.export(makeInterface(), at: ControlInterface.path)
    engine.assumeIsolated { engine in
      engine.observe { [weak self] _ in self?.later { $0.tellWatchers() } }
    }
  }

  /// Runs `work` on the service soon, behind what came before.
  nonisolated func later(_ work: @escaping @Sendable (isolated ControlService) -> Void) {
    executor.performLater { self.assumeIsolated(work) }
  }

  private func take(_ item: Inbox.Item) {
    switch item {
    case .reply(let token, let answer): answers.removeValue(forKey: token)?(answer)
    case .signal(let message) where message.member == "NameOwnerChanged":
      if message.body.count == 3, message.body[2].asString == "",
        let name = message.body[0].asString.flatMap({ try? BusName($0) })
      {
        forget(name)
      }
    case .disconnected:
      for name in Array(callers.keys) { forget(name) }
    case .signal, .subscriptionFailed, .reconnected: break
    }
  }

  /// Calls a client; the answer comes to `take`, on the service.
  func call(_ call: MethodCall, timeout: Duration, _ take: @escaping @Sendable (Result<Message, BusError>) -> Void) {
    guard let inbox else { return }
    issued += 1
    answers[issued] = take
    connection.post(call, timeout: timeout, to: inbox, token: issued)
  }

  // MARK: Callers

  /// What is known of a caller, and its calls in order.
  struct CallerLine: Sendable {
    typealias Call = @Sendable (isolated ControlService, Caller) -> Void

    var identity: Caller?
    /// Those in front of `first` were taken out; the array moves up now and then, and not for each.
    private var waiting: [Call?] = []
    private var first = 0
    /// A call that takes time holds up the caller's later ones.
    var isHeld = false
    /// Tells when it leaves the bus; there while anything is kept for it.
    var subscription: Subscription?

    init(identity: Caller? = nil) { self.identity = identity }

    var count: Int { waiting.count - first }

    mutating func append(_ call: @escaping Call) { waiting.append(call) }

    /// Takes out the next call that may be done; nil if there is none.
    mutating func next() -> (Call, Caller)? {
      guard let identity, !isHeld, first < waiting.count, let call = waiting[first].take() else { return nil }
      first += 1
      if first * 2 >= waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
      return (call, identity)
    }
  }

  static let callsInLine = 20_000

  /// Does `body` as soon as it is known who calls and the caller's earlier calls are done.
  func enter(_ call: IncomingCall, _ body: @escaping @Sendable (isolated ControlService, Caller) -> Void) {
    guard let sender = call.message.sender else { return }
    let count = callers[sender]?.count
    if let count, count >= Self.callsInLine {
      call.fail(.limitsExceeded, "\(count) calls of yours wait already")
      return
    }
    callers[sender, default: CallerLine()].append(body)
    if count == nil {
      let run = busRun.withLock { $0 }
      surroundings.identify(sender) { [weak self] identity in
        self?.later { service in
          // After an end of the bus somebody else may have the name.
          guard service.busRun.withLock({ $0 == run }) else { return }
          service.callers[sender]?.identity = identity
          service.advance(sender)
        }
      }
    } else {
      advance(sender)
    }
  }

  func advance(_ sender: BusName) {
    while let (call, identity) = callers[sender]?.next() { call(self, identity) }
    if let line = callers[sender], line.identity != nil, line.count == 0, !line.isHeld, line.subscription == nil {
      callers[sender] = nil
    }
  }

  func hold(_ sender: BusName) { callers[sender]?.isHeld = true }

  func release(_ sender: BusName) {
    callers[sender]?.isHeld = false
    advance(sender)
  }

  /// Watches whether a caller stays on the bus, since something is kept for it.
  func watch(_ sender: BusName) {
    guard let inbox, callers[sender]?.subscription == nil else { return }
    let rule = MatchRule(
      sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      firstArgument: sender.text)
    let subscription = connection.subscribe(rule, to: inbox)
    callers[sender, default: CallerLine(identity: .free)].subscription = subscription
    // It may have gone before that.
    let question = MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetNameOwner", [.string(sender.text)])
    call(question, timeout: .seconds(25)) { [weak self] answer in
      if case .failure(let error) = answer, error.code == .remote { self?.later { $0.forget(sender) } }
    }
  }

  /// A caller has left the bus.
  private func forget(_ sender: BusName) {
    callers[sender] = nil
    let gone = reservations.filter { $0.sender == sender }
    reservations.removeAll { $0.sender == sender }
    for reservation in gone { engine.assumeIsolated { $0.endWait(reservation.id) } }
    watchers.removeAll { $0.call.message.sender == sender }
    for (application, list) in clients where list.contains(where: { $0.sender == sender }) {
      clients[application] = list.filter { $0.sender != sender }
      updateHandler(application)
    }
  }

  /// The application for which a call is made.
  /// - Parameter claimed: what the caller says.
  /// - Throws: ``BridgeError`` with code `invalidRequest` when it says nothing that can be one.
  func application(_ claimed: String, _ caller: Caller) throws(BridgeError) -> String {
    switch caller {
    case .application(let name): return name
    case .unknownSandbox: return ControlInterface.unknownSandbox
    case .free:
      guard !claimed.isEmpty, claimed.utf8.count <= 255, !claimed.utf8.contains(where: { $0 < 32 }) else {
        throw BridgeError(.invalidRequest, "\(claimed.quotedForPeople) cannot be an application's identifier")
      }
      return claimed
    }
  }

  /// Nil stands for all applications, which only an unsandboxed caller may ask for, by an empty text.
  func applications(_ claimed: String, _ caller: Caller) throws(BridgeError) -> String? {
    claimed.isEmpty && caller == .free ? nil : try application(claimed, caller)
  }
}

extension IncomingCall {
  func fail(_ error: BridgeError) { fail(ControlInterface.errorName(error.code), error.description) }

  /// Answers that it is done, or why it is not.
  func finish(_ error: BridgeError?) {
    if let error { fail(error) } else { reply() }
  }

  func text(_ index: Int) -> String { message.body.indices.contains(index) ? message.body[index].asString ?? "" : "" }
}
