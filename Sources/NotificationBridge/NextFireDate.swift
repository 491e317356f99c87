public import FoundationEssentials

/// Placeholder until the date arithmetic lands.
public struct NextFireDate: Sendable {
  private let zones: any ZoneRules
  public init(zones: any ZoneRules) { self.zones = zones }
  public func next(after: Date, rule: CalendarRule) -> Date? { nil }
}
