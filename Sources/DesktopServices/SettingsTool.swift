internal import CLinux
internal import Dispatch
internal import Glibc

/// Reads GSettings through the `gsettings` program, so that a command need not link GLib.
enum SettingsTool {
  /// A boolean key; nil where the program, the schema or the key is missing, or no answer came within 2 s.
  static func boolean(_ schema: String, _ key: String) async -> Bool? {
    switch await output(["gsettings", "get", schema, key]) {
    case "true\n": true
    case "false\n": false
    default: nil
    }
  }

  private static func output(_ arguments: [String]) async -> String? {
    await withCheckedContinuation { continuation in
      // Waiting for a process blocks: on a thread of its own, never on the cooperative pool.
      DispatchQueue.global().async { continuation.resume(returning: run(arguments)) }
    }
  }

  /// The output of a program that ended well within 2 s.
  private static func run(_ arguments: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe argv.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let status = unsafe posix_spawnp(&process, arguments[0], &actions, nil, &argv, environ)
    close(ends[1])
    guard status == 0 else { return nil }
    let text = read(ends[0], within: 2000)
    if text == nil { kill(process, SIGKILL) }
    var result: Int32 = 0
    while unsafe waitpid(process, &result, 0) < 0, errno == EINTR {}
    return result == 0 ? text : nil
  }

  /// All of it, at most 4 KiB; nil if it takes longer than that many milliseconds.
  private static func read(_ descriptor: Int32, within milliseconds: Int32) -> String? {
    var bytes: [UInt8] = []
    let deadline = ContinuousClock.now.advanced(by: .milliseconds(milliseconds))
    while bytes.count < 4096 {
      let left = ContinuousClock.now.duration(to: deadline)
      let wait = Int32(left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000)
      guard wait > 0 else { return nil }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, wait)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
