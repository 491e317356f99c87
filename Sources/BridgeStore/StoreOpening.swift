import CSQLite
import NotificationBridge

/// Opens the store of a folder: makes it when there is none, and puts a new one in the place of a damaged one.
struct StoreOpening {
  var schema: Schema
  var limits: HistoryLimits
  var log: any BridgeLog
  /// What the user should know about, a sentence each.
  private(set) var problems: [String] = []

  init(schema: Schema, limits: HistoryLimits, log: any BridgeLog) {
    self.schema = schema
    self.limits = limits
    self.log = log
  }

  mutating func open(_ folder: StoreFolder) throws(BridgeError) -> Session {
    for old in folder.setAside() {
      problems.append("a store that was damaged earlier lies at \(old.quotedPath): remove it when it is of no use")
    }
    folder.discard(folder.draft)
    folder.discard(folder.copy)
    if Files.exists(folder.replacement) {
      try putReplacement(folder, "it was damaged; the bridge ended while it was being replaced")
    } else if !Files.exists(folder.store) {
      if (Files.size(folder.store + "-wal") ?? 0) > 0 {
        report("the store \(folder.store.quotedPath) has gone, its log was set aside as \(try moveAside(folder))")
      }
      try make(folder.draft, in: folder)
      try folder.move(folder.draft, to: folder.store)
      Files.syncFolder(folder.path)
    }
    do throws(BridgeError) {
      return try session(folder)
    } catch  where error.isDamage {
      return try replace(folder, because: error)
    }
  }

  private func session(_ folder: StoreFolder) throws(BridgeError) -> Session {
    if Files.size(folder.store) == 0 {
      // SQLite would take it for a new one, and throw its log away. Ours are never empty.
      throw BridgeError(SQLiteError(code: SQLITE_NOTADB, text: "the file is empty"), path: folder.store)
    }
    return try Session(path: folder.store, schema: schema, limits: limits, log: log)
  }

  /// Puts a new store with what can still be read in the place of a damaged one that nobody has open any more.
  mutating func replace(_ folder: StoreFolder, because error: BridgeError) throws(BridgeError) -> Session {
    log.write(.error, "\(error)")
    folder.discard(folder.draft)
    folder.discard(folder.copy)
    for suffix in ["", "-wal"] where Files.exists(folder.store + suffix) {
      try Files.duplicate(folder.store + suffix, to: folder.copy + suffix)
    }
    var salvage = Salvage(schema: schema)
    do {
      let draft = try make(folder.draft, in: folder)
      try salvage.run(from: folder.copy, into: draft)
    }
    folder.discard(folder.copy)
    try folder.move(folder.draft, to: folder.replacement)
    let amount = salvage.isComplete ? "all" : "not all"
    try putReplacement(folder, "\(error); \(salvage.rows) rows were salvaged (\(amount) could be read)")
    return try session(folder)
  }

  /// The last step; done again at the next start if it is interrupted.
  private mutating func putReplacement(_ folder: StoreFolder, _ reason: String) throws(BridgeError) {
    Files.syncFolder(folder.path)
    let aside = try moveAside(folder)
    try folder.move(folder.replacement, to: folder.store)
    Files.syncFolder(folder.path)
    report(
      "the store \(folder.store.quotedPath) was replaced by a new one, the old one was set aside as \(aside): "
        + reason
    )
  }

  private mutating func report(_ problem: String) {
    log.write(.error, problem)
    problems.append(problem)
  }

  /// Gives what lies in the store's place another name: the log first, for a log that stays behind would be taken for
  /// that of the next store.
  /// - Returns: that name, quoted.
  private func moveAside(_ folder: StoreFolder) throws(BridgeError) -> String {
    let stem = folder.store + ".damaged-" + Files.timestamp()
    var name = stem
    var count = 1
    while ([""] + StoreFolder.companions).contains(where: { Files.exists(name + $0) }) {
      count += 1
      name = "\(stem).\(count)"
    }
    for suffix in StoreFolder.companions + [""] where Files.exists(folder.store + suffix) {
      try folder.move(folder.store + suffix, to: name + suffix)
    }
    Files.syncFolder(folder.path)
    return name.quotedPath
  }

  /// A new, empty store under another name; with a rollback journal, so that it is whole when its transaction is.
  @discardableResult
  private func make(_ file: String, in folder: StoreFolder) throws(BridgeError) -> Database {
    try folder.makeFile(file)
    let database = try Database(path: file, keepsLog: false)
    try schema.migrate(database)
    return database
  }
}
