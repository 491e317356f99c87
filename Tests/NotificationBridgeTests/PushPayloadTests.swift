import Foundation
import NotificationBridge
import Testing

/// Payloads of remote notifications, good and bad.
@Suite struct PushPayloadTests {
  private func read(_ text: String, strings: [String: String] = [:]) throws -> PushPayload {
    try PushPayload(Array(text.utf8)) { _ in strings.isEmpty ? nil : .fixed(strings) }
  }

  @Test("every key goes to its field, and the whole payload to userInfo")
  func whole() throws {
    let payload = try read(
      """
      {"aps": {"alert": {"title": "T", "subtitle": "S", "body": "B", "launch-image": "L", "summary-arg": "Ana",
      "summary-arg-count": 2}, "badge": 3, "sound": "ping.wav", "thread-id": "th", "category": "cat",
      "mutable-content": 1, "target-content-id": "w", "interruption-level": "time-sensitive",
      "relevance-score": 0.5, "filter-criteria": "f"}, "link": "https://example.org", "n": {"a": [1, null]}}
      """)
    let content = try #require(payload.content)
    #expect((content.title, content.subtitle, content.body, content.launchImageName) == ("T", "S", "B", "L"))
    #expect((content.badge, content.threadIdentifier, content.categoryIdentifier) == (3, "th", "cat"))
    #expect(content.sound == SoundRecord(.named("ping.wav")))
    #expect((content.targetContentIdentifier, content.filterCriteria) == ("w", "f"))
    #expect((content.interruptionLevel, content.relevanceScore) == (.timeSensitive, 0.5))
    #expect((content.summaryArgument, content.summaryArgumentCount) == ("Ana", 2))
    #expect(content.userInfo["link"] == .string("https://example.org"))
    #expect(content.userInfo["n"] == .dictionary(["a": .array([.integer(1), .null])]))
    #expect(content.userInfo["aps"] != nil)
    #expect(payload.isMutable && !payload.isBackground && payload.notes.isEmpty)
  }

  @Test("an alert that is text is the body; nothing in it is a format")
  func text() throws {
    #expect(try read(#"{"aps":{"alert":"35% done, 100%% sure"}}"#).content?.body == "35% done, 100%% sure")
  }

  @Test("C054: the dictionary form of a sound; critical makes the notification critical")
  func criticalSound() throws {
    let content = try read(#"{"aps":{"alert":"x","sound":{"critical":1,"name":"alarm.caf","volume":0.5}}}"#).content
    #expect(content?.sound == SoundRecord(.named("alarm.caf"), isCritical: true, volume: 0.5))
    #expect(content?.interruptionLevel == .critical)
  }

  @Test("C094: 4096 bytes are taken, 4097 refused with the count")
  func size() throws {
    func payload(_ count: Int) -> [UInt8] {
      let head = #"{"aps":{"alert":"ü"#
      let tail = #""}}"#
      return Array((head + String(repeating: "x", count: count - head.utf8.count - tail.utf8.count) + tail).utf8)
    }
    #expect(payload(4096).count == 4096)
    #expect(try PushPayload(payload(4096)).content?.body.hasPrefix("üx") == true)
    let error = #expect(throws: BridgeError.self) { try PushPayload(payload(4097)) }
    #expect(error?.message.contains("4097") == true)
  }

  @Test("C095: only what shows nothing is a background update")
  func background() throws {
    let silent = try read(#"{"aps":{"content-available":1}}"#)
    #expect(silent.isBackground && silent.content == nil)
    let mistyped = try read(#"{"aps":{"content_available":1,"alert":"x"}}"#)
    #expect(mistyped.content?.body == "x")
    #expect(mistyped.notes.count == 1 && mistyped.notes[0].contains("content-available"))
    let both = try read(#"{"aps":{"content-available":1,"mutable-content":1,"alert":"y"}}"#)
    #expect(both.content?.body == "y" && both.isMutable && !both.isBackground)
  }

  @Test(
    "C097: a badge that is none is said and left alone; the alert is shown all the same",
    arguments: [
      (#""3""#, nil, 1), ("0", 0, 0), ("-1", nil, 1), ("null", nil, 0), ("1.5", nil, 1), ("1e400", nil, 1),
      ("2147483647", 2_147_483_647, 0), ("99999999999999999999", nil, 1), ("true", nil, 1),
    ] as [(String, Int?, Int)])
  func badge(text: String, badge: Int?, notes: Int) throws {
    let payload = try read(#"{"aps":{"alert":"x","sound":null,"badge":\#(text)}}"#)
    #expect(payload.content?.body == "x")
    #expect(payload.content?.badge == badge)
    #expect(payload.notes.count == notes, "\(payload.notes)")
    #expect(payload.content?.sound == nil)
  }

  @Test(
    "C099: positions are honoured, missing arguments are empty, only %@ and %n$@ are places",
    arguments: [
      (#"["A","B"]"#, "B from A", 0), (#"["A"]"#, " from A", 0), ("[]", " from ", 0), (#""A""#, " from ", 1),
      ("[3,4]", "4 from 3", 0), ("null", " from ", 0), (#"[null,{"a":1}]"#, " from ", 1),
    ])
  func localized(arguments: String, text: String, notes: Int) throws {
    let payload = try read(
      #"{"aps":{"alert":{"loc-key":"K","loc-args":\#(arguments)}}}"#, strings: ["K": "%2$@ from %1$@"])
    #expect(payload.content?.body == text)
    #expect(payload.notes.count == notes)
  }

  @Test("C099: an unknown key shows itself; a hostile table reads nothing")
  func localizedOddly() throws {
    let unknown = try read(#"{"aps":{"alert":{"title-loc-key":"NOBODY"}}}"#)
    #expect(unknown.content?.title == "NOBODY")
    #expect(unknown.notes.count == 1)
    let hostile = try read(
      #"{"aps":{"alert":{"loc-key":"K","loc-args":["A"]}}}"#, strings: ["K": "%s%n%99999999999999999999$@%0$@%@"])
    #expect(hostile.content?.body == "%s%n%99999999999999999999$@A")
  }

  @Test(
    "what is wrong is named, with what was expected, and the rest is shown",
    arguments: [
      (#""alert":7,"badge":1"#, "'aps.alert'", "text or a dictionary"),
      (#""alert":{"title":7,"body":"x"}"#, "'aps.alert.title'", "text"),
      (#""alert":{"titel":"x","body":"x"}"#, "'aps.alert.titel'", "unknown"),
      (#""alert":"x","sound":7"#, "'aps.sound'", "name of a sound"),
      (#""alert":"x","sound":{"volume":2}"#, "'aps.sound.volume'", "0 to 1"),
      (#""alert":"x","sound":{"critical":"yes"}"#, "'aps.sound.critical'", "1 or 0"),
      (#""alert":"x","thread-id":7"#, "'aps.thread-id'", "text"),
      (#""alert":"x","category":["a"]"#, "'aps.category'", "text"),
      (#""alert":"x","mutable-content":"1""#, "'aps.mutable-content'", "1 or 0"),
      (#""alert":"x","interruption-level":"loud""#, "'aps.interruption-level'", "time-sensitive"),
      (#""alert":"x","relevance-score":7"#, "'aps.relevance-score'", "0 to 1"),
      (#""alert":"x","relevance-score":"1""#, "'aps.relevance-score'", "a number"),
      (#""alert":"x","event":"start""#, "'aps.event'", "Live Activities"),
      (#""alert":"x","colour":"red""#, "'aps.colour'", "unknown"),
      (#""alert":"x","Thread-Id":"a""#, "'aps.Thread-Id'", "'aps.thread-id'"),
      (#""alert":{"body":"x","summary-arg-count":0}"#, "'aps.alert.summary-arg-count'", "above 0"),
    ])
  func notes(entries: String, key: String, expected: String) throws {
    let payload = try read("{\"aps\":{\(entries)}}")
    #expect(payload.content != nil)
    #expect(payload.notes.contains { $0.contains(key) && $0.contains(expected) }, "\(payload.notes)")
  }

  @Test(
    "what is no payload is refused, and why",
    arguments: [
      ("", "JSON"), ("[]", "JSON"), ("{", "JSON"), (#"{"aps":"x"}"#, "'aps'"), ("{}", "'aps'"),
      (#"{"alert":"x"}"#, "'aps'"), (#"{"aps":{}}"#, "nothing to show"), (#"{"aps":{"alert":""}}"#, "nothing to show"),
      (#"{"aps":{"thread-id":"x"}}"#, "nothing to show"), ("\u{0}", "JSON"), ("nul", "JSON"),
    ])
  func refused(text: String, words: String) throws {
    let error = #expect(throws: BridgeError.self) { try read(text) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test("a simulator's file names its application; that is no part of userInfo")
  func target() throws {
    let payload = try read(#"{"Simulator Target Bundle":"org.example.App","aps":{"alert":"x"},"k":1}"#)
    #expect(payload.targetBundle == "org.example.App")
    #expect(Set(payload.content?.userInfo.keys.map { $0 } ?? []) == ["aps", "k"])
    #expect(try read(#"{"Simulator Target Bundle":7,"aps":{"alert":"x"}}"#).notes.count == 1)
  }
}

extension StringTables {
  /// One table of English texts.
  static func fixed(_ texts: [String: String]) -> StringTables {
    let lines = texts.map { "\"\($0.key)\" = \"\($0.value.replacing("\"", with: "\\\""))\";\n" }
    let bytes = lines.joined().utf8.map { $0 }
    return StringTables(
      folders: ["/app"], languages: Languages(environment: [:]), list: { _ in ["en.lproj"] },
      read: { $0 == "/app/en.lproj/Localizable.strings" ? bytes : nil })
  }
}
