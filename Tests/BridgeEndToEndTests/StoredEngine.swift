import BridgeStore
import DBus
import DesktopEnvironment
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// The engine as the bridge has it, with its store in a folder, on a clock and in a zone that the test sets. It can be
/// taken down and made anew, as often as a machine is.
final class StoredEngine: Sendable {
  let bus: PrivateBus
  let home: TemporaryHome
  let clock = ManualClock()
  let zones: MovingZones
  let log = MemoryLog()
  /// The disk that the store is on.
  let disk = Disk()
  static let application = ApplicationRecord(identifier: "org.example.Stored", name: "Stored", isKnown: true)

  private struct Life {
    let engine: BridgeEngine
    let store: SQLiteStore
    let connection: BusConnection
  }
  private let life = Mutex<Life?>(nil)
  private let server: Mutex<FakeNotificationServer>
  private let before = Mutex<[FakeNotificationServer.Posted]>([])
  private let extensions: (any ExtensionRunner)?
  private let accepted = Mutex<[String: DeliveryReport]>([:])

  init(at date: String, zone: String = "UTC", extensions: (any ExtensionRunner)? = nil) async throws {
    self.extensions = extensions
    bus = try await PrivateBus()
    home = try TemporaryHome()
    zones = MovingZones(zone)
    server = Mutex(try await FakeNotificationServer.start(at: bus.address))
    clock.set(instant(date))
    try await start()
  }

  var engine: BridgeEngine { life.withLock { $0!.engine } }
  var daemon: FakeNotificationServer { server.withLock { $0 } }

  /// The bridge starts.
  func start() async throws {
    let executor = try BusExecutor()
    let connection = try await BusConnection.connect(to: bus.address, on: executor)
    let store = try SQLiteStore(folder: home.path + "/state/notify-bridge", log: log)
    var policy = EnginePolicy()
    policy.waitsForDaemon = true
    policy.inFlightLimit = 1
    let engine = BridgeEngine(
      server: DaemonServer(on: connection, identifiesBus: true),
      surroundings: .init(
        clock: clock, zones: zones, log: log, extensions: extensions, store: FillableStore(store, disk)),
      policy: policy, on: executor)
    life.withLock { $0 = Life(engine: engine, store: store, connection: connection) }
    _ = await engine.pendingCount
  }

  /// The bridge ends.
  func stop() async {
    guard let life = life.withLock({ $0.take() }) else { return }
    await life.engine.stop()
    life.store.close()
    await life.connection.close()
  }

  /// The bridge ends and starts.
  func restart() async throws {
    await stop()
    try await start()
  }

  /// The machine is off until `date`: all processes end.
  func powerOff(until date: String) async throws {
    await stop()
    before.withLock { $0 += daemon.posted }
    await daemon.stop()
    clock.set(instant(date))
    let new = try await FakeNotificationServer.start(at: bus.address)
    server.withLock { $0 = new }
    try await start()
  }

  /// Adds a request and waits until it is kept.
  /// - Returns: when it is due.
  @discardableResult
  func add(_ request: RequestRecord) async throws -> String {
    let identifier = request.identifier
    accepted.withLock { $0[identifier] = nil }
    let submission = Submission(request, from: Self.application, limit: .refuse(1_000)) { [weak self] result in
      if case .success(let report) = result { self?.accepted.withLock { $0[identifier] = report } }
    }
    engine.enqueue { $0.submit(submission) }
    try await eventually(within: .seconds(5), "\(identifier) is taken") { accepted.withLock { $0[identifier] != nil } }
    return accepted.withLock { $0[identifier]?.due }.map(text) ?? "at once"
  }

  /// Adds a request and waits for the answer.
  func submit(_ request: RequestRecord) async -> Result<DeliveryReport, BridgeError> {
    await withCheckedContinuation { continuation in
      let submission = Submission(request, from: Self.application, limit: .refuse(1_000)) {
        continuation.resume(returning: $0)
      }
      engine.enqueue { $0.submit(submission) }
    }
  }

  @discardableResult
  func add(_ name: String, _ trigger: TriggerRecord) async throws -> String {
    var request = RequestRecord.plain(name, title: name)
    request.trigger = trigger
    return try await add(request)
  }

  /// All that was ever shown, oldest first.
  var posted: [FakeNotificationServer.Posted] { before.withLock { $0 } + daemon.posted }
  var titles: [String] { posted.map(\.notification.summary) }

  /// Waits until so many have been shown in all, and as many as that alone.
  func shown(_ count: Int) async throws -> [String] {
    try await eventually(within: .seconds(5), "\(count) shown") { self.titles.count >= count }
    // Whatever else were to come is there by then.
    _ = await engine.pendingCount
    try await eventually(within: .seconds(5), "nothing is queued") { await self.engine.queuedCount == 0 }
    return titles
  }

  /// The response that waits for whoever asks for it.
  func response(to key: NotificationKey) async throws -> ResponseRecord {
    let (stream, continuation) = AsyncStream<Outcome>.makeStream()
    _ = try await engine.wait(for: key) { continuation.yield($0) }
    for await outcome in stream {
      if case .responded(let response) = outcome { return response }
      throw RunnerError("\(key.identifier) ended with \(outcome)")
    }
    throw RunnerError("no outcome")
  }

  /// When each waiting request is due, the soonest first.
  func due() async -> [String] {
    await engine.pendingRequests(of: Self.application.identifier).map { text($0.due) }
  }
}

/// A disk that may be full.
final class Disk: Sendable {
  private let full = Mutex(false)
  var isFull: Bool {
    get { full.withLock { $0 } }
    set { full.withLock { $0 = newValue } }
  }
}

/// The bridge's store, on a disk that may be full.
private struct FillableStore: EngineStore {
  let store: SQLiteStore
  let disk: Disk

  init(_ store: SQLiteStore, _ disk: Disk) { (self.store, self.disk) = (store, disk) }

  func load() throws(BridgeError) -> StoredState { try store.load() }
  func commit(_ changes: [StoreChange], durably: Bool) throws(BridgeError) {
    if disk.isFull { throw BridgeError(.store, "the disk is full") }
    try store.commit(changes, durably: durably)
  }
  func pendingRequest(_ key: NotificationKey) throws(BridgeError) -> (RequestRecord, ApplicationRecord)? {
    try store.pendingRequest(key)
  }
  func pendingAttachments() throws(BridgeError) -> Set<String> { try store.pendingAttachments() }
  func history(
    after sequence: Int64, application: String?, limit: Int, newest: Bool
  ) throws(BridgeError) -> [HistoryRecord] {
    try store.history(after: sequence, application: application, limit: limit, newest: newest)
  }
}

/// Real zones, of which the test says which is the system's.
final class MovingZones: ZoneRules {
  private let system = SystemZones()
  private let name: Mutex<String>

  init(_ name: String) { self.name = Mutex(name) }
  func move(to zone: String) { name.withLock { $0 = zone } }
  var current: String { name.withLock { $0 } }
  func knows(_ zone: String) -> Bool { system.knows(zone) }
  func offset(of zone: String, at instant: Int64) -> Int { system.offset(of: zone, at: instant) }
  func instant(of wallClock: Int64, in zone: String) -> Int64 { system.instant(of: wallClock, in: zone) }
}

/// An instant as ISO 8601 has it, in GMT.
func instant(_ text: String) -> Date {
  guard let date = try? Date.ISO8601FormatStyle().parse(text) else { preconditionFailure("\(text) is no instant") }
  return date
}
func text(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }
