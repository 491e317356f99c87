/// A part of a request that the present daemon does not show as asked, and why.
public struct Dropped: Sendable, Codable, Hashable, CustomStringConvertible {
  /// Which part.
  public enum Part: String, Sendable, Codable, Hashable, CaseIterable {
    case title, subtitle, body, actions, textInput, image, attachment, sound, badge, lifetime, thread, icon, hint
  }

  public var part: Part
  /// One sentence for people: what is shown instead, and why.
  public var reason: String

  public init(_ part: Part, _ reason: String) {
    self.part = part
    self.reason = reason
  }

  public var description: String { "\(part.rawValue): \(reason)" }
}
