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

  /// What of a file its picture needs; nil for one that is cut short. gdk-pixbuf shows what there is of a PNG or JPEG
  /// file that was cut short without a word, the rest undefined.
  func essentials(of bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .png: Self.essentials(ofPNG: bytes)
    case .jpeg: Self.goesOnToEnd(jpeg: bytes) ? bytes : nil
    case .gif: GIFLayout(bytes)?.file(of: bytes, upTo: 0)
    }
  }

  /// The chunks that make the picture. All others are left out, since compressed text in them can keep libpng busy for
  /// minutes.
  ///
  /// Source: PNG Specification, 5.3: length, type, data and check sum, up to the chunk IEND. A type in which the first
  /// letter is a capital is needed.
  private static func essentials(ofPNG bytes: [UInt8]) -> [UInt8]? {
    var kept = Array(bytes.prefix(8))
    kept.reserveCapacity(bytes.count)
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return nil }
      let type = bytes[position + 4..<position + 8]
      let end = position + 12 + length
      if bytes[position + 4] & 0x20 == 0 || type.elementsEqual("tRNS".utf8) { kept += bytes[position..<end] }
      if type.elementsEqual("IEND".utf8) { return kept }
      position = end
    }
    return nil
  }

  /// Pictures that appear step by step have some ten scans. Each costs the work of the whole picture.
  private static let scanLimit = 100

  /// Source: ITU-T T.81, annex B: markers with lengths; after a start of scan, data in which a marker's first byte is
  /// followed by zero.
  private static func goesOnToEnd(jpeg bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      var scans = 0
      var position = 2
      while position + 1 < buffer.count, scans <= scanLimit,
        let found = unsafe memchr(base + position, 0xFF, buffer.count - position - 1)
      {
        position = unsafe base.distance(to: found) + 1
        switch unsafe buffer[position] {
        case 0xFF: break
        case 0xD9: return true
        case 0x00, 0x01, 0xD0...0xD8: position += 1
        case let marker:
          if marker == 0xDA { scans += 1 }
          guard position + 2 < buffer.count else { return false }
          unsafe position += 1 + Int(buffer[position + 1]) << 8 + Int(buffer[position + 2])
        }
      }
      return false
    }
  }
}
