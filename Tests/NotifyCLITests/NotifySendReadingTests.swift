import Testing

@testable import NotifyCLI

@Suite("notify-send: numbers, escapes and character sets as C and GLib read them")
struct NotifySendReadingTests {
  @Test(
    "A body's escapes are resolved",
    arguments: [
      ("plain", "plain"), ("a\\nb\\tc", "a\nb\tc"), ("\\\\n", "\\n"), ("\\b\\f\\r\\v", "\u{8}\u{c}\r\u{b}"),
      ("\\101\\1012\\8", "AA28"), ("\\303\\251", "é"), ("\\x41\\u00e9\\e\\\"", "x41u00e9e\""), ("a\\0b", "a"),
      ("a\\400b", "a"), ("\\é", "é"), ("", ""), ("\\019", "\u{1}9"),
    ])
  func escapes(text: String, expected: String) {
    let (resolved, endsInBackslash) = NotifySendEscapes.resolve(Array(text.utf8))
    #expect(String(decoding: resolved, as: UTF8.self) == expected)
    #expect(!endsInBackslash)
  }

  @Test("A backslash at the end is left out, and known")
  func lastBackslash() {
    #expect(NotifySendEscapes.resolve(Array("a\\".utf8)) == (Array("a".utf8), true))
  }

  @Test(
    "Whole numbers are read as strtoull reads them, with its prefixes",
    arguments: [
      ("12", 0, 12, false, 2), ("0x1F", 0, 31, false, 4), ("017", 0, 15, false, 3), ("08", 0, 0, false, 1),
      ("0x", 0, 0, false, 1), ("0xg", 0, 0, false, 1), ("0x10", 10, 0, false, 1), (" \t\u{b}-7z", 10, 7, true, 5),
      ("+5", 0, 5, false, 2), ("18446744073709551615", 10, UInt64.max, false, 20),
    ])
  func numbers(text: String, base: UInt64, magnitude: UInt64, isNegative: Bool, end: Int) {
    let scanned = NotifySendNumber.scan(Array(text.utf8)[...], base: base)
    #expect(
      scanned
        == NotifySendNumber.Scanned(isNegative: isNegative, magnitude: magnitude, isTooLarge: false, end: end))
  }

  @Test("No digits are no number; what does not fit is known", arguments: ["", " ", "-", "+-5", "x", "--5"])
  func noNumber(text: String) {
    #expect(NotifySendNumber.scan(Array(text.utf8)[...], base: 0) == nil)
  }

  @Test("What does not fit 64 bits is known, and its low 32 bits are -1")
  func tooLarge() {
    let scanned = NotifySendNumber.scan(Array("-99999999999999999999".utf8)[...], base: 10)
    #expect(scanned?.isTooLarge == true)
    #expect(scanned?.asInt32 == nil)
    #expect(scanned?.low32 == -1)
  }

  @Test(
    "Floating numbers are read as far as they go, whole ones only whole",
    arguments: [
      ("1.5", 1.5, 1.5), ("1.5x", 1.5, nil), ("0x1p4", 16, 16), ("1e999", Double.infinity, nil), ("1,5", 1, nil),
      ("1e-400", 0, 0), ("", 0, nil), ("0x", 0, nil),
    ] as [(String, Double, Double?)])
  func doubles(text: String, prefix: Double, whole: Double?) {
    #expect(NotifySendNumber.double(Array(text.utf8)) == prefix)
    #expect(NotifySendNumber.wholeDouble(Array(text.utf8)) == whole)
  }

  @Test("An application's name is taken from the charset that the environment names")
  func charset() {
    let latin = ["CHARSET": "ISO-8859-1"]
    #expect(NotifySendCharset.utf8([0x61, 0xe9], environment: latin) == Array("aé".utf8))
    #expect(NotifySendCharset.utf8(Array("é".utf8), environment: ["CHARSET": "UTF-8"]) == Array("é".utf8))
    #expect(NotifySendCharset.utf8([0xe9], environment: ["CHARSET": "UTF-8"]) == nil)
    #expect(NotifySendCharset.utf8([0xe9], environment: ["CHARSET": "ASCII"]) == nil)
    #expect(NotifySendCharset.utf8([0xe9], environment: ["CHARSET": "no-such-charset"]) == nil)
    #expect(
      NotifySendCharset.utf8(Array("plain".utf8), environment: ["CHARSET": "no-such-charset"]) == Array("plain".utf8))
  }
}
