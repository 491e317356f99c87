import UserNotifications

/// Messages as communication notifications: who sent them is told by an intent.
struct MessageCommunication {
  func deliver(_ text: String, from name: String, handle: String, group: String?, conversation: String) async throws {
    let person = INPerson(
      personHandle: INPersonHandle(value: handle, type: .emailAddress), nameComponents: nil, displayName: name,
      image: INImage(named: "avatar"), contactIdentifier: nil, customIdentifier: handle)
    let intent = INSendMessageIntent(
      recipients: nil, outgoingMessageType: .outgoingMessageText, content: text,
      speakableGroupName: group.map { INSpeakableString(spokenPhrase: $0) }, conversationIdentifier: conversation,
      serviceName: nil, sender: person, attachments: nil)
    let content = UNMutableNotificationContent()
    content.sound = .default
    content.categoryIdentifier = "MESSAGE"
    let updated = try content.updating(from: intent)
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: conversation, content: updated, trigger: nil))
  }
}
