import CLinux
import Glibc

/// The pipes of a child that is about to start, and the start itself.
struct SpawnPlan {
  /// Our end of its standard input, or nil when it reads `/dev/null`.
  private(set) var input: Int32?
  /// Our ends of its outputs, by the number that the child sees.
  private(set) var outputs: [(number: Int32, ours: Int32)] = []
  /// The child's ends: far above the numbers it shall have, so that giving one never overwrites another.
  private var childEnds: [(number: Int32, theirs: Int32)] = []

  init(hasInput: Bool, outputs numbers: [Int32]) throws {
    if hasInput {
      let (reading, writing) = try Self.pipe()
      childEnds.append((0, try Self.raised(reading)))
      input = writing
      _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    }
    for number in numbers {
      let (reading, writing) = try Self.pipe()
      childEnds.append((number, try Self.raised(writing)))
      outputs.append((number, reading))
    }
  }

  /// The child's standard streams are these, which stay the caller's.
  init(given streams: [Int32]) throws {
    for (number, descriptor) in streams.enumerated() {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 200)
      if copy < 0 { throw RunnerError("descriptor \(descriptor) cannot be duplicated: error \(errno)") }
      childEnds.append((Int32(number), copy))
    }
  }

  /// Starts the program and returns its process number.
  func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ directory: String?
  ) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if input == nil { unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
    for end in childEnds { unsafe posix_spawn_file_actions_adddup2(&actions, end.theirs, end.number) }
    let numbers = Set(childEnds.map(\.number)).union([0])
    let highest = numbers.max() ?? 2
    for number in 0...highest where !numbers.contains(number) {
      unsafe posix_spawn_file_actions_addclose(&actions, number)
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, highest + 1)
    if let directory { unsafe posix_spawn_file_actions_addchdir_np(&actions, directory) }

    // Our threads block signals that the child must see, and a runner may ignore some (nohup, SIGPIPE).
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (argv + envp).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, &attributes, &argv, &envp)
    if failure != 0 { throw RunnerError("\(program) cannot be started: \(unsafe String(cString: strerror(failure)))") }
    return process
  }

  /// Closes the child's ends in this process, once the child has them.
  mutating func closeChildEnds() {
    for end in childEnds { close(end.theirs) }
    childEnds = []
  }

  /// Closes our ends, when there is no child.
  mutating func closeOurEnds() {
    for output in outputs { close(output.ours) }
    if let input { close(input) }
    (input, outputs) = (nil, [])
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    if unsafe pipe2(&ends, O_CLOEXEC) != 0 { throw RunnerError("no more pipes: error \(errno)") }
    return (ends[0], ends[1])
  }

  private static func raised(_ descriptor: Int32) throws -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 200)
    close(descriptor)
    if copy < 0 { throw RunnerError("no more descriptors: error \(errno)") }
    return copy
  }
}
