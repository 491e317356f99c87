internal import CLinux
public import DBus
internal import Foundation
internal import Synchronization

/// A true `dbus-daemon` that belongs to one test: its own folder, socket and limits. It ends with this object.
public final class PrivateBus: Sendable {
  /// What went wrong with the daemon itself.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The folder of socket and configuration; the test may put files of its own there.
  public let folder: String
  /// Where `.service` files for activation go.
  public var serviceFolder: String { folder + "/services" }
  /// The address; the same after ``restart()``.
  public var address: BusAddress { BusAddress("unix:path=" + socket) }

  /// The address of a bus that listens on TCP too; nil for others.
  public var tcpAddress: BusAddress? {
    let addresses = daemon.withLock { $0?.addresses ?? "" }.split(separator: ";")
    return addresses.first { $0.hasPrefix("tcp:") }.map { BusAddress(String($0)) }
  }

  private struct Daemon {
    /// The daemon's own process.
    var id: Int32
    /// The shell that ends the daemon when this process ends, however that comes about.
    var keeper: Int32
    /// The keeper reads from the other end; closed, it goes.
    var lifeline: OwnedDescriptor?
    /// What the daemon listens on.
    var addresses: String
  }

  private let socket: String
  private let userID: UInt32?
  private let daemon = Mutex<Daemon?>(nil)

  /// Starts a bus.
  /// - Parameters:
  ///   - userID: whom the daemon runs as, if not as us; takes root.
  ///   - services: texts of activation files by name; the daemon reads them when it starts.
  ///   - listensOnTCP: lets anybody on this machine in, at ``tcpAddress``, where no descriptors can be passed.
  ///   - extraConfiguration: more elements for the configuration, policies for example.
  public init(
    userID: UInt32? = nil, services: [String: String] = [:], listensOnTCP: Bool = false,
    extraConfiguration: String = ""
  ) async throws {
    folder = try Self.makeFolder()
    socket = folder + "/bus"
    self.userID = userID
    try FileManager.default.createDirectory(atPath: serviceFolder, withIntermediateDirectories: true)
    for (name, text) in services {
      try text.write(toFile: serviceFolder + "/" + name, atomically: true, encoding: .utf8)
    }
    let tcp = """
      <listen>tcp:host=127.0.0.1,port=0,family=ipv4</listen><auth>ANONYMOUS</auth><allow_anonymous/>
      """
    try configuration((listensOnTCP ? tcp : "") + extraConfiguration).write(
      toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    if let userID {
      for path in [folder, serviceFolder, folder + "/bus.conf"] where unsafe chown(path, userID, userID) != 0 {
        throw Failure(description: "chown \(path): error \(errno)")
      }
    }
    try await start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Ends the daemon at once, as a crash would.
  public func kill() {
    guard var ended = daemon.withLock({ $0.take() }) else { return }
    _ = Glibc.kill(ended.id, SIGKILL)
    ended.lifeline = nil
    Self.wait(for: ended.keeper)
    _ = unsafe unlink(socket)
  }

  /// Starts the daemon again on the same address.
  public func restart() async throws {
    kill()
    try await start()
  }

  /// Stops or goes on with the daemon's process: while it stands still, nobody gets an answer.
  public func setFrozen(_ frozen: Bool) {
    if let processID { _ = Glibc.kill(processID, frozen ? SIGSTOP : SIGCONT) }
  }

  /// What the daemon wrote to its error stream.
  public var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// The daemon's process, while it runs.
  public var processID: Int32? { daemon.withLock { $0?.id } }

  private func start() async throws {
    var arguments = [
      "dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--print-address=1", "--print-pid=1",
    ]
    if let userID {
      arguments = ["setpriv", "--reuid=\(userID)", "--regid=\(userID)", "--clear-groups"] + arguments
    }
    let (output, printing) = try Self.makePipe()
    let (waiting, lifeline) = try Self.makePipe()
    let script = #""$@" <&- & read -r end; kill -KILL $! 2>&-; wait"#
    let keeper = try Self.spawn(
      ["sh", "-c", script, "sh"] + arguments, input: waiting, output: printing, log: folder + "/log")
    var lines: [String] = []
    do {
      lines = try await Self.read(2, from: output)
    } catch {
      _ = consume lifeline
      Self.wait(for: keeper)
      throw Failure(description: "\(error): \(log)")
    }
    guard let id = Int32(lines[1]) else { throw Failure(description: "dbus-daemon printed \(lines)") }
    let started = Daemon(id: id, keeper: keeper, lifeline: lifeline, addresses: lines[0])
    daemon.withLock { $0 = started }
  }

  /// The daemon prints its address and its process once it listens.
  private static func read(_ count: Int, from output: OwnedDescriptor) async throws -> [String] {
    var printed: [UInt8] = []
    try await eventually(within: .seconds(20), "dbus-daemon listens") {
      var ready = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&ready, 1, 0) == 1 else { return false }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let size = unsafe Glibc.read(output.rawValue, &buffer, buffer.count)
      guard size > 0 else { throw Failure(description: "dbus-daemon ended before it listened") }
      printed += buffer.prefix(size)
      return printed.count { $0 == UInt8(ascii: "\n") } >= count
    }
    return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func wait(for process: Int32) {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private static func makePipe() throws -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
    var ends: [Int32] = [0, 0]
    guard unsafe clinux_pipe(&ends) == 0 else { throw Failure(description: "pipe: error \(errno)") }
    return (OwnedDescriptor(adopting: ends[0]), OwnedDescriptor(adopting: ends[1]))
  }

  private static func spawn(
    _ arguments: [String], input: OwnedDescriptor, output: OwnedDescriptor, log: String
  ) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The daemon starts with no signal blocked, whatever the test runner does.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: Int32 = 0
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    let error = unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, &pointers, environ)
    if error != 0 { throw Failure(description: "\(arguments[0]) cannot be started: error \(error)") }
    return child
  }

  private static func makeFolder() throws -> String {
    var template = Array("/tmp/notify-bridge-bus-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failure(description: "mkdtemp: error \(errno)") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func configuration(_ extra: String) -> String {
    let limits = [
      "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000, "max_message_size": 134_217_728,
      "max_incoming_unix_fds": 1024, "max_outgoing_unix_fds": 1024, "max_message_unix_fds": 128,
      "max_completed_connections": 10_000, "max_incomplete_connections": 1000, "max_connections_per_user": 10_000,
      "max_match_rules_per_connection": 10_000, "max_replies_per_connection": 100_000,
      "max_names_per_connection": 1000, "service_start_timeout": 25_000, "auth_timeout": 30_000,
    ]
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <keep_umask/>
        <listen>unix:path=\(socket)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(serviceFolder)</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        \(limits.sorted { $0.key < $1.key }.map { "<limit name=\"\($0.key)\">\($0.value)</limit>" }
          .joined(separator: "\n  "))
        \(extra)
      </busconfig>

      """
  }
}
