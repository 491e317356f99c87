internal import FreedesktopNotifications

/// The colours and signs of the drawn form, in one place; readable on dark and on light backgrounds.
enum Theme {
  /// What matters less.
  static let quiet = Style([], Colour(128, 136, 148))
  static let link = Colour(70, 140, 230)
  /// The frame of a card that is not chosen.
  static let frame = Style([], Colour(98, 106, 118))
  static let button = Style([], Colour(235, 238, 242), on: Colour(62, 68, 80))
  /// The key of a button that can be pressed now.
  static let key = Colour(255, 200, 90)
  static let warning = Style([.bold], Colour(226, 92, 88))

  /// By urgency; the sign says the same without colour.
  static func accent(_ urgency: Urgency) -> Colour {
    switch urgency {
    case .low: Colour(136, 146, 158)
    case .normal: Colour(66, 150, 220)
    case .critical: Colour(226, 72, 68)
    }
  }

  static func sign(_ urgency: Urgency) -> String {
    switch urgency {
    case .low: "○"
    case .normal: "●"
    case .critical: "▲"
    }
  }
}
