internal import DBus

/// What units are made of.
extension TransientUnits {
  /// A unit that runs once, ends when its program does, and stays known until it is removed, failed ones too.
  static func runProperties(_ command: Command, _ path: String, _ description: String) -> [(String, Value)] {
    var properties = commonProperties(command, path, description)
    properties += [
      ("Type", .string("oneshot")),
      ("RemainAfterExit", .boolean(true)),
      ("CollectMode", .string("inactive")),
      // We end it ourselves when its time is over, with all that it started; this is for when we are not there any more.
      ("TimeoutStartUSec", .uint64(microseconds(command.timeLimit + graceLimit))),
      // A browser that a script opened is not ended with the unit.
      ("KillMode", .string("process")),
    ]
    if !command.input.isEmpty {
      properties += [("StandardInput", .string("data")), ("StandardInputData", .bytes(command.input))]
    }
    return properties
  }

  /// An application's unit: it counts as started once its program is executed, and goes when the program has ended.
  /// - Parameter knowsExitType: false for managers before 250. With it the application ends with its last process;
  ///   without it what the first process leaves behind lives on unseen, instead of being ended with it.
  static func applicationProperties(
    _ command: Command, _ path: String, _ description: String, knowsExitType: Bool
  ) -> [(String, Value)] {
    commonProperties(command, path, description) + [
      ("Type", .string("exec")),
      ("CollectMode", .string("inactive-or-failed")),
      knowsExitType ? ("ExitType", .string("cgroup")) : ("KillMode", .string("process")),
    ]
  }

  /// A unit that reads from and writes to pipes of ours, and goes with all that it started when its program has ended.
  static func conversingProperties(
    _ command: Command, _ path: String, _ description: String, _ streams: [OwnedDescriptor]
  ) -> [(String, Value)] {
    var properties = commonProperties(command, path, description)
    properties += [
      ("Type", .string("exec")),
      ("CollectMode", .string("inactive-or-failed")),
      ("StandardInputFileDescriptor", .unixFD(streams[0])),
      ("StandardOutputFileDescriptor", .unixFD(streams[1])),
      ("StandardErrorFileDescriptor", .unixFD(streams[2])),
    ]
    if command.timeLimit > .zero {
      properties.append(("RuntimeMaxUSec", .uint64(microseconds(command.timeLimit + graceLimit))))
    }
    return properties
  }

  private static func commonProperties(
    _ command: Command, _ path: String, _ description: String
  ) -> [(String, Value)] {
    let words = [path] + command.arguments.map(quoted)
    let environment = command.environment.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }
    var properties: [(String, Value)] = [
      // Shown by tools a line each: a description with control characters would be refused or break them.
      ("Description", .string(String(description.unicodeScalars.map { $0.value < 32 ? " " : Character($0) }))),
      (
        "ExecStart",
        .array(of: "(sasb)", [.structure([.string(path), .strings(words), .boolean(false)])])
      ),
      ("Environment", .strings(environment)),
      ("Slice", .string("app.slice")),
      ("TimeoutStopUSec", .uint64(microseconds(stopLimit))),
    ]
    if let folder = command.workingDirectory { properties.append(("WorkingDirectory", .string(folder))) }
    return properties
  }

  /// The manager puts variables in place of `$NAME` and `${NAME}` in arguments; `$$` is a dollar.
  private static func quoted(_ word: String) -> String {
    word.utf8.contains(UInt8(ascii: "$"))
      ? word.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$") : word
  }

  private static func microseconds(_ duration: Duration) -> UInt64 {
    UInt64(min(max(duration / .microseconds(1), 1), 1e15))
  }
}
