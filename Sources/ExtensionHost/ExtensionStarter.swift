internal import DesktopServices
internal import NotificationBridge

/// Starts the programs of extensions.
struct ExtensionStarter: Sendable {
  let folders: ExtensionFolders
  let environment: [String: String]
  let units: TransientUnits?
  let executor: (any TaskExecutor)?
  let limits: ExtensionLimits

  /// - Parameter timeLimit: how long it lives at most; 0: as long as it is wanted.
  func start(
    _ bundle: ExtensionBundle, of application: String, timeLimit: Duration,
    _ events: @escaping @Sendable (LineProgram.Event) -> Void
  ) -> LineProgram {
    var variables = ["NOTIFY_BRIDGE_EXTENSION": bundle.path, "NOTIFY_BRIDGE_APP_ID": application]
    variables["NOTIFY_BRIDGE_GROUP_DIR"] = folders.madeGroup(application)
    let command = Command(
      bundle.executable, environment: variables, workingDirectory: bundle.path, timeLimit: timeLimit)
    var programLimits = LineProgram.Limits()
    programLimits.line = limits.line
    programLimits.endDelay = limits.endDelay
    programLimits.killDelay = limits.killDelay
    return LineProgram(
      command, inherited: HandlerInput.inherited(environment), under: units, on: executor,
      description: "notify-bridge extension \(bundle.name) of \(application)", limits: programLimits, events)
  }
}

extension CommandEnding {
  /// For messages: how a program ended by itself.
  var words: String {
    switch self {
    case .exited(let status): "it ended with status \(status)"
    case .signalled(let number): "it was ended by signal \(number)"
    case .timedOut: "it was ended since its time was over"
    }
  }
}
