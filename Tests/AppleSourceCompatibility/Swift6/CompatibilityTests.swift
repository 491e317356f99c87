import Testing
import UserNotifications

@Suite struct CompatibilityTests {
  private func request(_ identifier: String) -> UNNotificationRequest {
    UNNotificationRequest(
      identifier: identifier,
      content: ChatNotifications().content(for: "Hello", from: "Ann", in: "Family"), trigger: nil)
  }

  @Test func importingUserNotificationsBringsFoundation() {
    #expect(URLRequest(url: URL(fileURLWithPath: "/")).url?.path == "/")
    #expect(ProcessInfo.processInfo.processIdentifier > 0)
  }

  @Test func errorsAreSortedByCodeByTypeAndAsNSError() {
    #expect(ErrorSorting.describe(UNError(.notificationsNotAllowed)) == "not allowed")
    #expect(ErrorSorting.describe(UNError(UNError.attachmentCorrupt)) == "corrupt")
    #expect(ErrorSorting.describe(UNError(.badgeInputInvalid, userInfo: ["a": 1])) == "UNError 1600 1600")
    #expect(ErrorSorting.describe(CancellationError()).hasSuffix("1"))
  }

  @Test func mocksStandInForTheCenter() async throws {
    let mock = MockCenter()
    try await Reminders(center: mock).remind(at: 8, 30, about: "tea")
    #expect(mock.added.map(\.id) == (2...6).map { "tea-\($0)" })
    #expect(mock.added[0].content.title == "Reminder for tea")
    let trigger = try #require(mock.added[0].trigger as? UNCalendarNotificationTrigger)
    #expect(trigger.repeats && trigger.dateComponents.weekday == 2)
    let next = try #require(trigger.nextTriggerDate())
    let parts = Calendar.current.dateComponents([.weekday, .hour, .minute], from: next)
    #expect(parts.weekday == 2 && parts.hour == 8 && parts.minute == 30 && next > Date())
    mock.errorToThrow = UNError(.notificationsNotAllowed)
    await #expect(throws: UNError(.notificationsNotAllowed)) {
      try await Reminders(center: mock).remind(at: 8, 30, about: "tea")
    }
  }

  @Test @MainActor func settingsAreMadeByACoder() throws {
    let coder = SettingsCoder()
    let manager = PermissionManager()
    manager.apply(try #require(UNNotificationSettings(coder: coder)))
    #expect(manager.state == .allowed && manager.canPlaySounds)
    coder.status = .denied
    manager.apply(try #require(UNNotificationSettings(coder: coder)))
    #expect(manager.state == .denied)
    manager.apply(try #require(MockSettings(coder: coder)))
    #expect(manager.state == .quiet)
  }

  @Test func responsesAreMadeByACoderOrASubclass() {
    let made = UNNotificationResponse.mock(request("a"), action: "like")
    #expect(made.actionIdentifier == "like" && made.notification.request.identifier == "a")
    #expect(made.notification.date == Date(timeIntervalSince1970: 100))
    let mock = MockResponse(request("b"), action: "mute")
    #expect(mock.actionIdentifier == "mute" && mock.notification.request.content.threadIdentifier == "Family")
  }

  @Test func mainActorDelegatesRunOnTheMainActor() async {
    let delegate = await MainActorDelegate()
    let center = UNUserNotificationCenter.current()
    let response = UNNotificationResponse.mock(request("a"), action: UNNotificationDefaultActionIdentifier)
    let options = await delegate.userNotificationCenter(center, willPresent: response.notification)
    #expect(options == [.banner, .sound])
    await delegate.userNotificationCenter(center, didReceive: response)
    #expect(await delegate.opened == ["a"])
  }

  @Test func theCompletionFormOfAnAsyncDelegateAnswers() async {
    let delegate = ForwardingDelegate()
    let response = UNNotificationResponse.mock(request("a"), action: "like")
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(UNUserNotificationCenter.current(), didReceive: response) {
        continuation.resume()
      }
    }
    #expect(await delegate.model.handled == 1)
  }

  @Test @MainActor func isolatedConformancesAreCalledThroughTheProtocol() async {
    let isolated = IsolatedDelegate()
    let hopping = HoppingDelegate()
    let response = UNNotificationResponse.mock(request("a"), action: UNNotificationDismissActionIdentifier)
    let delegates: [any UNUserNotificationCenterDelegate] = [isolated, hopping]
    for delegate in delegates {
      await withCheckedContinuation { continuation in
        delegate.userNotificationCenter(UNUserNotificationCenter.current(), didReceive: response) {
          continuation.resume()
        }
      }
    }
    #expect(isolated.actions == [UNNotificationDismissActionIdentifier])
    #expect(hopping.texts == ["dismissed"])
  }

  @Test func subclassesInheritTheInitialisers() {
    let action = TaggedAction(identifier: "a", title: "A", options: .destructive)
    action.tag = 7
    #expect(action.identifier == "a" && action.options == .destructive && action.tag == 7)
    #expect(plainTextAction.textInputButtonTitle == "" && plainTextAction.title == "Say")
    #expect(CategoryRegistry.message.actions.map(\.identifier) == ["reply", "like", "mute"])
    #expect(Set([CategoryRegistry.message, CategoryRegistry.message]).count == 1)
  }

  @Test func categoriesOfLibrariesAreAddedToThoseOfTheApplication() async {
    let other = UNNotificationCategory(identifier: "other", actions: [], intentIdentifiers: [])
    await CategoryRegistry.register([CategoryRegistry.message])
    await withCheckedContinuation { continuation in
      CategoryRegistry.registerWithHandler([other]) { continuation.resume() }
    }
    let all = await UNUserNotificationCenter.current().notificationCategories()
    #expect(all.isSuperset(of: [CategoryRegistry.message, other]))
  }

  @Test func contentIsChangedInACopy() {
    let original = request("a")
    let changed = ChatNotifications().bestAttempt(original, picture: nil)
    #expect(changed.title == "Ann [modified]" && original.content.title == "Ann")
    #expect(changed.userInfo["conversation"] as? String == "Family" && changed.badge == 3)
    #expect(ChatNotifications().alarm() != .default)
  }
}
