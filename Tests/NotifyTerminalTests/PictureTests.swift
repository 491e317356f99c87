import FreedesktopNotifications
import Testing

@testable import NotifyTerminal

@Suite struct PictureTests {
  private func image(_ width: Int, _ height: Int, alpha: Bool = false, _ pixel: (Int, Int) -> [UInt8]) throws
    -> ImageData
  {
    var pixels: [UInt8] = []
    for y in 0..<height { for x in 0..<width { pixels += pixel(x, y) } }
    return try #require(ImageData(width: width, height: height, hasAlpha: alpha, pixels: pixels))
  }

  @Test func aLargePictureKeepsItsShapeAndItsColours() throws {
    let red: [UInt8] = [200, 10, 10]
    let blue: [UInt8] = [10, 10, 200]
    let picture = Thumbnail(try image(400, 200) { x, _ in x < 200 ? red : blue })
    #expect((picture.width, picture.height) == (48, 24))
    #expect(picture.pixels[0] == Colour(200, 10, 10))
    #expect(picture.pixels[47] == Colour(10, 10, 200))
  }

  @Test(arguments: [(1, 1), (1, 3000), (3000, 1), (48, 48), (49, 48), (7, 500)])
  func anyShapeFits(width: Int, height: Int) throws {
    let picture = Thumbnail(try image(width, height) { _, _ in [1, 2, 3] })
    #expect((1...48).contains(picture.width) && (1...48).contains(picture.height))
    #expect(picture.pixels.count == picture.width * picture.height)
    let small = picture.scaled(toFit: 5, 4)
    #expect((1...5).contains(small.width) && (1...4).contains(small.height))
    #expect(small.pixels.allSatisfy { $0 == Colour(1, 2, 3) })
    #expect(small.halfBlocks.allSatisfy { $0.width == small.width })
  }

  @Test func transparentPixelsShowTheBackground() throws {
    let picture = Thumbnail(try image(1, 4, alpha: true) { _, y in [9, 8, 7, y == 1 || y == 2 ? 255 : 0] })
    #expect(picture.halfBlocks.map(\.text) == ["▄", "▀"])
    #expect(picture.halfBlocks[0][0].style == Style([], Colour(9, 8, 7)))
  }

  @Test func twoPixelsShareACharacter() throws {
    let picture = Thumbnail(try image(2, 3) { x, y in [UInt8(x), UInt8(y), 0] })
    #expect(picture.halfBlocks.map(\.text) == ["▀▀", "▀▀"])
    #expect(picture.halfBlocks[0][1].style == Style([], Colour(1, 0, 0), on: Colour(1, 1, 0)))
    #expect(picture.halfBlocks[1][0].style == Style([], Colour(0, 2, 0)))
  }

  @Test(
    arguments: [
      (Colour(0, 0, 0), 16), (Colour(255, 255, 255), 231), (Colour(255, 0, 0), 196), (Colour(128, 128, 128), 244),
      (Colour(95, 135, 175), 67),
    ] as [(Colour, UInt8)])
  func coloursMapToTheNearestOfThe256(colour: Colour, index: UInt8) { #expect(colour.index == index) }

  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColourDepth.full), (["TERM": "xterm-256color"], .indexed),
    (["TERM": "xterm"], .none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none), ([:], .none),
    (["TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"], .none),
  ])
  func theEnvironmentSaysHowManyColoursThereAre(environment: [String: String], depth: ColourDepth) {
    #expect(ColourDepth(environment: environment) == depth)
  }
}
