import CGLib
public import FoundationEssentials
import Glibc
public import NotificationBridge
import Synchronization

/// The rules of time zones as the system's tz database has them, read by GLib's `GTimeZone`.
///
/// A zone is read once and kept; a tz database that is updated meanwhile counts from the next start on. May be used
/// from any thread; a zone that is asked for the first time is read from its file then.
public struct SystemZones: ZoneRules {
  private let store: ZoneStore
  private let local: LocalZone

  /// - Parameters:
  ///   - environment: where `TZ` is looked for, now and not again.
  ///   - root: the folder that stands for `/` in the paths of the system's own setting.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment, root: String = "/") {
    let store = ZoneStore()
    self.store = store
    local = LocalZone(environment: environment["TZ"], root: root) { store.zone($0) != nil }
  }

  /// The name of the system's present zone: what `TZ` says, else where `/etc/localtime` leads, else what
  /// `/etc/timezone` says, else the file `/etc/localtime` itself by its path, else `UTC`. Looked up anew each time.
  public var current: String { local.name }

  /// Whether the zone exists: a name of the tz database, an offset (`+02:00`, `GMT+0200` and the like; east of
  /// Greenwich is positive), a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`, or the absolute path of a zone's file.
  public func knows(_ zone: String) -> Bool { store.zone(zone) != nil }

  public func offset(of zone: String, at instant: Int64) -> Int {
    let instant = Self.bounded(instant)
    return Int(store.zone(zone, at: instant)?.offset(at: instant) ?? 0)
  }

  /// For an unknown zone, the wall clock's time itself.
  public func instant(of wallClock: Int64, in zone: String) -> Int64 {
    let wallClock = Self.bounded(wallClock)
    return store.zone(zone, at: wallClock)?.instant(of: wallClock) ?? wallClock
  }

  /// Far from all overflow, and still billions of years.
  private static func bounded(_ time: Int64) -> Int64 { min(max(time, -(1 << 56)), 1 << 56) }
}

/// The zones that were asked for, by name.
private final class ZoneStore: Sendable {
  private struct Entry {
    var zone: Zone
    /// Of a zone read from a path: which file it was.
    var stamp: FileStamp?
  }
  private let entries = Mutex<[String: Entry]>([:])

  /// Names come from requests, too; all those of the tz database have room.
  private static let limit = 1024

  /// Nil for a zone that does not exist.
  func zone(_ name: String) -> Zone? {
    guard name.utf8.count <= 255, !name.utf8.contains(0), !name.isEmpty else { return nil }
    var stamp: FileStamp?
    if name.hasPrefix("/") {
      // Not a FIFO or device: GLib would wait for it.
      guard let file = FileStamp(path: name), file.size < 1 << 20 else { return nil }
      stamp = file
    } else if name.split(separator: "/").contains("..") {
      return nil
    }
    return entries.withLock { entries in
      if let entry = entries[name], entry.stamp == stamp { return entry.zone }
      // GLib shares zones by name as long as one is in use: the outdated one must go first.
      entries[name] = nil
      guard let zone = Zone(name: name) else { return nil }
      if entries.count >= Self.limit { entries.removeAll() }
      entries[name] = Entry(zone: zone, stamp: stamp)
      return zone
    }
  }

  /// The zone that has the right rules at a time.
  ///
  /// GLib 2.74 takes summer time for an hour more than standard time where a rule says that it is at Greenwich, and
  /// Ireland, whose summer time is its standard time, has such a rule for the time after 2037. Since 1996 Ireland has
  /// had the offsets of the United Kingdom.
  func zone(_ name: String, at time: Int64) -> Zone? {
    if time >= 2_114_380_800, name == "Europe/Dublin" || name == "Eire" { return zone("Europe/London") ?? zone(name) }
    return zone(name)
  }
}

/// Owns one `GTimeZone`.
///
/// Unchecked: a `GTimeZone` never changes once made, and its reference count is atomic.
@safe private final class Zone: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Nil for a zone that does not exist.
  init?(name: String) {
    let identifier = FixedOffset(zoneName: name)?.identifier ?? name
    guard let pointer = unsafe g_time_zone_new_identifier(identifier) else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe g_time_zone_unref(pointer) }

  /// Seconds east of Greenwich.
  func offset(at instant: Int64) -> Int64 { offset(ofInterval: interval(at: instant)) }

  /// Zones' offsets stay below a day; so an hour more bounds the intervals that can hold a wall-clock time.
  private static let reach: Int64 = 25 * 3600

  /// See ``ZoneRules/instant(of:in:)``.
  func instant(of wallClock: Int64) -> Int64 {
    let first = interval(at: wallClock - Self.reach)
    let last = interval(at: wallClock + Self.reach)
    for candidate in first...max(first, last) {
      let instant = wallClock - offset(ofInterval: candidate)
      if interval(at: instant) == candidate { return instant }
    }
    // In a gap: it is past the end of one interval, and before the beginning of the next.
    for candidate in first..<max(first, last) {
      var low = wallClock - offset(ofInterval: candidate + 1)
      var high = wallClock - offset(ofInterval: candidate)
      guard low < high, interval(at: low) <= candidate, interval(at: high) > candidate else { continue }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        if interval(at: middle) > candidate { high = middle } else { low = middle }
      }
      return high
    }
    return wallClock - offset(ofInterval: first)
  }

  /// The number of the interval between two changes of the offset in which an instant lies.
  private func interval(at instant: Int64) -> Int32 {
    unsafe g_time_zone_find_interval(pointer, G_TIME_TYPE_UNIVERSAL, gint64(instant))
  }

  private func offset(ofInterval interval: Int32) -> Int64 {
    // -1 stands for no interval; GLib has none for universal time, but asking for its offset would be an error.
    interval < 0 ? 0 : Int64(unsafe g_time_zone_get_offset(pointer, interval))
  }
}

/// An offset as Foundation names the zones of fixed offset: `GMT+0200`, east of Greenwich positive. To POSIX, and so to
/// GLib, the same text means west.
struct FixedOffset: Equatable {
  /// East of Greenwich.
  var seconds: Int

  /// Nil for any other name.
  init?(zoneName name: String) {
    guard name.hasPrefix("GMT") || name.hasPrefix("UTC"), let sign = name.dropFirst(3).first, "+-".contains(sign)
    else { return nil }
    let parts = name.dropFirst(4).split(separator: ":", omittingEmptySubsequences: false)
    var digits = parts.joined()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), parts.count <= 3,
      parts.dropFirst().allSatisfy({ $0.count == 2 }), parts.count == 1 || parts[0].count <= 2
    else { return nil }
    if digits.count % 2 == 1 { digits = "0" + digits }
    let values = stride(from: 0, to: digits.count, by: 2).compactMap { Int(digits.dropFirst($0).prefix(2)) }
    guard values.count <= 3, values[0] <= 18, values.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    let size = values.reversed().reduce(into: (sum: 0, unit: values.count)) { result, value in
      result.unit -= 1
      result.sum += value * [3600, 60, 1][result.unit]
    }
    seconds = sign == "-" ? -size.sum : size.sum
  }

  /// As GLib reads it: `+02:00:00`.
  var identifier: String {
    let size = abs(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds < 0 ? "-" : "+")\(two(size / 3600)):\(two(size / 60 % 60)):\(two(size % 60))"
  }
}
