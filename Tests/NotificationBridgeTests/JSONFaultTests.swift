import NotificationBridge
import Testing

@Suite("What is wrong with JSON, for people") struct JSONFaultTests {
  @Test(
    "The place and what was expected, or what cannot be kept",
    arguments: [
      (#"{"title":"a\ud800"}"#, "'title'"), (#"{"a":{"b":1e999}}"#, "'a.b'"),
      (#"{"a":1,}"#, "line 1, byte 8: expected a key in quotation marks"), ("[]", "line 1, byte 1: expected '{'"),
      ("{\"a\":\n tru}", "line 2, byte 2: expected a value"), ("", "expected '{'"),
    ])
  func reasons(text: String, part: String) {
    let reason = JSONFault.reason(Array(text.utf8))
    #expect(reason.contains(part), "\(reason)")
    #expect(!reason.contains("DecodingError"))
  }
}
