import Glibc
import NotificationBridge

/// The formats that are read, by gdk-pixbuf's names.
enum PictureFormat: String, Sendable {
  case png, jpeg, gif

  /// By a file's first bytes; nil for anything else.
  init?(_ bytes: [UInt8]) {
    switch AttachmentType(sniffing: Array(bytes.prefix(32))) {
    case .png?: self = .png
    case .jpeg?: self = .jpeg
    case .gif?: self = .gif
    default: return nil
    }
  }

  /// Whether a file goes on to its picture's end. gdk-pixbuf shows what there is of a PNG or JPEG that was cut short
  /// without a word, the rest undefined; about a GIF it complains itself.
  func isWhole(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: Self.hasPNGEnd(bytes)
    case .jpeg: Self.hasJPEGEnd(bytes)
    case .gif: true
    }
  }

  /// Source: PNG Specification, 5.3: length, type, data and check sum, up to the chunk IEND.
  private static func hasPNGEnd(_ bytes: [UInt8]) -> Bool {
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return false }
      if bytes[position + 4..<position + 8].elementsEqual("IEND".utf8) { return true }
      position += 12 + length
    }
    return false
  }

  /// Source: ITU-T T.81, annex B: markers with lengths; after a start of scan, data in which a marker's first byte is
  /// followed by zero.
  private static func hasJPEGEnd(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      var position = 2
      while position + 1 < buffer.count,
        let found = unsafe memchr(base + position, 0xFF, buffer.count - position - 1)
      {
        position = unsafe base.distance(to: found) + 1
        switch unsafe buffer[position] {
        case 0xFF: break
        case 0xD9: return true
        case 0x00, 0x01, 0xD0...0xD8: position += 1
        default:
          guard position + 2 < buffer.count else { return false }
          unsafe position += 1 + Int(buffer[position + 1]) << 8 + Int(buffer[position + 2])
        }
      }
      return false
    }
  }
}
