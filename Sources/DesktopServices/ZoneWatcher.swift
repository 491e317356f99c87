internal import CLinux
internal import Glibc
internal import Synchronization

/// Hears of changes of the system's zone: one watch of the kernel's for all who wait.
///
/// The entries of the folder are watched and not the files, since a zone is changed by putting another link in place.
/// All but ``watcher(of:)`` runs on the service thread; unchecked since the plain variables are touched there only.
final class ZoneWatcher: @unchecked Sendable {
  private static let watchers = Mutex<[String: ZoneWatcher]>([:])

  /// The one watcher below this root.
  static func watcher(of root: String) -> ZoneWatcher {
    watchers.withLock { watchers in
      if let watcher = watchers[root] { return watcher }
      let watcher = ZoneWatcher(folder: root.hasSuffix("/") ? root + "etc" : root + "/etc")
      watchers[root] = watcher
      return watcher
    }
  }

  private static let names: Set<String> = ["localtime", "timezone"]

  private let folder: String
  private var descriptor: Int32 = -1
  private let token = ServiceThread.shared.newToken()
  private var waiting: [ServiceThread.Token: () -> Bool] = [:]
  /// The zone was changed while nobody waited: whoever comes next may not know.
  private var hasMissed = false

  private init(folder: String) { self.folder = folder }

  /// Calls `changed` once, when the zone has been changed; it says whether it was still waited for. Where the kernel
  /// lets us not watch, never.
  func add(_ waiter: ServiceThread.Token, _ changed: @escaping () -> Bool) {
    start()
    if hasMissed {
      hasMissed = !changed()
      return
    }
    waiting[waiter] = changed
  }

  func remove(_ waiter: ServiceThread.Token) { waiting[waiter] = nil }

  private func start() {
    if descriptor >= 0 { return }
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return }
    let events = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR
    guard unsafe inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else { return stop() }
    ServiceThread.shared.watch(descriptor, for: POLLIN, as: token) { [self] _ in read() }
  }

  /// The folder itself is gone, or may not be watched; the next who waits tries again.
  private func stop() {
    ServiceThread.shared.forget(token)
    close(descriptor)
    descriptor = -1
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    var changes = false
    // Each: int wd, uint32_t mask, cookie, length; then that many bytes of a name that NULs end.
    var rest = buffer[..<count]
    while rest.count >= 16 {
      let numbers = unsafe rest.withUnsafeBytes { bytes in
        unsafe (
          mask: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
          length: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        )
      }
      let name = rest.dropFirst(16).prefix(Int(numbers.length)).prefix { $0 != 0 }
      changes = changes || Self.names.contains(String(decoding: name, as: UTF8.self))
      // Some were lost.
      if numbers.mask & UInt32(IN_Q_OVERFLOW) != 0 { changes = true }
      if numbers.mask & UInt32(IN_IGNORED) != 0 {
        stop()
        changes = true
        break
      }
      rest = rest.dropFirst(16 + Int(numbers.length))
    }
    if changes { tell() }
  }

  private func tell() {
    let told = waiting
    waiting = [:]
    // Who was cancelled in this moment has not heard of it, and may be followed by one who does not know either.
    hasMissed = told.isEmpty
    for changed in told.values where !changed() { hasMissed = true }
  }
}
