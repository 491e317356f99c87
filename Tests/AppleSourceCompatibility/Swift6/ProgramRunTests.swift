import FreedesktopNotifications
import TestSupport
import Testing
import UserNotifications

/// The programs of this folder, each run as it is, in a process of its own, against a fake daemon: what the daemon was
/// sent, and what the program was told back.
@Suite(.timeLimit(.minutes(2))) struct ProgramRunTests {
  @Test func theSchedulerServiceSchedulesTellsAndCancels() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let service = SchedulerService()
      let before = Date()
      try await service.schedule("soon", title: "Tea", body: "It is ready.", in: 0.5)
      try await service.schedule("late", title: "Later", body: "Much later.", in: 3600)
      let posted = try await stage.posted("Tea")
      #expect(posted.body == "It is ready." && posted.urgency == .normal && posted.appName == "org.example.Program")
      #expect(Date().timeIntervalSince(before) >= 0.5)
      #expect(await service.pendingIdentifiers() == ["late"])
      let due = try #require(await service.nextDate(of: "late"))
      #expect(abs(due.timeIntervalSince(before) - 3600) < 20)
      service.cancel("late", "soon")
      #expect(await service.pendingIdentifiers().isEmpty)
      try await eventually(within: .seconds(20), "the shown one is closed") { stage.closed == ["Tea"] }
    }
  }

  @Test func thePermissionManagerLearnsWhatItMay() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let stage = try await ProgramStage()
      let manager = PermissionManager()
      await manager.refresh()
      #expect(manager.state == .unknown && manager.canPlaySounds)
      #expect(await withCheckedContinuation { answer in manager.askWithHandler { answer.resume(returning: $0) } })
      await manager.refresh()
      #expect(manager.state == .quiet, "provisional was among the options")
      #expect(await manager.ask())
      await manager.refresh()
      #expect(manager.state == .allowed && manager.canPlaySounds)
      #expect(stage.daemon.posted.isEmpty, "no question was shown")
    }
  }

  @Test func theSeamIsTheRealCenterAsWellAsTheMock() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let center: any NotificationCentering = UNUserNotificationCenter.current()
      try await Reminders(center: center).remind(at: 8, 30, about: "tea")
      let pending = await center.pendingNotificationRequests()
      #expect(Set(pending.map(\.identifier)) == Set((2...6).map { "tea-\($0)" }))
      let dates = pending.compactMap { ($0.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate() }
      #expect(dates == dates.sorted() && dates.count == 5, "the soonest first")
      #expect(Set(dates.map { Calendar.current.component(.weekday, from: $0) }) == [2, 3, 4, 5, 6])
      center.removeAllPendingNotificationRequests()
      #expect(await center.pendingNotificationRequests().isEmpty && stage.daemon.posted.isEmpty)
    }
  }

  @Test func theDownloadNotifierAttachesAndReadsBack() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let notifier = DownloadNotifier(folder: folder)
      let item = DownloadNotifier.Item(name: "film.mkv", bytes: 12_345_678, finished: Date())
      let picture = try notifier.save(Self.gif, named: "thumb.gif")
      try await notifier.notify(item, thumbnail: picture)
      let posted = try await stage.posted("film.mkv")
      #expect(posted.body == "<b>Download finished</b>\n12.3 MB")
      #expect(posted.imageData != nil)
      #expect(!FileManager.default.fileExists(atPath: picture.path), "it moved into the store")
      #expect(await DownloadNotifier.finished().map(\.bytes) == [12_345_678])
      let text = try notifier.save(Data("no picture".utf8), named: "thumb.png")
      await #expect(throws: DownloadNotifier.Failure.self) { try await notifier.notify(item, thumbnail: text) }
      await #expect(throws: DownloadNotifier.Failure.self) {
        try await notifier.notify(item, thumbnail: URL(string: "https://example.org/a.png"))
      }
      #expect(stage.daemon.posted.count == 1)
    }
  }

  /// One pixel.
  private static let gif = Data(
    [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])

  @Test func theCountdownPlansTellsThePastAndFallsBackFromPlaces() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let countdown = EventCountdown()
      let url = try #require(URL(string: "calendar://event/1"))
      var event = EventCountdown.Event(
        id: "event-1", title: "Concert", start: Date().addingTimeInterval(7200), url: url)
      guard case .scheduled(let date?) = await countdown.remind(of: event, minutesBefore: 30) else {
        Issue.record("not scheduled")
        return
      }
      #expect(abs(date.timeIntervalSinceNow - 5400) < 20)
      event.id = "event-2"
      event.start = Date().addingTimeInterval(-60)
      #expect(await countdown.remind(of: event) == .past)
      event.title = ""
      event.start = Date().addingTimeInterval(3600)
      // A sound alone is something.
      guard case .scheduled = await countdown.remind(of: event) else {
        Issue.record("not scheduled")
        return
      }
      event.id = "event-3"
      event.title = "Museum"
      event.start = Date().addingTimeInterval(1.5)
      event.place = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.4)
      guard case .scheduled(.some) = await countdown.remindOnArrival(at: event) else {
        Issue.record("a place must fail, and the time stand in")
        return
      }
      _ = try await stage.posted("Museum")
      #expect(await countdown.cancelAll(startingWith: "event-") == 2)
      #expect(await UNUserNotificationCenter.current().pendingNotificationRequests().isEmpty)
    }
  }

  @Test func communicationNotificationsSayWhoWrote() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let program = MessageCommunication()
      try await program.deliver("Hi", from: "Ann", handle: "ann@example.org", group: nil, conversation: "c1")
      try await program.deliver(
        "All here?", from: "Bob", handle: "bob@example.org", group: "Family", conversation: "c2")
      #expect(try await stage.posted("Ann").body == "Hi")
      #expect(try await stage.posted("Bob").body == "<b>Family</b>\nAll here?")
      let threads = await UNUserNotificationCenter.current().deliveredNotifications()
        .map(\.request.content.threadIdentifier)
      #expect(threads == ["c1", "c2"])
      await #expect {
        try await program.deliver("?", from: "", handle: "", group: nil, conversation: "c3")
      } throws: { error in
        (error as? UNError)?.code == .contentProvidingInvalid
      }
    }
  }

  @Test func theBadgeKeeperCountsAndClears() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      for (id, thread) in [("1", "a"), ("2", "a"), ("3", "b"), ("4", "")] {
        let content = UNMutableNotificationContent()
        content.title = "Title \(id)"
        content.threadIdentifier = thread
        try await UNUserNotificationCenter.current().add(
          UNNotificationRequest(identifier: id, content: content, trigger: nil))
      }
      let keeper = BadgeKeeper()
      #expect(await keeper.refresh() == 4)
      #expect(await keeper.removeDuplicates() == ["1"])
      #expect(await keeper.refresh() == 3)
      try await eventually(within: .seconds(20), "the older one is closed") { stage.closed == ["Title 1"] }
      #expect(await keeper.invalid() == .badgeInputInvalid)
      keeper.clear()
      #expect(await keeper.refresh() == 0)
      try await eventually(within: .seconds(20), "all are closed") { stage.closed.count == 4 }
    }
  }
}
