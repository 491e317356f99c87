/// Fires so many seconds after its request was added, by the wall clock: time that the machine sleeps counts.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNTimeIntervalNotificationTrigger.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// Stops the program, as on Apple's systems, when the interval is not allowed.
  /// - Parameters:
  ///   - timeInterval: in seconds, above 0; at least 60 when repeating.
  ///   - repeats: whether it fires again after each interval.
  public convenience init(timeInterval: TimeInterval, repeats: Bool) {
    // fatalError and not precondition: the reason is printed in release builds too.
    if !(timeInterval > 0 && timeInterval.isFinite) {
      fatalError("UNTimeIntervalNotificationTrigger: time interval must be greater than 0, and is \(timeInterval)")
    }
    if repeats, timeInterval < 60 {
      fatalError(
        "UNTimeIntervalNotificationTrigger: time interval must be at least 60 if repeating, and is \(timeInterval)")
    }
    self.init(Fields(repeats: repeats, interval: timeInterval))
  }

  /// The seconds from adding to firing.
  open var timeInterval: TimeInterval { fields.interval }

  /// When it fires next: of a pending request that the center handed out the real time, else counted from now.
  open func nextTriggerDate() -> Date? {
    let now = Date()
    let interval = fields.interval
    guard let due = fields.due else { return now.addingTimeInterval(interval) }
    guard due <= now else { return due }
    guard repeats else { return nil }
    let missed = (now.timeIntervalSince(due) / interval).rounded(.down) + 1
    return due.addingTimeInterval(missed * interval)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNTimeIntervalNotificationTrigger else { return false }
    return super.isEqual(other) && timeInterval == other.timeInterval
  }

  open override var hash: Int { super.hash ^ timeInterval.hashValue }

  open override var description: String { description(of: ["repeats": repeats, "timeInterval": timeInterval]) }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(NSNumber(value: timeInterval), forKey: "timeInterval")
    coder.encode(fields.due, forKey: "due")
  }

  /// Reads an archive; nil when the interval is missing or not allowed.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    let (interval, repeats) = (fields.interval, fields.repeats)
    guard interval > 0, interval.isFinite, !repeats || interval >= 60 else { return nil }
  }
}
