public import DBus
internal import FoundationEssentials
public import FreedesktopNotifications
internal import Synchronization

/// Takes requests, has them shown by the daemon when they are due, keeps the delivered list, and turns what comes back
/// into responses. The one engine behind the library, the command and the resident bridge.
///
/// Everything is done on this actor, in the order in which it was given: see ``enqueue(_:)``. It runs on the executor of
/// the connection that it posts through, so that what the daemon says is handled without another thread.
///
/// With a store every change is kept before anything is done on its account: before `Notify` is called, before a
/// command is started, before a caller is told that its request was taken. What is done in one turn of the executor is
/// kept in one transaction.
public actor BridgeEngine {
  /// What the engine needs from outside.
  public struct Surroundings: Sendable {
    public var clock: any WallClock
    public var zones: any ZoneRules
    /// Nil: daemons read picture files themselves.
    public var images: (any ImageDecoder)?
    /// Nil: movies are shown without a picture.
    public var thumbnails: (any MovieThumbnailer)?
    /// Nil: sounds and movies have no buttons.
    public var opener: (any AttachmentOpener)?
    public var log: any BridgeLog
    /// Nil: nothing is known of the desktop.
    public var facts: (any DesktopFacts)?
    /// Nil: what the daemon does not play is not played.
    public var sounds: (any SoundOutput)?
    /// Nil: badges are kept and not shown.
    public var badges: (any BadgeOutput)?
    /// Nil: no program is started.
    public var launcher: (any Launcher)?
    /// Nil: applications have no extensions.
    public var extensions: (any ExtensionRunner)?
    /// Nil: everything ends with this process.
    public var store: (any EngineStore)?

    public init(
      clock: any WallClock, zones: any ZoneRules, images: (any ImageDecoder)? = nil, log: any BridgeLog,
      facts: (any DesktopFacts)? = nil, sounds: (any SoundOutput)? = nil, badges: (any BadgeOutput)? = nil,
      launcher: (any Launcher)? = nil, extensions: (any ExtensionRunner)? = nil, store: (any EngineStore)? = nil,
      thumbnails: (any MovieThumbnailer)? = nil, opener: (any AttachmentOpener)? = nil
    ) {
      self.clock = clock
      self.zones = zones
      self.images = images
      self.log = log
      self.facts = facts
      self.sounds = sounds
      self.badges = badges
      self.launcher = launcher
      self.extensions = extensions
      self.store = store
      self.thumbnails = thumbnails
      self.opener = opener
    }
  }

  /// For tasks of the engine too: a task without it goes on, after it has waited, by way of the system's pool of threads,
  /// which then wakes the process every second for ever.
  nonisolated let executor: BusExecutor
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  nonisolated let server: any NotificationServer
  nonisolated let surroundings: Surroundings
  public internal(set) var policy: EnginePolicy
  nonisolated let media: MediaPreparer
  nonisolated let monotonic = ContinuousClock()

  // What was accepted but not posted yet, in order; and what was posted but not answered yet.
  var outbox = Outbox() { didSet { if !outbox.changes.isEmpty { needsCommit() } } }
  var inFlight: [DeliveryToken: InFlight] = [:]
  var parked: [ServerEvent] = []
  var ledger = Ledger() { didSet { if !ledger.changes.isEmpty { needsCommit() } } }
  /// Numbers of notifications that ended by an action and that the daemon should close or has to be told to.
  var closing: [UInt32: Closing] = [:] {
    didSet { if closing.isEmpty { wakeClosingWaiters() } }
  }
  private var closingWaiters: [CheckedContinuation<Void, Never>] = []
  /// Shown again when a daemon returns.
  var lost: [NotificationKey] = []
  /// What is done once it is known whether the daemon of the bridge's former life is still there.
  var settling: [@Sendable (isolated BridgeEngine) -> Void] = []
  var pending: PendingQueue { didSet { if !pending.changes.isEmpty { needsCommit() } } }
  /// The zone for which pending dates were computed.
  var pendingZone = ""
  var pendingWake: (any AnyObject & Sendable)?
  var armedPending: Date?
  /// Requests whose pictures are being looked at before they are taken.
  var preparing: [NotificationKey: Preparation] = [:]
  var journal = ResponseJournal() { didSet { if !journal.changes.isEmpty { needsCommit() } } }
  var handlers: [String: ApplicationHandler] = [:]
  var waiters: [NotificationKey: [OutcomeWaiter]] = [:]
  var busyCommands: Set<String> = []
  /// Who waits for responses that wait for the session to be unlocked.
  var heldWaiters: [UUID: [OutcomeWaiter]] = [:]
  /// Responses to what content extensions draw that wait for that too.
  var heldByLock: [ResponseRecord] = []
  /// Applications that fetch their responses themselves once they are started.
  var fetching: Set<String> = []
  /// Content extensions at work.
  var drawings: [DrawingName: Drawing] = [:]
  /// Deliveries that wait for one to be free, in order; some may have gone since.
  var undrawn: [UInt64] = []
  /// Threads that the user wants to see in full, by the key of their summary.
  var expandedThreads: Set<NotificationKey> = []
  var deadlines = Deadlines<Deadline>()
  var issued: UInt64 = 0

  var profile: ServerProfile?
  var profileTask: Task<Void, Never>?
  /// The daemon's unique name as it was announced last; nil: not known, or none is there.
  var owner: BusName?
  /// Counts the announcements.
  var owners = 0
  /// When the daemon was looked for in vain.
  var lastFailure: ContinuousClock.Instant?
  /// Why nothing is posted for a while; nil: posting goes on.
  var pauseReason: String?
  var isPaused: Bool { pauseReason != nil }
  /// Set while somebody has to be told that what is queued takes long.
  var lateTicket: Deadlines<Deadline>.Ticket?

  var categories: [String: [String: CategoryRecord]] = [:]
  var authorizations: [String: AuthorizationRecord] = [:]
  var badges: [String: Int] = [:]
  /// What authorization was asked of the user, by application.
  var questions: [String: [@Sendable (AuthorizationRecord) -> Void]] = [:]

  private var armedFor: ContinuousClock.Instant?
  private var alarm: BusExecutor.Ticket?
  private var isStopped = false
  private nonisolated let mailbox = Mutex(Mailbox())

  // What is to be kept, and what is to be done once it is.
  private var changes: [StoreChange] = []
  private var effects: [@Sendable (isolated BridgeEngine) -> Void] = []
  private var verdicts: [@Sendable (BridgeError?) -> Void] = []
  private var isDurable = false
  private var isCommitPlanned = false
  private var hasStoreFailed = false
  /// What failed commits would have taken away or marked: without it things come back after a restart.
  private var unkept: [StoreChange] = []
  var sequence: Int64 = 0
  private var noted: [HistoryRecord] = []
  /// Hear of each event once it is kept.
  private var observers: [@Sendable ([HistoryRecord]) -> Void] = []

  /// Makes an engine and sets it to work.
  /// - Parameters:
  ///   - server: its events are consumed by this engine alone.
  ///   - executor: where it runs; that of the server's connection, if there is one.
  public init(
    server: any NotificationServer, surroundings: Surroundings, policy: EnginePolicy = EnginePolicy(),
    on executor: BusExecutor
  ) {
    self.server = server
    self.surroundings = surroundings
    self.policy = policy
    self.executor = executor
    executor.hold()
    media = MediaPreparer(
      decoder: surroundings.images, thumbnailer: surroundings.thumbnails, canOpen: surroundings.opener != nil,
      soundFolders: policy.soundFolders, groupsFolder: policy.groupsFolder)
    pending = PendingQueue(zones: surroundings.zones)
    server.start { [weak self] event in self?.enqueue { $0.handle(event) } }
    // Ahead of everything that is enqueued.
    if surroundings.store != nil { executor.performLater { [weak self] in self?.assumeIsolated { $0.load() } } }
  }

  deinit { executor.letGo() }

  // MARK: The mailbox

  /// Runs `operation` on the engine after all that was enqueued before, from any thread and without waiting. This is
  /// how calls of one process take effect in call order.
  public nonisolated func enqueue(_ operation: @escaping @Sendable (isolated BridgeEngine) -> Void) {
    let isFirst = mailbox.withLock { mailbox in
      mailbox.waiting.append(operation)
      defer { mailbox.isAwaited = true }
      return !mailbox.isAwaited
    }
    if isFirst { executor.performLater { self.assumeIsolated { $0.runMailbox() } } }
  }

  /// Operations that were enqueued and not run yet, and whether somebody is on the way to run them.
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

  /// Ends the engine's hearing: no event is handled any more and no trigger fires. What is shown stays, and what is to
  /// be kept is kept.
  public func stop() {
    commit()
    isStopped = true
    pendingWake = nil
  }

  private func wakeClosingWaiters() {
    let waiters = closingWaiters
    closingWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Handles one event; they come in the order in which the daemon let us know.
  func handle(_ event: ServerEvent) { if !isStopped { take(event) } }

  // MARK: Keeping

  var isStored: Bool { surroundings.store != nil }

  func keep(_ change: StoreChange, durably: Bool = false) {
    guard isStored else { return }
    changes.append(change)
    if durably { isDurable = true }
    needsCommit()
  }

  /// Keeps what is to be kept by now, then runs `effect`; at once where there is no store.
  func afterCommit(durably: Bool = false, _ effect: @escaping @Sendable (isolated BridgeEngine) -> Void) {
    guard isStored else { return effect(self) }
    if durably { isDurable = true }
    effects.append(effect)
    needsCommit()
  }

  /// Tells a caller, once it is kept, that it is; or why it could not be.
  public func answer(durably: Bool, _ verdict: @escaping @Sendable (BridgeError?) -> Void) {
    guard isStored else { return verdict(nil) }
    if durably { isDurable = true }
    verdicts.append(verdict)
    needsCommit()
  }

  /// Adds an event to the history.
  func note(
    _ event: HistoryRecord.Event, _ key: NotificationKey,
    _ detail: @autoclosure () -> [String: PropertyValue] = [:]
  ) {
    guard isStored || !observers.isEmpty else { return }
    sequence += 1
    let record = HistoryRecord(
      sequence: sequence, date: surroundings.clock.now, application: key.application, identifier: key.identifier,
      event: event, detail: detail())
    noted.append(record)
    keep(.note(record))
    if !isStored { afterNoting() }
  }

  private func needsCommit() {
    guard !isCommitPlanned else { return }
    isCommitPlanned = true
    executor.performLater { [weak self] in self?.assumeIsolated { $0.commit() } }
  }

  /// Keeps everything that changed, in one transaction, and does what waited for that.
  func commit() {
    isCommitPlanned = false
    while !changes.isEmpty || !effects.isEmpty || !verdicts.isEmpty || hasMoreChanges {
      var batch = outbox.changes + pending.changes + ledger.changes + journal.changes
      outbox.changes = []
      pending.changes = []
      ledger.changes = []
      journal.changes = []
      batch += changes
      let (effects, verdicts, isDurable) = (self.effects, self.verdicts, self.isDurable)
      (changes, self.effects, self.verdicts, self.isDurable) = ([], [], [], false)
      var failure: BridgeError?
      if !batch.isEmpty || isDurable, let store = surroundings.store {
        do throws(BridgeError) {
          try store.commit(unkept + batch, durably: isDurable || !unkept.isEmpty)
          hasStoreFailed = false
          unkept = []
        } catch {
          failure = error
          unkept = StoreChange.toRepeat(unkept + batch)
          if !hasStoreFailed { surroundings.log.write(.error, "nothing can be kept: \(error)") }
          hasStoreFailed = true
        }
      }
      for verdict in verdicts { verdict(failure) }
      // What is not kept is done all the same: a notification that is shown is worth more than one that is not.
      for effect in effects { effect(self) }
      afterNoting()
    }
    isCommitPlanned = false
  }

  private var hasMoreChanges: Bool {
    !outbox.changes.isEmpty || !pending.changes.isEmpty || !ledger.changes.isEmpty || !journal.changes.isEmpty
  }

  private func afterNoting() {
    guard !noted.isEmpty else { return }
    let records = noted
    noted = []
    for observer in observers { observer(records) }
  }

  /// Adds somebody who hears of each event once it is kept; called on the engine, must not block.
  public func observe(_ observer: @escaping @Sendable ([HistoryRecord]) -> Void) { observers.append(observer) }

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
    /// It has waited for a content extension to be free for as long as one may take.
    case drawing(UInt64)
    /// What a content extension keeps has not been closed by the daemon.
    case stay(NotificationKey, date: Date)
    /// Posting goes on.
    case resume
    /// Somebody's notification has been in the queue for as long as callers wait.
    case late
  }

  func schedule(_ deadline: Deadline, after delay: Duration) -> Deadlines<Deadline>.Ticket {
    let ticket = deadlines.add(deadline, at: monotonic.now.advanced(by: delay))
    armDeadlines()
    return ticket
  }

  func cancel(_ ticket: Deadlines<Deadline>.Ticket?) {
    deadlines.remove(ticket)
    if deadlines.next == nil { disarm() }
  }

  /// Sets the timer for the next deadline, unless it is set for as early already: most deadlines are taken out before
  /// they are due.
  private func armDeadlines() {
    guard let next = deadlines.next, armedFor.map({ next < $0 }) ?? true else { return }
    disarm()
    armedFor = next
    alarm = executor.perform(after: monotonic.now.duration(to: next)) { [weak self] in
      self?.assumeIsolated { $0.runDeadlines(next) }
    }
  }

  private func disarm() {
    armedFor = nil
    if let alarm = alarm.take() { executor.cancel(alarm) }
  }

  private func runDeadlines(_ armed: ContinuousClock.Instant) {
    // A timer that was set before an earlier one; that one sees to everything.
    guard armedFor == armed, !isStopped else { return }
    armedFor = nil
    alarm = nil
    for deadline in deadlines.due(at: max(monotonic.now, armed)) {
      switch deadline {
      case .answer(let token): answerIsLate(token)
      case .close(let serverID): closeAfterAction(serverID)
      case .expiry(let key, let order): expire(key, order)
      case .text(let key, let order): textIsLate(key, order)
      case .drawing(let number): drawingIsLate(number)
      case .stay(let key, let date): stays(key, date)
      case .resume:
        pauseReason = nil
        pump()
      case .late: queueIsLate()
      }
    }
    armDeadlines()
  }

  /// A number for a delivery; rises, so that it is also the order of acceptance.
  func nextNumber() -> UInt64 {
    issued += 1
    return issued
  }

  var isRunning: Bool { !isStopped }
}
