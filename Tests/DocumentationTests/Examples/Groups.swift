import UserNotifications

/// What stands in "Groups".
enum Groups {
  static func registerMessages() {
    let message = UNNotificationCategory(
      identifier: "message",
      actions: [
        UNTextInputNotificationAction(
          identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "Message")
      ], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "%u messages",
      categorySummaryFormat: "%u more messages from %@")
    UNUserNotificationCenter.current().setNotificationCategories([message])
  }

  static func show(_ text: String, from author: String, in conversation: String) async throws {
    let content = UNMutableNotificationContent()
    content.title = author
    content.body = text
    content.threadIdentifier = conversation
    content.summaryArgument = author
    content.categoryIdentifier = "message"
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil))
  }

  static func markRead(_ conversation: String) async {
    let center = UNUserNotificationCenter.current()
    let read = await center.deliveredNotifications().filter {
      $0.request.content.threadIdentifier == conversation
    }
    center.removeDeliveredNotifications(withIdentifiers: read.map(\.request.identifier))
  }
}
