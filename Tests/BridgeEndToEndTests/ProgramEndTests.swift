import Foundation
import TestSupport
import Testing

/// Programs that use the library and end.
@Suite("A program that ends", .timeLimit(.minutes(2))) struct ProgramEndTests {
  @Test("what a delegate ended the program for does not come again when it is started next")
  func endsInDelegate() async throws {
    let fixture = try await BridgeFixture()
    for (index, key) in ["yes", "no", "yes"].enumerated() {
      let program = try BinaryRunner(try Binaries.debugProduct("sample-demo"), [], environment: fixture.environment)
      fixture.daemon.invoke(try await fixture.posted(index + 1).serverID, key)
      let result = await program.result()
      #expect(result.output == "You pressed the button \"\(key)\".\n")
      #expect(result.status == 0)
    }
  }
}
