public import NotificationBridge
import Synchronization

/// The engine's store in a SQLite file.
///
/// The file `bridge.sqlite` lies in a folder of its own, both for their owner alone, and one process has it open as the
/// bridge at a time. A damaged file is set aside as `bridge.sqlite.damaged-DATE` and never written again; what can
/// still be read is taken over. May be called from any thread; calls wait for each other.
public final class SQLiteStore: EngineStore {
  /// The file.
  public let path: String
  private let log: any BridgeLog
  private let schema: Schema
  private let limits: HistoryLimits
  /// Nil: closed.
  private let holder: Mutex<Holder?>
  private let isLoaded = Atomic(false)
  private let problemList: Mutex<Problems>

  private struct Holder {
    var folder: StoreFolder
    /// Nil: a damaged file could not be replaced yet.
    var session: Session?
  }

  private struct Problems {
    var opening: [String] = []
    var damagedRows: Int64 = 0
  }

  /// Opens the store, and makes it when there is none.
  /// - Parameters:
  ///   - folder: an absolute path, `$XDG_STATE_HOME/notify-bridge`; made when it is not there.
  ///   - limits: how much of the history is kept.
  /// - Throws: ``BridgeError`` with code `store`: another process has it, it is of a newer version, the disk is full or
  ///   read-only; the message has the path.
  public convenience init(
    folder: String, limits: HistoryLimits = HistoryLimits(), log: any BridgeLog
  ) throws(BridgeError) {
    try self.init(folder: folder, limits: limits, log: log, schema: .current)
  }

  init(folder: String, limits: HistoryLimits, log: any BridgeLog, schema: Schema) throws(BridgeError) {
    let folder = try StoreFolder(path: folder)
    path = folder.store
    self.log = log
    self.schema = schema
    self.limits = limits
    var opening = StoreOpening(schema: schema, limits: limits, log: log)
    let session = try opening.open(folder)
    problemList = Mutex(Problems(opening: opening.problems, damagedRows: session.damagedRows))
    holder = Mutex(Holder(folder: folder, session: session))
  }

  deinit { close() }

  /// What is wrong with the store, a sentence each, for the user; empty when all is well. Does not wait.
  public var problems: [String] {
    problemList.withLock { problems in
      var result = problems.opening
      if problems.damagedRows > 0 {
        result.append(
          "\(problems.damagedRows) rows of the store \(path.quotedPath) could not be read; they are kept in its "
            + "table damaged_rows")
      }
      return result
    }
  }

  /// Ends the use of the store and lets other processes have it. Every later call fails.
  public func close() {
    holder.withLock { holder in
      holder?.session?.close()
      // The database before the folder's lock: whoever gets that must find nobody in the files.
      holder?.session = nil
      holder = nil
    }
  }

  public func load() throws(BridgeError) -> StoredState {
    let state = try withSession { session throws(BridgeError) in try session.load() }
    isLoaded.store(true, ordering: .releasing)
    return state
  }

  /// Fails as long as ``load()`` has not succeeded.
  public func commit(_ changes: [StoreChange], durably: Bool) throws(BridgeError) {
    guard isLoaded.load(ordering: .acquiring) else {
      // Whoever does not know what is there gives numbers that are there, and would overwrite it.
      throw BridgeError(.store, "nothing is written to the store \(path.quotedPath), because it was not read before")
    }
    try withSession { session throws(BridgeError) in try session.commit(changes, durably: durably) }
  }

  public func pendingRequest(_ key: NotificationKey) throws(BridgeError) -> (RequestRecord, ApplicationRecord)? {
    try withSession { session throws(BridgeError) in try session.pendingRequest(key) }
  }

  public func pendingAttachments() throws(BridgeError) -> Set<String> {
    try withSession { session throws(BridgeError) in try session.pendingAttachments() }
  }

  public func history(
    after sequence: Int64, application: String?, limit: Int, newest: Bool
  ) throws(BridgeError) -> [HistoryRecord] {
    try withSession { session throws(BridgeError) in
      try session.history(after: sequence, application: application, limit: limit, newest: newest)
    }
  }

  /// Does something with the store; when that finds it damaged, once more with the one that takes its place.
  func withSession<Result: Sendable>(
    _ body: (Session) throws(BridgeError) -> Result
  ) throws(BridgeError) -> Result {
    try holder.withLock { holder throws(BridgeError) in
      guard let folder = holder?.folder else {
        throw BridgeError(.store, "the store \(path.quotedPath) is closed")
      }
      var damage: BridgeError?
      if let session = holder?.session {
        do throws(BridgeError) {
          let result = try body(session)
          note(session)
          return result
        } catch {
          if !error.isDamage { throw error }
          damage = error
        }
      }
      // If this fails, on a full disk for example, it is tried again by the next call.
      holder?.session = nil
      var opening = StoreOpening(schema: schema, limits: limits, log: log)
      defer { problemList.withLock { $0.opening += opening.problems } }
      let session: Session
      if let damage {
        session = try opening.replace(folder, because: damage)
      } else {
        session = try opening.open(folder)
      }
      holder?.session = session
      let result = try body(session)
      note(session)
      return result
    }
  }

  private func note(_ session: Session) {
    let count = session.damagedRows
    problemList.withLock { $0.damagedRows = count }
  }
}
