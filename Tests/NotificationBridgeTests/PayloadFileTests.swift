import Foundation
import NotificationBridge
import Testing

/// Payloads as services send them and as people get them wrong, a file each in Data/Payloads. Beside each lies what is
/// expected, as JSON: the content without its userInfo, and what is said; or the message of the error.
///
/// `NOTIFY_BRIDGE_WRITE_EXPECTED=FOLDER` writes what comes out there, to be looked at and copied.
@Suite struct PayloadFileTests {
  private static let folder = Bundle.module.bundleURL.appendingPathComponent("Data/Payloads")

  /// Levels that no payload may have.
  static let deepest = 256

  static let names: [String] = {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return entries.filter { $0.hasSuffix(".json") || $0.hasSuffix(".apns") }.sorted()
  }()

  /// An application's tables, as a user in Poland sees them.
  static let tables = StringTables(
    folders: [folder.appendingPathComponent("Tables").path], languages: Languages(environment: ["LANG": "pl_PL.UTF-8"]),
    list: { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] },
    read: { FileManager.default.contents(atPath: $0).map { Array($0) } })

  private struct Expected: Codable, Equatable {
    var error: String?
    var content: PropertyValue?
    var target: String?
    var isMutable: Bool?
    var tellsApplication: Bool?
    var notes: [String]?
  }

  private static func read(_ bytes: [UInt8]) -> (Expected, PushPayload?) {
    do {
      let payload = try PushPayload(bytes) { _ in tables }
      var content = payload.content
      content?.userInfo = [:]
      return (
        Expected(
          content: content.map { .dictionary($0.document) }, target: payload.targetBundle,
          isMutable: payload.isMutable ? true : nil, tellsApplication: payload.tellsApplication ? true : nil,
          notes: payload.notes.isEmpty ? nil : payload.notes), payload
      )
    } catch {
      return (Expected(error: error.message), nil)
    }
  }

  @Test("there are more than a hundred of them")
  func count() { #expect(Self.names.count > 100) }

  @Test("a payload gives what is expected of it", arguments: names)
  func file(name: String) throws {
    let url = Self.folder.appendingPathComponent(name)
    let (result, payload) = Self.read(Array(try Data(contentsOf: url)))
    let beside = url.deletingPathExtension().appendingPathExtension("expected")
    if let target = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_WRITE_EXPECTED"] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let file = URL(fileURLWithPath: target).appendingPathComponent(beside.lastPathComponent)
      try (try encoder.encode(result) + Data("\n".utf8)).write(to: file)
    }
    var expected = try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: beside))
    // Read and written again: JSON has one kind of number.
    if case .dictionary(let document)? = expected.content {
      expected.content = .dictionary(try ContentRecord(document: document, named: "content").document)
    }
    #expect(result == expected)
    if let payload { try Self.expectKeys(payload, url, result.notes ?? []) }
  }

  /// Another reader finds the same keys; where that cannot be, a note says so.
  private static func expectKeys(_ payload: PushPayload, _ url: URL, _ notes: [String]) throws {
    let reasons = ["null", "U+FFFD", "twice", "byte order mark"]
    if notes.contains(where: { note in reasons.contains { note.contains($0) } }) { return }
    var object = try #require(
      JSONSerialization.jsonObject(with: try Data(contentsOf: url)) as? NSDictionary as? [String: Any])
    object["Simulator Target Bundle"] = nil
    let ours = try #require(objects(.dictionary(payload.userInfo)) as? [String: Any])
    #expect(NSDictionary(dictionary: ours).isEqual(to: object))
    #expect(payload.content == nil || payload.content?.userInfo == payload.userInfo)
  }

  private static func objects(_ value: PropertyValue) -> Any {
    switch value {
    case .null, .date, .data: NSNull()
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .string(let text): text
    case .array(let elements): elements.map(objects)
    case .dictionary(let entries): entries.mapValues(objects)
    }
  }
}
