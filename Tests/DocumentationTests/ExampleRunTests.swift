import FreedesktopNotifications
import TestSupport
import Testing
import UserNotificationsUI

/// The examples of the pages, run against a fake daemon, each in a process of its own.
@Suite(.timeLimit(.minutes(2))) struct ExampleRunTests {
  @Test("getting started: the first notification")
  func first() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      try await GettingStarted.first()
      #expect(try await stage.posted("Backup").body == "<b>Home folder</b>\nThe disk is full.")
    }
  }

  @Test("getting started: buttons, and what was pressed")
  func buttons() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let stage = try await ProgramStage()
      let answers = GettingStarted.buttons()
      #expect(try await stage.posted("Backup failed").actions.map(\.label) == ["Try again", "Skip", "Open"])
      try await stage.press("retry", on: "Backup failed")
      // The example ends the process.
      try await eventually(within: .seconds(20), "the process has ended") { false }
      withExtendedLifetime(answers) {}
    }
    let output = try #require(result).standardOutputContent
    #expect(String(decoding: output, as: UTF8.self).contains("starting again\n"))
  }

  @Test("getting started: later, and again")
  func later() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      try await GettingStarted.later()
      let pending = await UNUserNotificationCenter.current().pendingNotificationRequests()
      #expect(pending.count == 5 && stage.daemon.posted.isEmpty)
      for request in pending {
        let date = try #require((request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate())
        let parts = Calendar.current.dateComponents([.hour, .minute, .weekday], from: date)
        #expect(parts.hour == 11 && parts.minute == 30 && (2...6).contains(parts.weekday ?? 0))
      }
    }
  }

  @Test("attachments: the picture is sent, the file moves, and wrong files are told apart")
  func attachments() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let chart = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gif")
      try Data(ShellBlockTests.picture).write(to: chart)
      try await Attachments.showChart(chart)
      #expect(try await stage.posted("Disk usage").imageData != nil)
      #expect(!FileManager.default.fileExists(atPath: chart.path))
      #expect(Attachments.attachment(chart) == nil)
      #expect(Attachments.attachment(URL(fileURLWithPath: "/etc/passwd")) == nil)
    }
  }

  @Test("service extension: the text is what the payload hides, else as it was")
  func service() async throws {
    let secret = Data("Lunch at one?".utf8).base64EncodedString()
    for (userInfo, body) in [(["secret": secret], "Lunch at one?"), ([:], "New message")] {
      let content = UNMutableNotificationContent()
      content.title = "Mara"
      content.body = "New message"
      content.userInfo = userInfo
      let request = UNNotificationRequest(identifier: "m", content: content, trigger: nil)
      var shown: UNNotificationContent?
      let service = ServiceExtensions.NotificationService()
      service.didReceive(request) { shown = $0 }
      #expect(shown?.title == "Mara" && shown?.body == body)
    }
  }

  @Test("groups: messages have a reply, and a conversation that was read goes as a whole")
  func groups() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      Groups.registerMessages()
      try await Groups.show("Dinner?", from: "Ana", in: "family")
      try await Groups.show("Open again", from: "Ben", in: "climbing")
      try await Groups.show("I bring the salad", from: "Carla", in: "family")
      #expect(try await stage.posted("Ana").actions.first?.label == "Reply")
      await Groups.markRead("family")
      try await eventually(within: .seconds(20), "the conversation is closed") { stage.closed.count == 2 }
      #expect(Set(stage.closed) == ["Ana", "Carla"])
    }
  }

  @Test("readme: the button that was pressed is printed")
  func readme() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let stage = try await ProgramStage()
      let delegate = Readme.main()
      #expect(try await stage.posted("Dinner?").actions.map(\.label) == ["Accept", "Decline", "Open"])
      try await stage.press("accept", on: "Dinner?")
      // The example ends the process.
      try await eventually(within: .seconds(20), "the process has ended") { false }
      withExtendedLifetime(delegate) {}
    }
    let output = try #require(result).standardOutputContent
    #expect(String(decoding: output, as: UTF8.self).contains("pressed: accept\n"))
  }

  @Test("migration and payloads: a program says who it is and that it takes background pushes")
  func settings() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let stage = try await ProgramStage()
      Migration.name()
      #expect(NotifyBridge.applicationIdentifier == "org.example.Chat")
      RemotePayloads.listen()
      #expect(NotifyBridge.remoteNotificationHandler != nil && stage.daemon.posted.isEmpty)
      Migration.register()
    }
  }
}
