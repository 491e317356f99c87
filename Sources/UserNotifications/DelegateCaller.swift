import Dispatch
import NotificationBridge
import Synchronization

/// Calls the delegate: on the main queue, responses one after the other, and never waits for it for ever.
final class DelegateCaller: Sendable {
  /// How long is waited.
  struct Limits: Sendable {
    /// For a completion handler to be called; then things go on without.
    var answer = Duration.seconds(3)
    /// For the main queue to run at all; then a message says that it does not.
    var mainQueue = Duration.seconds(5)
  }

  /// Weak, as the property of the center is.
  private struct WeakDelegate: @unchecked Sendable {  // Unchecked: used on the main queue alone, but for nil checks.
    weak var value: (any UNUserNotificationCenterDelegate)?
  }

  /// Messages that are written once.
  private enum Warning { case unansweredResponse, unansweredQuestion, mainQueue }

  private struct State: Sendable {
    var delegate = WeakDelegate()
    weak var center: UNUserNotificationCenter?
    var waiting: [ResponseRecord] = []
    /// The response that is being handled.
    var current: ResponseRecord?
    /// The delegate has been given it.
    var isWithDelegate = false
    var warnings: Set<Warning> = []
  }

  private let limits: Limits
  private let state = Mutex(State())
  /// Called when a response has been handled; calls back when those who must know of it do.
  typealias Handled = @Sendable (ResponseRecord, _ told: @escaping @Sendable () -> Void) -> Void
  private let onHandled: Mutex<Handled> = Mutex({ $1() })
  private let log: any BridgeLog

  init(limits: Limits = Limits(), log: any BridgeLog) {
    self.limits = limits
    self.log = log
  }

  /// The center that delegates are told about; it owns this object.
  func attach(to center: UNUserNotificationCenter, onHandled: @escaping Handled) {
    state.withLock { $0.center = center }
    self.onHandled.withLock { $0 = onHandled }
    Leaving.add { [weak self] in self?.leave() }
  }

  /// Set from any thread; what waited for a delegate is handed over in order.
  var delegate: (any UNUserNotificationCenterDelegate)? {
    get { state.withLock { $0.delegate }.value }
    set {
      let delegate = WeakDelegate(value: newValue)
      state.withLock { $0.delegate = delegate }
      next()
    }
  }

  /// Files of responses that no delegate has dealt with yet.
  var attachmentPaths: Set<String> {
    let responses = state.withLock { $0.waiting + ($0.current.map { [$0] } ?? []) }
    return Set(responses.flatMap { $0.notification.request.content.attachments.map(\.path) })
  }

  // MARK: Responses

  /// Takes a response; it waits until there is a delegate.
  func receive(_ response: ResponseRecord) {
    state.withLock { $0.waiting.append(response) }
    next()
  }

  private func next() {
    // Outside the lock: this may be the delegate's last reference, and what its end does may come back here.
    guard delegate != nil else { return }
    let hasNext = state.withLock { state in
      guard state.current == nil, !state.waiting.isEmpty else { return false }
      state.current = state.waiting.removeFirst()
      state.isWithDelegate = false
      return true
    }
    if hasNext { onMain(whenLate: {}) { self.handOver() } }
  }

  /// The user wants to see the application's settings, from outside any notification.
  /// - Returns: false: nobody is there to show them.
  func openSettings() -> Bool {
    guard state.withLock({ $0.delegate.value != nil && $0.center != nil }) else { return false }
    onMain(whenLate: {}) { [self] in
      let (weak, center) = state.withLock { ($0.delegate, $0.center) }
      guard let delegate = weak.value, let center else { return }
      delegate.userNotificationCenter(center, openSettingsFor: nil)
    }
    return true
  }

  private func handOver() {
    let (current, weak, center) = state.withLock { ($0.current, $0.delegate, $0.center) }
    guard let response = current else { return }
    guard let delegate = weak.value, let center else {
      // It went while the main queue was busy: the next one gets it.
      state.withLock { state in
        state.waiting.insert(response, at: 0)
        state.current = nil
      }
      return
    }
    state.withLock { $0.isWithDelegate = true }
    guard let object = UNNotificationResponse.make(response) else {
      delegate.userNotificationCenter(center, openSettingsFor: UNNotification(response.notification))
      finish(response)
      return
    }
    let probe = ResponseProbe()
    ResponseProbe.$current.withValue(probe) {
      delegate.userNotificationCenter(center, didReceive: object) { [self] in
        if probe.isNotImplemented.load(ordering: .relaxed) {
          log.write(.debug, "the delegate takes no responses; that to \(object.name) was dropped")
        }
        finish(response)
      }
    }
    after(limits.answer) { [self] in
      guard finish(response) else { return }
      warn(
        .unansweredResponse,
        "the delegate did not call the completion handler for the response to \(object.name) within "
          + "\(limits.answer); later responses do not wait for it")
    }
  }

  /// - Returns: whether it was still being handled.
  @discardableResult
  private func finish(_ response: ResponseRecord) -> Bool {
    let isCurrent = state.withLock { state in
      guard state.current?.id == response.id else { return false }
      state.current = nil
      return true
    }
    guard isCurrent else { return false }
    onHandled.withLock { $0 }(response) {}
    next()
    return true
  }

  /// The process ends by `exit`, often in the delegate's own method: what the delegate was given has been dealt with,
  /// and must not come again when the program is started next. After a crash it does.
  private func leave() {
    let response = state.withLock { state in state.isWithDelegate ? state.current.take() : nil }
    guard let response else { return }
    let told = DispatchSemaphore(value: 0)
    onHandled.withLock { $0 }(response) { told.signal() }
    _ = told.wait(timeout: .now() + .seconds(1))
  }

  // MARK: Presentation

  /// Asks how to present a notification; nil as an answer: the delegate does not say, or cannot be asked.
  func present(_ record: NotificationRecord, _ answer: @escaping @Sendable (PresentationOptions?) -> Void) {
    guard delegate != nil else { return answer(nil) }
    let once = OneAnswer(answer)
    onMain(whenLate: { _ = once.give(nil) }) { [self] in
      let (weak, center) = state.withLock { ($0.delegate, $0.center) }
      guard let delegate = weak.value, let center else {
        _ = once.give(nil)
        return
      }
      delegate.userNotificationCenter(center, willPresent: UNNotification(record)) { options in
        _ = once.give(options.contains(.notImplemented) ? nil : PresentationOptions(rawValue: options.rawValue))
      }
      after(limits.answer) { [self] in
        guard once.give([]) else { return }
        warn(
          .unansweredQuestion,
          "the delegate did not say within \(limits.answer) how to present "
            + "\(record.request.identifier.quotedForPeople); it is not presented")
      }
    }
  }

  // MARK: Time

  /// Runs `work` on the main queue, and `late` if that has not begun in time; `work` is not taken back.
  private func onMain(whenLate late: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () -> Void) {
    let hasBegun = Flag()
    DispatchQueue.main.async {
      hasBegun.value.store(true, ordering: .relaxed)
      work()
    }
    after(limits.mainQueue) { [self] in
      guard !hasBegun.value.load(ordering: .relaxed) else { return }
      warn(
        .mainQueue,
        "the main queue has not run for \(limits.mainQueue), so the delegate hears of nothing: run a RunLoop or "
          + "dispatchMain(), and do not block the main thread")
      late()
    }
  }

  private func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
  }

  private func warn(_ warning: Warning, _ text: String) {
    if state.withLock({ $0.warnings.insert(warning).inserted }) { log.write(.warning, text) }
  }
}

/// Something that is answered once, by whoever is first.
private final class OneAnswer<Answer: Sendable>: Sendable {
  private let take: Mutex<(@Sendable (Answer) -> Void)?>

  init(_ take: @escaping @Sendable (Answer) -> Void) { self.take = Mutex(take) }

  /// - Returns: whether this was the first answer.
  func give(_ answer: Answer) -> Bool {
    guard let take = take.withLock({ $0.take() }) else { return false }
    take(answer)
    return true
  }
}

private final class Flag: Sendable { let value = Atomic(false) }

extension UNNotificationResponse {
  fileprivate var name: String { notification.request.identifier.quotedForPeople }
}
