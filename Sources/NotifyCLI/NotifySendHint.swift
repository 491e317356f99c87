internal import DBus

/// One hint as typed to notify-send: TYPE:NAME:VALUE.
struct NotifySendHint: Sendable, Hashable {
  var name: String
  var value: Value

  /// Why a hint is refused.
  struct Fault: Error, Hashable {
    /// A sentence for standard error.
    var message: String
    /// The real program reports it; at any other fault it ends itself with a signal.
    var isReported = true
  }

  /// Reads one hint by notify-send's rules, which differ from type to type:
  /// - `string`: the text; an empty one sends nothing.
  /// - `int`, `double`: must begin with a digit; what follows the number does not count; an `int` keeps its low 32 bits.
  /// - `byte`: as `strtoull` reads it (no digits at all: 0); its low 32 bits must be 0…255.
  /// - `boolean`: `true` in any case, or a number other than 0; all else is false.
  /// - `variant`: GVariant text, see ``NotifySendVariant``.
  ///
  /// The type may be written in any case; the value may hold colons.
  /// - Returns: nil where nothing is to be sent.
  static func parse(_ text: [UInt8]) throws(Fault) -> NotifySendHint? {
    let parts = NotifySendWords.split(text, at: ":", limit: 3)
    guard parts.count == 3 else { throw Fault(message: "hint '\(shown(text))' is not TYPE:NAME:VALUE") }
    let type = NotifySendWords.lowercased(parts[0])
    let bytes = Array(parts[2])
    if type == "string", bytes.isEmpty { return nil }
    let reading = try value(bytes, ofType: type, shownType: shown(Array(parts[0])))
    guard let value = reading else {
      throw Fault(message: "the value '\(shown(bytes))' of hint '\(shown(Array(parts[1])))' is no \(type)")
    }
    if parts[1].isEmpty { throw Fault(message: "hint '\(shown(text))' has no name", isReported: false) }
    guard let name = String(validating: parts[1], as: UTF8.self) else {
      throw Fault(message: "the name of hint '\(shown(text))' is not UTF-8", isReported: false)
    }
    return NotifySendHint(name: name, value: value)
  }

  private static func value(_ bytes: [UInt8], ofType type: String, shownType: String) throws(Fault) -> Value? {
    let beginsWithDigit = NotifySendNumber.isDigit(bytes.first)
    let number = NotifySendNumber.scan(bytes[...], base: 10)
    switch type {
    case "string":
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Fault(message: "the value of a string hint is not UTF-8: '\(shown(bytes))'", isReported: false)
      }
      return .string(text)
    case "int": return beginsWithDigit ? number.map { .int32($0.low32) } : nil
    case "double": return beginsWithDigit ? .double(NotifySendNumber.double(bytes)) : nil
    case "byte": return UInt8(exactly: number?.low32 ?? 0).map(Value.byte)
    case "boolean":
      return .boolean(
        NotifySendWords.lowercased(bytes) == "true" || beginsWithDigit && number.map { $0.magnitude != 0 } == true)
    case "variant": return NotifySendVariant.parse(bytes)
    default:
      throw Fault(
        message: "hint type '\(shownType)' is none of boolean, int, double, string, byte, variant")
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
