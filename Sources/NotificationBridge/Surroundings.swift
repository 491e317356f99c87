public import FoundationEssentials
public import FreedesktopNotifications

/// Reads picture files. Implementations do their work off the caller's executor.
public protocol ImageDecoder: Sendable {
  /// The picture in `file`, scaled down (never up) so that neither side is over `maximumSide`, 8 bits per channel.
  /// - Parameters:
  ///   - file: an absolute path.
  ///   - clip: the part to show, in 0…1 of the sides; nil: all.
  ///   - maximumSide: in pixels, at least 1.
  /// - Throws: ``BridgeError`` with code `attachmentCorrupt`, `attachmentUnreadable` or `attachmentTooLarge`, its
  ///   message naming the file.
  func decode(file: String, clip: AttachmentRecord.Rect?, maximumSide: Int) async throws(BridgeError) -> ImageData
}

/// The rules of time zones, by name. FoundationEssentials knows none (it answers GMT for all).
public protocol ZoneRules: Sendable {
  /// The name of the system's present zone.
  var current: String { get }
  /// Whether the zone exists.
  func knows(_ zone: String) -> Bool
  /// Seconds east of Greenwich in `zone` at `instant` (seconds since 1970); 0 for an unknown zone.
  func offset(of zone: String, at instant: Int64) -> Int
  /// The instant of a wall-clock time given as if it were seconds since 1970 in GMT: of a time that exists twice the
  /// first, of one that does not exist the next instant that exists (the end of the gap).
  func instant(of wallClock: Int64, in zone: String) -> Int64
}

/// Tells the time and wakes the engine; tests put their own in its place.
public protocol WallClock: Sendable {
  /// The present instant.
  var now: Date { get }
  /// Returns when the wall clock has reached `deadline`, when the clock or the zone was changed meanwhile, or when the
  /// task is cancelled; the caller looks at the clock again.
  func wait(until deadline: Date) async
}

/// What the desktop's own settings say. Nil stands for what cannot be known.
public protocol DesktopFacts: Sendable {
  /// Whether do-not-disturb is on.
  func doNotDisturb(_ profile: ServerProfile) async -> Bool?
}

/// Where the engine's messages for people go.
public protocol BridgeLog: Sendable {
  /// `text` is one line; whatever came from peers or users in it is made visible and short by the caller.
  func write(_ level: LogLevel, _ text: String)
}

/// How much a message matters.
public enum LogLevel: Int, Sendable, Hashable, Comparable {
  case debug, info, warning, error

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
