internal import DesktopServices
internal import NotificationBridge

/// A content extension's program, and who waits for what from it.
///
/// Unchecked since everything is touched within `work` only, one after the other.
final class ContentRun: @unchecked Sendable {
  /// What an answer is to somebody.
  enum Answer: Sendable {
    /// An update answers.
    case update(Once<Bool>)
    /// A word on what becomes of the notification answers.
    case decision(Once<ContentExtensionDecision?>)

    var wasCalled: Bool {
      switch self {
      case .update(let answer): answer.wasCalled
      case .decision(let answer): answer.wasCalled
      }
    }

    func none() {
      switch self {
      case .update(let answer): answer.call(false)
      case .decision(let answer): answer.call(nil)
      }
    }
  }

  private struct Waiting {
    let answer: Answer
    let timer: ServiceTimer
  }

  /// Of lines that it may write; what is beyond waits.
  private static let lines = (most: 200.0, perSecond: 100.0)

  private let work = SerialWork()
  private let starter: ExtensionStarter
  private let application: String
  private let name: String
  private let log: any BridgeLog
  private let events: @Sendable (ContentExtensionEvent) -> Void
  private let bundle: @Sendable () -> ExtensionBundle?

  private var program: LineProgram?
  private var journal: ExtensionJournal?
  /// Tells the present program's events from those of earlier ones.
  private var generation = 0
  private var isClosed = false
  /// The last notification that it was told; a program that is started anew is told again.
  private var notification: ExtensionMessage?
  /// In the order in which answers come.
  private var waiting: [Waiting] = []
  private var starts: [ContinuousClock.Instant] = []
  private var isRefused = false
  /// What it said beyond its allowance, put together.
  private var held: ContentUpdate?
  /// A timer is set for that.
  private var isHolding = false
  private var updateAllowance: Allowance
  private var lineAllowance = Allowance(most: lines.most, perSecond: lines.perSecond)

  init(
    _ name: String, _ application: String, _ starter: ExtensionStarter, _ log: any BridgeLog,
    _ events: @escaping @Sendable (ContentExtensionEvent) -> Void, _ bundle: @escaping @Sendable () -> ExtensionBundle?
  ) {
    self.name = name
    self.application = application
    self.starter = starter
    self.log = log
    self.events = events
    self.bundle = bundle
    updateAllowance = Allowance(most: Double(starter.limits.updates), perSecond: Double(starter.limits.updates))
  }

  /// Ends the program; nobody waits any more.
  func close() {
    work.perform { [self] in
      isClosed = true
      leave()
    }
  }

  /// - Parameter answer: nil: nobody waits for one.
  func tell(_ message: ExtensionMessage, within limit: Duration, _ answer: Answer?) {
    // The time counts from now on, whatever `work` is busy with.
    let timer = answer.map { answer in ServiceTimer(after: limit) { [self] in isLate(answer) } }
    work.perform { [self] in
      guard !isClosed, let line = ExtensionLine.bytes(message) else {
        timer?.cancel()
        answer?.none()
        return
      }
      let isNotification = if case .notification = message { true } else { false }
      if program == nil {
        guard start() else {
          timer?.cancel()
          answer?.none()
          return
        }
        // It knows nothing of what its forerunner was told.
        if let notification, let line = ExtensionLine.bytes(notification) {
          let replay = Answer.update(Once { _ in })
          waiting.append(Waiting(answer: replay, timer: ServiceTimer(after: .seconds(2)) { [self] in isLate(replay) }))
          program?.send(line)
        }
      }
      if isNotification { notification = message }
      if let answer, let timer, !answer.wasCalled { waiting.append(Waiting(answer: answer, timer: timer)) }
      program?.send(line)
    }
  }

  /// Its time is over; what is said later answers the next one, or nobody.
  private func isLate(_ answer: Answer) {
    answer.none()
    work.perform { [self] in waiting.removeAll { $0.answer.wasCalled } }
  }

  // MARK: The program

  private func start() -> Bool {
    guard let bundle = bundle() else {
      if !isRefused {
        log.write(.warning, "extension \(name.quotedForPeople) of \(application.quotedForPeople) has gone")
      }
      isRefused = true
      return false
    }
    let journal = self.journal ?? ExtensionJournal(bundle, application, log)
    self.journal = journal
    let now = ContinuousClock.now
    starts.removeAll { now - $0 > .seconds(60) }
    guard starts.count <= starter.limits.restarts else {
      if !isRefused { journal.write(.warning, "it ended \(starts.count) times within a minute, and is not started") }
      isRefused = true
      return false
    }
    isRefused = false
    starts.append(now)
    generation += 1
    let generation = generation
    program = starter.start(bundle, of: application, timeLimit: .zero) { [self] event in
      work.perform { [self] in if generation == self.generation { take(event) } else { journal.ignore(event) } }
    }
    return true
  }

  private func take(_ event: LineProgram.Event) {
    switch event {
    case .lines(let lines):
      for line in lines where program != nil && !ExtensionLine.isBlank(line) { take(line) }
      guard let program else { return }
      if lineAllowance.take(Double(min(lines.count, Int(Self.lines.most)))) { return program.proceed() }
      _ = ServiceTimer(after: .milliseconds(500)) { program.proceed() }
    case .errors(let lines): journal?.take(lines)
    case .broke(let why): breaks(why)
    case .ended(let ending): breaks(ending?.words ?? "it ended")
    case .failed(let error): breaks("it was not started: \(error)")
    }
  }

  private func breaks(_ why: String) {
    journal?.write(.warning, why)
    leave()
    events(.ended)
  }

  /// Lets the program go; who waits gets no answer.
  private func leave() {
    flush()
    program?.end()
    program = nil
    generation += 1
    let waiting = waiting
    self.waiting = []
    for entry in waiting {
      entry.timer.cancel()
      entry.answer.none()
    }
  }

  // MARK: What it says

  private func take(_ line: [UInt8]) {
    do throws(BridgeError) {
      switch try ExtensionLine.message(line) {
      case .update(let update): take(update)
      case .done(let decision):
        // Updates before it lead to what it decides about.
        flush()
        guard let index = waiting.firstIndex(where: { if case .decision = $0.answer { true } else { false } }) else {
          return
        }
        let entry = waiting.remove(at: index)
        entry.timer.cancel()
        if case .decision(let answer) = entry.answer { answer.call(decision) }
      case .performDefaultAction: take(.performDefaultAction)
      case .dismiss: take(.dismiss)
      case .request, .expire, .notification, .response, .control, .media, .content:
        breaks("it said what content extensions do not say")
      }
    } catch {
      breaks("what it said cannot be read: \(error.message)")
    }
  }

  private func take(_ update: ContentUpdate) {
    if var held {
      held.merge(update)
      self.held = held
    } else {
      held = update
    }
    if case .update(let answer)? = waiting.first?.answer {
      flush()
      waiting.removeFirst().timer.cancel()
      answer.call(true)
      return
    }
    if !isHolding { flushIfAllowed() }
  }

  /// Tells what is held, now or a little later.
  private func flushIfAllowed() {
    isHolding = false
    guard held != nil, !isClosed else { return }
    if updateAllowance.take() { return flush() }
    isHolding = true
    _ = ServiceTimer(after: .milliseconds(100)) { [self] in work.perform { [self] in flushIfAllowed() } }
  }

  private func take(_ event: ContentExtensionEvent) {
    flush()
    if updateAllowance.take() { return events(event) }
    journal?.writeLimited("it asks too often for something to be done")
  }

  private func flush() {
    guard let update = held else { return }
    held = nil
    if !isClosed { events(.updated(update)) }
  }
}

extension ExtensionJournal {
  /// What a program says that is of no interest any more; its errors are.
  func ignore(_ event: LineProgram.Event) { if case .errors(let lines) = event { take(lines) } }
}
