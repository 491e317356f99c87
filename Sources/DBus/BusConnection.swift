internal import Synchronization

/// A connection to a message bus.
///
/// An actor on an executor of its own, the connection's thread: handlers of inboxes and exported methods run there.
/// Everything that is given to the connection, from whatever thread, leaves in the order in which it was given; what
/// a handler gives leaves before the handler goes on. Releasing the connection closes it as ``close()`` does.
public actor BusConnection {
  /// How a connection behaves.
  public struct Options: Sendable {
    /// After a loss, connect again with growing pauses (0.1 s doubling to 5 s) until it works or ``close()``.
    public var reconnects = false
    /// The largest message taken or sent, in bytes; never more than 128 MiB.
    public var maximumMessageSize = 64 << 20
    /// How long connecting and `Hello` may take.
    public var connectTimeout = Duration.seconds(5)

    public init() {}
  }

  nonisolated let core: ConnectionCore

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe core.executor.asUnownedSerialExecutor() }

  init(_ core: ConnectionCore) { self.core = core }

  deinit {
    core.executor.perform { [core] in
      core.isReleased = true
      core.close(nil)
    }
  }

  /// Connects, authenticates and says `Hello`.
  /// - Parameter executor: whose thread the connection uses; nil: one of its own.
  /// - Throws: ``BusError`` with code `notConnected` (nobody listens there), `authentication` (the bus refused who we
  ///   are), `timedOut`, `noAddress` (the address asks to start a bus) or `cancelled`.
  public static func connect(
    to address: BusAddress, options: Options = Options(), on executor: BusExecutor? = nil
  ) async throws(BusError) -> BusConnection {
    let core = try ConnectionCore(address, options, executor)
    // From here on the connection closes itself when this function throws.
    let connection = BusConnection(core)
    try await core.started.result { core.executor.perform { core.connect() } }
    return connection
  }

  /// Our unique name; nil while the connection is lost.
  public nonisolated var uniqueName: BusName? { core.uniqueName.withLock { $0 } }

  /// Calls and waits for the answer; signals that came before it may be seen after it. See ``post(_:timeout:to:token:)``.
  ///
  /// Cancelling the task ends the wait at once; the call may still take effect.
  /// - Throws: ``BusError`` with code `remote` (the peer's error, with its name and text), `timedOut`, `disconnected`,
  ///   `cancelled`, or, with nothing sent, `invalidValue`, `tooLarge` or `unsupported`.
  public nonisolated(nonsending) func call(
    _ call: MethodCall, timeout: Duration = .seconds(25)
  ) async throws(BusError) -> Message {
    let message = try MessageHandle(call, wantsReply: true, maximumSize: core.options.maximumMessageSize)
    let waiter = Waiter<Message>()
    let destination = call.destination
    return try await waiter.result {
      let core = core
      core.executor.perform { core.send(message, to: destination, timeout: timeout, for: .waiter(waiter)) }
    }
  }

  /// Calls; the answer comes to `inbox` in its place among the signals. Posts, signals and answers leave in the order
  /// in which they were given.
  ///
  /// Exactly one `reply` with this token comes, be it an error.
  public nonisolated func post(_ call: MethodCall, timeout: Duration, to inbox: Inbox, token: UInt64) {
    let core = core
    do throws(BusError) {
      let message = try MessageHandle(call, wantsReply: true, maximumSize: core.options.maximumMessageSize)
      let destination = call.destination
      core.executor.perform {
        core.send(message, to: destination, timeout: timeout, for: .inbox(inbox, token: token))
      }
    } catch {
      core.executor.perform { core.deliver(.reply(token: token, .failure(error)), to: inbox) }
    }
  }

  /// Sends a call without wanting an answer. One whose values cannot be sent is dropped.
  public nonisolated func send(_ call: MethodCall) {
    send(try? MessageHandle(call, wantsReply: false, maximumSize: core.options.maximumMessageSize))
  }

  /// Sends a signal. One whose values cannot be sent is dropped.
  public nonisolated func emit(_ signal: Signal) {
    send(try? MessageHandle(signal, maximumSize: core.options.maximumMessageSize))
  }

  private nonisolated func send(_ message: MessageHandle?) {
    guard let message else { return }
    core.executor.perform { [core] in core.send(message) }
  }

  /// Lets signals that fit `rule` come to `inbox` until the subscription is released. The rule is sent ahead of
  /// whatever is sent later, so that no signal caused by a later call is missed.
  public nonisolated func subscribe(_ rule: MatchRule, to inbox: Inbox) -> Subscription {
    Subscription(rule, inbox, core)
  }

  /// Exports an interface on an object until the answer is released. Of two with one name the later one is called.
  public nonisolated func export(_ interface: ExportedInterface, at path: ObjectPath) -> Export {
    Export(interface, at: path, core)
  }

  /// Sends what is queued and closes. Later calls fail with `disconnected`, and each inbox gets `disconnected`.
  ///
  /// A bus that takes nothing for a second, or is not done in ten, is not waited for.
  public nonisolated(nonsending) func close() async {
    let waiter = Waiter<Void>()
    core.executor.perform { [core] in core.close(waiter) }
    _ = try? await waiter.result {}
  }
}
