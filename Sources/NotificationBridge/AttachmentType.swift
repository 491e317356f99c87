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
    "aif": .aiff, "aiff": .aiff, "wav": .wave, "mp3": .mp3, "m4a": .mpeg4Audio,
    "mpg": .mpeg, "mpeg": .mpeg, "m2v": .mpeg2, "mp4": .mpeg4, "m4v": .mpeg4, "avi": .avi,
  ]

  /// An extension for files of the type.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .aiff: "aiff"
    case .mpeg: "mpg"
    default: Self.byExtension.first { $0.value == self }?.key ?? ""
    }
  }

  /// By uniform type identifier; nil for one that is not supported.
  public init?(identifier: String) {
    guard let type = Self.byExtension.values.first(where: { $0.identifier == identifier }) else { return nil }
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
    case begins("ID3"), begins([0xFF, 0xFB]), begins([0xFF, 0xF3]), begins([0xFF, 0xF2]): self = .mp3
    case begins("ftypM4A", at: 4): self = .mpeg4Audio
    case begins("ftyp", at: 4): self = .mpeg4
    case begins([0, 0, 1, 0xBA]): self = .mpeg
    case begins([0, 0, 1, 0xB3]): self = .mpeg2
    default: return nil
    }
  }
}
