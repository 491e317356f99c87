import NotificationBridge

/// Where things are in a GIF file.
///
/// Source: GIF89a specification, 15 to 27.
struct GIFLayout: Sendable {
  /// One picture of the animation.
  private struct Frame {
    /// The picture alone, without what tells how it is shown.
    var bytes: Range<Int>
    /// The block that tells so, if there is one.
    var control: Range<Int>?
    /// How long it is shown.
    var seconds: Double
    var size: PixelSize
  }

  private let picture: PixelSize
  private let frames: [Frame]
  /// The first frame and what comes before it end here.
  private let firstFrameEnd: Int
  /// What is common to all frames ends here.
  private let headerEnd: Int

  /// Nil for a file without a frame, and for one that does not go on to its trailer.
  init?(_ bytes: [UInt8]) {
    func number(_ position: Int) -> Int { Int(bytes[position]) | Int(bytes[position + 1]) << 8 }
    func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    /// The end of data blocks, each with its length before it, an empty one the last.
    func end(ofBlocks start: Int) -> Int {
      var position = start
      while position < bytes.count, bytes[position] != 0 { position += 1 + Int(bytes[position]) }
      return position + 1
    }
    guard bytes.count >= 13 else { return nil }
    picture = PixelSize(width: number(6), height: number(8))
    var frames: [Frame] = []
    var control: (bytes: Range<Int>, seconds: Double)?
    headerEnd = 13 + tableLength(bytes[10])
    var position = headerEnd
    while position < bytes.count {
      switch bytes[position] {
      case 0x21:
        let start = position
        position = end(ofBlocks: position + 2)
        if start + 7 < bytes.count, position <= bytes.count, bytes[start + 1] == 0xF9, bytes[start + 2] == 4 {
          control = (start..<position, Self.seconds(hundredths: number(start + 4)))
        }
      case 0x2C:
        guard position + 10 < bytes.count else { return nil }
        let start = position
        let frame = PixelSize(width: number(position + 5), height: number(position + 7))
        position = end(ofBlocks: position + 11 + tableLength(bytes[position + 9]))
        frames.append(
          Frame(
            bytes: start..<position, control: control?.bytes, seconds: control?.seconds ?? Self.standardDelay,
            size: frame))
        control = nil
      case 0x3B:
        guard let first = frames.first else { return nil }
        firstFrameEnd = first.bytes.upperBound
        self.frames = frames
        return
      default: return nil
      }
    }
    return nil
  }

  /// How long a frame is shown that does not say so.
  private static let standardDelay = 0.1

  /// Everybody shows frames that have hardly any time of their own for a tenth of a second.
  private static func seconds(hundredths: Int) -> Double { hundredths < 2 ? standardDelay : Double(hundredths) / 100 }

  /// What must be decoded for each frame up to this one: the size of the picture or of the largest frame, whichever is
  /// larger. What of a frame lies outside the picture is decoded too.
  func size(upTo number: Int) -> PixelSize {
    frames[...number].reduce(picture) { $1.size.area > $0.area ? $1.size : $0 }
  }

  /// The number of a frame, from 0; the last for a moment beyond it.
  func number(of moment: AnimationMoment?) -> Int {
    switch moment {
    case nil: return 0
    case .frame(let number): return min(max(number, 0), frames.count - 1)
    case .seconds(let seconds):
      var end = 0.0
      for (number, frame) in frames.enumerated() {
        end += frame.seconds
        if seconds < end { return number }
      }
      return frames.count - 1
    }
  }

  /// A file that ends with this frame. Each is shown for a tenth of a second, and the last one stays.
  func file(of bytes: [UInt8], upTo number: Int) -> [UInt8] {
    if number == 0 { return bytes[..<firstFrameEnd] + [0x3B] }
    // Without blocks of applications, which would have it begin again.
    var file = Array(bytes[..<headerEnd])
    for frame in frames[...number] {
      if let control = frame.control {
        let start = file.count
        file += bytes[control]
        (file[start + 4], file[start + 5]) = (10, 0)
      } else {
        file += [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
      }
      file += bytes[frame.bytes]
    }
    return file + [0x3B]
  }
}
