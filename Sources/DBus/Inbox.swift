/// One ordered stream of what a connection receives: signals, answers to posted calls, and the connection's own fate,
/// each in the order in which it arrived.
///
/// A call's answer and a signal that the peer sent right behind it must be seen in that order; that is why a caller
/// who needs the order posts its call to the inbox instead of awaiting it.
public final class Inbox: Sendable {
  /// Something that arrived.
  public enum Item: Sendable {
    /// A signal that fits one of the inbox's subscriptions; it comes once, however many fit.
    case signal(Message)
    /// The answer to the call posted under `token`, or why there is none.
    case reply(token: UInt64, Result<Message, BusError>)
    /// The bus did not take a subscription's rule.
    case subscriptionFailed(MatchRule, BusError)
    /// The connection is lost. Every posted call has had its `reply` before this.
    case disconnected(BusError)
    /// The connection is there again under a new unique name; subscriptions, exported interfaces and names are as before.
    case reconnected(BusName)
  }

  let handler: @Sendable (Item) -> Void

  /// Makes an inbox.
  /// - Parameter handler: called on the connection's thread, one item after the other; it must not block.
  public init(_ handler: @escaping @Sendable (Item) -> Void) { self.handler = handler }
}
