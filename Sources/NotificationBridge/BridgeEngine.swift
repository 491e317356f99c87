public import FoundationEssentials
public import FreedesktopNotifications
internal import Synchronization

/// Takes requests, has them shown by the daemon when they are due, keeps the delivered list, and turns what comes back
/// into responses. The one engine behind the library, the command and the resident bridge.
///
/// Everything is done on this actor, in the order in which it was given: see ``enqueue(_:)``.
public actor BridgeEngine {
  /// What the engine needs from outside.
  public struct Surroundings: Sendable {
    public var clock: any WallClock
    public var zones: any ZoneRules
    /// Nil: daemons read picture files themselves.
    public var images: (any ImageDecoder)?
    public var log: any BridgeLog

    public init(
      clock: any WallClock, zones: any ZoneRules, images: (any ImageDecoder)? = nil, log: any BridgeLog
    ) {
      self.clock = clock
      self.zones = zones
      self.images = images
      self.log = log
    }
  }

  let server: any NotificationServer
  let surroundings: Surroundings
  let policy: EnginePolicy
  let media: MediaPreparer
  let monotonic = ContinuousClock()

  // What was accepted but not posted yet, in order; and what was posted but not answered yet.
  var outbox = Outbox()
  var inFlight: [DeliveryToken: InFlight] = [:]
  var parked: [ServerEvent] = []
  var ledger = Ledger()
  /// Numbers of notifications that ended by an action and that the daemon should close or has to be told to.
  var closing: [UInt32: Closing] = [:] {
    didSet { if closing.isEmpty { wakeClosingWaiters() } }
  }
  private var closingWaiters: [CheckedContinuation<Void, Never>] = []
  /// Shown again when a daemon returns.
  var lost: [NotificationKey] = []
  var pending: PendingQueue
  var router = ResponseRouter()
  var deadlines = Deadlines<Deadline>()
  var issued: UInt64 = 0

  var profile: ServerProfile?
  var profileTask: Task<Void, Never>?
  /// Until when nothing is posted, since the daemon had too many.
  var isPaused = false

  var categories: [String: [String: CategoryRecord]] = [:]
  var authorizations: [String: AuthorizationRecord] = [:]
  var badges: [String: Int] = [:]

  var tasks: [Task<Void, Never>] = []
  var deadlineTask: Task<Void, Never>?
  private var armedFor: ContinuousClock.Instant?
  var pendingTask: Task<Void, Never>?
  private nonisolated let mailbox = Mutex(Mailbox())

  /// Makes an engine and sets it to work.
  /// - Parameter server: its events are consumed by this engine alone.
  public init(server: any NotificationServer, surroundings: Surroundings, policy: EnginePolicy = EnginePolicy()) {
    self.server = server
    self.surroundings = surroundings
    self.policy = policy
    media = MediaPreparer(decoder: surroundings.images, soundFolders: policy.soundFolders)
    pending = PendingQueue(zones: surroundings.zones)
    Task { await self.start() }
  }

  deinit {
    for task in tasks { task.cancel() }
    deadlineTask?.cancel()
    pendingTask?.cancel()
    profileTask?.cancel()
  }

  /// Runs `operation` on the engine after all that was enqueued before, from any thread and without waiting. This is
  /// how calls of one process take effect in call order.
  public nonisolated func enqueue(_ operation: @escaping @Sendable (isolated BridgeEngine) -> Void) {
    let isFirst = mailbox.withLock { mailbox in
      mailbox.waiting.append(operation)
      defer { mailbox.isAwaited = true }
      return !mailbox.isAwaited
    }
    if isFirst { Task { await self.runMailbox() } }
  }

  /// Operations that were enqueued and not run yet, and whether somebody is on the way to run them. (A stream would do,
  /// but costs a short-lived sender a fortieth of its time.)
  private struct Mailbox: Sendable {
    var waiting: [@Sendable (isolated BridgeEngine) -> Void] = []
    var isAwaited = false
  }

  private func runMailbox() {
    while true {
      let operations = mailbox.withLock { mailbox in
        defer { mailbox.waiting = [] }
        if mailbox.waiting.isEmpty { mailbox.isAwaited = false }
        return mailbox.waiting
      }
      if operations.isEmpty { return }
      for operation in operations { operation(self) }
    }
  }

  /// As ``enqueue(_:)``, with an answer.
  public nonisolated func perform<Answer: Sendable>(
    _ operation: @escaping @Sendable (isolated BridgeEngine) -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: operation($0)) }
    }
  }

  /// Waits until every notification that was acted on is closed, which takes half a second at most: for a host that
  /// ends behind a response.
  public func finishClosing() async {
    guard !closing.isEmpty else { return }
    await withCheckedContinuation { closingWaiters.append($0) }
  }

  /// Ends the engine's hearing: no event is handled any more and no trigger fires. What is shown stays.
  public func stop() {
    for task in tasks { task.cancel() }
    deadlineTask?.cancel()
    pendingTask?.cancel()
  }

  private func start() {
    // Weak: an engine that nobody holds ends, and its tasks with it.
    tasks.append(
      Task { [weak self, events = server.events] in
        for await event in events { await self?.handle(event) }
      })
  }

  private func wakeClosingWaiters() {
    let waiters = closingWaiters
    closingWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Applications

  /// Sets who takes an application's responses in this process; nil takes it away.
  public func setHandler(_ handler: ApplicationHandler?, for application: String) {
    router.setHandler(handler, for: application)
  }

  /// Replaces all categories of an application. What is shown keeps its buttons, but that a notification that was
  /// shown with an unknown category within the last seconds gets them now.
  public func setCategories(_ records: [CategoryRecord], for application: String) {
    categories[application] = Dictionary(records.map { ($0.identifier, $0) }) { _, last in last }
    showLateCategories(of: application)
  }

  /// The categories of an application.
  public func categories(of application: String) -> [CategoryRecord] {
    (categories[application] ?? [:]).values.sorted { $0.identifier < $1.identifier }
  }

  /// Sets an application's badge.
  public func setBadge(_ count: Int, for application: String) { badges[application] = count }

  /// An application's badge; nil: never set.
  public func badge(of application: String) -> Int? { badges[application] }

  /// Answers a request for authorization by the policy, which allows; the first answer stays.
  public func authorize(_ options: AuthorizationRecord.Options, application: String) -> AuthorizationRecord {
    var record = authorizations[application] ?? AuthorizationRecord()
    if record.status == .notDetermined || record.status == .provisional && !options.contains(.provisional) {
      record.status = options.contains(.provisional) ? .provisional : .authorized
    }
    record.options.formUnion(options)
    authorizations[application] = record
    return record
  }

  /// An application's authorization; not determined until it asked.
  public func authorization(of application: String) -> AuthorizationRecord {
    authorizations[application] ?? AuthorizationRecord()
  }

  /// Sets an authorization, as the user's or a policy's answer.
  public func setAuthorization(_ record: AuthorizationRecord, for application: String) {
    authorizations[application] = record
  }

  /// What an application may do and what the present daemon shows.
  public func settings(of application: String) async -> SettingsRecord {
    let profile = await currentProfile()
    var settings = SettingsRecord()
    settings.authorization = authorization(of: application)
    guard let capabilities = profile?.capabilities else { return settings }
    settings.alert = .enabled
    settings.sound = capabilities.sound ? .enabled : .notSupported
    settings.notificationCenter = capabilities.persistence ? .enabled : .notSupported
    return settings
  }

  // MARK: Lists

  /// An application's requests that wait for their trigger, the soonest first, each with its due date.
  public func pendingRequests(of application: String) -> [(request: RequestRecord, due: Date)] {
    pending.list(application)
  }

  /// An application's delivered notifications that are still there, oldest first.
  public func deliveredNotifications(of application: String) -> [NotificationRecord] {
    ledger.delivered(application).map(\.record)
  }

  // MARK: Time

  /// Something the engine does later.
  enum Deadline: Sendable {
    /// The caller has waited long enough for the daemon's answer.
    case answer(DeliveryToken)
    /// The daemon should have closed what was acted on.
    case close(UInt32)
    /// It should have expired by now.
    case expiry(NotificationKey, order: UInt64)
    /// The text of a reply should have come.
    case text(NotificationKey, order: UInt64)
    /// Posting goes on.
    case resume
  }

  func schedule(_ deadline: Deadline, after delay: Duration) -> Deadlines<Deadline>.Ticket {
    let ticket = deadlines.add(deadline, at: monotonic.now.advanced(by: delay))
    armDeadlines()
    return ticket
  }

  /// Sets the timer for the next deadline, unless it is set for as early already: most deadlines are taken out before
  /// they are due, and one idle wake-up is cheaper than a timer for each.
  private func armDeadlines() {
    guard let next = deadlines.next, armedFor.map({ next < $0 }) ?? true else { return }
    deadlineTask?.cancel()
    armedFor = next
    deadlineTask = Task { [weak self, monotonic] in
      try? await monotonic.sleep(until: next, tolerance: .milliseconds(5))
      guard !Task.isCancelled else { return }
      await self?.runDeadlines()
    }
  }

  private func runDeadlines() {
    armedFor = nil
    for deadline in deadlines.due(at: monotonic.now) {
      switch deadline {
      case .answer(let token): answerIsLate(token)
      case .close(let serverID): closeAfterAction(serverID)
      case .expiry(let key, let order): expire(key, order)
      case .text(let key, let order): textIsLate(key, order)
      case .resume:
        isPaused = false
        pump()
      }
    }
    armDeadlines()
  }

  /// A number for a delivery; rises, so that it is also the order of acceptance.
  func nextNumber() -> UInt64 {
    issued += 1
    return issued
  }
}
