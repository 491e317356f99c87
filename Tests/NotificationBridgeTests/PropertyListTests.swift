import Foundation
import NotificationBridge
import Testing

/// Property lists in both text forms, right and wrong.
@Suite struct PropertyListTests {
  private func read(_ text: String) throws -> PropertyValue { try PropertyList.read(Array(text.utf8)) }

  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <!-- made by hand -->
    <plist version="1.0">
    <dict>
      <key>NSExtension</key>
      <dict>
        <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.content-extension</string>
        <key>NSExtensionAttributes</key>
        <dict>
          <key>UNNotificationExtensionCategory</key><array><string>a</string><string>b &amp; c</string></array>
          <key>UNNotificationExtensionInitialContentSizeRatio</key><real>0.75</real>
          <key>UNNotificationExtensionDefaultContentHidden</key><true/>
          <key>Off</key><false></false>
        </dict>
      </dict>
      <key>n</key><integer>-0x10</integer>
      <key>big</key><integer>18446744073709551615</integer>
      <key>when</key><date>2026-02-28T12:30:00Z</date>
      <key>data</key><data>
        AAEC
        /w==
      </data>
      <key>text</key><string> a <![CDATA[<&>]]><!-- not this -->&#x1F600;&#65; </string>
      <key>empty</key><string/>
      <key>none</key><array/>
    </dict>
    </plist>
    """

  @Test("an Info.plist comes as its values")
  func xml() throws {
    let expected: PropertyValue = .dictionary([
      "NSExtension": .dictionary([
        "NSExtensionPointIdentifier": .string("com.apple.usernotifications.content-extension"),
        "NSExtensionAttributes": .dictionary([
          "UNNotificationExtensionCategory": .array([.string("a"), .string("b & c")]),
          "UNNotificationExtensionInitialContentSizeRatio": .double(0.75),
          "UNNotificationExtensionDefaultContentHidden": .boolean(true), "Off": .boolean(false),
        ]),
      ]),
      "n": .integer(-16), "big": .double(18_446_744_073_709_551_616),
      "when": .date(Date(timeIntervalSince1970: 1_772_281_800)), "data": .data(Data([0, 1, 2, 255])),
      "text": .string(" a <&>😀A "), "empty": .string(""), "none": .array([]),
    ])
    #expect(try read(Self.plist) == expected)
  }

  @Test("what Foundation writes is read")
  func foundation() throws {
    let source: [String: Any] = [
      "t": "a<b>&\"c'\n\u{1F600}", "i": 7, "d": 0.5, "b": true, "a": ["x", 1, ["y": false]],
      "when": Date(timeIntervalSince1970: 1_000_000_000), "data": Data([1, 2, 3]),
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: source, format: .xml, options: 0)
    let value = try PropertyList.dictionary(Array(data))
    #expect(value["t"] == .string("a<b>&\"c'\n\u{1F600}"))
    #expect((value["i"], value["d"], value["b"]) == (.integer(7), .double(0.5), .boolean(true)))
    #expect(value["a"] == .array([.string("x"), .integer(1), .dictionary(["y": .boolean(false)])]))
    #expect(value["when"] == .date(Date(timeIntervalSince1970: 1_000_000_000)))
    #expect(value["data"] == .data(Data([1, 2, 3])))
  }

  @Test("a table of strings: comments, escapes, text without quotation marks, a key alone")
  func strings() throws {
    let table = try read(
      #"""
      /* Title of the "new mail" notification; keep it short. */
      "MAIL_%@" = "Mail from \"%@\"\nnow";
      // the plain form
      plain.key-1 = Plain_value;
      'single' = 'it\'s';
      "umlaut" = "\U00fc \u0041 \Ud83d\Ude00 \Ud83d! \101 \\ \
      next";
      "alone";
      "last" = "no semicolon"
      """#)
    #expect(
      table
        == .dictionary([
          "MAIL_%@": .string("Mail from \"%@\"\nnow"), "plain.key-1": .string("Plain_value"),
          "single": .string("it's"), "umlaut": .string("ü A 😀 \u{FFFD}! A \\ \nnext"), "alone": .string("alone"),
          "last": .string("no semicolon"),
        ]))
  }

  @Test("the old style nests")
  func oldStyle() throws {
    let value = try read("{ a = (1, two, \"three\", ); b = { c = <0fb d77>; }; }")
    #expect(
      value
        == .dictionary([
          "a": .array([.string("1"), .string("two"), .string("three")]),
          "b": .dictionary(["c": .data(Data([0x0f, 0xbd, 0x77]))]),
        ]))
    #expect(try read("<00ff>") == .data(Data([0, 255])))
    #expect(try read("word") == .string("word"))
    #expect(try read(" /* nothing */ ") == .dictionary([:]))
  }

  @Test("UTF-8 and UTF-16 in both orders, with a byte order mark and without")
  func encodings() throws {
    let text = "\"k\" = \"ü😀\";"
    let expected = PropertyValue.dictionary(["k": .string("ü😀")])
    let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for bytes in [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
    ] {
      #expect(try PropertyList.read(bytes) == expected)
    }
    #expect(throws: BridgeError.self) { try PropertyList.read([0xFF, 0xFE, 0x22]) }
    #expect(throws: BridgeError.self) { try PropertyList.read([0x22, 0xFC, 0x22]) }
  }

  @Test(
    "what is no property list is refused, with the line and what was expected",
    arguments: [
      ("<plist><dict><key>a</key></dict></plist>", "expected the value of 'a'"),
      ("<plist>\n<dict>\n<string>a</string></dict></plist>", "line 3, byte 9: expected <key>"),
      ("<plist><integer>1.5</integer></plist>", "whole number"), ("<plist><integer>--1</integer></plist>", "whole"),
      ("<plist><real>nan</real></plist>", "finite number"),
      ("<plist><date>2026-02-30T00:00:00Z</date></plist>", "date"),
      ("<plist><data>!</data></plist>", "base64"), ("<plist><true>x</true></plist>", "nothing in <true>"),
      ("<plist><string>a & b</string></plist>", "'&amp;'"), ("<plist><string>&me;</string></plist>", "'&me;'"),
      ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>", "declarations"), ("<plist/>", "a value in <plist>"),
      ("<plist><string>a</strong></plist>", "</string>"), ("<plist><string>a", "</string>"), ("<plist", "'>'"),
      ("<plist><colour/></plist>", "<dict>"), ("<plist><dict/></plist>x", "nothing behind </plist>"),
      ("<plist><!-- ", "'-->'"), ("<?xml version='1.0' encoding='latin1'?><plist/>", "UTF-8"),
      ("<plist><string><![CDATA[a</string></plist>", "']]>'"), ("<html/>", "hexadecimal"),
      ("\"a\" = \"b", "quotation mark"),
      ("\"a\" = \"b\"\n\"c\" = \"d\";", "line 2, byte 1: expected ';' behind the value of 'a'"),
      ("a = ;", "text"), ("{ a = b; ", "text"), ("( a b )", "',' or ')'"), ("<0f7>", "two hexadecimal"), ("<0f", "'>'"),
      ("/* a", "'*/'"), ("a = \"\\U12\";", "four hexadecimal"), ("{} x", "nothing more"), ("bplist00", "binary"),
    ])
  func refused(text: String, words: String) {
    let error = #expect(throws: BridgeError.self) { try read(text) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains(words) == true, "\(String(describing: error?.message))")
  }

  @Test("depth and size have limits in both forms")
  func limits() throws {
    func nested(_ open: String, _ close: String, _ count: Int) -> String {
      String(repeating: open, count: count) + String(repeating: close, count: count)
    }
    let depth = PropertyList.depthLimit
    _ = try read("<plist>" + nested("<array>", "</array>", depth + 1) + "</plist>")
    _ = try read(nested("(", ")", depth + 1))
    for text in [
      "<plist>" + nested("<array>", "</array>", depth + 2) + "</plist>", nested("(", ")", depth + 2),
      "<plist>" + nested("<array>", "", 100_000), nested("{a=", "", 100_000), nested("(", "", 100_000),
    ] {
      let error = #expect(throws: BridgeError.self) { try read(text) }
      #expect(error?.message.contains("levels") == true)
    }
    let error = #expect(throws: BridgeError.self) {
      try PropertyList.read([UInt8](repeating: 0x20, count: PropertyList.sizeLimit + 1))
    }
    #expect(error?.message.contains("\(PropertyList.sizeLimit)") == true)
  }
}
