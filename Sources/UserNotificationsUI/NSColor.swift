public import UserNotifications

/// A colour, for the media button's tint: what Linux lacks of Apple's class, and no more.
public final class NSColor: NSObject, Sendable {
  /// Each part from 0 to 1.
  public let redComponent, greenComponent, blueComponent, alphaComponent: CGFloat

  /// - Parameters: each from 0 to 1; what is beyond is set to the nearer end.
  public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func limit(_ value: CGFloat) -> CGFloat { min(max(value, 0), 1) }
    redComponent = limit(red)
    greenComponent = limit(green)
    blueComponent = limit(blue)
    alphaComponent = limit(alpha)
  }

  /// As ``init(srgbRed:green:blue:alpha:)``.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(srgbRed: red, green: green, blue: blue, alpha: alpha)
  }

  /// A grey.
  /// - Parameters:
  ///   - white: from 0, black, to 1.
  ///   - alpha: from 0, clear, to 1.
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(srgbRed: white, green: white, blue: white, alpha: alpha)
  }

  public static let white = NSColor(white: 1, alpha: 1)
  public static let lightGray = NSColor(white: 2 / 3, alpha: 1)
  public static let gray = NSColor(white: 0.5, alpha: 1)
  public static let darkGray = NSColor(white: 1 / 3, alpha: 1)
  public static let black = NSColor(white: 0, alpha: 1)
  public static let clear = NSColor(white: 0, alpha: 0)
  public static let red = NSColor(srgbRed: 1, green: 0, blue: 0, alpha: 1)
  public static let green = NSColor(srgbRed: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = NSColor(srgbRed: 0, green: 0, blue: 1, alpha: 1)
  public static let cyan = NSColor(srgbRed: 0, green: 1, blue: 1, alpha: 1)
  public static let magenta = NSColor(srgbRed: 1, green: 0, blue: 1, alpha: 1)
  public static let yellow = NSColor(srgbRed: 1, green: 1, blue: 0, alpha: 1)
  public static let orange = NSColor(srgbRed: 1, green: 0.5, blue: 0, alpha: 1)
  public static let purple = NSColor(srgbRed: 0.5, green: 0, blue: 0.5, alpha: 1)
  public static let brown = NSColor(srgbRed: 0.6, green: 0.4, blue: 0.2, alpha: 1)
  public static let systemBlue = NSColor(srgbRed: 0, green: 0.48, blue: 1, alpha: 1)
  public static let systemRed = NSColor(srgbRed: 1, green: 0.23, blue: 0.19, alpha: 1)
  public static let systemGreen = NSColor(srgbRed: 0.2, green: 0.78, blue: 0.35, alpha: 1)
  public static let systemOrange = NSColor(srgbRed: 1, green: 0.58, blue: 0, alpha: 1)
  public static let systemYellow = NSColor(srgbRed: 1, green: 0.8, blue: 0, alpha: 1)
  public static let systemGray = NSColor(srgbRed: 0.56, green: 0.56, blue: 0.58, alpha: 1)

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSColor else { return false }
    return redComponent == other.redComponent && greenComponent == other.greenComponent
      && blueComponent == other.blueComponent && alphaComponent == other.alphaComponent
  }

  public override var hash: Int { [redComponent, greenComponent, blueComponent, alphaComponent].hashValue }
}

/// The name on iOS.
public typealias UIColor = NSColor
