import CGLib
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Testing

@testable import DesktopEnvironment

@Suite("Image files", .timeLimit(.minutes(2)))
struct ImageFileTests {
  private let decoder = PixbufDecoder()

  private func image(
    _ name: String, clip: AttachmentRecord.Rect? = nil, maximumSide: Int = 256
  ) async throws -> ImageData {
    try await decoder.decode(file: fixture(name), clip: clip, maximumSide: maximumSide)
  }

  /// The colours in the middle of the four fields.
  private func fields(_ image: ImageData) -> [[UInt8]] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { image.pixel(x: image.width * $0.0 / 4, y: image.height * $0.1 / 4) }
  }

  private static let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
  private static let greys: [[UInt8]] = [0, 85, 170, 255].map { [$0, $0, $0] }

  @Test(
    "C043: sources of every form come out as 8-bit RGB or RGBA with the right colours",
    arguments: [
      ("palette.png", colours), ("rgb16.png", colours), ("interlaced.png", colours), ("still.gif", nil),
      ("grey.png", greys), ("grey16.png", greys), ("rgb.jpg", colours), ("progressive.jpg", colours),
      ("cmyk.jpg", colours), ("grey.jpg", greys),
      ("rgba.png", zip(colours, [255, 128, 0, 64]).map { $0 + [$1] }),
      ("palette-transparent.png", zip(colours, [255, 255, 0, 128]).map { $0 + [$1] }),
      ("grey-alpha.png", zip(greys, [255, 0, 128, 64]).map { $0 + [$1] }),
    ] as [(String, [[UInt8]]?)])
  func c043(_ name: String, _ expected: [[UInt8]]?) async throws {
    let image = try await image(name)
    // GIF files always get an alpha channel.
    let expected = expected ?? Self.colours.map { $0 + [255] }
    #expect(image.hasAlpha == (expected[0].count == 4))
    #expect(image.channels == expected[0].count)
    #expect(image.pixels.count == image.rowStride * image.height)
    // JPEG is not exact.
    let tolerance = name.hasSuffix(".jpg") ? 3 : 0
    for (found, wanted) in zip(fields(image), expected) {
      #expect(found.isClose(to: wanted, within: tolerance), "\(found), expected \(wanted)")
    }
  }

  @Test("C044: rows of an odd width follow each other without padding")
  func c044() async throws {
    let image = try await image("rgb-33x7.png")
    #expect((image.width, image.height, image.rowStride, image.pixels.count) == (33, 7, 99, 693))
    #expect(!image.hasAlpha)
    for y in 0..<7 {
      for x in 0..<33 { #expect(image.pixel(x: x, y: y) == Self.colours[(y >= 3 ? 2 : 0) + (x >= 16 ? 1 : 0)]) }
    }
  }

  @Test("C052: a web page that is named like a picture is corrupt, and the next picture is not affected")
  func c052() async throws {
    let error = await failure("html.png")
    #expect(error?.code == .attachmentCorrupt)
    #expect(error?.message.contains("html.png") == true)
    #expect(try await image("rgba.png").width == 8)
  }

  @Test(
    "What is damaged, cut short or has too many pixels is corrupt",
    arguments: [
      "truncated.png", "truncated-interlaced.png", "truncated.jpg", "truncated-progressive.jpg", "truncated.gif",
      "damaged.png", "half-rows.png", "enormous.png", "enormous-frame.gif",
    ])
  func corrupt(_ name: String) async {
    let error = await failure(name)
    #expect(error?.code == .attachmentCorrupt)
    #expect(error?.message.contains(name) == true)
  }

  @Test("No beginning of a picture file is taken for the picture, nor does any stop the program")
  func everyBeginning() async throws {
    try await withTemporaryFolder { folder in
      for name in ["rgb-33x7.png", "interlaced.png", "rgb.jpg", "progressive.jpg", "cmyk.jpg", "animation.gif"] {
        let bytes = try Data(contentsOf: URL(filePath: fixture(name)))
        for length in Array(stride(from: 0, to: bytes.count, by: 5)) + [bytes.count - 1] {
          let file = folder + "/\(length)-\(name)"
          try bytes.prefix(length).write(to: URL(filePath: file))
          await #expect(throws: BridgeError.self, "\(length) bytes of \(name)") {
            try await decoder.decode(file: file, clip: nil, maximumSide: 16)
          }
          try FileManager.default.removeItem(atPath: file)
        }
      }
    }
  }

  @Test("An error names its cause and what is wrong")
  func reasons() async {
    #expect(await failure("enormous.png")?.message.contains("20000 × 10000") == true)
    #expect(await failure("damaged.png")?.cause is GLibError)
  }

  @Test("What is missing or no regular file is unreadable, and nothing waits for it", .timeLimit(.minutes(1)))
  func unreadable() async throws {
    try await withTemporaryFolder { folder in
      let fifo = folder + "/fifo.png"
      #expect(unsafe mkfifo(fifo, 0o600) == 0)
      for path in [
        folder + "/missing.png", folder, fifo, "/dev/zero", "/dev/tty", "a\0b", fixture("rgb.jpg") + "/x",
      ] {
        let error = await failure(path: path)
        #expect(error?.code == .attachmentUnreadable, "\(path)")
        #expect(error?.message.contains(path) == true, "\(path)")
      }
    }
  }

  @Test("A file over 10 MB is refused before it is read, one of 10 MB is not")
  func sizeLimit() async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/large.png"
      try Data(contentsOf: URL(filePath: fixture("rgba.png"))).write(to: URL(filePath: file))
      #expect(unsafe truncate(file, (10 << 20) + 1) == 0)
      let error = await failure(path: file)
      #expect(error?.code == .attachmentTooLarge)
      #expect(error?.message.contains(file) == true)
      #expect(unsafe truncate(file, 10 << 20) == 0)
      #expect(try await decoder.decode(file: file, clip: nil, maximumSide: 8).width == 8)
    }
  }

  @Test("Pictures lie as their camera wrote down", arguments: 2...8)
  func orientation(_ number: Int) async throws {
    let image = try await image("exif\(number).jpg")
    let turned = number >= 5
    #expect((image.width, image.height) == (turned ? (16, 32) : (32, 16)))
    // Which of the stored fields is shown above on the left and right, below on the left and right.
    let order: [Int: [Int]] = [
      2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1], 5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0],
      8: [1, 3, 0, 2],
    ]
    let expected = try #require(order[number]).map { Self.colours[$0] }
    for (found, wanted) in zip(fields(image), expected) {
      #expect(found.isClose(to: wanted, within: 3), "\(found), expected \(wanted)")
    }
  }

  @Test("Large pictures are scaled down with their shape kept, small ones never up")
  func scaling() async throws {
    for (side, width, height) in [(256, 256, 171), (128, 128, 85), (600, 600, 400), (1000, 600, 400), (1, 1, 1)] {
      let image = try await image("wide.png", maximumSide: side)
      #expect((image.width, image.height) == (width, height))
      if side >= 128 { #expect(fields(image) == Self.colours) }
    }
    // The mean of the four fields, not one of them.
    let one = try await image("wide.png", maximumSide: 1).pixel(x: 0, y: 0)
    #expect(one.isClose(to: [127, 127, 127], within: 2), "\(one)")
    let upright = try await image("exif6.jpg", maximumSide: 16)
    #expect((upright.width, upright.height) == (8, 16))
  }

  @Test("A clip is a part of the picture as it is seen, scaled by its own size")
  func clip() async throws {
    let corner = AttachmentRecord.Rect(x: 0.5, y: 0, width: 0.5, height: 0.5)
    let green = try await image("wide.png", clip: corner, maximumSide: 256)
    #expect((green.width, green.height) == (256, 171))
    #expect(fields(green).allSatisfy { $0 == Self.colours[1] })
    let small = try await image("wide.png", clip: .init(x: 0, y: 0.5, width: 0.1, height: 0.1))
    #expect((small.width, small.height) == (60, 40))
    #expect(small.pixel(x: 0, y: 0) == Self.colours[2])
    // Turned by its camera: above on the right is what is stored above on the left.
    let turned = try await image("exif6.jpg", clip: corner)
    #expect((turned.width, turned.height) == (8, 16))
    #expect(fields(turned).allSatisfy { $0.isClose(to: Self.colours[0], within: 3) })
  }

  @Test(
    "A clip that is malformed or covers nothing shows the whole, one that juts out what it covers",
    arguments: [
      (AttachmentRecord.Rect(x: 0, y: 0, width: 0, height: 0), 8, 6), (.init(x: 2, y: 0, width: 1, height: 1), 8, 6),
      (.init(x: .nan, y: 0, width: 1, height: 1), 8, 6), (.init(x: 0, y: 0, width: .infinity, height: 1), 8, 6),
      (.init(x: 1, y: 1, width: -1, height: -1), 8, 6), (.init(x: -1, y: -1, width: 1.5, height: 1.5), 4, 3),
      (.init(x: 0.99, y: 0.99, width: 1, height: 1), 1, 1), (.init(x: 0, y: 0, width: 1e-9, height: 1e-9), 1, 1),
    ])
  func oddClips(_ clip: AttachmentRecord.Rect, _ width: Int, _ height: Int) async throws {
    let image = try await image("rgba.png", clip: clip)
    #expect((image.width, image.height) == (width, height))
  }

  @Test("Of an animation the first frame is shown, in its place")
  func animation() async throws {
    let image = try await image("animation.gif")
    #expect((image.width, image.height) == (8, 6))
    #expect(image.pixel(x: 4, y: 3) == [255, 0, 0, 255])
    let inside = try await self.image("offset-frame.gif")
    #expect((inside.width, inside.height) == (16, 12))
    #expect(inside.pixel(x: 7, y: 6)[3] == 0 && inside.pixel(x: 8, y: 5)[3] == 0)
    #expect(inside.pixel(x: 8, y: 6) == [255, 0, 0, 255] && inside.pixel(x: 15, y: 11) == [255, 255, 255, 255])
  }

  @Test("An animation of hundreds of thousands of frames takes no longer than its first", .timeLimit(.minutes(1)))
  func manyFrames() async throws {
    try await withTemporaryFolder { folder in
      let bytes = try Data(contentsOf: URL(filePath: fixture("animation.gif")))
      let start = try #require(bytes.firstRange(of: Data([0x21, 0xF9]))).lowerBound
      var film = bytes[..<start]
      let frames = bytes[start..<bytes.count - 1]
      while film.count + frames.count < 10 << 20 { film += frames }
      film.append(0x3B)
      try film.write(to: URL(filePath: folder + "/film.gif"))
      let image = try await decoder.decode(file: folder + "/film.gif", clip: nil, maximumSide: 64)
      #expect(image.pixel(x: 4, y: 3) == [255, 0, 0, 255])
    }
  }

  @Test("What else is in a PNG file is not even looked at")
  func ancillaryChunks() async throws {
    try await withTemporaryFolder { folder in
      var bytes = try Data(contentsOf: URL(filePath: fixture("palette-transparent.png")))
      // Between IHDR and PLTE: text that claims to be compressed, and a check sum that is wrong.
      bytes.insert(contentsOf: [0, 0, 0, 4] + Array("zTXta".utf8) + [0, 0, 0xFF, 1, 2, 3, 4], at: 33)
      try bytes.write(to: URL(filePath: folder + "/text.png"))
      let image = try await decoder.decode(file: folder + "/text.png", clip: nil, maximumSide: 64)
      #expect(image.pixel(x: 7, y: 5) == [255, 255, 255, 128])
    }
  }

  @Test("A JPEG file with more scans than any picture needs is corrupt")
  func scans() async throws {
    try await withTemporaryFolder { folder in
      let bytes = try Data(contentsOf: URL(filePath: fixture("progressive.jpg")))
      let start = try #require(bytes.lastRange(of: Data([0xFF, 0xDA]))).lowerBound
      let scan = bytes[start..<bytes.count - 2]
      for (count, isFine) in [(50, true), (200, false)] {
        let file = folder + "/\(count).jpg"
        let many = bytes.dropLast(2) + (0..<count).flatMap { _ in scan } + bytes.suffix(2)
        try many.write(to: URL(filePath: file))
        #expect(await (failure(path: file) == nil) == isFine)
      }
    }
  }

  private func failure(_ name: String) async -> BridgeError? { await failure(path: fixture(name)) }

  private func failure(path: String) async -> BridgeError? {
    do throws(BridgeError) {
      _ = try await decoder.decode(file: path, clip: nil, maximumSide: 256)
      return nil
    } catch { return error }
  }
}

func fixture(_ name: String) -> String {
  Bundle.module.bundleURL.appending(path: "Data/\(name)").path(percentEncoded: false)
}

/// Runs `body` with a new folder, which is removed afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder.path(percentEncoded: false))
}

extension ImageData {
  func pixel(x: Int, y: Int) -> [UInt8] {
    let start = y * rowStride + x * channels
    return Array(pixels[start..<start + channels])
  }
}

extension [UInt8] {
  func isClose(to other: [UInt8], within tolerance: Int) -> Bool {
    count == other.count && zip(self, other).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }
}
