import BridgeControl
import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport

/// Programs that post, schedule, wait, click and remove over the bus, as fast as the bridge takes it, whatever happens
/// to it meanwhile. Each keeps one connection.
struct CrashLoad: Sendable {
  let fixture: BridgeFixture
  let book: CrashBook

  static let posts = ApplicationRecord(identifier: "org.example.Posts", name: "Posts")
  static let timers = ApplicationRecord(identifier: "org.example.Timers", name: "Timers")
  static let later = ApplicationRecord(identifier: "org.example.Later", name: "Later")
  static let handled = ApplicationRecord(identifier: "org.example.Handled", name: "Handled")
  static let waited = ApplicationRecord(identifier: "org.example.Waited", name: "Waited")
  static let program = ApplicationRecord(identifier: "org.example.Program", name: "Program")

  static func request(
    _ name: String, title: String? = nil, button: Bool = false, after seconds: Double? = nil
  ) -> RequestRecord {
    var request = RequestRecord.plain(name, title: title ?? name)
    // What is shown again is silent: so the daemon's log tells it from what is posted twice.
    request.content.sound = SoundRecord()
    if button { request.desktop.actions = [ActionRecord(identifier: "go", title: "Go")] }
    if let seconds { request.trigger = .interval(seconds: seconds, repeats: false) }
    return request
  }

  /// A daemon whose user presses most buttons at once.
  static func behavior(_ book: CrashBook) -> FakeNotificationServer.Behavior {
    var behavior = FakeNotificationServer.Behavior()
    behavior.afterAnswer = { daemon, posted in
      guard posted.notification.actions.contains(where: { $0.key == "go" }), Int.random(in: 0..<8) > 0 else { return }
      book.note { $0.clicks += 1 }
      daemon.invoke(posted.serverID, "go")
      if Bool.random() { daemon.close(posted.serverID, .dismissed) }
    }
    return behavior
  }

  /// A connection that outlives its bus.
  private func connection(on executor: BusExecutor? = nil) async throws -> BusConnection {
    var options = BusConnection.Options()
    options.reconnects = true
    return try await BusConnection.connect(to: fixture.bus.address, options: options, on: executor)
  }

  /// Runs until the book says that it is over.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await post() }
      group.addTask { try await schedule() }
      group.addTask { try await plan() }
      group.addTask { try await click(Self.handled, "h") }
      group.addTask { try await beRegistered() }
      for client in 0..<2 { group.addTask { try await wait(client) } }
      try await group.waitForAll()
    }
  }

  private func failed() async {
    book.note { $0.failures += 1 }
    try? await Task.sleep(for: .milliseconds(3))
  }

  /// Posts in small bursts, without waiting between those of one; every fifth replaces the same notification, and some
  /// are removed again.
  private func post() async throws {
    let executor = try BusExecutor()
    let channel = ControlChannel(on: try await connection(on: executor), executor: executor, log: MemoryLog())
    let client = ControlClient(on: try await connection())
    var number = 0
    while !book.isOver {
      let names = (0..<Int.random(in: 1...6)).map { "p\(number + $0)" }
      number += names.count
      book.note { $0.posts += names }
      let acknowledged = await withTaskGroup(of: String?.self) { group in
        var streams: [(String, AsyncStream<Bool>)] = []
        for name in names {
          let (stream, continuation) = AsyncStream<Bool>.makeStream()
          let isFifth = name.hasSuffix("0") || name.hasSuffix("5")
          channel.add(
            Self.request(isFifth ? "volume" : name, title: name), from: Self.posts, files: [], options: .init()
          ) { result in
            if case .success = result { continuation.yield(true) }
            continuation.finish()
          }
          streams.append((name, stream))
        }
        for (name, stream) in streams {
          group.addTask {
            for await _ in stream { return name }
            return nil
          }
        }
        return await group.reduce(into: Set<String>()) { if let name = $1 { $0.insert(name) } }
      }
      book.note { $0.acknowledgedPosts.formUnion(acknowledged) }
      if acknowledged.count < names.count { await failed() }
      if let name = acknowledged.filter({ !$0.hasSuffix("0") && !$0.hasSuffix("5") }).randomElement(), Bool.random() {
        // Whoever is not answered asks again, and is then believed.
        while !book.isSettled {
          if (try? await client.remove(.identifiers([name]), of: Self.posts.identifier)) != nil {
            book.note { _ = $0.removed.insert(name) }
            break
          }
          await failed()
        }
      }
    }
  }

  /// Schedules what is due soon.
  private func schedule() async throws {
    let client = ControlClient(on: try await connection())
    var number = 0
    while !book.isOver {
      number += 1
      let request = Self.request("t\(number)", after: .random(in: 0.005...0.3))
      if let report = try? await client.post(request, from: Self.timers), let due = report.due {
        book.note { $0.timers[request.identifier] = due.timeIntervalSince1970 }
      } else {
        await failed()
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...4)))
    }
  }

  /// Schedules what is due after the test, and takes some back.
  private func plan() async throws {
    let client = ControlClient(on: try await connection())
    var number = 0
    while !book.isOver {
      number += 1
      let name = "l\(number)"
      if (try? await client.post(Self.request(name, after: 3_600), from: Self.later)) != nil {
        book.note { $0.later.insert(name) }
        if number.isMultiple(of: 2) {
          if (try? await client.remove(.identifiers([name]), of: Self.later.identifier)) != nil {
            book.note { $0.laterRemoved.insert(name) }
          } else {
            book.note { $0.laterInDoubt.insert(name) }
          }
        }
      } else {
        await failed()
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 2...10)))
    }
  }

  /// Posts with a button.
  private func click(_ application: ApplicationRecord, _ prefix: String) async throws {
    let client = ControlClient(on: try await connection())
    var number = 0
    while !book.isOver {
      number += 1
      let name = "\(prefix)\(number)"
      if (try? await client.post(Self.request(name, button: true), from: application)) == nil { await failed() }
      try await Task.sleep(for: .milliseconds(Int.random(in: 10...40)))
    }
  }

  /// A program that takes its responses itself.
  private func beRegistered() async throws {
    let executor = try BusExecutor()
    let channel = ControlChannel(on: try await connection(on: executor), executor: executor, log: MemoryLog())
    let (book, name) = (book, Self.program.identifier)
    channel.register(
      ControlChannel.Registration(
        application: name, presents: false,
        receive: { response in
          book.note { $0.received.append(response.id) }
          channel.acknowledge(response.id, of: name)
        }, present: { $1(nil) }))
    try await click(Self.program, "r")
    // It stays until all is settled.
    try await eventually(within: .seconds(600), "the end of the test") { book.isSettled }
  }

  /// Posts, waits for the answer, and says that it has it; asks a bridge that was started anew once more.
  private func wait(_ client: Int) async throws {
    let control = ControlClient(on: try await connection())
    var number = 0
    while !book.isOver {
      number += 1
      let name = "w\(client)-\(number)"
      var options = ControlClient.PostOptions()
      options.waits = true
      guard (try? await control.post(Self.request(name, button: true), from: Self.waited, options: options)) != nil
      else {
        await failed()
        continue
      }
      try await ask(control, NotificationKey(application: Self.waited.identifier, identifier: name))
    }
  }

  private func ask(_ control: ControlClient, _ key: NotificationKey) async throws {
    let asker = Task { () -> Outcome? in
      while true {
        do throws(BridgeError) {
          return try await control.wait(key)
        } catch {
          if error.code != .noBus { return nil }
          try? await Task.sleep(for: .milliseconds(3))
        }
      }
    }
    // Who is not clicked, or was clicked while nobody listened, is clicked by hand.
    let user = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(60))
        try? await control.act(on: key, action: "go", text: nil)
      }
    }
    let outcome = await asker.value
    user.cancel()
    if case .responded(let response)? = outcome {
      book.note { _ = $0.waited[key.identifier, default: []].insert(response.id) }
      while (try? await control.acknowledge(response.id, of: key.application)) == nil {
        try await Task.sleep(for: .milliseconds(3))
      }
    } else {
      book.note { $0.surprises.append("\(key.identifier) ended with \(outcome.map { "\($0)" } ?? "an error")") }
    }
  }
}
