import CGLib
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import Testing

@testable import DesktopEnvironment

@Suite("Sharing of decoded images", .timeLimit(.minutes(2)))
struct ImageSharingTests {
  @Test("Small pictures do not wait for a photograph of 12 megapixels that is being decoded")
  func lanes() async throws {
    try await withTemporaryFolder { folder in
      let photograph = folder + "/photograph.jpg"
      try writePhotograph(to: photograph)
      let decoder = PixbufDecoder()
      let order = Order()
      try await withThrowingTaskGroup(of: Void.self) { group in
        // Each clip is a decoding of its own; the large parts leave little for libjpeg to leave out.
        for number in 0..<4 {
          group.addTask {
            let clip = AttachmentRecord.Rect(x: 0, y: 0, width: 0.06 + Double(number) / 1000, height: 1)
            _ = try await decoder.decode(file: photograph, clip: clip, maximumSide: 3000)
            order.add("photograph")
          }
        }
        for name in ["rgba.png", "grey.png", "rgb.jpg"] {
          group.addTask {
            _ = try await decoder.decode(file: fixture(name), clip: nil, maximumSide: 64)
            order.add(name)
          }
        }
        try await group.waitForAll()
      }
      let found = order.names
      #expect(found.count == 7)
      #expect(found.suffix(4) == Array(repeating: "photograph", count: 4)[...], "\(found)")
    }
  }

  @Test("A small picture comes although none that is large moves at all")
  func standstill() async throws {
    try await withTemporaryFolder { folder in
      let photograph = folder + "/photograph.jpg"
      try writePhotograph(to: photograph)
      let decoder = PixbufDecoder()
      decoder.large.suspend()
      let order = Order()
      async let late: Void = {
        let image = try await decoder.decode(file: photograph, clip: nil, maximumSide: 256)
        #expect((image.width, image.height) == (256, 192))
        order.add("photograph")
      }()
      // A small file with a large picture, too, belongs with the large ones.
      let wide = folder + "/wide.png"
      try writePNG(width: 2000, height: 1000, to: wide)
      async let alsoLate = decoder.decode(file: wide, clip: nil, maximumSide: 100)
      for name in ["rgba.png", "palette.png", "rgb.jpg", "animation.gif"] {
        _ = try await decoder.decode(file: fixture(name), clip: nil, maximumSide: 64)
      }
      #expect(order.names.isEmpty)
      decoder.large.resume()
      try await late
      #expect(try await alsoLate.height == 50)
    }
  }

  @Test("The same picture is decoded once, whether asked for again or at the same time")
  func once() async throws {
    let decoder = PixbufDecoder()
    let images = try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask { try await decoder.decode(file: fixture("wide.png"), clip: nil, maximumSide: 100) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(images.count == 50 && Set(images).count == 1)
    #expect(decoder.decodings == 1)
    _ = try await decoder.decode(file: fixture("wide.png"), clip: nil, maximumSide: 100)
    #expect(decoder.decodings == 1)
    _ = try await decoder.decode(file: fixture("wide.png"), clip: nil, maximumSide: 99)
    let clip = AttachmentRecord.Rect(x: 0, y: 0, width: 0.5, height: 1)
    _ = try await decoder.decode(file: fixture("wide.png"), clip: clip, maximumSide: 100)
    #expect(decoder.decodings == 3)
  }

  @Test("All who wait for a large picture get the one decoding of it")
  func onceWhileWaiting() async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/wide.png"
      try writePNG(width: 2000, height: 1000, to: file)
      let decoder = PixbufDecoder()
      decoder.large.suspend()
      async let first = decoder.decode(file: file, clip: nil, maximumSide: 100)
      async let second = decoder.decode(file: file, clip: nil, maximumSide: 100)
      async let third = decoder.decode(file: file, clip: nil, maximumSide: 100)
      _ = try await decoder.decode(file: fixture("grey.png"), clip: nil, maximumSide: 100)
      decoder.large.resume()
      let images = try await [first, second, third]
      #expect(Set(images).count == 1)
      #expect(decoder.decodings == 2)
    }
  }

  @Test("A file that changed is decoded anew, and failures are not remembered")
  func changes() async throws {
    try await withTemporaryFolder { folder in
      let decoder = PixbufDecoder()
      let file = folder + "/picture.png"
      func replace(by name: String) throws {
        try Data(contentsOf: URL(filePath: fixture(name))).write(to: URL(filePath: file), options: .atomic)
      }
      try replace(by: "html.png")
      await #expect(throws: BridgeError.self) { try await decoder.decode(file: file, clip: nil, maximumSide: 64) }
      try replace(by: "rgba.png")
      #expect(try await decoder.decode(file: file, clip: nil, maximumSide: 64).hasAlpha)
      try replace(by: "rgb-33x7.png")
      #expect(try await decoder.decode(file: file, clip: nil, maximumSide: 64).width == 33)
      try FileManager.default.removeItem(atPath: file)
      await #expect(throws: BridgeError.self) { try await decoder.decode(file: file, clip: nil, maximumSide: 64) }
    }
  }

  @Test("The cache keeps to its limits and lets the least recently used go")
  func limits() throws {
    func image(_ side: Int) throws -> ImageData {
      try #require(.init(width: side, height: 1, hasAlpha: true, pixels: Array(repeating: 0, count: side * 4)))
    }
    var cache = ImageCache<Int>(entries: 3, bytes: 400)
    for number in 1...3 { cache.keep(try image(number), number) }
    #expect(cache.image(1) != nil)
    cache.keep(try image(4), 4)
    #expect(cache.image(2) == nil && cache.image(1) != nil && cache.image(3) != nil && cache.image(4) != nil)
    cache.keep(try image(95), 5)
    #expect(cache.bytes <= 400 && cache.count == 2)
    #expect(cache.image(5) != nil && cache.image(4) != nil)
    cache.keep(try image(101), 6)
    #expect(cache.image(6) == nil && cache.image(5) != nil)
    cache.keep(try image(1), 5)
    #expect(cache.image(5)?.width == 1 && cache.bytes == 20)
    var none = ImageCache<Int>(entries: 0, bytes: 400)
    none.keep(try image(1), 1)
    #expect(none.count == 0)
  }

  @Test("Thousands of pictures, damaged ones among them, leave no memory behind")
  func leaks() async {
    // In a process of its own: what other tests need meanwhile does not count.
    await #expect(processExitsWith: .success) {
      let decoder = PixbufDecoder(cacheEntries: 0)
      func turn(_ count: Int) async {
        for _ in 0..<count {
          for name in ["wide.png", "exif6.jpg", "animation.gif", "damaged.png", "truncated.gif", "enormous.png"] {
            _ = try? await decoder.decode(
              file: fixture(name), clip: .init(x: 0, y: 0, width: 0.5, height: 1), maximumSide: 100)
          }
        }
      }
      await turn(20)
      let before = try residentBytes()
      await turn(200)
      // A reference lost in each turn would be 144 MB at least.
      #expect(try residentBytes() - before < 50_000_000)
    }
  }
}

private func residentBytes() throws -> Int {
  let words = try String(contentsOfFile: "/proc/self/statm", encoding: .ascii).split(separator: " ")
  return try #require(words.dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
}

/// What was done, in order.
private final class Order: Sendable {
  private let entries = Mutex<[String]>([])
  var names: [String] { entries.withLock { $0 } }
  func add(_ name: String) { entries.withLock { $0.append(name) } }
}

/// Writes a JPEG of 4000 × 3000 pixels with as much detail as a photograph has.
func writePhotograph(to path: String) throws {
  let pixbuf = unsafe gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, 4000, 3000)
  defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
  let stride = Int(unsafe gdk_pixbuf_get_rowstride(pixbuf))
  guard let pixels = unsafe gdk_pixbuf_get_pixels(pixbuf) else { throw CocoaError(.featureUnsupported) }
  var state: UInt64 = 88_172_645_463_325_252
  for y in 0..<3000 {
    let row = unsafe UnsafeMutableBufferPointer(start: pixels + y * stride, count: 12000)
    for x in 0..<12000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      unsafe row[x] = UInt8(truncatingIfNeeded: (x / 47 + y / 13) & 0xE0 | Int(state & 0x1F))
    }
  }
  try unsafe save(pixbuf, "jpeg", to: path)
}

func writePNG(width: Int32, height: Int32, to path: String) throws {
  let pixbuf = unsafe gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height)
  defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
  unsafe gdk_pixbuf_fill(pixbuf, 0x1122_33FF)
  try unsafe save(pixbuf, "png", to: path)
}

private func save(_ pixbuf: OpaquePointer?, _ type: String, to path: String) throws {
  #expect(unsafe gdk_pixbuf_savev(pixbuf, path, type, nil, nil, nil) != 0)
  let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  #expect(size < 10 << 20)
}
