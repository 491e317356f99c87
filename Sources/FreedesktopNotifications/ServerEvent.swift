public import DBus

/// Names one `Notify` until its answer comes; chosen by the caller, unique within a server object.
public struct DeliveryToken: Sendable, Hashable {
  public var number: UInt64

  public init(_ number: UInt64) { self.number = number }
}

/// Everything that the notification daemon lets us know, in the order in which it did.
///
/// Numbers are valid between two ``ownerChanged(_:)``; the events of a run never come after the next one's.
public enum ServerEvent: Sendable {
  /// The answer to a `Notify`. Number 0: shown perhaps, but not addressable.
  case accepted(DeliveryToken, serverID: UInt32)
  /// The daemon, or the bus in its place, refused a `Notify`, or nobody answered.
  case refused(DeliveryToken, BusError)
  /// Comes before the action that it belongs to, if at all.
  case activationToken(serverID: UInt32, token: String)
  case actionInvoked(serverID: UInt32, key: String)
  case replied(serverID: UInt32, text: String)
  case closed(serverID: UInt32, reason: CloseReason)
  /// The name has a new owner, or none; every number is void.
  case ownerChanged(BusName?)
  /// The bus is lost: as ``ownerChanged(_:)`` with nil, and no daemon can be reached.
  case disconnected(BusError)
  /// The bus is there again.
  case reconnected
}
