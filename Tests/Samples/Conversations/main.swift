import UserNotifications

/// Messages of two conversations, each a thread of its own, and reminders of appointments, which belong to none. Prints
/// how the system lists them, and what the user answers.
final class Conversations: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let center = UNUserNotificationCenter.current()

  private struct Message {
    let number: Int
    let thread: String
    let author: String
    let text: String
  }

  private let messages = [
    Message(number: 1, thread: "family", author: "Ana", text: "Dinner at eight?"),
    Message(number: 2, thread: "climbing", author: "Ben", text: "The hall is open again."),
    Message(number: 3, thread: "family", author: "Carla", text: "I bring the salad."),
    Message(number: 4, thread: "family", author: "Ana", text: "And I the wine."),
    Message(number: 5, thread: "climbing", author: "Dora", text: "Saturday, then."),
  ]

  func start() async throws {
    center.delegate = self
    let reply = UNTextInputNotificationAction(
      identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
      textInputPlaceholder: "Message")
    let message: UNNotificationCategory
    if #available(macOS 10.14, iOS 12, *) {
      message = UNNotificationCategory(
        identifier: "message", actions: [reply], intentIdentifiers: [],
        hiddenPreviewsBodyPlaceholder: "%u messages", categorySummaryFormat: "%u more messages from %@", options: [])
    } else {
      message = UNNotificationCategory(identifier: "message", actions: [reply], intentIdentifiers: [])
    }
    let reminder = UNNotificationCategory(
      identifier: "reminder", actions: [UNNotificationAction(identifier: "done", title: "Done", options: [])],
      intentIdentifiers: [], options: .customDismissAction)
    center.setNotificationCategories([message, reminder])
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
    for message in messages { try await post(message) }
    try await remind("dentist", "Dentist", "Tomorrow at nine.")
    try await remind("passport", "Passport office", "Thursday at two.")
    await list()
  }

  private func post(_ message: Message) async throws {
    let content = UNMutableNotificationContent()
    content.title = message.author
    content.body = message.text
    content.threadIdentifier = message.thread
    content.categoryIdentifier = "message"
    content.summaryArgument = message.author
    content.sound = .default
    try await center.add(
      UNNotificationRequest(identifier: "message-\(message.number)", content: content, trigger: nil))
  }

  private func remind(_ identifier: String, _ title: String, _ body: String) async throws {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = body
    content.categoryIdentifier = "reminder"
    try await center.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
  }

  /// What was delivered, by thread.
  private func list() async {
    let delivered = await center.deliveredNotifications()
    let threads = Dictionary(grouping: delivered) { $0.request.content.threadIdentifier }
    for (thread, notifications) in threads.sorted(by: { $0.key < $1.key }) {
      let name = thread.isEmpty ? "no thread" : thread
      print("\(name): \(notifications.map(\.request.identifier).sorted().joined(separator: ", "))")
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    [.banner, .list, .sound]
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let request = response.notification.request
    let thread = request.content.threadIdentifier
    if let answer = response as? UNTextInputNotificationResponse {
      print("reply to \(request.identifier): \(answer.userText)")
    } else {
      print("\(response.actionIdentifier): \(request.identifier)")
    }
    if thread.isEmpty {
      exit(0)
    }
    // Who has answered has read the conversation.
    let read = await center.deliveredNotifications().filter { $0.request.content.threadIdentifier == thread }
    center.removeDeliveredNotifications(withIdentifiers: read.map(\.request.identifier))
    await list()
  }
}

let conversations = Conversations()
Task {
  do {
    try await conversations.start()
  } catch {
    print("not shown: \(error.localizedDescription)")
    exit(1)
  }
}
RunLoop.main.run()
