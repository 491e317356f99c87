import BridgeStore
import Foundation
import NotificationBridge
import Synchronization
import TestSupport

/// Keeps the lines of a log.
final class RecordedLog: BridgeLog {
  private let kept = Mutex<[(LogLevel, String)]>([])

  func write(_ level: LogLevel, _ text: String) { kept.withLock { $0.append((level, text)) } }

  /// The lines of that level and above.
  func lines(_ level: LogLevel = .warning) -> [String] { kept.withLock { $0.filter { $0.0 >= level }.map(\.1) } }
}

/// A state folder of a test's own, and stores in it.
struct StoreFixture {
  let home: TemporaryHome
  let log = RecordedLog()
  var folder: String { home.path + "/state/notify-bridge" }
  var file: String { folder + "/bridge.sqlite" }

  init() throws { home = try TemporaryHome() }

  /// Opens the store and loads it.
  func open(limits: HistoryLimits = HistoryLimits()) throws -> SQLiteStore {
    let store = try SQLiteStore(folder: folder, limits: limits, log: log)
    _ = try store.load()
    return store
  }

  /// The names of all files, but that of the lock.
  func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(["bridge.lock"])
  }

  func bytes(_ name: String = "bridge.sqlite") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
  }

  func put(_ bytes: Data, as name: String = "bridge.sqlite") throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
  }
}

/// A pending request with little in it.
func pendingRow(
  _ identifier: String, application: String = "org.example.App", due: Double = 8e8, order: UInt64 = 1,
  body: String = "body"
) -> PendingRow {
  var content = ContentRecord()
  content.title = "title of \(identifier)"
  content.body = body
  let date = Date(timeIntervalSinceReferenceDate: due)
  return PendingRow(
    request: RequestRecord(
      identifier: identifier, content: content, trigger: .interval(seconds: 60, repeats: false)),
    application: ApplicationRecord(identifier: application, name: "App"),
    entry: PendingEntry(
      key: NotificationKey(application: application, identifier: identifier), addedAt: date - 60, due: date,
      order: order, followsZone: false))
}

func event(_ sequence: Int64, application: String = "org.example.App", date: Double = 8e8) -> HistoryRecord {
  HistoryRecord(
    sequence: sequence, date: Date(timeIntervalSinceReferenceDate: date), application: application,
    identifier: "n\(sequence)", event: .delivered)
}
