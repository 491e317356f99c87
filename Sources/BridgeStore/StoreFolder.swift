import Glibc
import NotificationBridge

/// The folder of the store: its files by name, and the lock that says who has it.
///
/// Owns the lock's descriptor; the kernel takes the lock back when the process ends, however that comes about.
final class StoreFolder: Sendable {
  let path: String
  private let lock: Int32

  var store: String { path + "/bridge.sqlite" }
  /// A store that is being made.
  var draft: String { path + "/bridge.sqlite.new" }
  /// A finished store that is about to take the place of a damaged one.
  var replacement: String { path + "/bridge.sqlite.salvaged" }
  /// A copy of a damaged store, to be read from.
  var copy: String { path + "/bridge.sqlite.reading" }

  /// What SQLite puts beside a file: its log and that one's index.
  static let companions = ["-wal", "-shm"]

  /// Makes the folder, readable for its owner alone, and takes the lock.
  /// - Throws: ``BridgeError`` with code `store`, also when another process has the lock.
  init(path: String) throws(BridgeError) {
    self.path = path
    try Self.makeFolder(path)
    let name = path + "/bridge.lock"
    let lock = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if lock < 0 { throw BridgeError(system: "the lock \(name.quotedPath) of the store cannot be opened", errno) }
    var number = Self.take(lock)
    // A program that the former holder was just starting may have the lock for a moment, until it is executed.
    for _ in 0..<50 where number == EWOULDBLOCK {
      usleep(20_000)
      number = Self.take(lock)
    }
    if number != 0 {
      let holder = Self.holder(lock)
      close(lock)
      if number != EWOULDBLOCK {
        throw BridgeError(system: "the lock \(name.quotedPath) of the store cannot be taken", number)
      }
      throw BridgeError(
        .store, "the store in \(path.quotedPath) is in use by \(holder): end that process, or use its bridge")
    }
    self.lock = lock
    // Only for the message above.
    ftruncate(lock, 0)
    let text = Array("\(getpid())\n".utf8)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(lock, $0.baseAddress, $0.count, 0) }
  }

  deinit {
    // For whoever inherited the descriptor, too.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// - Returns: 0, or the system's number for why the lock cannot be had.
  private static func take(_ lock: Int32) -> Int32 { flock(lock, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }

  /// Who wrote its number into the lock.
  private static func holder(_ lock: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(lock, $0.baseAddress, $0.count, 0) }
    let digits = bytes.prefix(max(count, 0)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard let number = Int32(String(decoding: digits, as: UTF8.self)) else { return "another process" }
    let name = Files.read("/proc/\(number)/comm", limit: 64).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = name.prefix { $0 != "\n" }
    return line.isEmpty ? "process \(number)" : "process \(number) (\(String(line).quotedForPeople))"
  }

  /// Makes the folder and those above it, or makes the one that is there private.
  private static func makeFolder(_ path: String) throws(BridgeError) {
    switch Files.makeFolders(path) {
    case 0: return
    case EEXIST: break
    case let number: throw BridgeError(system: "the folder \(path.quotedPath) of the store cannot be made", number)
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw BridgeError(system: "\(path.quotedPath), where the store belongs, is no folder", ENOTDIR)
    }
    if status.st_mode & 0o077 != 0, unsafe chmod(path, 0o700) != 0 {
      throw BridgeError(system: "the folder \(path.quotedPath) of the store cannot be made private", errno)
    }
  }

  /// Takes a file and its companions away.
  func discard(_ file: String) {
    for suffix in [""] + Self.companions { unsafe unlink(file + suffix) }
  }

  /// Makes an empty file that its owner alone can read.
  func makeFile(_ file: String) throws(BridgeError) {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw BridgeError(system: "the store \(file.quotedPath) cannot be made", errno) }
    close(descriptor)
  }

  /// Gives a file another name; nothing may have that.
  func move(_ file: String, to name: String) throws(BridgeError) {
    if unsafe rename(file, name) != 0 {
      throw BridgeError(system: "\(file.quotedPath) cannot be renamed to \(name.quotedPath)", errno)
    }
  }

  /// The stores that were set aside, this time or earlier.
  func setAside() -> [String] {
    Files.names(in: path).filter { name in
      name.hasPrefix("bridge.sqlite.damaged-") && !Self.companions.contains { name.hasSuffix($0) }
    }.sorted().map { "\(path)/\($0)" }
  }
}

extension BridgeError {
  /// A failed system call.
  init(system message: String, _ number: Int32) {
    let text = unsafe String(cString: strerror(number))
    self.init(.store, "\(message): \(text) (system error \(number))")
  }
}
