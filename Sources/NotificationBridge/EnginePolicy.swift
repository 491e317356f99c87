/// How an engine behaves where its hosts differ.
public struct EnginePolicy: Sendable {
  /// Pending requests of one application; the soonest are kept. Apple's number.
  public var pendingLimit = 64
  /// How often a notification that the daemon refused as too many or too fast is tried again.
  public var refusalRetries = 5
  /// The pause before the first such retry; it doubles each time.
  public var refusalPause = Duration.seconds(1)
  /// Whether what was shown is shown again when the daemon comes back after a restart.
  public var showsAgain = true
  /// How long a caller waits for the daemon's answer; nil: as long as the server does. A later answer is still heard.
  public var answerLimit: Duration? = .seconds(10)
  /// `Notify` calls without an answer yet.
  public var inFlightLimit = 16
  /// How long an unknown category may be registered late and still be shown.
  public var lateCategory = Duration.seconds(5)
  /// Where sounds are looked for by name, in order.
  public var soundFolders: [String] = []

  public init() {}
}
