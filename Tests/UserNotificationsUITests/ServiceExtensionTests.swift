import Foundation
import NotificationBridge
import TestSupport
import Testing
import UserNotifications

/// `UNNotificationServiceExtension` as the program that the bridge runs.
@Suite("A service extension's program", .timeLimit(.minutes(1))) struct ServiceExtensionTests {
  private func request(_ title: String) -> ExtensionMessage {
    .request(.pushed("r", title: title), ApplicationRecord(identifier: "org.example.App", name: "App"))
  }

  private func content(_ message: ExtensionMessage) throws -> ContentRecord {
    guard case .content(let content) = message else { throw DidNotHappen("a content, but \(message)") }
    return content
  }

  @Test("didReceive gets the pushed request on the main queue, and what its handler is given goes to the bridge")
  func changes() throws {
    let talk = try ExtensionTalk("test-service-extension")
    let changed = try content(try talk.ask(request("change"))[0])
    #expect(changed.title == "changed" && changed.subtitle == "pushed")
    #expect(changed.body == "body on the main thread: true")
    #expect(changed.userInfo == ["added": .integer(1)])
    #expect(try talk.end() == 0)
    #expect(talk.complaint.contains("this is no message"), "what it prints goes to the log and not to the bridge")
  }

  @Test("The first call of the content handler counts")
  func twice() throws {
    let talk = try ExtensionTalk("test-service-extension")
    #expect(try content(try talk.ask(request("twice"))[0]).body == "first")
    #expect(try talk.end() == 0)
    #expect(throws: DidNotHappen.self) { try talk.next() }
  }

  @Test("serviceExtensionTimeWillExpire is called on another thread and may still answer")
  func expires() throws {
    let talk = try ExtensionTalk("test-service-extension")
    try talk.tell(request("late"))
    try talk.tell(.expire)
    #expect(try content(try talk.next()).body == "in time, on the main thread: false")
  }

  @Test("serviceExtensionTimeWillExpire is called also where didReceive blocks the main queue, and the program ends")
  func blocked() throws {
    let talk = try ExtensionTalk("test-service-extension")
    try talk.tell(request("blocked"))
    talk.waitForComplaint("it blocks")
    try talk.tell(.expire)
    #expect(try content(try talk.next()).body == "in time, on the main thread: false")
    #expect(try talk.end() == 0)
  }

  @Test("A UNNotificationServiceExtension that overrides nothing gives the original", arguments: [["idle"], []])
  func original(arguments: [String]) throws {
    let talk = try ExtensionTalk("test-service-extension", arguments)
    #expect(try content(try talk.ask(request("default"))[0]).body == "body")
    // Nothing is done by default when the time is over: no UNNotificationServiceExtension.init() of its own is needed.
    try talk.tell(.expire)
    #expect(try talk.end() == 0)
  }

  @Test("What cannot be handed over is said, and the program fails")
  func unstorable() throws {
    let talk = try ExtensionTalk("test-service-extension")
    try talk.tell(request("unstorable"))
    #expect(throws: DidNotHappen.self) { try talk.next() }
    #expect(talk.complaint.contains("userInfo"))
  }

  @Test("Messages that mean nothing to it, and lines that are none, are said and do no harm")
  func otherMessages() throws {
    let talk = try ExtensionTalk("test-service-extension")
    try talk.tell(.media(isPlaying: true))
    #expect(try content(try talk.ask(request("twice"))[0]).body == "first")
    _ = try talk.end()
    #expect(talk.complaint.contains("this is a service extension"))
  }
}
