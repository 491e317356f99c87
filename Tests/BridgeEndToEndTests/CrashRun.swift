import BridgeControl
import DBus
import Foundation
import Glibc
import NotificationBridge
import Synchronization
import TestSupport
import Testing

/// A bridge under load, what is done to it, and the count afterwards.
final class CrashRun: Sendable {
  let fixture: BridgeFixture
  let book: CrashBook
  let client: ControlClient
  private let handledFile: String

  static let configuration = "[history]\nentries=1000000\n"

  init() async throws {
    book = CrashBook()
    fixture = try await BridgeFixture(CrashLoad.behavior(book), configuration: Self.configuration)
    handledFile = fixture.home.path + "/handled"
    let script = try fixture.home.write(
      "#!/bin/sh\necho \"$NOTIFY_BRIDGE_RESPONSE\" >>'\(handledFile)'\nsleep 0.00$(($$ % 10))\n", to: "handler.sh",
      permissions: 0o700)
    try fixture.home.write(
      "[Handler]\nExec=\(script)\nApplication=\(CrashLoad.handled.identifier)\n",
      to: "config/notify-bridge/handlers.d/log.handler")
    var options = BusConnection.Options()
    options.reconnects = true
    client = ControlClient(on: try await BusConnection.connect(to: fixture.bus.address, options: options))
  }

  /// The responses that the handler was run for, in order.
  var handled: [String] {
    ((try? String(contentsOfFile: handledFile, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Kills the bridge that was started last, even one that has not got its name yet.
  /// - Returns: whether there was one.
  func kill() -> Bool {
    let list = (try? String(contentsOfFile: fixture.home.path + "/bridges", encoding: .utf8)) ?? ""
    guard let process = list.split(separator: "\n").last.flatMap({ Int32($0) }), fixture.isOurs(process) else {
      return false
    }
    return Glibc.kill(process, SIGKILL) == 0
  }

  /// Waits until the bridge has acknowledged something more.
  func progress() async throws {
    let before = book.now.acknowledgedPosts.count + book.now.timers.count
    try await eventually(within: .seconds(20), "the bridge takes something") {
      book.now.acknowledgedPosts.count + book.now.timers.count > before
    }
  }

  /// Puts the bridge under load while `disturb` runs, then waits until everything is settled.
  func run(_ disturb: @Sendable @escaping () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let load = CrashLoad(fixture: fixture, book: book)
      group.addTask { try await load.run() }
      group.addTask { [self] in
        defer {
          book.end()
          book.settle()
        }
        try await disturb()
        book.end()
        try await settle()
      }
      try await group.waitForAll()
    }
  }

  /// Waits until nothing is on its way any more.
  private func settle() async throws {
    try await eventually(within: .seconds(60), "the last timer has fired") {
      guard let pending = try? await client.pending(CrashLoad.timers.identifier) else { return false }
      return pending.isEmpty
    }
    try await eventually(within: .seconds(60), "the queue is empty") {
      guard let status = try? await client.status() else { return false }
      return status["queued"] == .integer(0)
    }
    let rest = Mutex<[Count.Response]>([])
    let fetches = Fetches()
    do {
      try await eventually(within: .seconds(30), "every response has been dealt with") {
        guard let open = try? await open() else { return false }
        rest.withLock { $0 = open }
        for response in open where response.application == CrashLoad.waited.identifier {
          // Nobody waits for this: an answer that somebody else has by now never comes.
          guard fetches.state.withLock({ $0.running.insert(response.id).inserted }) else { continue }
          Task {
            do {
              try await fetch(response)
            } catch {
              fetches.state.withLock {
                $0.refusal = "\(error)"
                $0.running.remove(response.id)
              }
            }
          }
        }
        // Reading a long history again and again would hold up what is waited for.
        if !open.isEmpty { try await Task.sleep(for: .milliseconds(100)) }
        return open.isEmpty
      }
    } catch {
      throw DidNotHappen("nobody has \(rest.withLock { $0 }): \(error); \(fetches.state.withLock { $0.refusal })")
    }
  }

  /// What is asked for at the moment, and why the last question failed.
  private final class Fetches: Sendable {
    let state = Mutex<(running: Set<String>, refusal: String)>(([], ""))
  }

  /// A response whose client was told that its post had failed waits for whoever asks.
  private func fetch(_ response: Count.Response) async throws {
    let key = NotificationKey(application: response.application, identifier: response.identifier)
    guard case .responded(let record) = try await client.wait(key) else { return }
    book.note { _ = $0.waited[key.identifier, default: []].insert(record.id) }
    try await client.acknowledge(record.id, of: key.application)
  }

  /// Everything that happened, by the bridge's own account.
  func history() async throws -> [HistoryRecord] {
    var all: [HistoryRecord] = []
    // With 0 it would be the newest.
    var batch = try await client.nextEvents(after: 0, application: "")
    while !batch.isEmpty {
      all += batch
      guard batch.count >= 1_000, let last = batch.last else { break }
      batch = try await client.history(after: last.sequence, application: "", limit: 1_000)
    }
    return all
  }

  /// The names of what is scheduled for after the test, as the bridge lists it.
  func later() async throws -> [String] {
    try await client.pending(CrashLoad.later.identifier).map(\.request.identifier)
  }

  /// The responses that nobody has by now.
  private func open() async throws -> [Count.Response] {
    let count = Count(try await history(), DaemonLog([DaemonRun(fixture.daemon)]), book.now, handled)
    let taken = count.taken
    return count.responses.filter { !taken.contains($0.id) }
  }
}

/// What is to hold afterwards.
struct Count {
  struct Response { let id: String, application: String, identifier: String }

  let book: CrashBook.Entries
  let log: DaemonLog
  let handled: [String]
  var responses: [Response] = []
  var handledEvents: Set<String> = []
  var uncertain: Set<String> = []
  var repeated: [String] = []

  init(_ history: [HistoryRecord], _ log: DaemonLog, _ book: CrashBook.Entries, _ handled: [String]) {
    self.book = book
    self.log = log
    self.handled = handled
    for record in history {
      var response: String?
      if case .string(let text)? = record.detail["response"] { response = text }
      switch record.event {
      case .responded:
        responses.append(
          Response(id: response ?? "", application: record.application, identifier: record.identifier))
      case .handled: handledEvents.insert(response ?? "")
      case .uncertain: uncertain.insert(response ?? "")
      case .repeated: repeated.append(record.identifier)
      default: break
      }
    }
  }

  /// The responses that somebody has, or of which it is said that nobody knows.
  var taken: Set<String> {
    let waited = book.waited.values.flatMap { $0 }.map(\.uuidString)
    return handledEvents.union(uncertain).union(waited).union(book.received.map(\.uuidString))
  }

  var doubles: Int { log.doubles.count }

  /// Checks all that has to hold whatever was done to the bridge.
  /// - Parameter disturbances: how often something was done.
  func check(_ disturbances: Int, pending: [String]) {
    let shown = Set(log.titles)
    #expect(
      book.acknowledgedPosts.subtracting(shown).subtracting(book.removed).sorted() == [],
      "acknowledged and never posted")
    #expect(Set(book.timers.keys).subtracting(shown).sorted() == [], "scheduled and never fired")
    let due = book.timers.sorted { $0.value < $1.value }.map(\.key)
    #expect(log.keepsOrder(of: book.posts) == nil)
    #expect(log.keepsOrder(of: due) == nil)
    #expect(
      book.later.subtracting(book.laterRemoved).subtracting(book.laterInDoubt).subtracting(pending).sorted() == [],
      "scheduled, and not in the list any more")
    #expect(book.laterRemoved.intersection(pending).sorted() == [], "taken back, and still in the list")
    let doubled = Set(log.doubles.map(\.title))
    #expect(
      book.removed.filter { log.openCount(of: $0) > (doubled.contains($0) ? 1 : 0) }.sorted() == [],
      "removed, and still shown")
    #expect(log.doubles.filter { !$0.wasInFlight }.map(\.title) == [], "posted twice without need")
    #expect(doubles <= repeated.count, "posted again, and not marked in the history")
    #expect(book.surprises == [])
    checkResponses()
    // One notification and one run of a handler can be in flight at a time.
    #expect(doubles <= disturbances && uncertain.count <= disturbances)
    if disturbances >= 100 { #expect(doubles + uncertain.count <= disturbances) }
  }

  private func checkResponses() {
    #expect(Set(responses.map(\.id)).subtracting(taken) == [], "clicked, and nobody has it")
    #expect(Set(handled).count == handled.count, "a handler ran twice for one response")
    #expect(handledEvents.subtracting(handled) == [], "said to be handled, and was not")
    #expect(Set(handled).subtracting(handledEvents).subtracting(uncertain) == [])
    #expect(Set(book.received).count == book.received.count, "a program got one response twice")
    // In the order of the clicks.
    let order = Dictionary(uniqueKeysWithValues: responses.enumerated().map { ($1.id, $0) })
    let run = handled.compactMap { order[$0] }
    #expect(run == run.sorted(), "handlers ran in another order than the clicks")
    for (name, ids) in book.waited { #expect(ids.count == 1, "\(name) was answered \(ids.count) times") }
  }

  var summary: String {
    "\(book.posts.count) posts (\(book.acknowledgedPosts.count) acknowledged, \(book.removed.count) removed), "
      + "\(book.timers.count) timers, \(book.later.count) for later, \(book.clicks) clicks, \(responses.count) "
      + "journalled, \(handled.count) by the handler, \(book.waited.count) by waiting clients, \(book.received.count) "
      + "by a program; \(book.failures) calls failed; \(doubles) doubles, \(uncertain.count) uncertain"
  }
}
