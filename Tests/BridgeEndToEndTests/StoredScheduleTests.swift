import DBus
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

/// Schedules on a clock that the test sets, through the bridge's own store: it ends and starts between the dates.
@Suite("Schedules and the store", .timeLimit(.minutes(1))) struct StoredScheduleTests {
  private func calendar(repeats: Bool = true, _ set: (inout CalendarRule) -> Void) -> TriggerRecord {
    var rule = CalendarRule()
    set(&rule)
    return .calendar(rule, repeats: repeats)
  }

  private func once(_ hour: Int, _ minute: Int = 0) -> TriggerRecord {
    calendar(repeats: false) {
      $0.hour = hour
      $0.minute = minute
    }
  }

  /// Goes from date to date, each time over a restart: nothing comes a second early, each comes once, and the next date
  /// is the one that the list said.
  private func follow(_ bench: StoredEngine, _ dates: [String]) async throws {
    for (index, date) in dates.enumerated() {
      #expect(await bench.due() == [date])
      bench.clock.set(instant(date) - 1)
      try await bench.restart()
      #expect(try await bench.shown(index).count == index)
      if index.isMultiple(of: 2) {
        bench.clock.set(instant(date))
      } else {
        // The bridge is away when it is due.
        await bench.stop()
        bench.clock.set(instant(date) + 20)
        try await bench.start()
      }
      #expect(try await bench.shown(index + 1).count == index + 1)
    }
  }

  @Test("C085: of what was missed while the machine was off each one-shot comes once, in order, what repeats once")
  func missed() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T08:30:00Z")
    #expect(try await bench.add("hourly", calendar { $0.minute = 0 }) == "2026-06-10T09:00:00Z")
    try await bench.add("eleven", once(11))
    try await bench.add("ten", once(10))
    bench.clock.set(instant("2026-06-10T09:00:00Z"))
    #expect(try await bench.shown(1) == ["hourly"])
    try await bench.powerOff(until: "2026-06-10T18:00:30Z")
    #expect(try await bench.shown(4) == ["hourly", "hourly", "ten", "eleven"])
    #expect(await bench.due() == ["2026-06-10T19:00:00Z"])
    // Nothing is made up for at the next start.
    try await bench.restart()
    let shown = try await bench.shown(4)
    #expect(shown.count == 4, "\(shown)")
    bench.clock.set(instant("2026-06-10T19:00:00Z"))
    #expect(try await bench.shown(5).last == "hourly")
  }

  @Test("C085: an interval that repeats keeps its beat over a restart, however many beats were missed")
  func beat() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T08:00:10Z")
    try await bench.add("beat", .interval(seconds: 3_600, repeats: true))
    try await bench.powerOff(until: "2026-06-13T17:30:00Z")
    #expect(try await bench.shown(1) == ["beat"])
    #expect(await bench.due() == ["2026-06-13T18:00:10Z"])
  }

  @Test("C078: the 31st, over restarts through a year")
  func thirtyFirst() async throws {
    let bench = try await StoredEngine(at: "2025-06-10T00:00:00Z")
    try await bench.add(
      "31",
      calendar {
        $0.day = 31
        $0.hour = 9
        $0.timeZone = "UTC"
      })
    let days = ["2025-07-31", "2025-08-31", "2025-10-31", "2025-12-31", "2026-01-31", "2026-03-31"]
    try await follow(bench, days.map { $0 + "T09:00:00Z" })
  }

  @Test("C079: 29 February, over restarts")
  func leapDay() async throws {
    let bench = try await StoredEngine(at: "2025-01-01T00:00:00Z")
    try await bench.add(
      "29",
      calendar {
        $0.month = 2
        $0.day = 29
        $0.hour = 9
        $0.timeZone = "UTC"
      })
    try await follow(bench, ["2028-02-29T09:00:00Z", "2032-02-29T09:00:00Z"])
  }

  @Test("C074: the hour that comes twice fires at its first pass alone, also when the bridge starts between the two")
  func twice() async throws {
    let bench = try await StoredEngine(at: "2026-10-31T12:00:00Z", zone: "America/New_York")
    try await bench.add(
      "daily",
      calendar {
        $0.hour = 1
        $0.minute = 30
      })
    try await follow(bench, ["2026-11-01T05:30:00Z"])
    bench.clock.set(instant("2026-11-01T06:30:00Z"))
    try await bench.restart()
    #expect(try await bench.shown(1).count == 1)
    #expect(await bench.due() == ["2026-11-02T06:30:00Z"])
  }

  @Test("C075: the hour that is left out fires at its end, and the next day at its own time")
  func leftOut() async throws {
    let bench = try await StoredEngine(at: "2026-03-07T12:00:00Z", zone: "America/New_York")
    try await bench.add(
      "daily",
      calendar {
        $0.hour = 2
        $0.minute = 30
      })
    try await follow(bench, ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"])
  }

  @Test("C076: a weekday over the change of clocks, set five days and a restart before")
  func weekday() async throws {
    let bench = try await StoredEngine(at: "2021-03-23T10:00:00Z", zone: "Europe/Budapest")
    try await bench.add(
      "sunday",
      calendar {
        $0.weekday = 1
        $0.hour = 14
        $0.minute = 31
      })
    try await follow(bench, ["2021-03-28T12:31:00Z", "2021-04-04T12:31:00Z"])
  }

  @Test(
    "C077: 18:00 moves with the machine's zone, running or off; 18:00 in a zone does not", arguments: [false, true])
  func zone(isOff: Bool) async throws {
    let bench = try await StoredEngine(at: "2026-06-10T12:00:00Z", zone: "Europe/Berlin")
    #expect(try await bench.add("here", once(18)) == "2026-06-10T16:00:00Z")
    let fixed = calendar(repeats: false) {
      $0.hour = 18
      $0.timeZone = "GMT"
    }
    #expect(try await bench.add("GMT", fixed) == "2026-06-10T18:00:00Z")
    if isOff {
      await bench.stop()
      bench.zones.move(to: "America/New_York")
      try await bench.start()
    } else {
      bench.zones.move(to: "America/New_York")
      await bench.engine.timeChanged()
    }
    #expect(await bench.due() == ["2026-06-10T18:00:00Z", "2026-06-10T22:00:00Z"])
    try await bench.restart()
    bench.clock.set(instant("2026-06-10T18:00:00Z"))
    #expect(try await bench.shown(1) == ["GMT"])
    bench.clock.set(instant("2026-06-10T22:00:00Z"))
    #expect(try await bench.shown(2) == ["GMT", "here"])
    #expect(await bench.due().isEmpty)
  }

  @Test("C088: after a sleep and after the clock was set forward what is due comes at once, and nothing comes early")
  func sleep() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T00:00:00Z")
    try await bench.add("8 h", .interval(seconds: 8 * 3_600, repeats: false))
    try await bench.add("60 days", .interval(seconds: 60 * 86_400, repeats: false))
    // Seven hours of sleep: the clock stands elsewhere when it wakes up.
    bench.clock.set(instant("2026-06-10T07:10:00Z"))
    await bench.engine.timeChanged()
    #expect(try await bench.shown(0).isEmpty)
    bench.clock.set(instant("2026-06-10T08:10:00Z"))
    #expect(try await bench.shown(1) == ["8 h"])
    // Back again: it does not come twice.
    bench.clock.set(instant("2026-06-10T07:30:00Z"))
    try await bench.restart()
    bench.clock.set(instant("2026-08-08T23:59:59Z"))
    #expect(try await bench.shown(1) == ["8 h"])
    #expect(await bench.due() == ["2026-08-09T00:00:00Z"])
    bench.clock.set(instant("2026-08-09T00:00:00Z"))
    #expect(try await bench.shown(2) == ["8 h", "60 days"])
  }

  @Test("a response whose taker goes before it is kept goes to who asks next")
  func takerGoes() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T00:00:00Z")
    try await bench.add(CrashLoad.request("n", button: true))
    let key = NotificationKey(application: StoredEngine.application.identifier, identifier: "n")
    _ = try await bench.shown(1)
    let taker = try await bench.engine.wait(for: key) { _ in }
    // In one turn: nothing is kept in between.
    await bench.engine.perform { engine in
      try? engine.act(on: key, action: "go", text: nil)
      engine.endWait(taker)
    }
    #expect(try await bench.response(to: key).action == .custom("go"))
  }

  @Test("C087: a schedule with every field survives a restart and a reboot, and looks as if it had been posted at once")
  func everyField() async throws {
    let bench = try await StoredEngine(at: "2026-06-10T00:00:00Z")
    let category = CategoryRecord(
      identifier: "im.received",
      actions: [
        ActionRecord(identifier: "read", title: "Mark as read"),
        ActionRecord(
          identifier: "reply", title: "Reply", textInput: .init(buttonTitle: "Send", placeholder: "Your answer")),
      ], options: .customDismissAction)
    await bench.engine.setCategories([category], for: StoredEngine.application.identifier)
    var request = RequestRecord.plain("full", title: "Title & <b>", body: "Body 100 % \u{1F600}\nsecond line")
    request.content.subtitle = "Subtitle"
    request.content.badge = 7
    request.content.sound = SoundRecord(.theme("message-new-email"), volume: 0.5)
    request.content.threadIdentifier = "thread"
    request.content.categoryIdentifier = "im.received"
    request.content.targetContentIdentifier = "window"
    request.content.interruptionLevel = .timeSensitive
    request.content.relevanceScore = 0.25
    request.content.summaryArgument = "Ana"
    request.content.userInfo = [
      "nested": .dictionary(["list": .array([.integer(1), .double(2.5), .boolean(true), .string("é")])]),
      "data": .data(Data([0, 1, 255])), "date": .date(Date(timeIntervalSinceReferenceDate: 123.456)),
    ]
    let picture = try Binaries.file("Tests/DesktopEnvironmentTests/Data/rgb-33x7.png")
    request.content.attachments = [AttachmentRecord(identifier: "a", path: picture, type: "public.png")]
    request.desktop.hints = [HintRecord(name: "x-test", value: .int32(5))]
    try await bench.add(request)
    _ = try await bench.shown(1)
    await bench.engine.removeDelivered(["full"], of: StoredEngine.application.identifier)
    request.trigger = .interval(seconds: 180, repeats: false)
    #expect(try await bench.add(request) == "2026-06-10T00:03:00Z")
    try await bench.restart()
    #expect(await bench.due() == ["2026-06-10T00:03:00Z"])
    try await bench.powerOff(until: "2026-06-10T00:02:59Z")
    #expect(try await bench.shown(1).count == 1)
    bench.clock.set(instant("2026-06-10T00:03:00Z"))
    _ = try await bench.shown(2)
    var (first, second) = (try #require(bench.posted.first).notification, try #require(bench.posted.last).notification)
    (first.sender, second.sender) = (nil, nil)
    #expect(first == second)
    #expect(second.hints["x-test"] == .int32(5) && second.actions.count == 3)
    #expect(await bench.engine.badge(of: StoredEngine.application.identifier) == 7)
    // And what comes back with the response is what was given.
    bench.daemon.invoke(1, "read")
    let journal = bench
    try await eventually(within: .seconds(5), "the response") {
      try await journal.engine.history(after: 0, application: nil, limit: 50, newest: true).contains {
        $0.event == .responded
      }
    }
    try await bench.restart()
    let key = NotificationKey(application: StoredEngine.application.identifier, identifier: "full")
    let response = try await bench.response(to: key)
    #expect(response.notification.request.content == request.content)
    #expect(response.action == .custom("read"))
  }
}
