public import DBus

/// A picture as raw pixels: 8 bits per channel, RGB or RGBA (not premultiplied), rows without padding.
///
/// Source: Desktop Notifications Specification, "Icons and Images".
public struct ImageData: Sendable, Hashable {
  /// In pixels, at least 1.
  public let width: Int
  /// In pixels, at least 1.
  public let height: Int
  public let hasAlpha: Bool
  /// Exactly `height * rowStride` bytes.
  public let pixels: [UInt8]

  /// 4 with an alpha channel, else 3.
  public var channels: Int { hasAlpha ? 4 : 3 }
  /// Bytes per row.
  public var rowStride: Int { width * channels }

  /// Nil unless both sides are 1…32767 and `pixels` has exactly the right length.
  public init?(width: Int, height: Int, hasAlpha: Bool, pixels: [UInt8]) {
    guard (1...32767).contains(width), (1...32767).contains(height),
      pixels.count == width * height * (hasAlpha ? 4 : 3)
    else { return nil }
    self.width = width
    self.height = height
    self.hasAlpha = hasAlpha
    self.pixels = pixels
  }

  /// The type on the wire.
  public static let signature: Signature = "(iiibiiay)"

  /// The struct on the wire: width, height, row stride, alpha, bits, channels, pixels.
  public var value: Value {
    .structure([
      .int32(Int32(width)), .int32(Int32(height)), .int32(Int32(rowStride)), .boolean(hasAlpha), .int32(8),
      .int32(Int32(channels)), .bytes(pixels),
    ])
  }

  /// Reads what a peer sent, padded rows and a short last row included; nil for anything that does not fit together.
  public init?(_ value: Value) {
    guard let members = value.asStructure, members.count == 7, value.signature == Self.signature,
      let width = members[0].asInteger, let height = members[1].asInteger, let stride = members[2].asInteger,
      let alpha = members[3].asBool, members[4].asInteger == 8, let channels = members[5].asInteger,
      channels == (alpha ? 4 : 3), let bytes = members[6].asBytes,
      (1...32767).contains(width), (1...32767).contains(height), stride >= width * channels,
      bytes.count >= stride * (height - 1) + width * channels
    else { return nil }
    if stride == width * channels, bytes.count == stride * height {
      self.init(width: width, height: height, hasAlpha: alpha, pixels: bytes)
      return
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * channels)
    for row in 0..<height { pixels += bytes[row * stride..<row * stride + width * channels] }
    self.init(width: width, height: height, hasAlpha: alpha, pixels: pixels)
  }
}
