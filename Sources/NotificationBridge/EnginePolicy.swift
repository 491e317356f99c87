/// How an engine behaves where its hosts differ.
public struct EnginePolicy: Sendable {
  /// How often a notification that the daemon refused as too many or too fast is tried again.
  public var refusalRetries = 5
  /// The pause before the first such retry; it doubles each time.
  public var refusalPause = Duration.seconds(1)
  /// The longest such pause.
  public var longestRefusalPause = Duration.seconds(30)
  /// How often a notification is tried again when the daemon ended before it answered: it may be what ends it.
  public var deathRetries = 3
  /// Whether what was shown is shown again when the daemon comes back after a restart.
  public var showsAgain = true
  /// How long a caller waits for the daemon's answer; nil: as long as the server does. A later answer is still heard.
  public var answerLimit: Duration? = .seconds(10)
  /// `Notify` calls without an answer yet. With a store one at a time, so that a crash can double no more than one.
  public var inFlightLimit = 16
  /// How long an unknown category may be registered late and still be shown.
  public var lateCategory = Duration.seconds(5)
  /// Where sounds are looked for by name, in order.
  public var soundFolders: [String] = []
  /// Where the folders are that applications share with their extensions, by identifier: sounds are looked for in their
  /// `Library/Sounds` first. Nil: there are none.
  public var groupsFolder: String?
  /// Whether a notification waits where there is no daemon, or where it is too busy, instead of failing.
  public var waitsForDaemon = false
  /// Notifications that wait so; more are refused.
  public var queueLimit = 20_000
  /// False for a sender that goes at once: what it delivered need not be remembered.
  public var keepsDelivered = true
  /// Delivered notifications of one application that are kept after the daemon closed them by their time.
  public var deliveredLimit = 1_000
  /// Delivered notifications of one application that are kept at all.
  public var hardDeliveredLimit = 10_000
  /// With more delivered notifications than that, a thread is collapsed into one; 0: never.
  public var collapseAfter = 0
  /// How long a content extension may take to draw a notification before it is shown as it is.
  public var extensionLimit = Duration.seconds(2)
  /// How long a content extension may take over a response before the application gets it.
  public var extensionResponseLimit = Duration.seconds(10)
  /// How long is shown what has no time of its own, where the daemon's time does not hold.
  public var usualLifetime: Duration = .seconds(10)
  /// Whether nobody may read a notification while the session is locked.
  public var hidesPreviewsWhenLocked = true
  /// What applications may do; those that are not named: ``standardPermission``.
  public var permissions: [String: Permission] = [:]
  public var standardPermission = Permission.allow

  /// The user's word about an application.
  public enum Permission: String, Sendable, Hashable, CaseIterable {
    case allow
    /// The user is asked by a notification of the bridge's own when the application asks.
    case ask
    case deny
  }

  public init() {}

  /// What an application may do.
  public func permission(of application: String) -> Permission { permissions[application] ?? standardPermission }
}

/// What happens to an application's pending requests when there are too many.
public enum PendingLimit: Sendable, Hashable {
  /// The soonest are kept, the others dropped and reported. With 64 it is Apple's rule.
  case keepSoonest(Int)
  /// The new one is refused.
  case refuse(Int)

  /// Apple's.
  public static let standard = PendingLimit.keepSoonest(64)
}
