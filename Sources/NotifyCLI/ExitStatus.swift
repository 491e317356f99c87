internal import DBus
internal import NotificationBridge

/// What the command ends with; a contract with scripts.
enum ExitStatus: Int32, Sendable {
  /// Acted upon; without waiting: accepted.
  case success = 0
  case failure = 1
  /// Wrong usage or unusable input; nothing was sent.
  case usage = 2
  /// No bus or no daemon.
  case noDaemon = 3
  case dismissed = 10
  case expired = 11
  case closed = 12
  case replaced = 13
  case daemonLost = 14
  /// Our own waiting came to its end.
  case timeLimit = 15
  /// The daemon refused: too many, or too fast.
  case refused = 16

  /// The one place where a bridge error becomes a status.
  init(_ error: BridgeError) {
    switch error.code {
    case .noDaemon, .noBus: self = .noDaemon
    case .refused: self = .refused
    case .invalidRequest, .noContent, .noDate, .tooManyActions, .attachmentInvalidURL, .attachmentUnrecognizedType,
      .attachmentTooLarge, .attachmentUnreadable, .attachmentCorrupt, .badgeInvalid:
      self = .usage
    default: self = .failure
    }
  }

  /// The status for how a notification ended.
  init(_ outcome: Outcome) {
    switch outcome {
    case .responded: self = .success
    case .dismissed: self = .dismissed
    case .expired: self = .expired
    case .closed: self = .closed
    case .replaced: self = .replaced
    case .daemonLost: self = .daemonLost
    }
  }
}
