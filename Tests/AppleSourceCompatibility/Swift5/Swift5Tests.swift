import Testing
import UserNotifications

@Suite struct Swift5Tests {
  final class KeyCoder: NSCoder {
    let values: [String: Any]
    init(_ values: [String: Any]) { self.values = values }
    override var allowsKeyedCoding: Bool { true }
    override func decodeObject(forKey key: String) -> Any? { values[key] }
  }

  private func response(_ title: String) -> UNNotificationResponse {
    let content = UNMutableNotificationContent()
    content.userInfo = ["title": title]
    let request = UNNotificationRequest(identifier: title, content: content, trigger: nil)
    let notification = UNNotification(coder: KeyCoder(["request": request]))!
    return UNNotificationResponse(
      coder: KeyCoder([
        "notification": notification, "actionIdentifier": UNNotificationDefaultActionIdentifier,
      ]))!
  }

  @Test func completionFormsAreCalledThroughTheProtocol() {
    let service = NotificationService()
    var opened = [String]()
    service.onOpen = { opened.append($0) }
    let delegate: UNUserNotificationCenterDelegate = service
    var isDone = false
    delegate.userNotificationCenter(UNUserNotificationCenter.current(), didReceive: response("a")) { isDone = true }
    #expect(isDone && opened == ["a"])
    var options: UNNotificationPresentationOptions?
    delegate.userNotificationCenter(
      UNUserNotificationCenter.current(), willPresent: response("a").notification
    ) { options = $0 }
    #expect(options == [.alert, .sound])
  }

  @Test func mainActorAsyncFormsAreCalledThroughTheProtocol() async {
    let service = await MainActorService()
    let delegate: UNUserNotificationCenterDelegate = service
    let response = self.response("b")
    let options = await delegate.userNotificationCenter(
      UNUserNotificationCenter.current(), willPresent: response.notification)
    #expect(options == .banner)
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(UNUserNotificationCenter.current(), didReceive: response) {
        continuation.resume()
      }
    }
    #expect(await service.opened == ["b"])
  }

  @Test func mocksStandInForTheCenter() {
    let mock = OldMock()
    mock.add(
      UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil),
      withCompletionHandler: nil)
    #expect(mock.added.count == 1)
    let center: OldCenter = UNUserNotificationCenter.current()
    center.removeAllPendingNotificationRequests()
  }

  @Test func deprecatedNamesHaveApplesValues() {
    #expect(Former.content().summaryArgument == "Ann" && Former.content().summaryArgumentCount == 1)
    #expect(Former.options.rawValue == 128 | 256 | 16 | 8)
    #expect(Former.category.rawValue == 16 | 2)
    #expect(UNNotificationPresentationOptions.alert.rawValue == 4)
    #expect(NotificationService().daily(hour: 8, minute: 30).repeats)
  }
}
