import Foundation
import TestSupport
import Testing

/// What the tests of this folder share: which daemons there are, and how the command is run on them.
enum Desktop {
  /// The daemons of `Tests/Daemons` that have buttons. notify-osd lists no `actions`; the mock draws nothing.
  static let daemons = [
    "dunst", "mako", "swaync", "xfce4", "gnome-classic", "mate", "lxqt", "awesome", "plasma",
  ]
  /// Those that the first call on the bus starts.
  static let activatable = ["dunst", "mako", "swaync", "xfce4", "mate"]

  /// Runs `body` on the daemon. One that is not installed is a failure in CI; elsewhere a warning says so.
  static func with(
    _ daemon: String, activate: Bool = false, bridge: DaemonSession.BridgeSettings? = nil,
    limit: Duration = .seconds(60), _ body: @Sendable (DaemonSession) async throws -> Void
  ) async throws {
    guard try await DaemonSession.isInstalled(daemon) else {
      let isCI = ProcessInfo.processInfo.environment["CI"] != nil
      Issue.record("\(daemon) is not installed: run `make deps`", severity: isCI ? .error : .warning)
      return
    }
    try await DaemonSession.with(daemon, activate: activate, bridge: bridge, limit: limit, body)
  }

  /// A picture that no theme has: a white bell on a violet that the screen can be searched for.
  static func makePicture(in home: TemporaryHome) async throws -> String {
    let file = "\(home.path)/picture.png"
    let bell = "M 64,24 C 45,24 40,42 40,58 L 40,76 L 29,90 L 99,90 L 88,76 L 88,58 C 88,42 83,24 64,24 Z"
    let made = try await BinaryRunner.run(
      "convert",
      [
        "-size", "128x128", "xc:none", "-fill", violet, "-draw", "roundrectangle 0,0 127,127 24,24", "-fill", "white",
        "-draw", "path '\(bell)' circle 64,98 64,107", file,
      ])
    if made.status != 0 { throw RunnerError("convert: \(made.errors)") }
    return file
  }

  /// Takes screenshots until the picture is on the screen and no longer fades in.
  /// - Throws: ``RunnerError`` when it is not there after eight seconds.
  static func screenshotWithPicture(of session: DaemonSession, to file: String) async throws {
    let end = ContinuousClock.now + .seconds(8)
    var last = 0
    while ContinuousClock.now < end {
      try await session.screenshot(to: file)
      let count = try await violetPixels(in: file)
      // Daemons draw it from 24 pixels square on.
      if count >= 300, count == last { return }
      last = count
    }
    throw RunnerError("\(session.daemon): the picture is not on the screen: \(last) of its pixels, see \(file)")
  }

  /// Takes screenshots until nothing on the screen moves, or for four seconds: some daemons draw how time runs out.
  static func stillScreenshot(of session: DaemonSession, to file: String) async throws {
    let end = ContinuousClock.now + .seconds(4)
    var last: Data?
    while ContinuousClock.now < end {
      try await session.screenshot(to: file)
      let picture = FileManager.default.contents(atPath: file)
      if picture != nil, picture == last { return }
      last = picture
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// How many pixels of the screenshot have the picture's colour.
  private static func violetPixels(in screenshot: String) async throws -> Int {
    let counted = try await convert(screenshot, keeping: violet, ["-format", "%[fx:round(mean*w*h)]", "info:"])
    guard let count = Int(counted) else { throw RunnerError("convert: \(counted)") }
    return count
  }

  /// The smallest frame around what has a colour on the screenshot; nil: nothing has it.
  /// - Parameter part: where it is looked for; nil: everywhere.
  private static func frame(
    of colour: String, in screenshot: String, within part: (x: Int, y: Int, width: Int, height: Int)? = nil
  ) async throws -> (x: Int, y: Int, width: Int, height: Int)? {
    let crop = part.map { ["-crop", "\($0.width)x\($0.height)+\($0.x)+\($0.y)", "+repage"] } ?? []
    let frame = try await convert(screenshot, crop: crop, keeping: colour, ["-format", "%@", "info:"])
    // Width x height + x + y.
    let numbers = frame.split { "x+".contains($0) }.compactMap { Int($0) }
    // What has nothing in it has a frame of one pixel, or a bad one.
    guard numbers.count == 4, numbers[0] > 4, numbers[1] > 4 else { return nil }
    return (numbers[2] + (part?.x ?? 0), numbers[3] + (part?.y ?? 0), numbers[0], numbers[1])
  }

  /// Makes what has the colour white and all else black.
  private static func convert(
    _ file: String, crop: [String] = [], keeping colour: String, _ more: [String]
  ) async throws -> String {
    let result = try await BinaryRunner.run(
      "convert",
      [file] + crop + [
        "-alpha", "off", "-fuzz", "5%", "-fill", "black", "+opaque", colour, "-fill", "white", "-opaque", colour,
      ] + more)
    if result.status != 0 { throw RunnerError("convert: \(result.errors)") }
    return result.output
  }

  /// Takes screenshots until the arrow of the sample RotatingImage points there and no longer moves.
  /// - Parameter angle: 0, 90, 180 or 270 degrees, as on a clock.
  /// - Throws: ``RunnerError`` when it does not within eight seconds.
  static func screenshotWithArrow(at angle: Int, of session: DaemonSession, to file: String) async throws {
    let end = ContinuousClock.now + .seconds(8)
    // Not the whole screen: some daemons draw how time runs out.
    var last: [Int] = []
    while ContinuousClock.now < end {
      try await session.screenshot(to: file)
      if let ground = try await frame(of: violet, in: file),
        let head = try await frame(of: "#ff9000", in: file, within: ground)
      {
        // Twice the way from middle to middle.
        let right = 2 * head.x + head.width - 2 * ground.x - ground.width
        let down = 2 * head.y + head.height - 2 * ground.y - ground.height
        let (along, across): (Int, Int) =
          switch angle {
          case 0: (-down, right)
          case 90: (right, down)
          case 180: (down, right)
          default: (-right, down)
          }
        // The picture may be drawn from 24 pixels square on.
        let places = [ground.x, ground.y, right, down]
        if along > 6, abs(across) < 5, places == last { return }
        last = places
      }
    }
    throw RunnerError("\(session.daemon): the arrow is not on the screen at \(angle)°, see \(file)")
  }

  /// Where screenshots are kept: `NOTIFY_BRIDGE_SCREENSHOTS`, else `.build/screenshots`.
  static func screenshotFolder() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_SCREENSHOTS"] ?? "\(Binaries.packageRoot)/.build/screenshots"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  private static let violet = "#d000e0"
}
