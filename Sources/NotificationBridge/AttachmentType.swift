/// The types of attachment that can be shown or played, with their limits.
///
/// Source: Apple, UNNotificationAttachment, "Supported File Types".
public struct AttachmentType: Sendable, Hashable {
  public enum Kind: Sendable, Hashable { case image, audio, movie }

  /// The uniform type identifier.
  public let identifier: String
  public let kind: Kind

  /// The largest file in bytes: images 10 MB, audio 5 MB, movies 50 MB.
  public var sizeLimit: Int {
    switch kind {
    case .image: 10 << 20
    case .audio: 5 << 20
    case .movie: 50 << 20
    }
  }

  private init(_ identifier: String, _ kind: Kind) {
    self.identifier = identifier
    self.kind = kind
  }

  public static let jpeg = AttachmentType("public.jpeg", .image)
  public static let png = AttachmentType("public.png", .image)
  public static let gif = AttachmentType("com.compuserve.gif", .image)
  public static let aiff = AttachmentType("public.aiff-audio", .audio)
  public static let wave = AttachmentType("com.microsoft.waveform-audio", .audio)
  public static let mp3 = AttachmentType("public.mp3", .audio)
  public static let mpeg4Audio = AttachmentType("public.mpeg-4-audio", .audio)
  public static let mpeg = AttachmentType("public.mpeg", .movie)
  public static let mpeg2 = AttachmentType("public.mpeg-2-video", .movie)
  public static let mpeg4 = AttachmentType("public.mpeg-4", .movie)
  public static let avi = AttachmentType("public.avi", .movie)

  private static let byExtension: [String: AttachmentType] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "png": .png, "gif": .gif,
    "aif": .aiff, "aiff": .aiff, "aifc": .aiff, "wav": .wave, "wave": .wave, "mp3": .mp3, "m4a": .mpeg4Audio,
    "m4b": .mpeg4Audio, "mpg": .mpeg, "mpeg": .mpeg, "mpe": .mpeg, "m2v": .mpeg2, "mp4": .mpeg4, "m4v": .mpeg4,
    "mpg4": .mpeg4, "avi": .avi, "vfw": .avi,
  ]

  /// All of them.
  public static let all: [AttachmentType] = [
    .jpeg, .png, .gif, .aiff, .wave, .mp3, .mpeg4Audio, .mpeg, .mpeg2, .mpeg4, .avi,
  ]

  /// Identifiers of kinds of these types, which programs give as hints.
  private static let narrower: [String: AttachmentType] = [
    "public.aifc-audio": .aiff, "com.apple.m4a-audio": .mpeg4Audio, "com.apple.m4v-video": .mpeg4,
    "com.apple.protected-mpeg-4-audio": .mpeg4Audio, "com.apple.protected-mpeg-4-video": .mpeg4,
  ]

  /// An extension for files of the type.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .gif: "gif"
    case .aiff: "aiff"
    case .wave: "wav"
    case .mp3: "mp3"
    case .mpeg4Audio: "m4a"
    case .mpeg: "mpg"
    case .mpeg2: "m2v"
    case .mpeg4: "mp4"
    default: "avi"
    }
  }

  /// What the desktop calls it.
  ///
  /// Source: shared-mime-info.
  public var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .aiff: "audio/x-aiff"
    case .wave: "audio/x-wav"
    case .mp3: "audio/mpeg"
    case .mpeg4Audio: "audio/mp4"
    case .mpeg, .mpeg2: "video/mpeg"
    case .mpeg4: "video/mp4"
    default: "video/x-msvideo"
    }
  }

  /// By uniform type identifier, upper or lower case; nil for one that is not supported.
  public init?(identifier: String) {
    let name = identifier.lowercased()
    guard let type = Self.all.first(where: { $0.identifier == name }) ?? Self.narrower[name] else { return nil }
    self = type
  }

  /// By a file's extension, upper or lower case; nil for one that is not supported.
  public init?(fileExtension: String) {
    guard let type = Self.byExtension[fileExtension.lowercased()] else { return nil }
    self = type
  }

  /// By a file's first bytes (32 are enough); nil for what is not supported.
  public init?(sniffing head: [UInt8]) {
    func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
    }
    func begins(_ text: String, at offset: Int = 0) -> Bool { begins(Array(text.utf8), at: offset) }
    switch true {
    case begins([0xFF, 0xD8, 0xFF]): self = .jpeg
    case begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case begins("GIF87a"), begins("GIF89a"): self = .gif
    case begins("FORM") && (begins("AIFF", at: 8) || begins("AIFC", at: 8)): self = .aiff
    case begins("RIFF") && begins("WAVE", at: 8): self = .wave
    case begins("RIFF") && begins("AVI ", at: 8): self = .avi
    case begins("ID3"), Self.isLayer3(head): self = .mp3
    case begins("ftyp", at: 4):
      guard let type = Self.container(brand: head.dropFirst(8).prefix(4)) else { return nil }
      self = type
    case begins([0, 0, 1, 0xBA]): self = .mpeg
    case begins([0, 0, 1, 0xB3]): self = .mpeg2
    default: return nil
    }
  }

  /// A frame of MPEG audio, layer III, of version 1, 2 or 2.5.
  ///
  /// Source: ISO/IEC 11172-3, 2.4.1.3: eleven bits set, version, layer (01), and whether a check sum follows.
  private static func isLayer3(_ head: [UInt8]) -> Bool {
    guard head.count > 1, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
    return head[1] & 0x06 == 0x02 && head[1] & 0x18 != 0x08
  }

  /// By the brand of a file of the ISO base media format, which holds pictures (HEIF, AVIF) and QuickTime films too.
  private static func container(brand: ArraySlice<UInt8>) -> AttachmentType? {
    switch String(decoding: brand, as: UTF8.self) {
    case "M4A ", "M4B ", "M4P ": .mpeg4Audio
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ", "jp2 ", "jpx ",
      "qt  ":
      nil
    default: .mpeg4
    }
  }

  /// The type of a file that is said to be of this one: what its content shows, unless both are true of it.
  ///
  /// Sound and film may lie in one container (MPEG-4), and a stream of MPEG-2 video is a film of both kinds.
  public func refined(by head: [UInt8]) -> AttachmentType {
    guard let sniffed = AttachmentType(sniffing: head) else { return self }
    return isLike(sniffed) ? self : sniffed
  }

  /// Whether files of both types may begin alike.
  private func isLike(_ other: AttachmentType) -> Bool {
    let containers: Set<AttachmentType> = [.mpeg4, .mpeg4Audio]
    let streams: Set<AttachmentType> = [.mpeg, .mpeg2]
    return containers.isSuperset(of: [self, other]) || streams.isSuperset(of: [self, other])
  }

  /// Whether a file's first bytes cannot be one of this type.
  ///
  /// Pictures must look like one, though not of the same kind: many are saved under another's extension and can be
  /// drawn all the same. Sounds and films have too many beginnings; what is text or of another kind is refused.
  public func isContradicted(by head: [UInt8]) -> Bool {
    let sniffed = AttachmentType(sniffing: head)
    if kind == .image { return sniffed?.kind != .image }
    if head.isEmpty { return true }
    if let sniffed { return sniffed.kind != kind && !isLike(sniffed) }
    return head.allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
  }
}
