/// Who takes an application's responses in this process.
public struct ApplicationHandler: Sendable {
  /// Asks how to show a notification. The answer is given once, from any thread, now or later; nil: as usual.
  public typealias Presenter =
    @Sendable (NotificationRecord, @escaping @Sendable (PresentationOptions?) -> Void) -> Void

  /// Called before a notification is shown, in the order of delivery, on the engine; it must not block, and has its own
  /// time limit. Nil: all are shown as usual.
  public var willPresent: Presenter?
  /// Takes responses one after the other, on the engine; it must not block.
  public var receive: @Sendable (ResponseRecord) -> Void

  public init(willPresent: Presenter? = nil, receive: @escaping @Sendable (ResponseRecord) -> Void) {
    self.willPresent = willPresent
    self.receive = receive
  }
}

/// Hands each response to the application's handler, and keeps it until there is one.
struct ResponseRouter {
  private var handlers: [String: ApplicationHandler] = [:]
  private var waiting: [String: [ResponseRecord]] = [:]

  func handler(_ application: String) -> ApplicationHandler? { handlers[application] }

  /// Sets or, with nil, takes away an application's handler; what waited is handed over in order.
  mutating func setHandler(_ handler: ApplicationHandler?, for application: String) {
    handlers[application] = handler
    guard let handler else { return }
    for response in waiting.removeValue(forKey: application) ?? [] { handler.receive(response) }
  }

  mutating func route(_ response: ResponseRecord) {
    let application = response.notification.application.identifier
    if let handler = handlers[application] {
      handler.receive(response)
    } else {
      waiting[application, default: []].append(response)
    }
  }
}
