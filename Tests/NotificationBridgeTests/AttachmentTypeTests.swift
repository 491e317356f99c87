import NotificationBridge
import Testing

@Suite struct AttachmentTypeTests {
  /// Identifier, kind, limit in megabytes, extensions, and a beginning by which it is known.
  static let table: [(String, AttachmentType.Kind, Int, [String], [UInt8])] = [
    ("public.jpeg", .image, 10, ["jpg", "jpeg", "jpe"], [0xFF, 0xD8, 0xFF, 0xE0]),
    ("public.png", .image, 10, ["png"], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("com.compuserve.gif", .image, 10, ["gif"], Array("GIF89a".utf8)),
    ("public.aiff-audio", .audio, 5, ["aif", "aiff", "aifc"], Array("FORM\0\0\0\u{1}AIFC".utf8)),
    ("com.microsoft.waveform-audio", .audio, 5, ["wav", "wave"], Array("RIFF\0\0\0\u{1}WAVE".utf8)),
    ("public.mp3", .audio, 5, ["mp3"], Array("ID3".utf8)),
    ("public.mpeg-4-audio", .audio, 5, ["m4a", "m4b"], Array("\0\0\0\u{18}ftypM4A ".utf8)),
    ("public.mpeg", .movie, 50, ["mpg", "mpeg", "mpe"], [0, 0, 1, 0xBA, 0x44]),
    ("public.mpeg-2-video", .movie, 50, ["m2v"], [0, 0, 1, 0xB3]),
    ("public.mpeg-4", .movie, 50, ["mp4", "m4v", "mpg4"], Array("\0\0\0\u{18}ftypisom".utf8)),
    ("public.avi", .movie, 50, ["avi", "vfw"], Array("RIFF\0\0\0\u{1}AVI LIST".utf8)),
  ]

  @Test("every type of Apple's table is known by its identifier, its extensions and its content", arguments: table)
  func known(
    _ identifier: String, _ kind: AttachmentType.Kind, _ megabytes: Int, _ extensions: [String], _ head: [UInt8]
  ) throws {
    let type = try #require(AttachmentType(identifier: identifier))
    #expect(type.kind == kind && type.sizeLimit == megabytes << 20 && type.identifier == identifier)
    #expect(AttachmentType(identifier: identifier.uppercased()) == type)
    for suffix in extensions {
      #expect(
        AttachmentType(fileExtension: suffix) == type && AttachmentType(fileExtension: suffix.uppercased()) == type)
    }
    #expect(extensions.contains(type.fileExtension))
    #expect(AttachmentType(sniffing: head + [UInt8](repeating: 7, count: 20)) == type)
    #expect(!type.isContradicted(by: head) && type.refined(by: head) == type)
    #expect(type.mimeType.hasPrefix("\(kind == .movie ? "video" : "\(kind)")/"))
  }

  @Test("the table is complete")
  func complete() { #expect(Set(Self.table.map(\.0)) == Set(AttachmentType.all.map(\.identifier))) }

  @Test(
    "identifiers of kinds of these types are these types, others are none",
    arguments: [
      ("com.apple.m4a-audio", "public.mpeg-4-audio"), ("public.aifc-audio", "public.aiff-audio"),
      ("com.apple.m4v-video", "public.mpeg-4"), ("public.heic", nil), ("com.apple.quicktime-movie", nil), ("", nil),
    ])
  func narrower(_ identifier: String, _ expected: String?) {
    #expect(AttachmentType(identifier: identifier)?.identifier == expected)
  }

  @Test("layer III of MPEG audio is known without a tag; other layers and AAC are not taken for it")
  func frames() {
    for second in [0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2] as [UInt8] {
      #expect(AttachmentType(sniffing: [0xFF, second, 0x90]) == .mp3)
    }
    for second in [0xFD, 0xFF, 0xF1, 0xF9, 0xEB, 0xC3, 0xD8] as [UInt8] {
      #expect(AttachmentType(sniffing: [0xFF, second, 0x90]) == nil)
    }
    #expect(AttachmentType(sniffing: [0xFF]) == nil && AttachmentType(sniffing: []) == nil)
  }

  @Test(
    "pictures and films of other kinds in the same container are none of these",
    arguments: ["heic", "mif1", "avif", "qt  "])
  func containers(_ brand: String) {
    #expect(AttachmentType(sniffing: Array("\0\0\0\u{18}ftyp\(brand)".utf8)) == nil)
  }

  @Test("what a file is counts, unless it may be both: sound and film share a container")
  func refined() {
    let film = Array("\0\0\0\u{18}ftypmp42".utf8)
    #expect(AttachmentType.mpeg4Audio.refined(by: film) == .mpeg4Audio)
    #expect(AttachmentType.mpeg4.refined(by: Array("\0\0\0\u{18}ftypM4A ".utf8)) == .mpeg4)
    #expect(AttachmentType.mpeg.refined(by: [0, 0, 1, 0xB3]) == .mpeg)
    #expect(AttachmentType.png.refined(by: [0xFF, 0xD8, 0xFF]) == .jpeg)
    #expect(AttachmentType.avi.refined(by: [1, 2, 3]) == .avi)
  }

  @Test("text, and files of another kind, contradict a type; pictures must look like one")
  func contradicted() {
    let text = Array("<html>".utf8)
    for type in AttachmentType.all { #expect(type.isContradicted(by: text) && type.isContradicted(by: [])) }
    #expect(AttachmentType.mp3.isContradicted(by: [0xFF, 0xD8, 0xFF]))
    #expect(
      AttachmentType.png.isContradicted(by: [1, 2, 3]) && !AttachmentType.png.isContradicted(by: [0xFF, 0xD8, 0xFF]))
    #expect(!AttachmentType.mp3.isContradicted(by: [0, 0, 0, 0]))
  }
}
