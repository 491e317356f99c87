import NotificationBridge

/// Fires when the wall clock matches date components.
///
/// Only the components that are set take part: hour 8 and minute 30, repeating, is every day at 8:30. Smaller units
/// that are not set count as 0. Components without a time zone, or with `TimeZone.autoupdatingCurrent`, follow the
/// system's zone; a fixed zone stays. A time that a change of clocks leaves out moves to the next that exists, one that
/// exists twice is the first, and a month or year that lacks the day is left out.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNCalendarNotificationTrigger; the rules for gaps are this library's own.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// - Parameters:
  ///   - dateComponents: what must match.
  ///   - repeats: whether it fires at every match or at the next one alone.
  public convenience init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.init(Fields(repeats: repeats, components: dateComponents))
  }

  /// What must match.
  open var dateComponents: DateComponents { fields.components ?? DateComponents() }

  /// When it fires next, after now; nil: never.
  open func nextTriggerDate() -> Date? {
    NextFireDate(zones: EngineHost.zones).next(after: Date(), rule: CalendarRule(dateComponents))
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNCalendarNotificationTrigger else { return false }
    return super.isEqual(other) && dateComponents == other.dateComponents
  }

  open override var hash: Int { super.hash ^ dateComponents.hashValue }

  open override var description: String { description(of: ["repeats": repeats, "dateComponents": dateComponents]) }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    // An archived NSDateComponents would lose some of them.
    coder.encode(try? JSONEncoder().encode(dateComponents), forKey: "dateComponents")
  }

  /// Reads an archive; nil without components.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    if fields.components == nil { return nil }
  }
}
