import UserNotifications

/// A messenger's inbox: grouped by conversation, answered and muted from the notification.
@MainActor
final class ChatInbox: NSObject, UNUserNotificationCenterDelegate {
  struct Message: Equatable, Sendable {
    let conversation: String
    let sender: String
    let text: String
  }

  private(set) var sent: [Message] = []
  private(set) var muted: Set<String> = []
  private(set) var openConversation: String?
  private let center = UNUserNotificationCenter.current()

  func activate() {
    center.delegate = self
    let reply = UNTextInputNotificationAction(
      identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send", textInputPlaceholder: "Message…")
    let mute = UNNotificationAction(identifier: "MUTE", title: "Mute", options: [.destructive])
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "CONVERSATION", actions: [reply, mute], intentIdentifiers: [],
        hiddenPreviewsBodyPlaceholder: "%u new messages", categorySummaryFormat: "%u messages from %@",
        options: [.customDismissAction])
    ])
  }

  func receive(_ message: Message, id: String) async throws {
    guard !muted.contains(message.conversation) else { return }
    let content = UNMutableNotificationContent()
    content.title = message.sender
    content.subtitle = message.conversation
    content.body = message.text
    content.sound = .default
    content.threadIdentifier = message.conversation
    content.categoryIdentifier = "CONVERSATION"
    content.userInfo = ["conversation": message.conversation, "sender": message.sender]
    try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
  }

  /// Everything of a conversation goes when it is opened.
  func open(_ conversation: String) async {
    openConversation = conversation
    let delivered = await center.deliveredNotifications()
    let identifiers = delivered.filter { $0.request.content.threadIdentifier == conversation }
      .map { $0.request.identifier }
    center.removeDeliveredNotifications(withIdentifiers: identifiers)
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    let thread = notification.request.content.threadIdentifier
    return await openConversation == thread ? [] : [.banner, .list, .sound]
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let userInfo = response.notification.request.content.userInfo
    guard let conversation = userInfo["conversation"] as? String else { return }
    switch response.actionIdentifier {
    case "REPLY":
      guard let text = (response as? UNTextInputNotificationResponse)?.userText else { return }
      await send(Message(conversation: conversation, sender: "me", text: text))
    case "MUTE":
      await mute(conversation)
    case UNNotificationDefaultActionIdentifier:
      await open(conversation)
    default:
      break
    }
  }

  private func send(_ message: Message) { sent.append(message) }
  private func mute(_ conversation: String) { muted.insert(conversation) }
}
