internal import NotificationBridge

/// The engine's end of a content extension at work; when it goes, the program ends.
final class ContentSession: ContentExtensionSession {
  private let run: ContentRun

  /// - Parameter bundle: the extension as it is installed when it is asked for; nil: it is not any more.
  init(
    _ name: String, _ application: String, _ starter: ExtensionStarter, _ log: any BridgeLog,
    _ events: @escaping @Sendable (ContentExtensionEvent) -> Void, bundle: @escaping @Sendable () -> ExtensionBundle?
  ) {
    run = ContentRun(name, application, starter, log, events, bundle)
  }

  deinit { run.close() }

  func receive(
    _ notification: NotificationRecord, actions: [ActionRecord], within limit: Duration,
    _ answer: @escaping @Sendable (Bool) -> Void
  ) {
    run.tell(.notification(notification, actions: actions), within: limit, .update(Once(answer)))
  }

  func respond(
    _ response: ResponseRecord, within limit: Duration,
    _ answer: @escaping @Sendable (ContentExtensionDecision?) -> Void
  ) {
    // Tokens that let programs take the focus are for the application.
    var response = response
    response.activationToken = nil
    run.tell(.response(response), within: limit, .decision(Once(answer)))
  }

  func use(
    _ control: ContentControl.Change, within limit: Duration, _ answer: @escaping @Sendable (Bool) -> Void
  ) {
    run.tell(.control(control), within: limit, .update(Once(answer)))
  }

  func setPlaying(_ isPlaying: Bool) { run.tell(.media(isPlaying: isPlaying), within: .zero, nil) }
}
