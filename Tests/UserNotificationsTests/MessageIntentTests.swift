import Foundation
import Testing

@testable import UserNotifications

@Suite struct MessageIntentTests {
  static func person(_ name: String?, address: String? = nil) -> INPerson {
    INPerson(
      personHandle: INPersonHandle(value: address, type: .emailAddress), nameComponents: nil, displayName: name,
      image: INImage(named: "avatar"), contactIdentifier: nil, customIdentifier: "id-1")
  }

  static func intent(
    from sender: INPerson? = person("Ann"), group: String? = "Family", content: String? = "Dinner?"
  ) -> INSendMessageIntent {
    INSendMessageIntent(
      recipients: [person("Bob")], outgoingMessageType: .outgoingMessageText, content: content,
      speakableGroupName: group.map(INSpeakableString.init(spokenPhrase:)), conversationIdentifier: "chat-1",
      serviceName: "Chat", sender: sender, attachments: nil)
  }

  @Test func aMessageFillsInWhatTheContentLeavesEmpty() throws {
    let original = UNMutableNotificationContent()
    original.badge = 3
    original.userInfo = ["a": 1]
    let content = try original.updating(from: Self.intent())
    #expect(type(of: content) == UNNotificationContent.self)
    #expect(content.title == "Ann" && content.subtitle == "Family" && content.body == "Dinner?")
    #expect(content.threadIdentifier == "chat-1" && content.badge == 3 && content.userInfo["a"] as? Int == 1)
    #expect(original.title == "" && original.threadIdentifier == "", "the original stays")
  }

  @Test func whatTheContentSaysStays() throws {
    let content = try Samples.fullContent().updating(from: Self.intent())
    #expect(content == Samples.fullContent())
  }

  @Test func anAttributedMessageIsTheBody() throws {
    let text = NSMutableAttributedString(string: "Dinner at eight")
    let context = UNNotificationAttributedMessageContext(sendMessageIntent: Self.intent(), attributedContent: text)
    text.mutableString.setString("changed")
    let provider: any UNNotificationContentProviding = context
    let content = try Samples.fullContent().updating(from: provider)
    #expect(content.body == "Dinner at eight" && content.title == "title")
    #expect(try UNNotificationContent().updating(from: context).title == "Ann")
  }

  @Test func aMessageWithoutSenderOrTextIsInvalid() {
    func code(_ provider: any UNNotificationContentProviding) -> UNError.Code? {
      do {
        _ = try UNNotificationContent().updating(from: provider)
        return nil
      } catch {
        return (error as? UNError)?.code
      }
    }
    #expect(code(Self.intent(from: nil)) == .contentProvidingInvalid)
    #expect(code(Self.intent(from: Self.person(""))) == .contentProvidingInvalid)
    #expect(code(Self.intent(from: Self.person(nil, address: "ann@example.org"))) == nil)
    #expect(
      code(
        UNNotificationAttributedMessageContext(
          sendMessageIntent: Self.intent(), attributedContent: NSAttributedString(string: "")))
        == .contentProvidingInvalid)
    #expect(
      code(
        UNNotificationAttributedMessageContext(
          sendMessageIntent: Self.intent(from: nil), attributedContent: NSAttributedString(string: "x")))
        == .contentProvidingInvalid)
  }

  @Test func aPersonIsCalledByNameElseByAddress() {
    var parts = PersonNameComponents()
    parts.givenName = "Ann"
    parts.familyName = "Lee"
    func name(_ name: String?, _ components: PersonNameComponents?) -> String {
      INPerson(
        personHandle: INPersonHandle(value: "+1", type: .phoneNumber), nameComponents: components, displayName: name,
        image: nil, contactIdentifier: nil, customIdentifier: nil
      ).displayName
    }
    #expect(name("Annie", parts) == "Annie" && name(nil, parts) == "Ann Lee" && name("", nil) == "+1")
  }

  @Test func messagesSurviveAnArchiveAndTolerateMissingKeys() throws {
    let intent = Self.intent()
    let data = try NSKeyedArchiver.archivedData(withRootObject: intent, requiringSecureCoding: true)
    let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: INSendMessageIntent.self, from: data))
    #expect(back == intent && back.sender?.displayName == "Ann" && back.recipients?.count == 1)
    #expect(back.sender?.image == INImage(named: "avatar") && back.speakableGroupName?.spokenPhrase == "Family")
    let empty = try #require(INSendMessageIntent(coder: EmptyCoder()))
    #expect(empty.sender == nil && empty.content == nil && empty.outgoingMessageType == .unknown)
    #expect(INPerson(coder: EmptyCoder())?.displayName == "")
    #expect(INPersonHandle(coder: EmptyCoder())?.type == .unknown)
  }
}
