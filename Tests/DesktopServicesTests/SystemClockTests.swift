import DesktopServices
import Foundation
import Glibc
import NotificationBridge
import TestSupport
import Testing

@Suite("The system's clock", .timeLimit(.minutes(1)))
struct SystemClockTests {
  /// A root with a zone in it.
  private func root() throws -> TemporaryHome {
    let home = try TemporaryHome()
    try home.makeFolder("zones")
    try home.write("", to: "zones/Berlin")
    try home.write("", to: "zones/Lisbon")
    try home.makeFolder("etc")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/etc/localtime", withDestinationPath: home.path + "/zones/Berlin")
    return home
  }

  private let farAway = Date(timeIntervalSinceNow: 3600)

  /// Puts another link in place, as systemd does: a new one, renamed.
  private func changeZone(_ home: TemporaryHome) throws {
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/etc/.#localtime", withDestinationPath: home.path + "/zones/Lisbon")
    #expect(unsafe rename(home.path + "/etc/.#localtime", home.path + "/etc/localtime") == 0)
  }

  /// Waits that run until they end or the task is cancelled; it is known when the kernel watches.
  private func whileWaiting(
    _ home: TemporaryHome, count: Int = 1, _ body: () async throws -> Void
  ) async throws -> Int {
    let clock = SystemClock(root: home.path)
    let ended = Counter()
    let tasks = (0..<count).map { _ in
      Task { [farAway] in
        await clock.wait(until: farAway)
        if !Task.isCancelled { ended.add() }
      }
    }
    try await eventually(within: .seconds(10), "the folder is watched") { try watches(home) == 1 }
    try await body()
    for task in tasks {
      task.cancel()
      await task.value
    }
    return ended.value
  }

  /// How many watches of inotify's this process has on the root's `etc`.
  private func watches(_ home: TemporaryHome) throws -> Int {
    var status = stat()
    guard unsafe stat(home.path + "/etc", &status) == 0 else { return 0 }
    let inode = "ino:" + String(status.st_ino, radix: 16) + " "
    let folder = "/proc/self/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
      let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
      return sum + text.split(separator: "\n").count { $0.hasPrefix("inotify") && $0.contains(inode) }
    }
  }

  @Test("A wait ends when it is due, and at once for what is past")
  func due() async {
    let clock = SystemClock()
    await clock.wait(until: Date(timeIntervalSinceNow: -10))
    await clock.wait(until: .distantPast)
    let end = Date(timeIntervalSinceNow: 0.2)
    await clock.wait(until: end)
    #expect(clock.now >= end)
    #expect(clock.now < end.addingTimeInterval(5))
  }

  @Test("Cancelling the task ends the wait, before and while it waits")
  func cancelled() async {
    let clock = SystemClock()
    for date in [Date.distantFuture, Date(timeIntervalSince1970: .nan + 4e9), farAway] {
      let task = Task { await clock.wait(until: date) }
      task.cancel()
      await task.value
    }
  }

  @Test("C077: a change of the zone ends every wait; one watch serves them all")
  func zone() async throws {
    let home = try root()
    let ended = Counter()
    let clock = SystemClock(root: home.path)
    let tasks = (0..<20).map { _ in
      Task { [farAway] in
        await clock.wait(until: farAway)
        ended.add()
      }
    }
    try await eventually(within: .seconds(10), "the folder is watched") { try watches(home) == 1 }
    // The first who waits makes the watch; the others have come when a change ends them all.
    try await eventually(within: .seconds(20), "all have ended") {
      try? changeZone(home)
      return ended.value == 20
    }
    #expect(try watches(home) == 1)
    for task in tasks { await task.value }
  }

  @Test("Debian's /etc/timezone, written in place, counts too")
  func timezoneFile() async throws {
    let home = try root()
    try await confirmEnd(home) { try home.write("Europe/Lisbon\n", to: "etc/timezone") }
  }

  @Test("A zone that is taken away counts")
  func removal() async throws {
    let home = try root()
    try await confirmEnd(home) { try FileManager.default.removeItem(atPath: home.path + "/etc/localtime") }
  }

  private func confirmEnd(_ home: TemporaryHome, _ change: () throws -> Void) async throws {
    let clock = SystemClock(root: home.path)
    let hasEnded = Counter()
    let task = Task { [farAway] in
      await clock.wait(until: farAway)
      hasEnded.add()
    }
    try await eventually(within: .seconds(10), "the folder is watched") { try watches(home) == 1 }
    #expect(hasEnded.value == 0)
    try change()
    try await eventually(within: .seconds(10), "the wait has ended") { hasEnded.value == 1 }
    task.cancel()
  }

  @Test("Other files of the folder end nothing")
  func otherFiles() async throws {
    let home = try root()
    let ended = try await whileWaiting(home) {
      try home.write("x", to: "etc/passwd")
      try FileManager.default.removeItem(atPath: home.path + "/etc/passwd")
      // The change is read before this, which ends none either.
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(ended == 0)
  }

  @Test("A change between two waits ends the second at once")
  func between() async throws {
    let home = try root()
    let clock = SystemClock(root: home.path)
    _ = try await whileWaiting(home) {}
    try changeZone(home)
    await clock.wait(until: farAway)
  }

  @Test("Without a folder to watch a wait still ends when it is due")
  func noFolder() async throws {
    let clock = SystemClock(root: "/nowhere")
    let end = Date(timeIntervalSinceNow: 0.05)
    await clock.wait(until: end)
    #expect(clock.now >= end)
  }
}
