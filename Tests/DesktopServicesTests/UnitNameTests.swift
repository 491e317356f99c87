import DBus
import DesktopServices
import TestSupport
import Testing

@Suite("Names of units", .timeLimit(.minutes(1)))
struct UnitNameTests {
  /// What `systemd-escape` of systemd 252 prints.
  static let escaped: [(String, String)] = [
    ("org.example.App", "org.example.App"), ("org.example.Some-App", "org.example.Some\\x2dApp"),
    (".hidden", "\\x2ehidden"), ("a/b", "a-b"), ("Grüße", "Gr\\xc3\\xbc\\xc3\\x9fe"),
    ("a b@c\\d", "a\\x20b\\x40c\\x5cd"),
    ("", ""), ("x:y_z.9", "x:y_z.9"), ("\n", "\\x0a"),
  ]

  @Test("Text is escaped as systemd-escape does, and back", arguments: escaped)
  func escape(text: String, expected: String) {
    #expect(UnitName.escape(text) == expected)
    #expect(UnitName.unescape(expected) == text)
  }

  @Test("systemd-escape itself agrees")
  func real() async throws {
    for text in ["org.example.Some-App", ".hidden", "a/b", "Grüße", "a b@c\\d", "%n $HOME"] {
      let result = try await BinaryRunner.run("systemd-escape", ["--", text])
      #expect(result.output == UnitName.escape(text) + "\n", "\(text)")
    }
  }

  @Test("What is not of the escaped form is not read", arguments: ["\\", "\\x", "\\x2", "\\y2d", "\\xzz", "\\xff"])
  func unescape(text: String) { #expect(UnitName.unescape(text) == nil) }

  @Test("A name must be a service's")
  func names() {
    #expect(UnitName.fault(in: "app-notifybridge-org.example.Some\\x2dApp@1f.service") == nil)
    for text in [
      "", ".service", "@x.service", "a.scope", "a b.service", "a/b.service", "ä.service",
      String(repeating: "a", count: 250) + ".service",
    ] { #expect(UnitName.fault(in: text) != nil, "\(text)") }
  }
}
