internal import CLinux
internal import Glibc

/// Starting a program with posix_spawn(3): nothing reaches it but what it is given.
enum Spawn {
  /// How a child stands to us.
  enum Standing {
    /// In a process group of its own; reads from and writes to these descriptors, which stay the caller's.
    case ours(input: Int32?, output: Int32, errors: Int32)
    /// In a session of its own; reads and writes nothing.
    case alone
  }

  /// Starts the program. Blocks until it is executed.
  static func start(_ command: Command, stands standing: Standing) throws(CommandError) -> pid_t {
    let path = try command.programPath()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    var input: Int32?
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    switch standing {
    case .ours(let given, let output, let errors):
      input = given
      flags |= POSIX_SPAWN_SETPGROUP
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    case .alone:
      flags |= Int32(CLINUX_SPAWN_SETSID)
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder = command.workingDirectory { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = command.environment.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }
    var words = unsafe ([path] + command.arguments).map { unsafe strdup($0) } + [nil]
    var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer {
      unsafe words.forEach { unsafe free($0) }
      unsafe environment.forEach { unsafe free($0) }
    }
    var child: pid_t = 0
    var error: Int32 = 0
    for _ in 0..<20 {
      error = unsafe posix_spawn(&child, path, &actions, &attributes, &words, &environment)
      // Somebody writes the program, or another thread's child is about to let go of a descriptor by which it was written.
      if error != ETXTBSY { break }
      usleep(5000)
    }
    guard error == 0 else { throw Self.error(error, path, command.workingDirectory) }
    return child
  }

  private static func error(_ number: Int32, _ path: String, _ folder: String?) -> CommandError {
    let reason = unsafe String(cString: strerror(number))
    switch number {
    case ENOENT, ENOTDIR, EACCES, ELOOP:
      if let folder, Command.isExecutable(path) {
        return CommandError(.refused, "\(path) cannot be started in the folder \(folder): \(reason)")
      }
      return CommandError(.programNotFound, "\(path) cannot be executed: \(reason)")
    case ENOEXEC:
      return CommandError(
        .programNotFound, "\(path) is nothing that the system can execute; a script begins with #! and its interpreter")
    default: return CommandError(.refused, "\(path) cannot be started: \(reason)")
    }
  }
}

/// A pipe whose ends are above the numbers of the standard streams, so that giving one to a child never overwrites
/// another.
struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws(CommandError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else {
      throw CommandError(.refused, "no pipe can be opened: \(unsafe String(cString: strerror(errno)))")
    }
    let raised = ends.map { end -> Int32 in
      guard end <= STDERR_FILENO else { return end }
      defer { Glibc.close(end) }
      return clinux_duplicate(end)
    }
    (reading, writing) = (raised[0], raised[1])
    if reading < 0 || writing < 0 {
      close()
      throw CommandError(.refused, "no pipe can be opened: no descriptor is left")
    }
  }

  func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
