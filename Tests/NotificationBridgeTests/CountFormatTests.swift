import Testing

@testable import NotificationBridge

@Suite struct CountFormatTests {
  @Test(
    "counts and names are filled in, and everything else stays as it is",
    arguments: [
      ("%u new messages from %@", "3 new messages from Ana and Ben"), ("%u messages", "3 messages"),
      ("%2$@: %1$u", "Ana and Ben: 3"), ("100 %% of %u", "100 % of 3"), ("%x %n %s %", "%x %n %s %"), ("", ""),
      ("%lu/%d/%ld/%i", "3/3/3/3"),
    ])
  func filled(_ format: String, _ expected: String) {
    #expect(CountFormat.fill(format, count: 3, "Ana and Ben") == expected)
  }

  @Test("without names their place stays, and what is filled in is not looked at again")
  func withoutNames() {
    #expect(CountFormat.fill("%u of %@", count: 2) == "2 of %@")
    #expect(CountFormat.fill("%u of %@", count: 2, "%u") == "2 of %u")
  }
}
