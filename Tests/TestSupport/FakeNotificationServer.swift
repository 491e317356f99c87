public import DBus
public import FreedesktopNotifications
internal import Synchronization

/// A notification daemon for tests, on a real bus: it records what it gets, does what a test tells it, and can be as
/// odd as real ones are.
public final class FakeNotificationServer: NotificationServiceDelegate {
  /// A `Notify` as it came, and the number that it was given.
  public struct Posted: Sendable {
    public let serverID: UInt32
    public let notification: ReceivedNotification
  }

  /// How one `Notify` is answered.
  public enum Answer: Sendable {
    /// A number: that of the notification replaced, else the next.
    case accept
    /// Exactly this number.
    case number(UInt32)
    /// An error.
    case refuse(ErrorName, String)
    /// Values of any kind, none too.
    case values([Value])
    /// Nothing, until ``FakeNotificationServer/answerHeld()``.
    case hold
  }

  /// What the server does; all closures run on the connection's queue.
  public struct Behavior: Sendable {
    public var information = ServerInformation(name: "fake", vendor: "test", version: "1", specVersion: "1.2")
    public var capabilities: Capabilities = ["actions", "body", "body-markup", "icon-static", "persistence", "sound"]
    /// How the call of this number, from 1, is answered.
    public var answer: @Sendable (_ call: Int, ReceivedNotification) -> Answer = { _, _ in .accept }
    /// Called before the answer is sent: what it signals comes ahead of it.
    public var beforeAnswer: @Sendable (FakeNotificationServer, Posted) -> Void = { _, _ in }
    /// Called right behind the answer.
    public var afterAnswer: @Sendable (FakeNotificationServer, Posted) -> Void = { _, _ in }
    /// How `CloseNotification` is answered: true confirms it with the signal, false is an error.
    public var closes: @Sendable (UInt32) -> Bool = { _ in true }

    public init() {}
  }

  private struct State: Sendable {
    var posted: [Posted] = []
    var closeCalls: [UInt32] = []
    var calls = 0
    var lastID: UInt32 = 0
    var held: [(NotifyAnswer, Posted)] = []
    var holds = false
  }

  private let connection: BusConnection
  private let behavior: Behavior
  private let state = Mutex(State())
  private let service = Mutex<NotificationService?>(nil)

  private init(_ connection: BusConnection, _ behavior: Behavior) {
    self.connection = connection
    self.behavior = behavior
  }

  /// Connects to the bus and takes the name.
  public static func start(
    at address: BusAddress, _ behavior: Behavior = Behavior()
  ) async throws -> FakeNotificationServer {
    let connection = try await BusConnection.connect(to: address)
    let server = FakeNotificationServer(connection, behavior)
    let service = NotificationService(
      on: connection, information: behavior.information, capabilities: { behavior.capabilities }, delegate: server)
    server.service.withLock { $0 = service }
    guard try await service.acquireName(replacing: true) else {
      throw BusError(.unexpectedReply, "the name is taken")
    }
    return server
  }

  /// Leaves the bus, as a daemon that was killed does.
  public func stop() async {
    await connection.close()
    service.withLock { $0 = nil }
  }

  // MARK: What came

  /// Every `Notify` that was answered with a number, oldest first.
  public var posted: [Posted] { state.withLock { $0.posted } }
  /// How many these are.
  public var postedCount: Int { state.withLock { $0.posted.count } }
  /// The numbers of every `CloseNotification`, oldest first.
  public var closeCalls: [UInt32] { state.withLock { $0.closeCalls } }
  /// The unique name of the server.
  public var uniqueName: BusName? { connection.uniqueName }

  // MARK: What the user does

  /// Presses an action.
  public func invoke(_ serverID: UInt32, _ key: String) { withService { $0.actionInvoked(serverID, key: key) } }
  /// Closes.
  public func close(_ serverID: UInt32, _ reason: CloseReason) { withService { $0.closed(serverID, reason) } }
  /// Sends a reply.
  public func reply(_ serverID: UInt32, _ text: String) { withService { $0.replied(serverID, text: text) } }
  /// Gives a token for the action that follows.
  public func token(_ serverID: UInt32, _ token: String) { withService { $0.activationToken(serverID, token: token) } }
  /// Answers nothing from now on, as one that hangs, or is about to die.
  public func holdAnswers() { state.withLock { $0.holds = true } }
  /// Answers what was held, in order, as if it had been accepted.
  public func answerHeld() {
    for (answer, posted) in state.withLock({ state in
      defer { state.held = [] }
      return state.held
    }) {
      answer.accept(posted.serverID)
    }
  }

  private func withService(_ body: (NotificationService) -> Void) {
    if let service = service.withLock({ $0 }) { body(service) }
  }

  // MARK: NotificationServiceDelegate

  public func notify(_ notification: ReceivedNotification, answer: NotifyAnswer) {
    let (call, holds) = state.withLock { state in
      state.calls += 1
      return (state.calls, state.holds)
    }
    let decision = holds ? .hold : behavior.answer(call, notification)
    let serverID: UInt32? = state.withLock { state in
      switch decision {
      case .accept, .hold:
        if notification.replacesID != 0 { return notification.replacesID }
        state.lastID += 1
        return state.lastID
      case .number(let number): return number
      case .refuse, .values: return nil
      }
    }
    guard let serverID else {
      switch decision {
      case .refuse(let name, let text): answer.refuse(name, text)
      case .values(let values): answer.reply(values)
      case .accept, .number, .hold: break
      }
      return
    }
    let posted = Posted(serverID: serverID, notification: notification)
    if case .hold = decision {
      state.withLock {
        $0.posted.append(posted)
        $0.held.append((answer, posted))
      }
      return
    }
    // First, so that whoever has the answer finds it here. What a test then signals from its own thread leaves behind
    // the answer all the same, since this is the connection's thread.
    state.withLock { $0.posted.append(posted) }
    behavior.beforeAnswer(self, posted)
    answer.accept(serverID)
    behavior.afterAnswer(self, posted)
  }

  public func close(serverID: UInt32, answer: CloseAnswer) {
    state.withLock { $0.closeCalls.append(serverID) }
    if behavior.closes(serverID) {
      close(serverID, .closedByCall)
      answer.done()
    } else {
      answer.refuse("org.freedesktop.Notifications.InvalidId", "no such notification")
    }
  }
}
