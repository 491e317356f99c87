internal import DesktopServices
internal import NotificationBridge
internal import Synchronization

/// The notifications of one application that wait for its service extension, and those that it has now. Other
/// applications have lines of their own.
final class ServiceLine: Sendable {
  private final class Job: Sendable {
    let bundle: ExtensionBundle
    let request: RequestRecord
    let application: ApplicationRecord
    let deadline: ContinuousClock.Instant
    let answer: @Sendable (ContentRecord?) -> Void

    init(
      _ bundle: ExtensionBundle, _ request: RequestRecord, _ application: ApplicationRecord,
      _ deadline: ContinuousClock.Instant, _ answer: @escaping @Sendable (ContentRecord?) -> Void
    ) {
      self.bundle = bundle
      self.request = request
      self.application = application
      self.deadline = deadline
      self.answer = answer
    }
  }

  private struct State {
    var running = 0
    /// Of the extension that it was last, so that its limit holds for all that it writes.
    var journal: (bundle: ExtensionBundle, journal: ExtensionJournal)?
    var waiting: [Job] = []
  }

  private let starter: ExtensionStarter
  private let log: any BridgeLog
  private let state = Mutex(State())

  init(_ starter: ExtensionStarter, _ log: any BridgeLog) {
    self.starter = starter
    self.log = log
  }

  /// - Parameter answer: called once, from any thread.
  func add(
    _ bundle: ExtensionBundle, _ request: RequestRecord, _ application: ApplicationRecord,
    _ answer: @escaping @Sendable (ContentRecord?) -> Void
  ) {
    let job = Job(bundle, request, application, .now + starter.limits.serviceTime, answer)
    let starts: Bool? = state.withLock { state in
      if state.running < starter.limits.servicesAtOnce {
        state.running += 1
        return true
      }
      guard state.waiting.count < starter.limits.servicesWaiting else { return nil }
      state.waiting.append(job)
      return false
    }
    switch starts {
    case true?: start(job)
    case false?: expire(job)
    case nil:
      journal(job).write(.warning, "\(starter.limits.servicesWaiting) notifications wait for it: the original is shown")
      answer(nil)
    }
  }

  private func journal(_ job: Job) -> ExtensionJournal {
    state.withLock { state in
      if let journal = state.journal, journal.bundle == job.bundle { return journal.journal }
      let journal = ExtensionJournal(job.bundle, job.application.identifier, log)
      state.journal = (job.bundle, journal)
      return journal
    }
  }

  private func start(_ job: Job) {
    ServiceRun.start(
      job.bundle, job.request, job.application, until: job.deadline, starter, journal(job), job.answer
    ) { [self] in ended() }
  }

  private func ended() {
    let next: Job? = state.withLock { state in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    if let next { start(next) }
  }

  /// One whose time comes while it waits is shown as it is.
  private func expire(_ job: Job) {
    _ = ServiceTimer(after: ContinuousClock.now.duration(to: job.deadline)) { [self] in
      let isWaiting = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
        state.waiting.remove(at: index)
        return true
      }
      guard isWaiting else { return }
      journal(job).write(.warning, "others took its time: the original is shown")
      job.answer(nil)
    }
  }
}
