import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Whatever comes in a payload, a property list or one of our own documents, nothing traps.
///
/// `NOTIFY_BRIDGE_FUZZ` says how many inputs there are in all, `make fuzz` takes a million;
/// `NOTIFY_BRIDGE_FUZZ_SEED` repeats a run. A trap ends the process: the last lines say where it was.
@Suite struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let total = environment["NOTIFY_BRIDGE_FUZZ"].flatMap(Int.init) ?? 15_000
  private static let seed =
    environment["NOTIFY_BRIDGE_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))

  enum Form: String, CaseIterable { case payload, propertyList, stringsdict, document, message }

  @Test("no input traps", arguments: Form.allCases)
  func inputs(form: Form) throws {
    let count = Self.total / Form.allCases.count
    print("fuzz: \(form): \(count) inputs, NOTIFY_BRIDGE_FUZZ_SEED=\(Self.seed)")
    let corpus = try Self.corpus(form)
    try #require(!corpus.isEmpty)
    let started = Date()
    var accepted = 0
    for index in 0..<count {
      if index > 0, index % 20_000 == 0 { print("fuzz: \(form): \(index)") }
      var mutator = Mutator(seed: Self.seed, index: index)
      if Self.take(form, corpus, &mutator) { accepted += 1 }
    }
    print(
      "fuzz: \(form): \(accepted) of \(count) taken, the rest refused, in \(Int(Date().timeIntervalSince(started))) s")
    // Inputs that are all refused would reach nothing.
    #expect(accepted > count / 100 && accepted < count)
  }

  @Test("nesting is refused or survived, however deep", arguments: [10, 255, 256, 257, 500, 511, 512, 513, 10_000])
  func depth(count: Int) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let nest = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
      let text = "{\"type\":\"control\",\"identifier\":\"c\",\"value\":\(nest)}"
      if let entries = try? JSONDecoder().decode([String: PropertyValue].self, from: Data(text.utf8)) {
        #expect(Self.takeMessage(entries) && count <= 512)
      } else {
        #expect(count > 200)
      }
      let payload = try? PushPayload(Array("{\"aps\":{\"alert\":\"x\"},\"k\":\(nest)}".utf8))
      // A level of the text is one or two of the value; and there is a limit of the size.
      if count <= 10 { #expect(payload != nil) }
      if count > PayloadFileTests.deepest { #expect(payload == nil) }
      #expect(throws: BridgeError.self) { try PropertyList.read(Array(String(repeating: "(", count: count).utf8)) }
    }
  }

  private static func corpus(_ form: Form) throws -> [[UInt8]] {
    let data = Bundle.module.bundleURL.appendingPathComponent("Data")
    let folders: [String] =
      switch form {
      case .payload: ["Payloads"]
      case .propertyList: ["Payloads/Tables/pl.lproj", "Payloads/Tables/en.lproj", "PropertyLists"]
      case .stringsdict: ["Payloads/Tables/pl.lproj"]
      case .document, .message: ["Documents"]
      }
    var result: [[UInt8]] = []
    for folder in folders {
      let url = data.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() {
        let isWanted =
          switch form {
          case .payload: name.hasSuffix(".json") || name.hasSuffix(".apns")
          case .stringsdict: name.hasSuffix(".stringsdict")
          case .message: name.hasPrefix("message-")
          case .document: !name.hasPrefix("message-")
          case .propertyList: true
          }
        if isWanted { result.append(Array(try Data(contentsOf: url.appendingPathComponent(name)))) }
      }
    }
    return result
  }

  /// - Returns: whether it was taken for what it is meant to be.
  private static func take(_ form: Form, _ corpus: [[UInt8]], _ mutator: inout Mutator) -> Bool {
    let input = mutator.pick(corpus)
    switch form {
    case .payload:
      let payload: PushPayload?
      if mutator.below(2) == 0 {
        let bytes = mutator.changed(input, with: corpus, limit: 5000)
        payload = try? PushPayload(bytes) { _ in PayloadFileTests.tables }
      } else {
        let entries = (try? JSONDecoder().decode([String: PropertyValue].self, from: Data(input))) ?? [:]
        guard case .dictionary(let changed) = mutator.changed(.dictionary(entries)) else { return false }
        payload = try? PushPayload(changed) { _ in PayloadFileTests.tables }
      }
      guard let payload else { return false }
      if let content = payload.content {
        use(RequestRecord(identifier: "r", content: content, trigger: .push))
      }
      return true
    case .propertyList:
      return (try? PropertyList.read(mutator.changed(input, with: corpus, limit: 20_000))) != nil
    case .stringsdict:
      let bytes = mutator.changed(input, with: corpus, limit: 20_000)
      guard let entries = try? PropertyList.dictionary(bytes) else { return false }
      let arguments = (0..<mutator.below(4)).map { _ in mutator.changed(.integer(3)) }
      for value in entries.values {
        _ = PluralFormat(mutator.changed(value), language: mutator.pick(["pl", "ar", "en", "ja", "br"]))?.fill(
          arguments)
      }
      return true
    case .document, .message:
      let isText = mutator.below(2) == 0
      let bytes = isText ? mutator.changed(input, with: corpus, limit: 20_000) : input
      guard var entries = try? JSONDecoder().decode([String: PropertyValue].self, from: Data(bytes)) else {
        return false
      }
      if !isText, case .dictionary(let changed) = mutator.changed(.dictionary(entries)) { entries = changed }
      return form == .message ? takeMessage(entries) : takeDocument(entries)
    }
  }

  private static func takeMessage(_ entries: [String: PropertyValue]) -> Bool {
    guard let message = try? ExtensionMessage(document: entries, named: "message") else { return false }
    _ = message.document
    switch message {
    case .request(let request, _): use(request)
    case .content(let content): use(RequestRecord(identifier: "r", content: content))
    default: break
    }
    return true
  }

  /// Reads the entries as each of our records.
  private static func takeDocument(_ entries: [String: PropertyValue]) -> Bool {
    func read<Record: Documented>(_ kind: Record.Type) -> Record? {
      guard let record = try? Record(document: entries, named: "record") else { return nil }
      _ = record.document
      return record
    }
    var isTaken = false
    if let request = read(RequestRecord.self) {
      use(request)
      isTaken = true
    }
    if let content = read(ContentRecord.self) {
      use(RequestRecord(identifier: "r", content: content))
      isTaken = isTaken || !entries.isEmpty && content != ContentRecord()
    }
    if let trigger = read(TriggerRecord.self) {
      use(trigger)
      isTaken = true
    }
    if let category = read(CategoryRecord.self) {
      use(RequestRecord(identifier: "r", content: ContentRecord()), category)
      isTaken = true
    }
    for taken in [
      read(ApplicationRecord.self) != nil, read(NotificationRecord.self) != nil, read(ResponseRecord.self) != nil,
      read(AuthorizationRecord.self) != nil, read(HistoryRecord.self) != nil, read(ContentUpdate.self) != nil,
    ] where taken { isTaken = true }
    return isTaken
  }

  private static let zones = GMTRules()
  private static let translators = [
    ServerProfile(
      owner: ":1.1", information: .init(name: "fake", vendor: "test", version: "1", specVersion: "1.2"),
      capabilities: ["actions", "body", "body-markup", "sound", "inline-reply", "icon-static", "persistence"]),
    ServerProfile(
      owner: ":1.1", information: .init(name: "mate", vendor: "test", version: "1", specVersion: "1.1"),
      capabilities: []),
  ].map { Translator(for: $0) }

  /// Does what is done with a request that was taken.
  private static func use(_ request: RequestRecord, _ category: CategoryRecord? = nil) {
    for translator in translators {
      _ = translator.translate(
        request, from: ApplicationRecord(identifier: "org.example.App", name: "App"), category: category)
    }
    if let trigger = request.trigger { use(trigger) }
    _ = PropertyValue.dictionary(request.document).size
  }

  private static func use(_ trigger: TriggerRecord) {
    let now = Date(timeIntervalSince1970: 1_767_182_400)
    _ = NextFireDate(zones: zones).next(after: now, trigger: trigger, added: now)
  }
}
