import DBus
import Testing

@Suite("Signatures follow the specification's grammar")
struct SignatureTests {
  private static func nested(_ opening: String, _ core: String, _ closing: String, _ depth: Int) -> String {
    String(repeating: opening, count: depth) + core + String(repeating: closing, count: depth)
  }

  @Test(
    "Valid signatures are taken",
    arguments: [
      "", "y", "susssasa{sv}i", "a{sa{sv}}", "(ii)", "a(sv)", "((s)a(y))", "aaay", "h", "v", "a{oa{ss}}",
      nested("a", "y", "", 32), nested("(", "y", ")", 32), nested("a(", "y", ")", 32),
      String(repeating: "y", count: 255),
    ])
  func valid(text: String) throws { #expect(try Signature(text).text == text) }

  @Test(
    "Malformed signatures are refused",
    arguments: [
      "a", "(", ")", "()", "(i", "i)", "{sv}", "a{", "a{s", "a{sv", "a{sss}", "a{vs}", "a{(i)s}", "a{asv}", "a{}", "z",
      "r", "e", "s s", "aa", "(a)", nested("a", "y", "", 33), nested("(", "y", ")", 33),
      String(repeating: "y", count: 256),
    ])
  func invalid(text: String) {
    do throws(BusError) {
      _ = try Signature(text)
      Issue.record("'\(text)' was taken")
    } catch {
      #expect(error.code == .invalidName)
    }
  }

  @Test("A signature splits into its complete types")
  func singles() {
    #expect(Signature("susssasa{sv}i").singles.map(\.text) == ["s", "u", "s", "s", "s", "as", "a{sv}", "i"])
    #expect(Signature("").singles.isEmpty)
    #expect(Signature("a(ii)(s)").singles == ["a(ii)", "(s)"])
  }

  @Test("One complete type is told from none and from several")
  func single() {
    for text in ["y", "as", "a{sv}", "(ii)", "v"] { #expect(Signature(unchecked: text).isSingle) }
    for text in ["", "ii", "asas", "a{sv}i"] { #expect(!Signature(unchecked: text).isSingle) }
  }

  @Test("Every value knows its signature, empty containers included")
  func valueSignatures() {
    let table: [(Value, String)] = [
      (.byte(1), "y"), (.boolean(true), "b"), (.int16(1), "n"), (.uint16(1), "q"), (.int32(1), "i"),
      (.uint32(1), "u"), (.int64(1), "x"), (.uint64(1), "t"), (.double(1), "d"), (.string("a"), "s"),
      (.objectPath("/"), "o"), (.signature("as"), "g"), (.bytes([]), "ay"), (.strings([]), "as"),
      (.array(of: "a{sv}", []), "aa{sv}"), (.properties([]), "a{sv}"),
      (.dictionary(key: "u", value: "(si)", []), "a{u(si)}"),
      (.structure([.int32(1), .variant(.string("a"))]), "(iv)"), (.variant(.strings([])), "v"),
    ]
    for (value, text) in table { #expect(value.signature.text == text) }
  }

  @Test("A message's signature is that of all its arguments")
  func messageSignature() {
    let message = Message(kind: .signal, body: [.uint32(1), .strings([]), .properties([])])
    #expect(message.signature == "uasa{sv}")
  }
}
