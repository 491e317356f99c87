public import FoundationEssentials

/// How one delivery of a notification ended, for whoever waits for it. It comes once.
public enum Outcome: Sendable, Hashable {
  /// The user acted.
  case responded(ResponseRecord)
  /// The user dismissed it.
  case dismissed
  /// Its time was up.
  case expired
  /// Somebody closed it, or the daemon did for a reason of its own.
  case closed
  /// Another one took its place under the same identifier.
  case replaced
  /// The daemon went away while it was shown: no answer can come any more.
  case daemonLost
}

/// What became of a request that was accepted.
public struct DeliveryReport: Sendable, Hashable {
  public var identifier: String
  /// False: it waits for its trigger or for a daemon.
  public var isDelivered: Bool
  /// Why it waits although it is due; nil: it does not.
  public var delay: String?
  /// When it is due; nil: it is not scheduled.
  public var due: Date?
  /// What the daemon does not show as asked. Empty while the request is pending.
  public var dropped: [Dropped]

  public init(
    identifier: String, isDelivered: Bool, delay: String? = nil, due: Date? = nil, dropped: [Dropped] = []
  ) {
    self.identifier = identifier
    self.isDelivered = isDelivered
    self.delay = delay
    self.due = due
    self.dropped = dropped
  }
}

/// A request on its way into the engine, and who wants to hear of it.
public struct Submission: Sendable {
  public var request: RequestRecord
  public var application: ApplicationRecord
  /// Called once, on the engine: when the daemon has accepted the notification, when the request is pending, or when
  /// it failed. It must not block.
  public var onAccepted: @Sendable (Result<DeliveryReport, BridgeError>) -> Void
  /// Called once per delivery, on the engine, when that delivery has ended. It must not block.
  public var onOutcome: (@Sendable (Outcome) -> Void)?
  /// What happens when too many of the application's requests wait for their triggers.
  public var limit: PendingLimit

  public init(
    _ request: RequestRecord, from application: ApplicationRecord,
    limit: PendingLimit = .standard,
    onAccepted: @escaping @Sendable (Result<DeliveryReport, BridgeError>) -> Void = { _ in },
    onOutcome: (@Sendable (Outcome) -> Void)? = nil
  ) {
    self.request = request
    self.application = application
    self.onAccepted = onAccepted
    self.onOutcome = onOutcome
    self.limit = limit
  }

  /// Names the notification.
  public var key: NotificationKey {
    NotificationKey(application: application.identifier, identifier: request.identifier)
  }
}

/// Somebody who waits for how a notification ends.
struct OutcomeWaiter: Sendable {
  let id: UInt64
  let take: @Sendable (Outcome) -> Void
}

/// Names a notification across applications.
public struct NotificationKey: Sendable, Hashable {
  /// The identifier of the application.
  public var application: String
  /// The application's name for the notification.
  public var identifier: String

  public init(application: String, identifier: String) {
    self.application = application
    self.identifier = identifier
  }
}
