import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import Synchronization
import TestSupport

/// What a load asked of the bridge, what it was told, and what it saw: the base of every claim that nothing was lost.
final class CrashBook: Sendable {
  struct Entries: Sendable {
    /// Immediate posts by title, in the order in which they were asked for.
    var posts: [String] = []
    var acknowledgedPosts: Set<String> = []
    /// Schedules that were acknowledged and are due within the test, with when.
    var timers: [String: Double] = [:]
    /// Schedules for later that were acknowledged, and those of them whose removal was.
    var later: Set<String> = []
    var laterRemoved: Set<String> = []
    /// Removals that were asked for and not acknowledged: either may hold.
    var laterInDoubt: Set<String> = []
    /// Delivered ones whose removal was acknowledged.
    var removed: Set<String> = []
    /// Responses that waiting clients got, by the identifier of the notification.
    var waited: [String: Set<UUID>] = [:]
    /// Responses that the registered program got, in order, as often as they came.
    var received: [UUID] = []
    var clicks = 0
    var failures = 0
    /// Answers that nobody should get.
    var surprises: [String] = []
  }

  private let entries = Mutex(Entries())
  private let over = Atomic(false)

  var now: Entries { entries.withLock { $0 } }
  func note(_ change: (inout sending Entries) -> Void) { entries.withLock { change(&$0) } }

  /// Whether the load is to end.
  var isOver: Bool { over.load(ordering: .acquiring) }
  func end() { over.store(true, ordering: .releasing) }

  private let settled = Atomic(false)
  /// Whether nothing more is to come.
  var isSettled: Bool { settled.load(ordering: .acquiring) }
  func settle() { settled.store(true, ordering: .releasing) }
}

/// One run of the fake daemon: its own log.
struct DaemonRun {
  let posted: [FakeNotificationServer.Posted]
  let closed: Set<UInt32>

  init(_ server: FakeNotificationServer) {
    posted = server.posted
    closed = Set(server.closeCalls)
  }
}

/// Something that the daemon was told twice.
struct Repeat: Hashable {
  let title: String
  /// The first time it was the last that the daemon heard of that bridge, or the bridge the last of that daemon.
  let wasInFlight: Bool
}

/// What all runs of the daemon were told.
struct DaemonLog {
  private(set) var titles: [String] = []
  private(set) var doubles: [Repeat] = []
  /// The numbers by title, and the run of each.
  private(set) var places: [String: [(run: Int, serverID: UInt32)]] = [:]
  let runs: [DaemonRun]

  /// Those that the bridge shows again of its own accord, silently, are no doubles.
  init(_ runs: [DaemonRun]) {
    self.runs = runs
    var lastOfSender: [String: (run: Int, index: Int)] = [:]
    for (run, log) in runs.enumerated() {
      for (index, posted) in log.posted.enumerated() {
        lastOfSender["\(run) \(posted.notification.sender?.text ?? "")"] = (run, index)
      }
    }
    var first: [String: (run: Int, index: Int)] = [:]
    for (run, log) in runs.enumerated() {
      for (index, posted) in log.posted.enumerated() {
        let title = posted.notification.summary
        places[title, default: []].append((run, posted.serverID))
        if posted.notification.hints["suppress-sound"]?.asBool == true { continue }
        titles.append(title)
        if let first = first[title] {
          let sender = runs[first.run].posted[first.index].notification.sender?.text ?? ""
          let last = lastOfSender["\(first.run) \(sender)"]
          doubles.append(Repeat(title: title, wasInFlight: last?.index == first.index))
        } else {
          first[title] = (run, index)
        }
      }
    }
  }

  /// Whether each first appearance of `wanted` comes behind those before it in the list.
  func keepsOrder(of wanted: [String]) -> String? {
    var position: [String: Int] = [:]
    for (index, title) in titles.enumerated() where position[title] == nil { position[title] = index }
    var last = (title: "", index: -1)
    for title in wanted {
      guard let index = position[title] else { continue }
      if index < last.index { return "\(title) came ahead of \(last.title)" }
      last = (title, index)
    }
    return nil
  }

  /// Whether the daemon shows it no more: all its numbers were closed but those of doubles.
  func openCount(of title: String) -> Int {
    (places[title] ?? []).count { !runs[$0.run].closed.contains($0.serverID) && $0.run == runs.count - 1 }
  }
}
