/// The name of a method, a signal or a property: `ActionInvoked`.
///
/// Not valid: an empty text, `Action.Invoked`, `7z`, anything over 255 bytes.
/// Source: D-Bus Specification, "Member names".
public struct MemberName: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func fault(in text: String) -> String? {
    guard let first = text.utf8.first else { return "it is empty" }
    if text.utf8.count > 255 { return "it is longer than 255 bytes" }
    if first.isASCIIDigit { return "it begins with a digit" }
    return text.utf8.allSatisfy { $0.isNameLetter || $0.isASCIIDigit } ? nil : "it has a character that is not allowed"
  }
}
