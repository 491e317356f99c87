internal import Dispatch

/// Runs tasks on a queue of its own.
///
/// The threads of the global executor are looked at by libdispatch once a second for as long as the process lives; a
/// program that mostly waits should not cost that.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "notify-bridge.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job is run once, here, and its task keeps it alive until then.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
