/// A connection to a message bus.
public actor BusConnection {
  /// How a connection behaves.
  public struct Options: Sendable {
    /// After a loss, connect again with growing pauses (0.1 s doubling to 5 s) until it works or ``close()``.
    public var reconnects = false
    /// The largest message taken or sent, in bytes.
    public var maximumMessageSize = 64 << 20
    /// How long connecting and `Hello` may take.
    public var connectTimeout = Duration.seconds(5)

    public init() {}
  }

  /// Connects, authenticates and says `Hello`.
  public static func connect(
    to address: BusAddress, options: Options = Options()
  ) async throws(BusError) -> BusConnection { throw BusError(.unsupported, "not built yet") }

  /// Our unique name; nil while the connection is lost.
  public nonisolated var uniqueName: BusName? { nil }

  /// Calls and waits for the answer; signals that came before it may be seen after it. See ``post(_:timeout:to:token:)``.
  public func call(_ call: MethodCall, timeout: Duration = .seconds(25)) async throws(BusError) -> Message {
    throw BusError(.unsupported, "not built yet")
  }

  /// Calls; the answer comes to `inbox` in its place among the signals. Posts, signals and answers leave in the order
  /// in which they were given.
  public nonisolated func post(_ call: MethodCall, timeout: Duration, to inbox: Inbox, token: UInt64) {}

  /// Sends a call without wanting an answer.
  public nonisolated func send(_ call: MethodCall) {}

  /// Sends a signal.
  public nonisolated func emit(_ signal: Signal) {}

  /// Lets signals that fit `rule` come to `inbox` until the subscription is released. The rule is sent ahead of
  /// whatever is sent later, so that no signal caused by a later call is missed.
  public nonisolated func subscribe(_ rule: MatchRule, to inbox: Inbox) -> Subscription { Subscription() }

  /// Exports an interface on an object until the answer is released.
  public nonisolated func export(_ interface: ExportedInterface, at path: ObjectPath) -> Export { Export() }

  /// Asks for a name.
  public func requestName(_ name: BusName, _ options: NameOptions = []) async throws(BusError) -> NameReply {
    throw BusError(.unsupported, "not built yet")
  }

  /// Gives a name back.
  public func releaseName(_ name: BusName) async throws(BusError) {}

  /// The unique name of `name`'s owner; nil if it has none.
  public func owner(of name: BusName) async throws(BusError) -> BusName? { nil }

  /// Sends what is queued and closes. Later calls fail with `disconnected`.
  public func close() async {}
}

/// Ends when released.
public final class Subscription: Sendable {}

/// Ends when released.
public final class Export: Sendable {}

/// How a name is asked for.
public struct NameOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let allowReplacement = NameOptions(rawValue: 1)
  public static let replaceExisting = NameOptions(rawValue: 2)
  public static let doNotQueue = NameOptions(rawValue: 4)
}

/// What came of asking for a name.
public enum NameReply: UInt32, Sendable, Hashable {
  case owner = 1
  case queued = 2
  case taken = 3
  case alreadyOwner = 4
}
