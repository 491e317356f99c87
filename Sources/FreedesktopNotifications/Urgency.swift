/// How much a notification matters; on the wire always a byte.
///
/// Source: Desktop Notifications Specification, "Urgency Levels".
public enum Urgency: UInt8, Sendable, Hashable, CaseIterable {
  case low = 0
  case normal = 1
  case critical = 2
}
