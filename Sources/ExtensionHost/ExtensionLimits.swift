/// What the bridge lets extensions do.
public struct ExtensionLimits: Sendable {
  /// How long a service extension has for a notification, and then for its last word.
  public var serviceTime = Duration.seconds(30)
  public var serviceGrace = Duration.seconds(2)
  /// How many programs of one application's service extension run at once; further notifications wait for them, in
  /// order, within their time.
  public var servicesAtOnce = 4
  /// How many may wait; beyond that the original is shown at once.
  public var servicesWaiting = 1000
  /// The longest line, in bytes.
  public var line = 1 << 20
  /// How many updates a content extension may make at once, and a second; more are put together.
  public var updates = 20
  /// How many times a content extension's program is started anew within a minute.
  public var restarts = 5
  /// How long after the end of its input a program gets SIGTERM, and how long after that SIGKILL.
  public var endDelay = Duration.seconds(2)
  public var killDelay = Duration.seconds(2)

  public init() {}
}
