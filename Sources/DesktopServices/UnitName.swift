public import DBus

/// The name of a systemd service unit: `notify-bridge-handler-42.service`.
///
/// Valid: 1 to 255 bytes of `[A-Za-z0-9:_.\@-]` that end in `.service`, with something before it.
/// Source: systemd.unit(5), "Description".
public struct UnitName: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  private static let suffix = ".service"

  public static func fault(in text: String) -> String? {
    if text.utf8.count > 255 { return "it is longer than 255 bytes" }
    guard text.hasSuffix(suffix), text.utf8.count > suffix.utf8.count, !text.hasPrefix("@"), !text.hasPrefix(".") else {
      return "it is not a name followed by .service"
    }
    return text.utf8.allSatisfy { isPlain($0) || "-\\@".utf8.contains($0) }
      ? nil : "it has a character that is not allowed"
  }

  /// Text as a part of a unit's name, as `systemd-escape` writes it: `/` becomes `-`, all but letters, digits, `:`, `_`
  /// and `.` become `\xNN`, and so does a dot at the beginning.
  public static func escape(_ text: String) -> String {
    var result = ""
    for (index, byte) in text.utf8.enumerated() {
      if byte == UInt8(ascii: "/") {
        result += "-"
      } else if isPlain(byte), index > 0 || byte != UInt8(ascii: ".") {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "\\x" + hexadecimal(byte)
      }
    }
    return result
  }

  /// What ``escape(_:)`` was given; nil if `text` is not of its form, or not UTF-8.
  public static func unescape(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "/"))
      case UInt8(ascii: "\\"):
        guard rest.count >= 3, rest.popFirst() == UInt8(ascii: "x"),
          let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        rest.removeFirst(2)
        bytes.append(number)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.utf8.count == 1 ? "0" + digits : digits
  }
}
