public import FreedesktopNotifications
public import NotificationBridge
internal import Synchronization

/// Keeps what it is told to play and open.
public final class FakeOpener: AttachmentOpener {
  private let presses = Mutex<[String]>([])

  public init() {}

  /// `play` or `open`, the file, its type and the token, in order.
  public var calls: [String] { presses.withLock { $0 } }

  public func play(_ file: String, mimeType: String, application: String, activationToken: String?) {
    presses.withLock { $0.append("play \(file) \(mimeType) \(activationToken ?? "-")") }
  }

  public func open(_ file: String, mimeType: String, application: String, activationToken: String?) {
    presses.withLock { $0.append("open \(file) \(mimeType) \(activationToken ?? "-")") }
  }
}

/// Has one picture for all movies, or none.
public struct FakeThumbnailer: MovieThumbnailer {
  /// A picture's path; nil: there is none.
  public var file: String?
  /// Whether it can choose the time.
  public var choosesTime: Bool

  public init(file: String?, choosesTime: Bool = true) {
    self.file = file
    self.choosesTime = choosesTime
  }

  public nonisolated(nonsending) func thumbnail(
    of file: String, mimeType: String, at seconds: Double?, side: Int
  ) async throws(BridgeError) -> MovieThumbnail {
    guard let picture = self.file else { throw BridgeError(.attachmentUnreadable, "install a thumbnailer") }
    return MovieThumbnail(file: picture, isOfTime: seconds == nil || choosesTime)
  }
}

/// Makes a picture of one pixel of each file, and tells the frame by its colour.
public struct FakeDecoder: ImageDecoder {
  /// Frames after this one cannot be had.
  public var lastFrame: Int

  public init(lastFrame: Int = .max) { self.lastFrame = lastFrame }

  public nonisolated(nonsending) func decode(
    file: String, moment: AnimationMoment?, clip: AttachmentRecord.Rect?, maximumSide: Int
  ) async throws(BridgeError) -> ImageData {
    var shown = 0
    switch moment {
    case nil: break
    case .frame(let number): shown = number
    case .seconds(let seconds): shown = 100 + Int(seconds)
    }
    guard shown <= lastFrame,
      let image = ImageData(width: 1, height: 1, hasAlpha: false, pixels: [UInt8(shown), 0, clip == nil ? 0 : 1])
    else { throw BridgeError(.attachmentCorrupt, "\(file) has no such frame") }
    return image
  }
}
