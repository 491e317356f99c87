internal import FoundationEssentials
internal import NotificationBridge

/// The lines that extensions and the bridge exchange.
enum ExtensionLine {
  /// A message as a line with its end; nil for what JSON cannot carry, a number that is none for example.
  static func bytes(_ message: ExtensionMessage) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(message.document) else { return nil }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// The message on a line.
  /// - Throws: ``BridgeError`` that says what is wrong with it.
  static func message(_ line: [UInt8]) throws(BridgeError) -> ExtensionMessage {
    guard let entries = try? JSONDecoder().decode([String: PropertyValue].self, from: Data(line)) else {
      throw BridgeError(
        .invalidRequest, "\(String(decoding: line.prefix(100), as: UTF8.self).quotedForPeople) is no JSON object")
    }
    return try ExtensionMessage(DocumentReader(entries, path: "line"))
  }

  /// Nothing but blanks.
  static func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
