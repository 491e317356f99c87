import Foundation
import TestSupport
import Testing

/// More notifications at once than anybody can read.
///
/// `make soak-daemons` sets `NOTIFY_BRIDGE_SOAK`; without it the burst is short, and on one daemon.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct BurstTests {
  private static let isSoak = ProcessInfo.processInfo.environment["NOTIFY_BRIDGE_SOAK"] != nil

  @Test("A burst on mako is complete and in order, and the bridge's memory stays bounded", arguments: ["mako"])
  func complete(daemon: String) async throws {
    let count = Self.isSoak ? 10_000 : 1_000
    try await Desktop.with(daemon, bridge: .init(), limit: .seconds(200)) { session in
      // Of more than 7,600 open ones mako 1.7.1 dies, whoever sends them: it asks more of its display at once than that
      // takes.
      let answers = try await session.burst(count, title: "Burst", lifetime: 1000, within: .seconds(150))
      #expect(answers.count == count)
      // What takes long is queued first, and shown in its turn.
      let refused = answers.filter { if case .refused = $0 { true } else { false } }
      #expect(refused.isEmpty, "\(refused.count), \(Set(refused))")
      let expected = (1...count).map { "Burst \($0)" }
      try await eventually(within: .seconds(60), "the log has \(count) calls") { session.calls().count >= count }
      #expect(session.calls().map(\.summary) == expected)
      let peak = try Self.peakMemory(of: session.bridgeProcess)
      print("\(daemon): \(count) shown, the bridge's peak was \(peak) KiB")
      #expect(peak < 80 << 10, "\(peak) KiB")
    }
  }

  @Test(
    "Of a burst on any daemon each is shown, queued or reported with the daemon's error, in order",
    .timeLimit(.minutes(20)), arguments: isSoak ? Desktop.daemons.filter { $0 != "mako" } : ["gnome-classic"])
  func accounted(daemon: String) async throws {
    let count = Self.isSoak ? 500 : 50
    try await Desktop.with(daemon, bridge: .init(), limit: .seconds(400)) { session in
      let answers = try await session.burst(count, title: "Burst", within: .seconds(150))
      #expect(answers.count == count)
      let shown = answers.indices.filter { answers[$0] == .shown }
      let queued = answers.filter { if case .queued = $0 { true } else { false } }
      let refused = answers.filter { if case .refused = $0 { true } else { false } }
      let rest = "\(queued.count) queued, \(refused.count) refused; \(Set(queued + refused))"
      print("\(daemon): \(shown.count) shown, \(rest)")
      try await eventually(within: .seconds(20), "the log has what was shown") {
        session.calls().count >= shown.count
      }
      if queued.contains(.queued("the notification daemon takes long to answer")) {
        // dunst shows seven in a second when many are open, whoever sends them.
        try await eventually(within: .seconds(200), "all are shown") { session.calls().count == count }
      } else if !queued.isEmpty {
        // Those that wait go on, in order, as soon as there is room.
        for number in 1...3 {
          let removed = try await session.run("remove", "--app", "org.example.Burst", "Burst-\(number)")
          #expect(removed.status == 0)
        }
        try await eventually(within: .seconds(35), "three more are shown") { session.calls().count >= shown.count + 3 }
      }
      // What was queued may have been shown meanwhile, behind the others.
      let summaries = session.calls().map(\.summary)
      #expect(summaries == (1...count).map { "Burst \($0)" }.prefix(summaries.count).map { $0 })
      // And no error hides a notification that the daemon has.
      #expect(summaries.count >= shown.count && summaries.count + refused.count <= count)
    }
  }

  /// Kibibytes.
  private static func peakMemory(of process: Int32?) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process ?? 0)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }
}
