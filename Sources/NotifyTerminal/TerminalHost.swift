internal import DBus
internal import FreedesktopNotifications
internal import Glibc

/// Takes events one by one, asks the model what to make of them, and does it: answers, signals, drawing.
struct TerminalHost {
  let service: NotificationService
  private(set) var model: TerminalModel
  private var face: any Face
  private let readsMarkup: Bool
  private let keepsPictures: Bool
  private let clock = SuspendingClock()
  private let start: SuspendingClock.Instant

  init(service: NotificationService, model: TerminalModel, face: any Face, readsMarkup: Bool, keepsPictures: Bool) {
    self.service = service
    self.model = model
    self.face = face
    self.readsMarkup = readsMarkup
    self.keepsPictures = keepsPictures
    start = clock.now
  }

  private var now: Duration { start.duration(to: clock.now) }

  /// How long until something is due; nil while nothing is.
  var delay: Duration? {
    [model.nextDeadline, face.deadline].compactMap(\.self).min().map { $0 - now }
  }

  mutating func begin() {
    face.begin()
    _ = deliver()
  }

  mutating func end() { face.end() }

  /// - Returns: nil, or how the run ends.
  mutating func handle(_ event: HostEvent) -> TerminalOutcome? {
    let now = now
    var closing: CloseAnswer?
    switch event {
    case .notify(let notification, let answer):
      let content = Content(notification, readsMarkup: readsMarkup, keepsPicture: keepsPictures)
      let serverID = model.show(
        content, replacing: notification.replacesID, timeout: notification.expireTimeout, clock: TimeOfDay.now,
        now: now)
      answer.accept(serverID)
    case .close(let serverID, let answer):
      if model.close(serverID, now: now) {
        closing = answer
      } else {
        // The specification wants an empty error.
        answer.refuse("org.freedesktop.Notifications.Error.InvalidId", "")
      }
    case .input(let bytes): face.take(bytes, &model, now: now)
    case .inputEnded: if face.endsWithInput { return .signal(SIGHUP) }
    case .timer: break
    case .signal(SIGWINCH): face.redraw()
    case .signal(SIGCONT): face.resume()
    case .signal(SIGTSTP): model.handle(.control("z"), now: now)
    case .signal(let number): return .signal(number)
    case .nameLost: return .replaced
    case .busLost(let error): return .noBus("the bus is gone: \(error)")
    }
    face.dueNow(&model, now: now)
    model.advance(to: now)
    let outcome = deliver()
    closing?.done()
    return outcome
  }

  /// Does what the model wants done.
  private mutating func deliver() -> TerminalOutcome? {
    let effects = model.takeEffects()
    for effect in effects {
      switch effect {
      case .closed(let serverID, let reason): service.closed(serverID, reason)
      case .invoked(let serverID, let key, _, _): service.actionInvoked(serverID, key: key)
      case .replied(let serverID, let text): service.replied(serverID, text: text)
      case .shown, .note, .finished: break
      }
    }
    if !face.present(effects, model, now: now) { return .failed("nobody reads the output any more") }
    return effects.contains(.finished) ? .finished : nil
  }
}

/// The time of day, for people.
enum TimeOfDay {
  /// Hours and minutes in the system's zone, `14:05`.
  static var now: String {
    var seconds = time(nil)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
    func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return unsafe twoDigits(parts.tm_hour) + ":" + twoDigits(parts.tm_min)
  }
}
