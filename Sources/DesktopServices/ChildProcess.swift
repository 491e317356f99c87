/// Runs programs as children of this process: the path where there is no user manager.
///
/// A child gets the words, variables and input that it is given, no other descriptor, no blocked or ignored signal, and
/// a process group of its own. Nothing here blocks the caller, and nothing wakes the process when no child runs.
public enum ChildProcess {
  /// Runs a command to its end. Cancelling the task ends it as its time limit would, and the wait at once.
  ///
  /// What it leaves running in the background when it ends in time lives on, but what that writes goes nowhere.
  /// - Throws: ``CommandError`` with code `programNotFound` (naming the path), `invalid` or `refused`, if it did not run;
  ///   `uncertain` if the task was cancelled.
  public nonisolated(nonsending) static func run(_ command: Command) async throws(CommandError) -> CommandResult {
    if let fault = command.fault() { throw CommandError(.invalid, fault) }
    let answer = OneShot<Result<CommandResult, CommandError>>()
    let run = ChildRun(command) { answer.finish($0) }
    // Only for a file system that hangs while the program is being started: the run itself keeps to its time.
    let limit = command.timeLimit + ChildRun.killDelay + .seconds(30)
    let result = await answer.value(within: limit) {
      // On a thread of its own, since looking for the program and starting it touch file systems.
      if !BlockingWork.start({ if !answer.isFinished { run.start() } }) {
        answer.finish(.failure(CommandError(.refused, "'\(command.program)' cannot be started: no thread is left")))
      }
    }
    guard let result else {
      run.cancel()
      throw CommandError(.uncertain, "'\(command.program)' was cancelled, or could not be started in time")
    }
    return try result.get()
  }

  /// Starts a program that lives on by itself, in a session of its own, its input and outputs on `/dev/null`. The
  /// command's time limit and input do not count. Returns once the program is executed.
  /// - Returns: its process.
  /// - Throws: ``CommandError`` with code `programNotFound`, `invalid`, `refused`, or `uncertain` when a file system hangs.
  @discardableResult
  public nonisolated(nonsending) static func startDetached(_ command: Command) async throws(CommandError) -> Int32 {
    if let fault = command.fault() { throw CommandError(.invalid, fault) }
    let result = await BlockingWork.result(within: .seconds(30)) { () -> Result<Int32, CommandError>? in
      do throws(CommandError) {
        let child = try Spawn.start(command, stands: .alone)
        // It is ours to be reaped for as long as we live; nothing else is wanted of it.
        ExitWatch.watch(child) { _ = ExitWatch.reap(child) }
        return .success(child)
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw CommandError(.uncertain, "'\(command.program)' could not be started in time") }
    return try result.get()
  }
}
