import Foundation
import FreedesktopNotifications
import NotificationBridge
import Testing

@testable import DesktopEnvironment

@Suite("Animations", .timeLimit(.minutes(2)))
struct AnimationTests {
  /// One picture of an animation: a rectangle of one colour of four.
  struct Frame {
    var x = 0, y = 0, width = 4, height = 4
    /// Black, red, green, blue.
    var colour: Int
    /// Hundredths of a second; nil: no control block.
    var delay: Int? = 10
    /// 1: it stays, 2: the background comes back, 3: what was there before.
    var disposal = 1
  }

  /// A file of 4 × 4 pixels. Each pixel is preceded by a clear code, so that all codes have three bits.
  static func file(_ frames: [Frame], loops: Bool = true) -> Data {
    var bytes = Array("GIF89a".utf8) + [4, 0, 4, 0, 0x91, 0, 0]
    bytes += [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    if loops { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0] }
    for frame in frames {
      if let delay = frame.delay {
        bytes += [0x21, 0xF9, 4, UInt8(frame.disposal << 2), UInt8(delay & 255), UInt8(delay >> 8), 0, 0]
      }
      bytes += [0x2C, UInt8(frame.x), 0, UInt8(frame.y), 0, UInt8(frame.width), 0, UInt8(frame.height), 0, 0, 2]
      let codes = (0..<frame.width * frame.height).flatMap { _ in [4, frame.colour] } + [5]
      var packed = [UInt8](repeating: 0, count: (codes.count * 3 + 7) / 8)
      for (index, code) in codes.enumerated() {
        for bit in 0..<3 where code >> bit & 1 == 1 { packed[(index * 3 + bit) / 8] |= 1 << ((index * 3 + bit) % 8) }
      }
      for start in stride(from: 0, to: packed.count, by: 255) {
        let block = packed[start..<min(start + 255, packed.count)]
        bytes += [UInt8(block.count)] + block
      }
      bytes.append(0)
    }
    return Data(bytes + [0x3B])
  }

  private func image(_ file: Data, _ moment: AnimationMoment?) async throws(BridgeError) -> ImageData {
    let path = FileManager.default.temporaryDirectory.appending(path: "film-\(UUID()).gif").path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try? file.write(to: URL(filePath: path))
    return try await PixbufDecoder().decode(file: path, moment: moment, clip: nil, maximumSide: 16)
  }

  private static let colours: [[UInt8]] = [[0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]

  @Test(
    "The frame of a number is shown, the last for a number beyond it, the first without one",
    arguments: [(nil, 1), (0, 1), (1, 2), (2, 3), (3, 3), (Int.max, 3), (-5, 1)])
  func numbers(_ number: Int?, _ colour: Int) async throws {
    for loops in [true, false] {
      let film = Self.file(
        [Frame(colour: 1), Frame(colour: 2, delay: 3000), Frame(colour: 3, delay: nil)], loops: loops)
      let image = try await image(film, number.map { .frame($0) })
      #expect((image.width, image.height) == (4, 4))
      #expect(image.pixel(x: 0, y: 0) == Self.colours[colour] && image.pixel(x: 3, y: 3) == Self.colours[colour])
    }
  }

  @Test(
    "The frame of a second is shown; one that hardly says how long it lasts lasts a tenth",
    arguments: [(0, 1), (0.45, 1), (0.5, 2), (0.59, 2), (0.61, 3), (9, 3)] as [(Double, Int)])
  func seconds(_ seconds: Double, _ colour: Int) async throws {
    let film = Self.file([Frame(colour: 1, delay: 50), Frame(colour: 2, delay: 0), Frame(colour: 3, delay: 20)])
    #expect(try await image(film, .seconds(seconds)).pixel(x: 1, y: 1) == Self.colours[colour])
  }

  @Test("Frames lie over those before them, as each says what becomes of it")
  func disposal() async throws {
    let film = Self.file([
      Frame(colour: 1), Frame(x: 0, y: 0, width: 2, height: 2, colour: 2),
      Frame(x: 2, y: 2, width: 2, height: 2, colour: 3, disposal: 3),
      Frame(x: 2, y: 0, width: 2, height: 2, colour: 0),
    ])
    let third = try await image(film, .frame(2))
    #expect(
      [(0, 0), (3, 0), (0, 3), (3, 3)].map { third.pixel(x: $0.0, y: $0.1) } == [2, 1, 1, 3].map { Self.colours[$0] })
    let last = try await image(film, .frame(3))
    #expect(
      [(0, 0), (3, 0), (0, 3), (3, 3)].map { last.pixel(x: $0.0, y: $0.1) } == [2, 0, 1, 1].map { Self.colours[$0] })
  }

  @Test("A frame after a thousand others, or after too many pixels, is refused by name, and the first is fine")
  func limits() async throws {
    let film = Self.file([Frame](repeating: Frame(width: 1, height: 1, colour: 1), count: 1100))
    #expect(try await image(film, .frame(999)).width == 4)
    await #expect(throws: BridgeError.self) { try await image(film, .frame(1000)) }
    #expect(try await image(film, nil).width == 4)
    var large = Self.file([Frame](repeating: Frame(colour: 1), count: 20))
    large.replaceSubrange(6..<10, with: [0x88, 0x13, 0x88, 0x13])
    let error = await #expect(throws: BridgeError.self) { try await image(large, .frame(10)) }
    #expect(error?.code == .attachmentCorrupt && error?.message.contains("too many") == true)
    #expect(try await image(large, .frame(2)).width == 16)
  }

  @Test("A frame that is damaged is an error; those before it are shown")
  func damaged() async throws {
    let film = Self.file([Frame(colour: 1), Frame(colour: 2), Frame(colour: 3)])
    #expect(try await image(film, .frame(1)).pixel(x: 0, y: 0) == Self.colours[2])
    // Nothing of it that can be decoded, though its blocks are whole.
    var broken = film
    let start = broken.count - 2
    broken.replaceSubrange(start - 13..<start, with: [UInt8](repeating: 0xFF, count: 13))
    _ = try? await image(broken, .frame(2))
    #expect(try await image(broken, .frame(1)).pixel(x: 0, y: 0) == Self.colours[2])
  }

  @Test("The decoder keeps the frames of one file apart")
  func cached() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "film-\(UUID()).gif").path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Self.file([Frame(colour: 1), Frame(colour: 2)]).write(to: URL(filePath: path))
    let decoder = PixbufDecoder()
    for _ in 0..<2 {
      for (moment, colour) in [(nil, 1), (AnimationMoment.frame(1), 2)] {
        let image = try await decoder.decode(file: path, moment: moment, clip: nil, maximumSide: 16)
        #expect(image.pixel(x: 0, y: 0) == Self.colours[colour])
      }
    }
    #expect(decoder.decodings == 2)
  }
}
