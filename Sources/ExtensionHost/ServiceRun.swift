internal import DesktopServices
internal import NotificationBridge

/// One notification in the hands of a service extension: its program from start to end.
///
/// Unchecked since everything is touched within `work` only, one after the other.
final class ServiceRun: @unchecked Sendable {
  private let work = SerialWork()
  private let starter: ExtensionStarter
  private let journal: ExtensionJournal
  private let deadline: ContinuousClock.Instant
  private let answer: Once<ContentRecord?>
  private let ended: @Sendable () -> Void
  private var program: LineProgram?
  private var timer: ServiceTimer?
  private var isTooLate = false
  /// For a file system that hangs, and with it all that is done within `work`.
  private let backstop: ServiceTimer

  /// - Parameters:
  ///   - deadline: when it is told that its time is over.
  ///   - answer: called once.
  ///   - ended: called once, behind `answer`, when its program is gone.
  static func start(
    _ bundle: ExtensionBundle, _ request: RequestRecord, _ application: ApplicationRecord,
    until deadline: ContinuousClock.Instant, _ starter: ExtensionStarter, _ journal: ExtensionJournal,
    _ answer: @escaping @Sendable (ContentRecord?) -> Void, _ ended: @escaping @Sendable () -> Void
  ) {
    let run = ServiceRun(deadline, starter, journal, Once(answer), ended)
    run.work.perform { run.begin(bundle, request, application) }
  }

  private init(
    _ deadline: ContinuousClock.Instant, _ starter: ExtensionStarter, _ journal: ExtensionJournal,
    _ answer: Once<ContentRecord?>, _ ended: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.starter = starter
    self.journal = journal
    self.answer = answer
    self.ended = ended
    let limit = ContinuousClock.now.duration(to: deadline) + starter.limits.serviceGrace + .seconds(1)
    backstop = ServiceTimer(after: limit) {
      if answer.call(nil) { journal.write(.warning, "the original is shown: it could not be started in time") }
    }
  }

  private func begin(_ bundle: ExtensionBundle, _ request: RequestRecord, _ application: ApplicationRecord) {
    guard let line = ExtensionLine.bytes(.request(request, application)) else {
      giveUp("the notification cannot be written as JSON")
      return ended()
    }
    let limits = starter.limits
    let time = max(.zero, ContinuousClock.now.duration(to: deadline))
    program = starter.start(
      bundle, of: application.identifier, timeLimit: time + limits.serviceGrace + limits.endDelay
    ) { [self] event in work.perform { [self] in take(event) } }
    program?.send(line)
    timer = ServiceTimer(after: time) { [self] in work.perform { [self] in expire() } }
  }

  private func expire() {
    guard !answer.wasCalled else { return }
    if isTooLate {
      let time = starter.limits.serviceTime
      return giveUp("it gave no answer within \(TimeSpan.text(time))")
    }
    isTooLate = true
    if let line = ExtensionLine.bytes(.expire) { program?.send(line) }
    timer = ServiceTimer(after: starter.limits.serviceGrace) { [self] in work.perform { [self] in expire() } }
  }

  private func take(_ event: LineProgram.Event) {
    switch event {
    case .lines(let lines):
      for line in lines where !answer.wasCalled && !ExtensionLine.isBlank(line) { take(line) }
      if !answer.wasCalled { program?.proceed() }
    case .errors(let lines): journal.take(lines)
    case .broke(let why): giveUp(why)
    case .ended(let ending):
      giveUp((ending?.words ?? "it ended") + " without an answer")
      gone()
    case .failed(let error):
      giveUp("it was not started: \(error)")
      gone()
    }
  }

  private func take(_ line: [UInt8]) {
    do throws(BridgeError) {
      let message = try ExtensionLine.message(line)
      guard case .content(var content) = message else { return giveUp("its answer is no content") }
      guard !(content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty) else {
        return giveUp("its answer has neither title, subtitle nor body")
      }
      content.attachments.removeAll { attachment in
        let isUsable = attachment.path.hasPrefix("/") && SmallFile.isRegular(attachment.path)
        if !isUsable {
          journal.write(
            .warning,
            "\(attachment.path.quotedForPeople) is left out: give the absolute path of a file that can be read")
        }
        return !isUsable
      }
      finish(content)
    } catch {
      giveUp("its answer cannot be read: \(error.message)")
    }
  }

  /// The original is shown; unless there was an answer.
  private func giveUp(_ why: String) {
    guard !answer.wasCalled else { return }
    journal.write(.warning, "the original is shown: \(why)")
    finish(nil)
  }

  private func finish(_ content: ContentRecord?) {
    timer?.cancel()
    timer = nil
    backstop.cancel()
    answer.call(content)
    program?.end()
  }

  private func gone() {
    program = nil
    ended()
  }
}
