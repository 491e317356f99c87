import DBus
import Testing

@testable import NotifyCLI

@Suite("notify-send: hints")
struct NotifySendHintTests {
  private static func hint(_ text: String) throws -> NotifySendHint? {
    try NotifySendHint.parse(Array(text.utf8))
  }

  @Test(
    "Each type reads its value by its own rules",
    arguments: [
      ("int:k:5", .int32(5)), ("INT:k:5x", .int32(5)), ("int:k:0x10", .int32(0)), ("int:k:4294967295", .int32(-1)),
      ("int:k:4294967296", .int32(0)), ("int:k:99999999999999999999", .int32(-1)), ("double:k:1.5x", .double(1.5)),
      ("double:k:0x10", .double(16)), ("double:k:1e999", .double(.infinity)), ("byte:k:255", .byte(255)),
      ("byte:k:", .byte(0)), ("byte:k:x", .byte(0)), ("byte:k: 7", .byte(7)), ("byte:k:4294967301", .byte(5)),
      ("byte:k:-4294967295", .byte(1)), ("byte:k:0x11", .byte(0)), ("boolean:k:TRUE", .boolean(true)),
      ("boolean:k:2", .boolean(true)), ("boolean:k:0x1", .boolean(false)), ("boolean:k:yes", .boolean(false)),
      ("boolean:k: 1", .boolean(false)), ("boolean:k:", .boolean(false)), ("string:k:a:b", .string("a:b")),
      ("String:k:\\n", .string("\\n")), ("variant:k:<'x'>", .variant(.string("x"))),
    ] as [(String, Value)])
  func values(text: String, expected: Value) throws {
    #expect(try Self.hint(text) == NotifySendHint(name: "k", value: expected))
  }

  @Test(
    "What the real program refuses is refused",
    arguments: [
      "", "string", "string:k", ":k:v", "bool:k:true", "int:k:-5", "int:k:+5", "int:k: 5", "int:k:", "double:k:.5",
      "double:k:-1", "double:k:inf", "byte:k:256", "byte:k:-1", "byte:k:99999999999999999999", "variant:k:",
      "variant:k:x",
    ])
  func refused(text: String) {
    do throws(NotifySendHint.Fault) {
      let hint = try NotifySendHint.parse(Array(text.utf8))
      Issue.record("taken: \(String(describing: hint))")
    } catch {
      #expect(error.isReported)
    }
  }

  @Test("An empty text is no hint, even without a name")
  func emptyText() throws {
    #expect(try Self.hint("string:k:") == nil)
    #expect(try Self.hint("string::") == nil)
  }

  @Test("A hint without a name, and bytes that are no UTF-8, are refused where the real program ends itself")
  func endsRealProgram() {
    for bytes in [
      Array("int::5".utf8), Array("string:k:".utf8) + [0xff], Array("int:".utf8) + [0xff] + Array(":5".utf8),
    ] {
      do throws(NotifySendHint.Fault) {
        _ = try NotifySendHint.parse(bytes)
        Issue.record("taken: \(bytes)")
      } catch {
        #expect(!error.isReported)
      }
    }
  }
}

@Suite("notify-send: values in GLib's text format")
struct NotifySendVariantTests {
  private static func value(_ text: String) -> Value? { NotifySendVariant.parse(Array(text.utf8)) }

  @Test(
    "Numbers, texts and their types",
    arguments: [
      ("5", .int32(5)), (" -5 ", .int32(-5)), ("010", .int32(8)), ("-0x80000000", .int32(.min)), ("1e3", .double(1000)),
      (".5", .double(0.5)), ("-inf", .double(-.infinity)), ("0x1e", .int32(30)), ("-", .int32(0)), ("-+5", .int32(-5)),
      ("true", .boolean(true)), ("byte 0x41", .byte(65)), ("int16 -3", .int16(-3)), ("@q 7", .uint16(7)),
      ("uint32 5", .uint32(5)), ("int64 -1", .int64(-1)), ("uint64 18446744073709551615", .uint64(.max)),
      ("int64 -9223372036854775808", .int64(.min)), ("double 5", .double(5)), ("'a\\n\\'b'", .string("a\n'b")),
      ("\"it's \\u00e9 \\U0001f600 \\q\"", .string("it's é 😀 q")), ("objectpath '/a'", .objectPath("/a")),
      ("signature 'as'", .signature("as")), ("b'a\\377\\0z'", .bytes([0x61, 0xff, 0])), ("<5>", .variant(.int32(5))),
    ] as [(String, Value)])
  func basics(text: String, expected: Value) {
    #expect(Self.value(text) == expected)
  }

  @Test(
    "Containers agree on their types as GLib infers them",
    arguments: [
      ("[1, 2.5]", .array(of: "d", [.double(1), .double(2.5)])),
      ("[1, int64 2]", .array(of: "x", [.int64(1), .int64(2)])),
      ("[byte 1, 2]", .bytes([1, 2])), ("@as []", .array(of: "s", [])), ("@a{sv} []", .properties([])),
      ("[[], ['x']]", .array(of: "as", [.array(of: "s", []), .array(of: "s", [.string("x")])])),
      ("(1, 'x')", .structure([.int32(1), .string("x")])), ("(1,)", .structure([.int32(1)])),
      ("{'a': <1>, 'b': <'x'>}", .properties([("a", .int32(1)), ("b", .string("x"))])),
      ("[{'a', 1}]", .dictionary(key: "s", value: "i", [.init(.string("a"), .int32(1))])),
      ("{1: 2.5}", .dictionary(key: "i", value: "d", [.init(.int32(1), .double(2.5))])),
      ("[<1>, <@as []>]", .array(of: "v", [.variant(.int32(1)), .variant(.array(of: "s", []))])),
      ("@a(ay) [(b'x',)]", .array(of: "(ay)", [.structure([.bytes([0x78, 0])])])),
    ] as [(String, Value)])
  func containers(text: String, expected: Value) {
    #expect(Self.value(text) == expected)
  }

  @Test(
    "What GLib or the bus would refuse, and what needs a file descriptor, is refused",
    arguments: [
      "", "x", "5 6", "[]", "{}", "()", "(1)", "(1,2,)", "[1,]", "{'a':1,}", "[1,'x']", "{'a':1,'b':2.5}", "{<1>:2}",
      "{'a', 1}", "[1 2]", "(1 2)", "4294967295", "@y 300", "@n 40000", "uint32 -1", "@t -1", "08", "1e400", "0x1p3",
      "nothing", "just 5", "@mi 5", "@ms nothing", "handle 3", "@h 3", "@o 'x'", "@g 'x('", "'a", "'\\'", "'\\u12'",
      "'\\ud800'", "'\\u0000'", "trueX", "int32 'x'", "uint32 [1]", "@ 5", "@ii 5", "@* 5", "%i", "1_0", "é", "<>",
      "<1",
      "b'x", "@a{(ii)s} {}", "@b 1",
    ])
  func refused(text: String) {
    #expect(Self.value(text) == nil)
  }

  @Test("Text that nests deeper than a bus takes is refused, not a crash", arguments: ["[", "<", "(", "@v ", "{1:"])
  func deep(opening: String) {
    #expect(Self.value(String(repeating: opening, count: 100_000)) == nil)
    let variants = String(repeating: "<", count: 40) + "1" + String(repeating: ">", count: 40)
    #expect(Self.value(variants) != nil)
    #expect(Self.value("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]") == nil)
  }

  @Test("No bytes make it trap")
  func anyBytes() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("[](){}<>,:'\"@\\ 019-+.ebxainuvdt%\u{0}é".utf8)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in alphabet.randomElement(using: &generator)!
      }
      if let value = NotifySendVariant.parse(bytes) { #expect(value.signature.isSingle) }
    }
  }
}
