internal import DBus
public import FoundationEssentials
internal import FreedesktopNotifications
public import NotificationBridge
internal import Synchronization

/// An engine over a real bus with a fake daemon on it, and what it told us.
public final class EngineFixture: Sendable {
  public let bus: PrivateBus
  public let engine: BridgeEngine
  public let log: MemoryLog
  public let clock: ManualClock
  public let application: ApplicationRecord

  private let connection: BusConnection
  private let results = Mutex<[String: [Result<DeliveryReport, BridgeError>]]>([:])
  private let endings = Mutex<[String: [Outcome]]>([:])
  private let taken = Mutex<[ResponseRecord]>([])

  /// - Parameters:
  ///   - registers: whether a handler takes the responses.
  ///   - images: nil: paths are sent.
  public init(
    policy: EnginePolicy = EnginePolicy(), registers: Bool = true, images: (any ImageDecoder)? = nil,
    zones: any ZoneRules = GMTRules(), bus: PrivateBus? = nil, desktop: FakeDesktop? = nil,
    store: (any EngineStore)? = nil, extensions: (any ExtensionRunner)? = nil,
    thumbnails: (any MovieThumbnailer)? = nil, opener: (any AttachmentOpener)? = nil
  ) async throws {
    if let bus {
      self.bus = bus
    } else {
      self.bus = try await PrivateBus()
    }
    log = MemoryLog()
    clock = ManualClock()
    application = ApplicationRecord(identifier: "org.example.test", name: "Test", isKnown: true)
    let executor = try BusExecutor()
    connection = try await BusConnection.connect(to: self.bus.address, on: executor)
    engine = BridgeEngine(
      server: DaemonServer(on: connection),
      surroundings: .init(
        clock: clock, zones: zones, images: images, log: log, facts: desktop, sounds: desktop,
        badges: desktop, extensions: extensions, store: store, thumbnails: thumbnails, opener: opener), policy: policy,
      on: executor)
    if registers { await register() }
  }

  /// Sets a handler that keeps the responses.
  public func register() async {
    await engine.setHandler(
      ApplicationHandler(receive: { [weak self] response in self?.taken.withLock { $0.append(response) } }),
      for: application.identifier)
  }

  /// A fake daemon on the same bus.
  public func daemon(
    _ behavior: FakeNotificationServer.Behavior = .init()
  ) async throws -> FakeNotificationServer {
    try await FakeNotificationServer.start(at: bus.address, behavior)
  }

  /// Submits without waiting.
  public func submit(_ request: RequestRecord) {
    let identifier = request.identifier
    let submission = Submission(
      request, from: application,
      onAccepted: { [weak self] result in self?.results.withLock { $0[identifier, default: []].append(result) } },
      onOutcome: { [weak self] outcome in self?.endings.withLock { $0[identifier, default: []].append(outcome) } })
    engine.enqueue { $0.submit(submission) }
  }

  /// Submits and waits for the answer.
  @discardableResult
  public func show(_ request: RequestRecord) async throws -> DeliveryReport {
    let before = answers(to: request.identifier).count
    submit(request)
    try await eventually(within: .seconds(10), "an answer to \(request.identifier)") {
      self.answers(to: request.identifier).count > before
    }
    return try answers(to: request.identifier)[before].get()
  }

  /// What was answered to a request, in order.
  public func answers(to identifier: String) -> [Result<DeliveryReport, BridgeError>] {
    results.withLock { $0[identifier] ?? [] }
  }

  /// How its deliveries ended, in order.
  public func outcomes(of identifier: String) -> [Outcome] { endings.withLock { $0[identifier] ?? [] } }

  /// The responses that the handler took, in order.
  public var responses: [ResponseRecord] { taken.withLock { $0 } }

  /// The identifiers of what is delivered.
  public func delivered() async -> [String] {
    await engine.deliveredNotifications(of: application.identifier).map(\.request.identifier)
  }

  /// Waits until what was sent before is handled: a notification of its own goes the whole way and back.
  public func settle() async throws {
    let name = "settle-\(UInt64.random(in: 0 ... .max))"
    try await show(.plain(name, title: name))
    await engine.removeDelivered([name], of: application.identifier)
  }
}

extension RequestRecord {
  /// A request with a title and, perhaps, buttons.
  public static func plain(
    _ identifier: String, title: String = "Title", body: String = "", actions: [ActionRecord]? = nil
  ) -> RequestRecord {
    var content = ContentRecord()
    content.title = title
    content.body = body
    var desktop = DesktopOptions()
    desktop.actions = actions
    return RequestRecord(identifier: identifier, content: content, desktop: desktop)
  }
}

/// Keeps what is logged.
public final class MemoryLog: BridgeLog {
  private let lines = Mutex<[(LogLevel, String)]>([])

  public init() {}
  public func write(_ level: LogLevel, _ text: String) { lines.withLock { $0.append((level, text)) } }

  /// The messages of a level and above.
  public func messages(from level: LogLevel) -> [String] { lines.withLock { $0.filter { $0.0 >= level }.map(\.1) } }
}

/// A wall clock that a test sets.
public final class ManualClock: WallClock {
  private struct State: Sendable {
    var now = Date(timeIntervalSince1970: 1_750_000_000)
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var issued: UInt64 = 0
  }
  private let state = Mutex(State())

  public init() {}

  public var now: Date { state.withLock { $0.now } }

  /// Sets the clock; whoever waits looks at it again.
  public func set(_ date: Date) {
    let woken = state.withLock { state in
      state.now = date
      defer { state.waiting.removeAll() }
      return state.waiting.values
    }
    for body in woken { body() }
  }

  /// Sets it forward.
  public func advance(_ seconds: Double) { set(now.addingTimeInterval(seconds)) }

  /// Whether anybody waits.
  public var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

  public func wake(at deadline: Date, _ body: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let number = state.withLock { state -> UInt64? in
      if state.now >= deadline { return nil }
      state.issued += 1
      state.waiting[state.issued] = body
      return state.issued
    }
    if number == nil { body() }
    return Holder { [weak self] in
      if let number { self?.state.withLock { $0.waiting[number] = nil } }
    }
  }

  private final class Holder: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }
}

/// Knows GMT alone.
public struct GMTRules: ZoneRules {
  public let current = "GMT"

  public init() {}
  public func knows(_ zone: String) -> Bool { zone == "GMT" }
  public func offset(of zone: String, at instant: Int64) -> Int { 0 }
  public func instant(of wallClock: Int64, in zone: String) -> Int64 { wallClock }
}
