/// Why a notification was closed, by the number in `NotificationClosed`.
///
/// Source: Desktop Notifications Specification, "org.freedesktop.Notifications.NotificationClosed".
public struct CloseReason: RawRepresentable, Sendable, Hashable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its time was up (or, on some daemons, there was no room).
  public static let expired = CloseReason(rawValue: 1)
  /// The user dismissed it.
  public static let dismissed = CloseReason(rawValue: 2)
  /// `CloseNotification` was called.
  public static let closedByCall = CloseReason(rawValue: 3)
  /// Undefined.
  public static let undefined = CloseReason(rawValue: 4)
}
