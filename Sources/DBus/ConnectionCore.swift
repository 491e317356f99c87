internal import Synchronization

/// What a connection is made of, on its thread: the loop, the calls in flight, subscriptions, exported objects.
///
/// It outlives the C connection: after a loss a new loop takes the old one's place.
///
/// Unchecked since every stored `var` is touched on the executor's thread only; each entry asserts it.
final class ConnectionCore: @unchecked Sendable {
  /// What stage the connection is at.
  enum Stage: Equatable {
    /// The first connection is being made: its failure is the caller's.
    case starting
    case connected
    /// Lost; attempts to connect again are planned or under way.
    case lost
    /// Sending what is left.
    case closing
    case closed
  }

  let executor: BusExecutor
  let address: BusAddress
  let options: BusConnection.Options
  /// Our unique name, readable from anywhere.
  let uniqueName = Mutex<BusName?>(nil)

  var stage = Stage.starting
  var loop: BusLoop?
  /// Counts loops: an answer to a call of an earlier loop is not sent.
  var epoch = 0
  /// Tells the attempts to connect apart, for what comes of one when it is over.
  var attempt = 0
  /// Milliseconds until the next attempt to connect again.
  var pause = ConnectionCore.firstPause
  /// When `Hello` was answered, in nanoseconds of the monotonic clock.
  var connectedAt: UInt64 = 0
  let started = Waiter<Void>()
  var closers: [Waiter<Void>] = []
  /// True once nobody holds the connection any more: the thread is let go.
  var isReleased = false
  var hasLetGoOfThread = false

  var sequence: UInt64 = 0
  var calls: [UInt32: CallInFlight] = [:]
  var deadlines = Deadlines()
  /// When the executor looks after the deadlines next.
  var alarmTime: UInt64?
  var alarm: BusExecutor.Ticket?

  var subscriptions: [SubscriptionEntry] = []
  var inboxes: [ObjectIdentifier: WeakInbox] = [:]
  weak var lastInbox: Inbox?
  var nextInboxNumber = 0
  var wantedNames: [(name: BusName, options: NameOptions)] = []

  var objects = ExportedObjects()

  private var isCallingBack = false
  private var waitingCallbacks: [() -> Void] = []

  init(
    _ address: BusAddress, _ options: BusConnection.Options, _ executor: BusExecutor? = nil
  ) throws(BusError) {
    if let executor { self.executor = executor } else { self.executor = try BusExecutor() }
    self.executor.hold()
    // A bus that was started anew is another run: libdbus would hang up on it.
    self.address = options.reconnects ? address.ofAnyRun : address
    self.options = options
  }

  /// Calls a handler of the user's. None is ever called inside another: what comes up meanwhile waits for its end.
  func callBack(_ body: @escaping () -> Void) {
    executor.assertCurrent()
    if isCallingBack {
      waitingCallbacks.append(body)
      return
    }
    isCallingBack = true
    body()
    while !waitingCallbacks.isEmpty {
      let batch = waitingCallbacks
      waitingCallbacks = []
      for body in batch { body() }
    }
    isCallingBack = false
  }

  func deliver(_ item: Inbox.Item, to inbox: Inbox) { callBack { inbox.handler(item) } }

  /// Sends a message that nobody waits for; without a connection it is dropped.
  /// - Returns: false if this connection cannot carry it.
  @discardableResult
  func send(_ message: MessageHandle) -> Bool {
    executor.assertCurrent()
    guard stage == .connected, let loop else { return true }
    return loop.send(message) != nil
  }

  /// The error of everything that is tried without a connection.
  static let notConnected = BusError(.disconnected, "there is no connection to the bus", name: .disconnected)

  /// After a loss: 0.1 s, doubling to 5 s.
  static let firstPause = 100
  static let longestPause = 5000
  /// Nanoseconds after which a connection counts as good, and the pauses begin anew.
  static let steadyTime: UInt64 = 10_000_000_000
}

extension ConnectionCore: BusLoopOwner {
  func loop(_ loop: BusLoop, received message: ReceivedMessage) {
    sequence += 1
    guard loop === self.loop, let kind = message.kind else { return }
    switch kind {
    case .methodReturn, .error: receiveAnswer(message, kind)
    case .signal: receiveSignal(message)
    case .methodCall: receiveCall(message)
    }
  }
}
