/// The name of a connection: unique (`:1.42`) or well-known (`org.freedesktop.Notifications`).
///
/// Valid: `org.example.App`, `org.example.App-2`, `:1.0`. Not valid: `org`, `org..App`, `org.7z`, `:`.
/// Source: D-Bus Specification, "Bus names".
public struct BusName: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  /// True for a name that the bus gave to one connection and never gives again.
  public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

  public static func fault(in text: String) -> String? {
    if text.utf8.count > 255 { return "it is longer than 255 bytes" }
    if text.utf8.first == UInt8(ascii: ":") {
      return DottedGrammar(allowsHyphen: true, allowsLeadingDigit: true).fault(in: text.dropFirst().utf8)
    }
    return DottedGrammar(allowsHyphen: true).fault(in: text[...].utf8)
  }

  /// The bus itself.
  public static let bus: BusName = "org.freedesktop.DBus"
}
