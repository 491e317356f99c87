public import DBus
internal import Synchronization

/// The client side of `org.freedesktop.Notifications`: posts to whichever daemon owns the name, and hears from it.
///
/// One connection both posts and listens, since some daemons send their signals to the last poster alone. Signals
/// count only from the name's present owner.
public final class DaemonServer: NotificationServer {
  /// How long a daemon may take.
  public struct Limits: Sendable {
    /// For `GetCapabilities` and `GetServerInformation`, and for starting a daemon that the bus can start.
    public var profile = Duration.seconds(5)
    /// For `Notify`. Long, since a late answer still tells which number to close or keep; who cannot wait gives up
    /// earlier on its own.
    public var notify = Duration.seconds(120)

    public init() {}
  }

  private let connection: BusConnection
  private let limits: Limits
  private let identifiesBus: Bool
  private let state = Mutex(State())
  private let inbox: Inbox
  private let subscriptions: [Subscription]

  /// - Parameters:
  ///   - connection: an open connection, used for nothing that must wait behind notifications.
  ///   - listens: false for a sender that goes at once and cannot hear what becomes of its notification.
  ///   - identifiesBus: whether profiles tell ``ServerProfile/busID``.
  public init(
    on connection: BusConnection, listens: Bool = true, limits: Limits = Limits(), identifiesBus: Bool = false
  ) {
    self.connection = connection
    self.identifiesBus = identifiesBus
    self.limits = limits
    let shared = Relay()
    inbox = Inbox { shared.receive($0) }
    var rules: [MatchRule] = []
    if listens {
      rules = [
        MatchRule(
          sender: .bus, path: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
          firstArgument: NotificationService.name.text),
        MatchRule(
          sender: NotificationService.name, path: NotificationService.path, interface: NotificationService.interface),
      ]
    }
    subscriptions = rules.map { [inbox] in connection.subscribe($0, to: inbox) }
    shared.attach(self)
  }

  public func start(_ handler: @escaping @Sendable (ServerEvent) -> Void) { state.withLock { $0.handler = handler } }

  public func notify(_ notification: Notification, token: DeliveryToken) {
    connection.post(
      call("Notify", notification.arguments, number: notification.replacesID), timeout: limits.notify, to: inbox,
      token: token.number)
  }

  public func close(serverID: UInt32) {
    connection.send(call("CloseNotification", [.uint32(serverID)], startsService: false, number: serverID))
  }

  public nonisolated(nonsending) func profile() async throws(BusError) -> ServerProfile {
    if let profile = state.withLock({ $0.profile }) { return profile }
    let (information, capabilities, bus) = await answers()
    let owner: BusName
    switch (information, capabilities) {
    case (.success(let message), _), (_, .success(let message)): owner = message.sender ?? NotificationService.name
    case (.failure(let error), .failure(let other)):
      guard let peer = await presentOwner(), !error.meansNoDaemon, !other.meansNoDaemon else { throw error }
      owner = peer
    }
    let words = try? capabilities.get().body.first?.asStrings
    let profile = ServerProfile(
      owner: owner, information: (try? information.get()).flatMap(ServerInformation.init(answer:)) ?? .unknown,
      capabilities: words.map(Capabilities.init) ?? .minimal, capabilitiesKnown: words != nil,
      busID: (try? bus?.get())?.body.first?.asString)
    state.withLock { state in
      // If the owner changed meanwhile, this answer is the former one's.
      guard state.owner == nil || state.owner == owner else { return }
      state.profile = profile
      state.owner = owner
    }
    return profile
  }

  private typealias Answer = Result<Message, BusError>

  /// All in one go: the bus answers in order, and starting the daemon is the first call's doing.
  private nonisolated(nonsending) func answers() async -> (Answer, Answer, Answer?) {
    var calls = [call("GetServerInformation", []), call("GetCapabilities", [])]
    if identifiesBus { calls.append(MethodCall(to: .bus, at: .bus, "org.freedesktop.DBus", "GetId")) }
    let results = await withCheckedContinuation { continuation in
      let answers = Answers(count: calls.count, continuation)
      let inbox = Inbox { item in
        if case .reply(let token, let answer) = item { answers.take(answer, of: Int(token)) }
      }
      for (index, call) in calls.enumerated() {
        connection.post(call, timeout: limits.profile, to: inbox, token: UInt64(index))
      }
    }
    return (results[0], results[1], identifiesBus ? results[2] : nil)
  }

  /// Collects the answers to some calls.
  private final class Answers: Sendable {
    private let taken: Mutex<[Answer?]>
    private let continuation: CheckedContinuation<[Answer], Never>

    init(count: Int, _ continuation: CheckedContinuation<[Answer], Never>) {
      taken = Mutex(Array(repeating: nil, count: count))
      self.continuation = continuation
    }

    func take(_ answer: Answer, of index: Int) {
      let all = taken.withLock { taken -> [Answer]? in
        taken[index] = answer
        let all = taken.compactMap { $0 }
        return all.count == taken.count ? all : nil
      }
      if let all { continuation.resume(returning: all) }
    }
  }

  private nonisolated(nonsending) func presentOwner() async -> BusName? {
    (try? await connection.owner(of: NotificationService.name)) ?? nil
  }

  /// - Parameter number: what the call is about; it means something to the daemon alone that gave it. So that is called
  ///   by its own name: another one may have its place by the time the call arrives. 0: none.
  private func call(
    _ member: MemberName, _ body: [Value], startsService: Bool = true, number: UInt32 = 0
  ) -> MethodCall {
    let owner = number == 0 ? nil : state.withLock { $0.owner }
    return MethodCall(
      to: owner ?? NotificationService.name, at: NotificationService.path, NotificationService.interface, member, body,
      startsService: startsService)
  }
}

extension DaemonServer {
  /// What is known of the present run of the daemon.
  fileprivate struct State: Sendable {
    var handler: @Sendable (ServerEvent) -> Void = { _ in }
    /// The owner that answered or was announced last; nil: not known yet, or none.
    var owner: BusName?
    var profile: ServerProfile?
  }

  /// Breaks the cycle between the server and its inbox's handler.
  private final class Relay: Sendable {
    private struct Target: Sendable { weak var server: DaemonServer? }
    private let target = Mutex(Target())

    func attach(_ server: DaemonServer) { target.withLock { $0.server = server } }
    func receive(_ item: Inbox.Item) { target.withLock { $0.server }?.receive(item) }
  }

  /// On the connection's thread, in order of arrival.
  private func receive(_ item: Inbox.Item) {
    let (event, handler) = state.withLock { ($0.event(of: item), $0.handler) }
    if let event { handler(event) }
  }
}

extension DaemonServer.State {
  /// What an item means; nil: nothing.
  fileprivate mutating func event(of item: Inbox.Item) -> ServerEvent? {
    switch item {
    case .reply(let token, let answer): return answered(DeliveryToken(token), answer)
    case .signal(let message):
      if message.sender == .bus, message.member == "NameOwnerChanged" { return ownerChanged(message.body) }
      return trusts(message.sender) ? ServerEvent(signal: message) : nil
    case .subscriptionFailed(_, let error), .disconnected(let error):
      forgetOwner(nil)
      return .disconnected(error)
    case .reconnected:
      forgetOwner(nil)
      return .reconnected
    }
  }

  /// A signal counts if the present owner sent it. Until an owner is known nothing of ours can have a number.
  private func trusts(_ sender: BusName?) -> Bool { owner != nil && sender == owner }

  private mutating func answered(_ token: DeliveryToken, _ answer: Result<Message, BusError>) -> ServerEvent {
    switch answer {
    case .success(let message):
      // The one who answered owns the name, even if we were not told yet (or do not listen).
      if owner == nil { owner = message.sender }
      // awesome answers without a value when it shows nothing: as good as 0, which is never valid.
      return .accepted(token, serverID: message.body.first?.asUInt32 ?? 0)
    case .failure(let error): return .refused(token, error)
    }
  }

  private mutating func ownerChanged(_ body: [Value]) -> ServerEvent? {
    guard body.count == 3, body[0].asString == NotificationService.name.text, let text = body[2].asString else {
      return nil
    }
    let next = text.isEmpty ? nil : try? BusName(text)
    forgetOwner(next)
    return .ownerChanged(next)
  }

  private mutating func forgetOwner(_ next: BusName?) {
    owner = next
    profile = nil
  }
}

extension ServerInformation {
  /// Reads the answer to `GetServerInformation`; nil unless it is four texts.
  fileprivate init?(answer: Message) {
    let texts = answer.body.compactMap(\.asString)
    guard texts.count == 4, answer.body.count == 4 else { return nil }
    self.init(name: texts[0], vendor: texts[1], version: texts[2], specVersion: texts[3])
  }
}

extension ServerEvent {
  /// Reads a signal of the interface; nil for one of another shape.
  fileprivate init?(signal: Message) {
    guard signal.interface == NotificationService.interface, signal.body.count == 2,
      let serverID = signal.body[0].asUInt32
    else { return nil }
    switch (signal.member?.text, signal.body[1]) {
    case ("NotificationClosed", .uint32(let reason)):
      self = .closed(serverID: serverID, reason: CloseReason(rawValue: reason))
    case ("ActionInvoked", .string(let key)): self = .actionInvoked(serverID: serverID, key: key)
    case ("ActivationToken", .string(let token)): self = .activationToken(serverID: serverID, token: token)
    case ("NotificationReplied", .string(let text)): self = .replied(serverID: serverID, text: text)
    default: return nil
    }
  }
}

extension BusError {
  /// Nobody owns the name and nobody could be started, or the bus itself is gone.
  public var meansNoDaemon: Bool {
    if code == .disconnected || code == .notConnected || code == .authentication { return true }
    guard let name = name?.text else { return false }
    return name == ErrorName.serviceUnknown.text || name == ErrorName.nameHasNoOwner.text
      || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }
}
