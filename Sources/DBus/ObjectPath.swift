/// The path of an object: `/org/freedesktop/Notifications`.
///
/// Valid: `/`, `/a/b_1`. Not valid: an empty text, `a`, `/a/`, `//`, `/a-b`.
/// Source: D-Bus Specification, "Valid Object Paths".
public struct ObjectPath: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func fault(in text: String) -> String? {
    let bytes = text.utf8
    if bytes.first != UInt8(ascii: "/") { return "it does not begin with a slash" }
    if bytes.count == 1 { return nil }
    var previous = UInt8(ascii: " ")
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        if previous == byte { return "an element is empty" }
      } else if !byte.isNameLetter, !byte.isASCIIDigit {
        return "it has a character that is not allowed"
      }
      previous = byte
    }
    return previous == UInt8(ascii: "/") ? "it ends with a slash" : nil
  }

  /// The path of the bus itself.
  public static let bus: ObjectPath = "/org/freedesktop/DBus"
}
