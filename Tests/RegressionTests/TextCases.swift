import DBus
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Topics markup, unicode, security and payload of the cases: what text becomes on the wire.
@Suite struct TextCases {
  @Test("C001: a body is escaped once where markup is read")
  func c001() {
    let result = translated(content(body: "salt & pepper"), capabilities: ["body", "body-markup"])
    #expect(result.notification.body == "salt &amp; pepper")
  }

  @Test("C002: a body goes out untouched where no markup is read")
  func c002() {
    let result = translated(content(body: "tea & milk <ok>"), capabilities: ["body", "actions"])
    #expect(result.notification.body == "tea & milk <ok>")
  }

  @Test("C003: a tag that a user typed is seen as typed")
  func c003() {
    let result = translated(content(body: "see <b>line 7</b>"))
    #expect(result.notification.body == "see &lt;b&gt;line 7&lt;/b&gt;")
  }

  @Test("C005: no tag of the content survives, whatever it is made of")
  func c005() {
    let body = "<i<img src='http://h.example/1'>mg src='http://h.example/2'>"
    let all: Capabilities = ["body", "body-markup", "body-images", "body-hyperlinks", "actions"]
    #expect(!translated(content(body: body), capabilities: all).notification.body.contains("<"))
  }

  @Test("a bold subtitle is our only tag, its text escaped")
  func subtitle() {
    var asked = content(body: "second")
    asked.subtitle = "a < b & \"c\""
    #expect(translated(asked).notification.body == "<b>a &lt; b &amp; \"c\"</b>\nsecond")
    #expect(translated(asked, capabilities: ["body"]).notification.body == "a < b & \"c\"\nsecond")
    let bare = translated(asked, capabilities: ["actions"])
    #expect(bare.notification.summary == "Title – a < b & \"c\"")
    #expect(bare.notification.body.isEmpty)
    #expect(Set(bare.dropped.map(\.part)) == [.subtitle, .body])
  }

  @Test("a summary is plain text, on one line, never escaped")
  func summary() {
    #expect(translated(content(title: "a <b> & c\nd")).notification.summary == "a <b> & c d")
  }

  @Test("without a title the application's name stands in")
  func emptyTitle() {
    #expect(translated(content(title: "", body: "x")).notification.summary == "Test")
  }

  @Test("C007: NUL is taken out and said so; the rest of the text stays")
  func c007() {
    let result = translated(content(title: "T\u{0}", body: "abc\u{0}def"))
    #expect(result.notification.body == "abcdef")
    #expect(result.notification.summary == "T")
    #expect(result.dropped.map(\.part) == [.title, .body])
  }

  @Test("control characters are taken out, newlines and tabs stay")
  func controls() {
    let result = translated(content(body: "a\u{1B}[31mb\u{9B}c\r\nd\te\rf\u{7F}"))
    #expect(result.notification.body == "a[31mbc\nd\te\nf")
  }

  @Test("a body of a megabyte is cut between characters, and said so")
  func longBody() {
    let body = String(repeating: "é👨‍👩‍👧&", count: 60_000)
    let result = translated(content(body: body))
    #expect(result.notification.body.utf8.count <= 8192)
    #expect(result.notification.body.hasSuffix("…"))
    #expect(
      result.notification.body.dropLast().hasSuffix("👨‍👩‍👧") || result.notification.body.dropLast().hasSuffix("é")
        || result.notification.body.dropLast().hasSuffix("&amp;"))
    #expect(result.dropped.map(\.part) == [.body])
    let mate = ServerInformation(name: "Notification Daemon", vendor: "MATE", version: "1.26.0", specVersion: "1.1")
    #expect(translated(content(body: body), information: mate).notification.body.utf8.count <= 2048)
  }

  @Test("a title of 300 characters is cut after 256, and said so")
  func longTitle() {
    let result = translated(content(title: String(repeating: "ö", count: 300)))
    #expect(result.notification.summary.count == 256)
    #expect(result.dropped.map(\.part) == [.title])
    #expect(translated(content(title: String(repeating: "ö", count: 256))).dropped.isEmpty)
  }

  @Test("C011: percent signs are literal")
  func c011() {
    #expect(translated(content(body: "35% done, 100%% sure")).notification.body == "35% done, 100%% sure")
  }

  @Test("C008: every call has the specification's signature, whatever the text")
  func c008() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &random)) ?? "\u{0}"
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let odd = String(text)
      var desktop = DesktopOptions()
      desktop.actions = [ActionRecord(identifier: odd, title: odd), ActionRecord(identifier: "", title: "")]
      desktop.hints = [HintRecord(name: "x-odd", value: .string(odd))]
      let call = translated(content(title: odd, body: odd), desktop: desktop).notification
      #expect(call.arguments.map(\.signature.text).joined() == "susssasa{sv}i")
      #expect(call.replacesID == 0)
      #expect(call.expireTimeout == .serverDefault)
      #expect(!call.arguments.contains { $0.holdsNUL })
    }
  }
}

/// Numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension Value {
  /// Whether any text in it has a NUL, which no bus carries.
  var holdsNUL: Bool {
    switch self {
    case .string(let text): text.utf8.contains(0)
    case .array(_, let elements): elements.contains(where: \.holdsNUL)
    case .dictionary(_, _, let entries): entries.contains { $0.key.holdsNUL || $0.value.holdsNUL }
    case .variant(let inner): inner.holdsNUL
    case .structure(let members): members.contains(where: \.holdsNUL)
    default: false
    }
  }
}
