import Testing
import UserNotifications

// Programs and their mocks subclass what Apple lets them subclass, override what they like, and send it between tasks.

class OwnCenterClient: UNUserNotificationCenter, @unchecked Sendable {
  override func add(_ request: UNNotificationRequest) async throws {}
  override func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completionHandler?(nil) }
  override func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { false }
  override func removeAllPendingNotificationRequests() {}
  override var delegate: (any UNUserNotificationCenterDelegate)? {
    get { nil }
    set {}
  }
}
class OwnNotification: UNNotification, @unchecked Sendable {
  override var date: Date { .distantFuture }
}
class OwnRequest: UNNotificationRequest, @unchecked Sendable {
  override var identifier: String { "own" }
}
class OwnContent: UNNotificationContent, @unchecked Sendable {
  override var title: String { "own" }
}
class OwnMutableContent: UNMutableNotificationContent, @unchecked Sendable {
  override var body: String {
    get { super.body.uppercased() }
    set { super.body = newValue }
  }
}
class OwnAttachment: UNNotificationAttachment, @unchecked Sendable {
  override var identifier: String { "own" }
}
class OwnSound: UNNotificationSound, @unchecked Sendable {}
class OwnTextAction: UNTextInputNotificationAction, @unchecked Sendable {
  override var textInputPlaceholder: String { "own" }
}
class OwnIcon: UNNotificationActionIcon, @unchecked Sendable {}
class OwnCategory: UNNotificationCategory, @unchecked Sendable {
  override var actions: [UNNotificationAction] { [] }
}
class OwnTrigger: UNNotificationTrigger, @unchecked Sendable {
  override var repeats: Bool { true }
}
class OwnIntervalTrigger: UNTimeIntervalNotificationTrigger, @unchecked Sendable {
  override func nextTriggerDate() -> Date? { .distantFuture }
}
class OwnCalendarTrigger: UNCalendarNotificationTrigger, @unchecked Sendable {
  override func nextTriggerDate() -> Date? { .distantFuture }
}
class OwnLocationTrigger: UNLocationNotificationTrigger, @unchecked Sendable {}
class OwnPushTrigger: UNPushNotificationTrigger, @unchecked Sendable {}
class OwnTextResponse: UNTextInputNotificationResponse, @unchecked Sendable {
  override var userText: String { "own" }
}

@Suite struct OpenClassTests {
  private func sent(_ object: some NSObject & Sendable) async -> String {
    await Task.detached { "\(type(of: object))" }.value
  }

  @Test func subclassesHaveTheInitialisersAndAreWhatTheyOverride() throws {
    let content = OwnMutableContent()
    content.body = "text"
    #expect(content.body == "TEXT" && OwnContent().title == "own")
    let request = OwnRequest(identifier: "a", content: content, trigger: nil)
    #expect(request.identifier == "own" && request.content.body == "text")
    #expect(OwnIntervalTrigger(timeInterval: 60, repeats: true).nextTriggerDate() == .distantFuture)
    #expect(OwnCalendarTrigger(dateMatching: DateComponents(hour: 8), repeats: true).dateComponents.hour == 8)
    #expect(OwnTextAction(identifier: "a", title: "A", options: []).textInputPlaceholder == "own")
    #expect(OwnCategory(identifier: "a", actions: [], intentIdentifiers: [], options: []).actions.isEmpty)
    #expect(type(of: OwnSound.criticalSoundNamed(UNNotificationSoundName("a"))) == OwnSound.self)
    let region = CLCircularRegion(center: .init(latitude: 1, longitude: 2), radius: 3, identifier: "r")
    #expect(OwnLocationTrigger(region: region, repeats: false).region.identifier == "r")
  }

  @Test func immutableClassesCrossTasks() async {
    #expect(await sent(UNNotificationContent()) == "UNNotificationContent")
    #expect(await sent(UNUserNotificationCenter.current()) == "UNUserNotificationCenter")
    #expect(await sent(UNNotificationSound.default) == "UNNotificationSound")
    #expect(await sent(OwnRequest(identifier: "a", content: OwnContent(), trigger: nil)) == "OwnRequest")
    #expect(await sent(UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false)).hasPrefix("UNTime"))
    #expect(await sent(CategoryRegistry.message) == "UNNotificationCategory")
    #expect(await sent(plainTextAction) == "UNTextInputNotificationAction")
  }
}
