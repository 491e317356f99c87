import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import Glibc
import NotificationBridge
import TestSupport

/// What the system says of a bridge that runs.
struct BridgeProcess {
  let id: Int32

  init(id: Int32) { self.id = id }

  /// The bridge of a fixture, which is started if need be.
  init(_ fixture: BridgeFixture) async throws {
    _ = try await ControlClient(on: fixture.connection).status()
    guard let id = try await fixture.bridgeProcess() else { throw RunnerError("no bridge runs") }
    self.id = id
  }

  private func read(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/\(id)/\(file)")), as: UTF8.self)
  }

  /// The most memory that it had so far, in KiB.
  func peakMemory() throws -> Int {
    let line = try read("status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// How often its threads have been woken.
  func wakeUps() throws -> Int {
    var count = 0
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task") {
      let lines = try read("task/\(thread)/status").split(separator: "\n")
      count += lines.first { $0.hasPrefix("voluntary_ctxt") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    return count
  }

  /// The processor time that it took, in seconds.
  func processorTime() throws -> Double {
    let fields = try read("stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// How often it wakes up in a while in which nothing happens.
  func wakeUps(in time: Duration) async throws -> Int {
    // What it does right after something happened is no polling.
    try await Task.sleep(for: .milliseconds(700))
    let before = try wakeUps()
    try await Task.sleep(for: time)
    return try wakeUps() - before
  }
}

extension BridgeFixture {
  /// The bridge as a program of any language calls it.
  var client: ControlClient { ControlClient(on: connection) }

  /// What the present daemon was told, oldest first.
  var titles: [String] { daemon.posted.map(\.notification.summary) }

  /// Waits until the daemon has got so many.
  func shown(_ count: Int, within limit: Duration = .seconds(15)) async throws -> [String] {
    try await eventually(within: limit, "\(count) notifications") { self.daemon.postedCount >= count }
    return titles
  }
}
