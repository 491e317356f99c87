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

  public static let white = NSColor(srgbRed: 1, green: 1, blue: 1, alpha: 1)
  public static let black = NSColor(srgbRed: 0, green: 0, blue: 0, alpha: 1)
  public static let clear = NSColor(srgbRed: 0, green: 0, blue: 0, alpha: 0)
  public static let systemBlue = NSColor(srgbRed: 0, green: 0.48, blue: 1, alpha: 1)

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSColor else { return false }
    return redComponent == other.redComponent && greenComponent == other.greenComponent
      && blueComponent == other.blueComponent && alphaComponent == other.alphaComponent
  }

  public override var hash: Int { [redComponent, greenComponent, blueComponent, alphaComponent].hashValue }
}

/// The name on iOS.
public typealias UIColor = NSColor
