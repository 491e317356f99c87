/// Who takes an application's responses.
public struct ApplicationHandler: Sendable {
  /// Asks how to show a notification. The answer is given once, from any thread, now or later; nil: as usual.
  public typealias Presenter =
    @Sendable (NotificationRecord, @escaping @Sendable (PresentationOptions?) -> Void) -> Void

  /// Called before a notification is shown, in the order of delivery, on the engine; it must not block, and has its own
  /// time limit. Nil: all are shown as usual.
  public var willPresent: Presenter?
  /// Whether a response counts as taken only once ``BridgeEngine/acknowledge(_:of:)`` says so. Until then it is given to
  /// the next handler, should this one be taken away.
  public var acknowledges: Bool
  /// Takes responses one after the other, on the engine; it must not block.
  public var receive: @Sendable (ResponseRecord) -> Void

  public init(
    willPresent: Presenter? = nil, acknowledges: Bool = false, receive: @escaping @Sendable (ResponseRecord) -> Void
  ) {
    self.willPresent = willPresent
    self.acknowledges = acknowledges
    self.receive = receive
  }
}
