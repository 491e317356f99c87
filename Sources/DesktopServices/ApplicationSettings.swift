/// What the user has set for one application in the desktop's own settings. Nil: the desktop does not say.
///
/// Do-not-disturb changes none of these.
public struct ApplicationSettings: Sendable, Hashable {
  /// Whether the application may notify at all.
  public var isEnabled: Bool?
  /// Whether its notifications pop up.
  public var banners: Bool?
  /// Whether they may sound.
  public var sounds: Bool?
  /// Whether they are shown on the lock screen.
  public var lockScreen: Bool?
  /// Whether their contents are shown there.
  public var detailsOnLockScreen: Bool?
  /// Whether they are kept in the desktop's list.
  public var history: Bool?
  /// Whether a number is shown on the application's icon.
  public var badges: Bool?
  /// Whether its critical notifications are shown although do-not-disturb is on.
  public var criticalPassesDoNotDisturb: Bool?

  public init() {}
}
