import DBus
import Testing

@Suite("Names follow the specification's grammars")
struct NameTests {
  private static let long = String(repeating: "a", count: 256)

  @Test(
    "Valid bus names are taken",
    arguments: [
      "org.example", "org.example.App", "org.example.App-2", "org._7z.a", ":1.0", ":1.42", ":a.7z", "a-b.c",
      "A." + String(repeating: "b", count: 253),
    ])
  func validBusNames(text: String) throws { #expect(try BusName(text).text == text) }

  @Test(
    "Malformed bus names are refused",
    arguments: [
      "", "org", ".org", "org.", "org..App", "org.7z", ":", ":1", ":1.", "org.exämple", "org.a b", "org/a", "org.a\0",
      "a." + String(repeating: "b", count: 254),
    ])
  func invalidBusNames(text: String) { expectInvalid { () throws(BusError) in _ = try BusName(text) } }

  @Test(
    "Valid object paths are taken", arguments: ["/", "/a", "/a/b_1", "/7", "/" + String(repeating: "a", count: 9000)])
  func validPaths(text: String) throws { #expect(try ObjectPath(text).text == text) }

  @Test("Malformed object paths are refused", arguments: ["", "a", "/a/", "//", "/a//b", "/a-b", "/a.b", "/ä", "/a\0"])
  func invalidPaths(text: String) { expectInvalid { () throws(BusError) in _ = try ObjectPath(text) } }

  @Test("Valid interface and error names are taken", arguments: ["a.b", "org.example.Some_1", "_a._b"])
  func validInterfaces(text: String) throws {
    #expect(try InterfaceName(text).text == text)
    #expect(try ErrorName(text).text == text)
  }

  @Test(
    "Malformed interface and error names are refused",
    arguments: ["", "a", "a.", ".a", "a..b", "a.b-c", "a.7", ":1.2", "a.b c", "a.\u{e9}", "a." + long])
  func invalidInterfaces(text: String) {
    expectInvalid { () throws(BusError) in _ = try InterfaceName(text) }
    expectInvalid { () throws(BusError) in _ = try ErrorName(text) }
  }

  @Test("Valid members are taken", arguments: ["a", "Notify", "_x9"])
  func validMembers(text: String) throws { #expect(try MemberName(text).text == text) }

  @Test("Malformed members are refused", arguments: ["", "a.b", "7z", "a-b", "a b", "ä", long])
  func invalidMembers(text: String) { expectInvalid { () throws(BusError) in _ = try MemberName(text) } }

  @Test("Unique names are told from well-known ones")
  func unique() {
    #expect(BusName(":1.2").isUnique)
    #expect(!BusName("org.example.A").isUnique)
  }
}

/// Expects the error for malformed names.
private func expectInvalid(
  _ body: () throws(BusError) -> Void, sourceLocation: SourceLocation = #_sourceLocation
) {
  do throws(BusError) {
    try body()
    Issue.record("it was taken", sourceLocation: sourceLocation)
  } catch {
    #expect(error.code == .invalidName, sourceLocation: sourceLocation)
    #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
  }
}
