/// How long the daemon shows a notification.
///
/// Source: Desktop Notifications Specification, "Notify", parameter `expire_timeout`.
public enum ExpireTimeout: Sendable, Hashable {
  /// The daemon decides: -1.
  case serverDefault
  /// It stays until somebody closes it: 0.
  case never
  /// A time in milliseconds, above 0.
  case after(milliseconds: Int32)

  /// The number on the wire.
  public var milliseconds: Int32 {
    switch self {
    case .serverDefault: -1
    case .never: 0
    case .after(let milliseconds): max(1, milliseconds)
    }
  }

  /// From the number on the wire; every negative one leaves it to the daemon.
  public init(milliseconds: Int32) {
    self = milliseconds < 0 ? .serverDefault : milliseconds == 0 ? .never : .after(milliseconds: milliseconds)
  }
}
