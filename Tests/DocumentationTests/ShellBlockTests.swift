import Foundation
import FreedesktopNotifications
import TestSupport
import Testing

/// What the pages tell to type.
///
/// The blocks of a page run in order in one folder, with the built command and bridge, against a fake daemon whose user
/// presses the first button of everything. What the page shows as output behind a block must be printed, in this order;
/// `…` stands for anything. What stands in a block of JSON is in the file `payload.json` from then on.
@Suite(.timeLimit(.minutes(5))) struct ShellBlockTests {
  /// A GIF of one pixel.
  static let picture: [UInt8] =
    [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  /// A PNG of one pixel.
  private static let chart = Data(
    base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")

  /// What no test should do to the machine, or is tested elsewhere.
  private static let replaced = ["make", "swift", "systemctl", "journalctl", "sudo", "dunst", "gdbus"]

  private static var behavior: FakeNotificationServer.Behavior {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { daemon, posted in
      // What comes again under the same number was pressed before.
      guard posted.notification.replacesID == 0, let action = posted.notification.actions.first,
        action.key != "default"
      else { return }
      daemon.invoke(posted.serverID, action.key)
    }
    return behavior
  }

  @Test("what the pages tell to type works, and prints what they say", arguments: try Page.all())
  func typed(page: Page) async throws {
    guard page.blocks.contains(where: { $0.language == "sh" }) else { return }
    let fixture = try await BridgeFixture(Self.behavior)
    for name in Self.replaced { try fixture.home.write("#!/bin/sh\n", to: "bin/\(name)", permissions: 0o700) }
    try fixture.home.write([UInt8](try #require(Self.chart)), to: "work/chart.png")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.home.path + "/bin/notify-bridge", withDestinationPath: try Binaries.notifyBridge())
    var environment = fixture.environment
    environment["PATH"] = "\(fixture.home.path)/bin:/usr/bin:/bin"
    var last: (block: Page.Block, result: BinaryResult)?
    for block in page.blocks {
      let place = "\(page.path):\(block.line)"
      switch block.language {
      case "json": try fixture.home.write(block.text, to: "work/payload.json")
      case "sh":
        let result = try await BinaryRunner.run(
          "/bin/bash", ["-euo", "pipefail", "-c", block.text], environment: environment,
          directory: fixture.home.path + "/work", timeLimit: .seconds(60))
        #expect(result.status == 0, "\(place): \(result.status)\n\(result.output)\(result.errors)")
        last = (block, result)
      case "text":
        let result = try #require(last?.result, "\(place): there is nothing that could have printed it")
        let missing = Self.missing(block.lines, in: result.output + result.errors)
        #expect(missing == nil, "\(place): not printed: \(missing ?? "")\n\(result.output)\(result.errors)")
      default: break
      }
    }
  }

  /// The first line that was not printed behind those before it.
  private static func missing(_ lines: [String], in output: String) -> String? {
    var rest = output.components(separatedBy: "\n")[...]
    for line in lines where !line.isEmpty && line != "…" {
      guard let place = rest.firstIndex(where: { matches($0, line) }) else { return line }
      rest = rest[(place + 1)...]
    }
    return nil
  }

  private static func matches(_ printed: String, _ wanted: String) -> Bool {
    var rest = printed[...]
    for (index, part) in wanted.components(separatedBy: "…").enumerated() {
      if index == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if part.isEmpty {
        rest = rest.suffix(0)
      } else {
        guard let range = rest.range(of: part) else { return false }
        rest = rest[range.upperBound...]
      }
    }
    return rest.isEmpty
  }

  @Test("output that differs is seen")
  func output() {
    #expect(Self.missing(["a", "…", "c …"], in: "a\nb\nc d\n") == nil)
    #expect(Self.missing(["b", "a"], in: "a\nb\n") == "a")
    #expect(Self.missing(["a"], in: "ab\n") == "a")
    #expect(Self.missing(["a…b"], in: "a x b\n") == nil)
    #expect(Self.missing(["a…b"], in: "a x b c\n") == "a…b")
  }
}
