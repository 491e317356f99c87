/// Where things are in a GIF file.
///
/// Source: GIF89a specification, 15 to 27.
struct GIFLayout: Sendable {
  /// What must be decoded for the first frame: the size of the picture or of the frame, whichever is larger. What of a
  /// frame lies outside the picture is decoded too.
  let size: PixelSize
  /// The first frame and what comes before it end here.
  private let firstFrameEnd: Int

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
    let picture = PixelSize(width: number(6), height: number(8))
    var first: (size: PixelSize, end: Int)?
    var position = 13 + tableLength(bytes[10])
    while position < bytes.count {
      switch bytes[position] {
      case 0x21:
        position = end(ofBlocks: position + 2)
      case 0x2C:
        guard position + 10 < bytes.count else { return nil }
        let frame = PixelSize(width: number(position + 5), height: number(position + 7))
        position = end(ofBlocks: position + 11 + tableLength(bytes[position + 9]))
        if first == nil { first = (frame.area > picture.area ? frame : picture, position) }
      case 0x3B:
        guard let first else { return nil }
        size = first.size
        firstFrameEnd = first.end
        return
      default: return nil
      }
    }
    return nil
  }

  /// The file with its first frame alone.
  func firstFrame(of bytes: [UInt8]) -> [UInt8] { bytes[..<firstFrameEnd] + [0x3B] }
}
