/// The time limits of the calls in flight, the earliest first. One alarm serves them all: most calls have the same
/// limit, so a new one goes to the end and the alarm need not be touched.
struct Deadlines {
  private struct Entry {
    let time: UInt64
    let serial: UInt32
  }

  private var entries: [Entry] = []
  private var first = 0

  /// Adds the call `serial`, due at `time` (nanoseconds of the monotonic clock).
  mutating func add(_ serial: UInt32, at time: UInt64) {
    var low = first
    var high = entries.count
    if let last = entries.last, last.time <= time { low = high }
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(time: time, serial: serial), at: low)
  }

  /// When the next call is due.
  var next: UInt64? { first < entries.count ? entries[first].time : nil }

  /// Takes out one call that is due at `time`.
  mutating func takeDue(at time: UInt64) -> UInt32? {
    guard let next, next <= time else { return nil }
    defer { first += 1 }
    return entries[first].serial
  }

  /// Forgets answered calls once they are the greater part.
  mutating func tidy(inFlight: Int, isInFlight: (UInt32) -> Bool) {
    guard entries.count > 2 * inFlight + 64 else { return }
    entries = entries[first...].filter { isInFlight($0.serial) }
    first = 0
  }

  mutating func removeAll() {
    entries = []
    first = 0
  }

  /// The time `duration` from now; nil if it is so long that there is no limit.
  static func time(after duration: Duration) -> UInt64? {
    let (seconds, attoseconds) = duration.components
    if seconds < 0 || attoseconds < 0 { return monotonicTime() }
    if seconds > 1_000_000_000 { return nil }
    return monotonicTime() + UInt64(seconds) * 1_000_000_000
      + UInt64(attoseconds / 1_000_000_000)
  }
}
