import Dispatch
public import FreedesktopNotifications
public import NotificationBridge
import Synchronization

/// Decodes PNG, JPEG and GIF files with gdk-pixbuf, on two queues of its own: one takes what is small, the other what
/// is large, one after another. So a photograph delays neither its caller nor an icon, and two photographs never need
/// memory at the same time.
///
/// Pictures come out upright as their camera wrote down (EXIF), of an animation one frame, with an alpha channel where the file has one, whatever the file's own form (palette, grey, 16 bits per channel, CMYK). The same picture
/// asked for again comes from a cache, and while it is being decoded all who ask wait for the one decoding. The file's
/// device, inode, size and times tell whether it still is the same.
///
/// A caller that is cancelled is answered all the same, as soon as its picture is decoded. May be used from any
/// isolation.
public final class PixbufDecoder: ImageDecoder {
  /// Files over it are refused, as attachments are: 10 MB.
  static let fileLimit = AttachmentType.png.sizeLimit
  /// Pictures with more are refused: small files can hold enormous ones.
  static let pixelLimit = 100_000_000

  /// A larger file, or a picture with more pixels, is large.
  private static let smallFile = 256 << 10
  private static let smallPicture = 1 << 20

  private typealias Outcome = Result<ImageData, BridgeError>
  private typealias Caller = CheckedContinuation<Outcome, Never>

  /// What makes a request the same as another.
  private struct Key: Hashable, Sendable {
    var file: String
    var stamp: FileStamp
    var moment: AnimationMoment?
    var clip: AttachmentRecord.Rect?
    var maximumSide: Int
  }

  private struct State: Sendable {
    var cache: ImageCache<Key>
    /// Who waits for each picture that is being decoded.
    var waiting: [Key: [Caller]] = [:]
    var decodings = 0

    enum Admission {
      case ready(ImageData)
      case joined
      /// The caller waits, and nobody decodes yet.
      case first
    }

    mutating func admit(_ caller: Caller, _ key: Key) -> Admission {
      if let image = cache.image(key) { return .ready(image) }
      waiting[key, default: []].append(caller)
      return waiting[key]?.count == 1 ? .first : .joined
    }
  }
  private let state: Mutex<State>

  /// Files are opened and small ones decoded here.
  let small = DispatchQueue(label: "pictures.small")
  let large = DispatchQueue(label: "pictures.large")

  /// - Parameters:
  ///   - cacheEntries: so many pictures are kept at most; 0: none.
  ///   - cacheBytes: their pixels take so many bytes at most.
  public init(cacheEntries: Int = 64, cacheBytes: Int = 8 << 20) {
    state = Mutex(State(cache: ImageCache(entries: cacheEntries, bytes: cacheBytes)))
  }

  /// The picture in `file`; see ``ImageDecoder``.
  /// - Throws: ``BridgeError``, its message naming the file:
  ///   - `attachmentUnreadable` for what is missing, forbidden, or no regular file; none of it is waited for,
  ///   - `attachmentTooLarge` for a file over 10 MB,
  ///   - `attachmentCorrupt` for what is no picture, damaged or cut short, or has over 100 million pixels, those of the
  ///     frames before the one that is wanted included.
  public nonisolated(nonsending) func decode(
    file: String, moment: AnimationMoment?, clip: AttachmentRecord.Rect?, maximumSide: Int
  ) async throws(BridgeError) -> ImageData {
    // A number that is none equals nothing, not even itself: such a clip would never be found again.
    let clip = clip.flatMap { [$0.x, $0.y, $0.width, $0.height].contains(where: \.isNaN) ? nil : $0 }
    let outcome = await withCheckedContinuation { (caller: Caller) in
      small.async { self.start(file, moment, clip: clip, maximumSide: max(1, maximumSide), for: caller) }
    }
    return try outcome.get()
  }

  /// How many decodings there have been, failed ones included.
  var decodings: Int { state.withLock(\.decodings) }

  /// Answers from the cache, joins those who wait for the same, or decodes. On the queue for small pictures.
  private func start(
    _ file: String, _ moment: AnimationMoment?, clip: AttachmentRecord.Rect?, maximumSide: Int, for caller: Caller
  ) {
    do {
      let opened = try RegularFile(opening: file)
      let key = Key(file: file, stamp: opened.stamp, moment: moment, clip: clip, maximumSide: maximumSide)
      switch state.withLock({ $0.admit(caller, key) }) {
      case .ready(let image): caller.resume(returning: .success(image))
      case .joined: break
      case .first:
        if opened.stamp.size <= Self.smallFile, let outcome = Self.outcome(opened, key, pixelLimit: Self.smallPicture) {
          finish(key, outcome)
        } else {
          large.async { self.startLarge(key) }
        }
      }
    } catch {
      caller.resume(returning: .failure(Self.unreadable(file, error)))
    }
  }

  /// On the queue for large pictures. The file is opened again: those that wait their turn keep none open.
  private func startLarge(_ key: Key) {
    do {
      let opened = try RegularFile(opening: key.file)
      let outcome = Self.outcome(opened, key, pixelLimit: Self.pixelLimit)
      finish(
        key, outcome ?? .failure(Self.corrupt(key.file, "it has too many pixels", nil)),
        isCurrent: opened.stamp == key.stamp)
    } catch {
      finish(key, .failure(Self.unreadable(key.file, error)))
    }
  }

  /// Hands a picture or failure to all who wait for it.
  /// - Parameter isCurrent: whether the file is still the one that the key describes, so that its picture may be kept.
  private func finish(_ key: Key, _ outcome: Outcome, isCurrent: Bool = true) {
    let callers = state.withLock { state in
      state.decodings += 1
      if isCurrent, case .success(let image) = outcome { state.cache.keep(image, key) }
      return state.waiting.removeValue(forKey: key) ?? []
    }
    for caller in callers { caller.resume(returning: outcome) }
  }

  /// Nil when the picture has more pixels than the limit and may be tried with a higher one.
  private static func outcome(_ opened: borrowing RegularFile, _ key: Key, pixelLimit: Int) -> Outcome? {
    let bytes: [UInt8]
    do {
      bytes = try opened.read(limit: fileLimit)
    } catch { return .failure(unreadable(key.file, error)) }
    do {
      return .success(
        try PictureLoader.load(
          bytes, moment: key.moment, clip: key.clip, maximumSide: key.maximumSide, pixelLimit: pixelLimit))
    } catch {
      switch error {
      case .corrupt(let reason, let cause): return .failure(corrupt(key.file, reason, cause))
      case .tooManyPixels(let size):
        guard size.area > Self.pixelLimit else { return nil }
        return .failure(corrupt(key.file, "\(size.width) × \(size.height) pixels are too many", nil))
      }
    }
  }

  private static func corrupt(_ file: String, _ reason: String, _ cause: GLibError?) -> BridgeError {
    BridgeError(.attachmentCorrupt, "\(file) cannot be shown: \(reason)", cause: cause)
  }

  private static func unreadable(_ file: String, _ failure: RegularFile.Failure) -> BridgeError {
    switch failure {
    case .tooLarge: BridgeError(.attachmentTooLarge, "\(file) is over \(fileLimit >> 20) MB", cause: failure)
    case .notRegular: BridgeError(.attachmentUnreadable, "\(file) is not a regular file")
    case .system: BridgeError(.attachmentUnreadable, "\(file) cannot be read", cause: failure)
    }
  }
}
