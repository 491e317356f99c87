/// A call that a peer made to an exported object; answered once, from any thread. One that is released unanswered is
/// answered with the error `Failed`, so that no caller waits for ever.
public final class IncomingCall: Sendable {
  /// The call as it came.
  public let message: Message

  init(message: Message) { self.message = message }

  /// Answers. Answers and signals leave in the order in which they were given.
  public func reply(_ body: [Value] = []) {}

  /// Answers with an error.
  /// - Parameter text: one sentence for the caller's log.
  public func fail(_ name: ErrorName, _ text: String) {}
}
