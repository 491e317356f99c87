/// What a daemon says it can do; unknown words are kept.
///
/// Source: Desktop Notifications Specification, "org.freedesktop.Notifications.GetCapabilities".
public struct Capabilities: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// The words as the daemon gave them, in its order.
  public let words: [String]

  public init(_ words: [String]) { self.words = words }
  public init(arrayLiteral words: String...) { self.words = words }

  /// Whether the daemon lists `word`.
  public func contains(_ word: String) -> Bool { words.contains(word) }

  public var actions: Bool { contains("actions") }
  public var actionIcons: Bool { contains("action-icons") }
  public var body: Bool { contains("body") }
  public var bodyHyperlinks: Bool { contains("body-hyperlinks") }
  public var bodyImages: Bool { contains("body-images") }
  public var bodyMarkup: Bool { contains("body-markup") }
  public var persistence: Bool { contains("persistence") }
  public var sound: Bool { contains("sound") }
  /// Not in the specification: Plasma, swaync.
  public var inlineReply: Bool { contains("inline-reply") }

  /// What to assume of a daemon that does not say: a body of plain text and nothing else.
  public static let minimal: Capabilities = ["body"]

  public var description: String { words.joined(separator: " ") }
}
