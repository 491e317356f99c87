import FoundationEssentials
import NotificationBridge

/// Documents as JSON text, as the store keeps them. Every value comes back as it was.
///
/// JSON's types as themselves; a number with a point or an exponent is a double, any other an integer. What JSON lacks
/// is an object with one key: `$date` (seconds since 2001, as `Date` has them: seconds since 1970 would lose a bit),
/// `$data` (base64), `$number` (`inf`, `-inf`, `nan`); an object that could be taken for one of these stands in another
/// under `$object`. `JSONEncoder` would not do: it writes 1.0 as 1, and its output read as ``PropertyValue``, one type
/// tried after the other, takes eighty times as long.
enum JSONText {
  /// Deeper nesting is refused on both ways: values are visited recursively.
  static let depthLimit = 256

  static let date = "$date"
  static let data = "$data"
  static let number = "$number"
  static let object = "$object"

  /// - Throws: ``BridgeError`` with code `store` for values nested deeper than ``depthLimit``.
  static func write(_ document: [String: PropertyValue]) throws(BridgeError) -> [UInt8] {
    var writer = JSONWriter()
    try writer.value(.dictionary(document), depth: 0)
    return writer.bytes
  }

  /// - Throws: ``BridgeError`` with code `store`.
  static func write(_ elements: [[String: PropertyValue]]) throws(BridgeError) -> [UInt8] {
    var writer = JSONWriter()
    try writer.value(.array(elements.map { .dictionary($0) }), depth: 0)
    return writer.bytes
  }

  /// - Throws: ``BridgeError`` with code `store` for anything but a value of JSON.
  static func read(_ bytes: Span<UInt8>) throws(BridgeError) -> PropertyValue {
    var reader = JSONReader()
    return try reader.document(bytes)
  }
}
