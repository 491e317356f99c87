public import FoundationEssentials
public import FreedesktopNotifications

/// Reads picture files. Implementations do their work off the caller's executor.
public protocol ImageDecoder: Sendable {
  /// The picture in `file`, scaled down (never up) so that neither side is over `maximumSide`, 8 bits per channel.
  /// - Parameters:
  ///   - file: an absolute path.
  ///   - moment: of an animation; its last frame when it is not as long. Nil, and of a still picture: the first.
  ///   - clip: the part to show, in 0…1 of the sides; nil: all.
  ///   - maximumSide: in pixels, at least 1.
  /// - Throws: ``BridgeError`` with code `attachmentCorrupt`, `attachmentUnreadable` or `attachmentTooLarge`, its
  ///   message naming the file.
  nonisolated(nonsending) func decode(
    file: String, moment: AnimationMoment?, clip: AttachmentRecord.Rect?, maximumSide: Int
  ) async throws(BridgeError) -> ImageData
}

extension ImageDecoder {
  /// As the requirement, the first frame.
  public nonisolated(nonsending) func decode(
    file: String, clip: AttachmentRecord.Rect?, maximumSide: Int
  ) async throws(BridgeError) -> ImageData {
    try await decode(file: file, moment: nil, clip: clip, maximumSide: maximumSide)
  }
}

/// Which picture of an animation.
public enum AnimationMoment: Sendable, Hashable {
  /// From 0.
  case frame(Int)
  /// After so many seconds of playing.
  case seconds(Double)
}

/// Has pictures made of movies. Implementations do their work off the caller's executor and end it after some seconds,
/// whatever the programs do that they ask.
public protocol MovieThumbnailer: Sendable {
  /// A picture of the movie in `file`.
  /// - Parameters:
  ///   - file: an absolute path.
  ///   - mimeType: what it is, `video/mp4` for example.
  ///   - seconds: from the movie's beginning; nil: whichever picture the thumbnailer likes.
  ///   - side: how large the picture is wanted, in pixels.
  /// - Throws: ``BridgeError`` whose message says why there is none, and what to install.
  nonisolated(nonsending) func thumbnail(
    of file: String, mimeType: String, at seconds: Double?, side: Int
  ) async throws(BridgeError) -> MovieThumbnail
}

/// A picture of a movie.
public struct MovieThumbnail: Sendable, Hashable {
  /// The absolute path of a PNG file, which its maker looks after.
  public var file: String
  /// It is of the time that was asked for, or none was asked for.
  public var isOfTime: Bool

  public init(file: String, isOfTime: Bool) {
    self.file = file
    self.isOfTime = isOfTime
  }
}

/// Plays sounds and opens files that go with notifications, when their buttons are pressed. Returns at once.
public protocol AttachmentOpener: Sendable {
  /// Plays a sound; where nothing here can, the desktop opens it.
  /// - Parameter file: an absolute path.
  func play(_ file: String, mimeType: String, application: String, activationToken: String?)
  /// Has the desktop open a file with the user's program for its type.
  func open(_ file: String, mimeType: String, application: String, activationToken: String?)
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
  /// Calls `body` once, from any thread, when the wall clock has reached `deadline` or when the clock or the zone was
  /// changed before that: whoever is called looks at the clock again. Nothing wakes in between.
  /// - Returns: what ends the wait when it is released.
  func wake(at deadline: Date, _ body: @escaping @Sendable () -> Void) -> any AnyObject & Sendable
}

/// What the desktop says. Nil stands for what cannot be known.
public protocol DesktopFacts: Sendable {
  /// Whether do-not-disturb is on.
  nonisolated(nonsending) func doNotDisturb(_ profile: ServerProfile) async -> Bool?
  /// What the desktop's own settings say of an application.
  nonisolated(nonsending) func settings(of application: String, _ profile: ServerProfile) async -> DesktopSettings
  /// Whether the session is locked.
  var isLocked: Bool? { get }
  /// Whether somebody shows badges.
  var showsBadges: Bool { get }
}

/// What a desktop's settings let an application do; nil: it does not say.
public struct DesktopSettings: Sendable, Hashable {
  /// It may show notifications at all.
  public var enabled: Bool?
  public var banners: Bool?
  public var sounds: Bool?
  /// Notifications appear while the session is locked.
  public var lockScreen: Bool?
  /// And say there what they are about.
  public var lockScreenDetails: Bool?
  /// They are kept in a list.
  public var history: Bool?
  public var badges: Bool?
  /// Critical ones appear in spite of do-not-disturb.
  public var criticalInDoNotDisturb: Bool?

  public init() {}
}

/// Plays sounds where the daemon plays none. Returns at once.
public protocol SoundOutput: Sendable {
  /// - Parameter file: an absolute path; nil: `record` names the desktop's sound.
  func play(_ record: SoundRecord, file: String?, application: String)
}

/// Shows badges. Returns at once.
public protocol BadgeOutput: Sendable {
  func show(_ count: Int, of application: String)
}

/// Starts programs for responses that no connected process takes.
public protocol Launcher: Sendable {
  /// The name of the registered command that takes the response; nil: none. Quick. What stands behind a tab in it is the
  /// launcher's own, and people do not see it.
  func handler(for response: ResponseRecord) -> String?
  /// Runs a registered command; `onEnd` is called once, from any thread.
  func run(
    _ handler: String, for response: ResponseRecord, onEnd: @escaping @Sendable (HandlerResult) -> Void)
  /// For a command that was in flight when the bridge ended: what became of it; nil as an answer: nobody knows. Answers
  /// once, from any thread.
  func outcome(of handler: String, for response: ResponseRecord, _ answer: @escaping @Sendable (HandlerFate) -> Void)
  /// What came of the command is kept now: nothing of it need be remembered for ``outcome(of:for:_:)`` any more.
  func finished(_ response: UUID)
  /// Starts the application, for it to fetch its response; false as an answer: it cannot be started.
  func start(_ response: ResponseRecord, _ answer: @escaping @Sendable (Bool) -> Void)
}

/// How a registered command ended.
public struct HandlerResult: Sendable, Hashable {
  /// One word or number for logs and history: `0`, `3`, `signal 15`, `timed out`, or why it did not start.
  public var status: String
  /// It ended with 0.
  public var succeeded: Bool
  /// Nobody knows whether it ran, or how far it came: the bus or the user manager went meanwhile.
  public var isUncertain: Bool

  public init(status: String, succeeded: Bool, isUncertain: Bool = false) {
    self.status = status
    self.succeeded = succeeded
    self.isUncertain = isUncertain
  }
}

/// What became of a command that was in flight when the bridge ended.
public enum HandlerFate: Sendable, Hashable {
  /// It was never started, and may be run.
  case neverStarted
  case ended(HandlerResult)
  /// It may have run, in part or in full.
  case unknown
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
