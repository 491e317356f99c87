import NotificationBridge

/// Sides in pixels.
struct PixelSize: Sendable, Hashable {
  var width, height: Int

  /// In pixels; the largest number where it would be more.
  var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// As large as this or smaller, neither side over `maximum`, the same shape as nearly as pixels allow.
  func fitting(_ maximum: Int) -> PixelSize {
    let longest = max(width, height)
    guard longest > maximum, longest > 0 else { return self }
    func scaled(_ side: Int) -> Int {
      max(1, Int((Double(side) * Double(maximum) / Double(longest)).rounded()))
    }
    return PixelSize(width: scaled(width), height: scaled(height))
  }

  /// What `clip` covers: whole pixels, at least one. All for nil, and for a rectangle that is malformed or covers
  /// nothing.
  func part(_ clip: AttachmentRecord.Rect?) -> PixelRect {
    guard let clip, let (x, width) = Self.span(clip.x, clip.width, of: self.width),
      let (y, height) = Self.span(clip.y, clip.height, of: self.height)
    else { return PixelRect(x: 0, y: 0, size: self) }
    return PixelRect(x: x, y: y, size: PixelSize(width: width, height: height))
  }

  private static func span(_ start: Double, _ length: Double, of side: Int) -> (start: Int, length: Int)? {
    let (low, high) = (max(start, 0), min(start + length, 1))
    // False, too, for what is no number.
    guard high > low, side > 0 else { return nil }
    let first = min(Int((low * Double(side)).rounded()), side - 1)
    let last = max(Int((high * Double(side)).rounded()), first + 1)
    return (first, last - first)
  }
}

/// A part of a picture.
struct PixelRect: Sendable, Hashable {
  var x, y: Int
  var size: PixelSize
}
