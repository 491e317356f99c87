internal import FreedesktopNotifications

/// A picture made small enough to be drawn with characters: at most ``limit`` pixels a side.
struct Thumbnail: Sendable, Hashable {
  /// Nil for a pixel that is more transparent than not; the terminal's own background shows there.
  typealias Pixel = Colour?

  let width: Int
  let height: Int
  /// Rows from the top, `width * height` of them.
  let pixels: [Pixel]

  /// As many pixels a side are kept of a picture, so that what is kept of a large one is small.
  static let limit = 48

  /// Scales `image` down to ``limit``; a smaller one is kept as it is.
  init(_ image: ImageData) {
    let size = Self.fit(image.width, image.height, Self.limit, Self.limit)
    (width, height) = size
    var pixels: [Pixel] = []
    pixels.reserveCapacity(size.width * size.height)
    for row in 0..<size.height {
      let rows = Self.samples(row, of: size.height, from: image.height)
      for column in 0..<size.width {
        pixels.append(Self.average(image, columns: Self.samples(column, of: size.width, from: image.width), rows: rows))
      }
    }
    self.pixels = pixels
  }

  private init(width: Int, height: Int, pixels: [Pixel]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Scaled down, if need be, to fit into `width` times `height` pixels, at least one each.
  func scaled(toFit width: Int, _ height: Int) -> Thumbnail {
    let size = Self.fit(self.width, self.height, max(1, width), max(1, height))
    if size == (self.width, self.height) { return self }
    var result: [Pixel] = []
    for row in 0..<size.height {
      let rows = Self.samples(row, of: size.height, from: self.height)
      for column in 0..<size.width {
        var mixer = Mixer()
        for x in Self.samples(column, of: size.width, from: self.width) {
          for y in rows { mixer.add(pixels[y * self.width + x]) }
        }
        result.append(mixer.colour)
      }
    }
    return Thumbnail(width: size.width, height: size.height, pixels: result)
  }

  /// The largest size of the same shape within the bounds that is no larger than the original.
  private static func fit(_ width: Int, _ height: Int, _ maximumWidth: Int, _ maximumHeight: Int) -> (
    width: Int, height: Int
  ) {
    if width <= maximumWidth, height <= maximumHeight { return (width, height) }
    if width * maximumHeight >= height * maximumWidth {
      return (maximumWidth, max(1, height * maximumWidth / width))
    }
    return (max(1, width * maximumHeight / height), maximumHeight)
  }

  /// Which of the original's `length` rows or columns make up the one at `position` of `count`: eight at most, spread
  /// evenly, so that a large picture costs no more than a middling one.
  private static func samples(_ position: Int, of count: Int, from length: Int) -> [Int] {
    let first = position * length / count
    let behind = max(first + 1, (position + 1) * length / count)
    let number = min(8, behind - first)
    return (0..<number).map { first + (2 * $0 + 1) * (behind - first) / (2 * number) }
  }

  private static func average(_ image: ImageData, columns: [Int], rows: [Int]) -> Pixel {
    var mixer = Mixer()
    for y in rows {
      for x in columns {
        let start = y * image.rowStride + x * image.channels
        mixer.add(
          Colour(image.pixels[start], image.pixels[start + 1], image.pixels[start + 2]),
          alpha: image.hasAlpha ? image.pixels[start + 3] : 255)
      }
    }
    return mixer.colour
  }

  /// The mean of colours, each counting by how opaque it is.
  private struct Mixer {
    var red = 0
    var green = 0
    var blue = 0
    var alpha = 0
    var count = 0

    mutating func add(_ colour: Colour?, alpha: UInt8 = 255) {
      count += 1
      guard let colour else { return }
      self.alpha += Int(alpha)
      red += Int(colour.red) * Int(alpha)
      green += Int(colour.green) * Int(alpha)
      blue += Int(colour.blue) * Int(alpha)
    }

    var colour: Pixel {
      guard count > 0, alpha * 2 >= 255 * count else { return nil }
      return Colour(UInt8(red / alpha), UInt8(green / alpha), UInt8(blue / alpha))
    }
  }
}

extension Thumbnail {
  /// Lines of half blocks: each character shows two pixels, one above the other, so that pixels are about square.
  var halfBlocks: [[Glyph]] {
    stride(from: 0, to: height, by: 2).map { row in
      var line: [Glyph] = []
      for column in 0..<width {
        let upper = pixels[row * width + column]
        let lower = row + 1 < height ? pixels[(row + 1) * width + column] : nil
        switch (upper, lower) {
        case (nil, nil): line += [Glyph](" ")
        case (nil, let lower?): line += [Glyph]("▄", style: Style([], lower))
        case (let upper?, nil): line += [Glyph]("▀", style: Style([], upper))
        case (let upper?, let lower?): line += [Glyph]("▀", style: Style([], upper, on: lower))
        }
      }
      return line
    }
  }
}
