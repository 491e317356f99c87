import FreedesktopNotifications
import TestSupport
import Testing
import UserNotifications

/// Programs that hear what the user does; see ``ProgramRunTests``.
@Suite(.timeLimit(.minutes(2))) struct DelegateProgramRunTests {
  @Test func theDelegateOfTheMainActorPresentsAndOpens() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let stage = try await ProgramStage()
      let delegate = MainActorDelegate()
      UNUserNotificationCenter.current().delegate = delegate
      let content = UNMutableNotificationContent()
      content.title = "Mail"
      content.badge = 2
      content.sound = .default
      try await UNUserNotificationCenter.current().add(
        UNNotificationRequest(identifier: "mail-1", content: content, trigger: nil))
      let posted = try await stage.posted("Mail")
      #expect(posted.hints["suppress-sound"] == nil && posted.actions.map(\.key) == ["default"])
      try await stage.press("default", on: "Mail")
      try await eventually(within: .seconds(20), "it is opened") { @Sendable in await delegate.opened == ["mail-1"] }
    }
  }

  @Test func theCategoryRegistryAddsButtonsAndIsToldOfThem() async {
    await #expect(processExitsWith: .success) { @MainActor in
      var behavior = FakeNotificationServer.Behavior()
      behavior.capabilities = ["actions", "body", "inline-reply"]
      let stage = try await ProgramStage(behavior)
      let delegate = HoppingDelegate()
      UNUserNotificationCenter.current().delegate = delegate
      await CategoryRegistry.register([UNNotificationCategory(identifier: "x", actions: [], intentIdentifiers: [])])
      await CategoryRegistry.register([CategoryRegistry.message])
      #expect(await UNUserNotificationCenter.current().notificationCategories().count == 2)
      for id in ["a", "b", "c"] {
        let content = UNMutableNotificationContent()
        content.title = id
        content.categoryIdentifier = "message"
        try await UNUserNotificationCenter.current().add(
          UNNotificationRequest(identifier: id, content: content, trigger: nil))
      }
      let posted = try await stage.posted("a")
      #expect(posted.actions.map(\.label) == ["Reply", "Like", "Mute", "Open"])
      #expect(posted.hints["x-kde-reply-placeholder-text"] == .string("Message"))
      try await stage.reply("Hello", to: "a")
      try await stage.press("default", on: "b")
      try await stage.dismiss("c")
      try await eventually(within: .seconds(20), "three responses") { @Sendable in await delegate.texts.count == 3 }
      #expect(delegate.texts == ["Hello", "opened", "dismissed"])
    }
  }

  @Test func theChatInboxGroupsRepliesAndMutes() async {
    await #expect(processExitsWith: .success) { @MainActor in
      var behavior = FakeNotificationServer.Behavior()
      behavior.capabilities = ["actions", "body", "body-markup", "inline-reply"]
      let stage = try await ProgramStage(behavior)
      let inbox = ChatInbox()
      inbox.activate()
      try await inbox.receive(.init(conversation: "Family", sender: "Ann", text: "Dinner <at> 8?"), id: "m1")
      try await inbox.receive(.init(conversation: "Family", sender: "Bob", text: "Yes"), id: "m2")
      try await inbox.receive(.init(conversation: "Work", sender: "Eve", text: "Numbers"), id: "m3")
      #expect(try await stage.posted("Ann").body == "<b>Family</b>\nDinner &lt;at&gt; 8?")
      try await stage.reply("Of course", to: "Ann")
      try await eventually(within: .seconds(20), "the reply") { @Sendable in
        await inbox.sent == [.init(conversation: "Family", sender: "me", text: "Of course")]
      }
      let mute = try #require(await stage.posted("Eve").actions.first { $0.label == "Mute" })
      try await stage.press(mute.key, on: "Eve")
      try await eventually(within: .seconds(20), "it is muted") { @Sendable in await inbox.muted == ["Work"] }
      try await inbox.receive(.init(conversation: "Work", sender: "Eve", text: "More"), id: "m4")
      await inbox.open("Family")
      try await eventually(within: .seconds(20), "the group is closed") { @Sendable in stage.closed.contains("Bob") }
      // Of the open conversation nothing is shown.
      try await inbox.receive(.init(conversation: "Family", sender: "Cid", text: "Hi"), id: "m5")
      #expect(stage.daemon.posted.map(\.notification.summary) == ["Ann", "Bob", "Eve"])
      #expect(await UNUserNotificationCenter.current().deliveredNotifications().isEmpty)
    }
  }

  @Test func theWaterReminderRepeatsAndIsPutOff() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let reminder = WaterReminder()
      let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
      reminder.schedule(hours: [8, 12, 18]) { _, error in answer.yield(error == nil) }
      var added = 0
      for await isAdded in answers {
        #expect(isAdded)
        added += 1
        if added == 3 { break }
      }
      #expect(await UNUserNotificationCenter.current().pendingNotificationRequests().count == 3)
      let next = try #require(await reminder.next())
      #expect([8, 12, 18].contains(Calendar.current.component(.hour, from: next)) && next > Date())
      reminder.remindNow()
      let posted = try await stage.posted("Time for water")
      #expect(posted.actions.map(\.label) == ["I drank", "Later", "Open"])
      try await stage.press(WaterReminder.Identifier.snooze, on: "Time for water")
      _ = try await stage.posted("Still time for water")
      try await stage.press(WaterReminder.Identifier.drink, on: "Still time for water")
      try await eventually(within: .seconds(20), "it is counted") { reminder.count == 1 }
    }
  }

  @Test func theClientOfClosuresStreamsWhatTheDelegateHears() async {
    await #expect(processExitsWith: .success) {
      let stage = try await ProgramStage()
      let client = NotificationClient.live
      #expect(await client.authorization() == .notDetermined)
      #expect(try await client.request([.alert, .providesAppNotificationSettings]))
      let events = client.events()
      let content = UNMutableNotificationContent()
      content.title = "Hello"
      let request = UNNotificationRequest(identifier: "hello", content: content, trigger: nil)
      async let added: Void = client.add(request)
      var seen: [String] = []
      for await event in events {
        switch event {
        case .willPresent(let identifier, let completion):
          seen.append("present \(identifier)")
          completion([.banner])
          try await stage.press("default", on: "Hello")
        case .didReceive(let identifier, let action, let text):
          seen.append("receive \(identifier) \(action == UNNotificationDefaultActionIdentifier) \(text ?? "-")")
        case .openSettings: seen.append("settings")
        }
        if seen.count == 2 { break }
      }
      try await added
      #expect(seen == ["present hello", "receive hello true -"])
      // It was presented without sound.
      #expect(try await stage.posted("Hello").hints["suppress-sound"] == .boolean(true))
    }
  }
}
