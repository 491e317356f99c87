import Foundation
import Testing

@testable import UserNotifications

@Suite struct ContentTests {
  @Test func newContentHasApplesDefaults() {
    let content = UNNotificationContent()
    #expect(content.title == "" && content.subtitle == "" && content.body == "")
    #expect(content.badge == nil && content.sound == nil)
    #expect(content.userInfo.isEmpty && content.attachments.isEmpty)
    #expect(content.categoryIdentifier == "" && content.threadIdentifier == "" && content.launchImageName == "")
    #expect(content.targetContentIdentifier == nil && content.filterCriteria == nil)
    #expect(content.interruptionLevel == .active && content.relevanceScore == 0)
    #expect(content.fields.summaryArgument == "" && content.fields.summaryArgumentCount == 1)
  }

  @Test func copyOfMutableContentIsImmutableAndItsOwn() throws {
    let original = Samples.fullContent()
    let copy = try #require(original.copy() as? UNNotificationContent)
    #expect(type(of: copy) == UNNotificationContent.self)
    #expect(copy == original)
    original.title = "changed"
    #expect(copy.title == "title")
    #expect(copy != original)
  }

  @Test func mutableCopyCanBeEditedWithoutTouchingTheOriginal() throws {
    let original = try #require(Samples.fullContent().copy() as? UNNotificationContent)
    let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
    #expect(copy == original)
    copy.body = "changed"
    copy.userInfo["more"] = 1
    #expect(original.body == "body")
    #expect(original.userInfo["more"] == nil)
    let second = try #require(copy.mutableCopy() as? UNMutableNotificationContent)
    #expect(second !== copy && second == copy)
  }

  @Test func immutableCopyIsTheSameObject() throws {
    let content = try #require(Samples.fullContent().copy() as? UNNotificationContent)
    #expect(content.copy() as AnyObject === content)
  }

  @Test func requestKeepsACopyOfItsContent() {
    let content = UNMutableNotificationContent()
    content.body = "first"
    let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
    content.body = "second"
    #expect(request.content.body == "first")
    #expect(type(of: request.content) == UNNotificationContent.self)
  }

  @Test func everyPropertyTakesPartInEquality() {
    let changes: [(UNMutableNotificationContent) -> Void] = [
      { $0.title = "x" }, { $0.subtitle = "x" }, { $0.body = "x" }, { $0.badge = 9 }, { $0.sound = nil },
      { $0.launchImageName = "x" }, { $0.userInfo = [:] }, { $0.attachments = [] }, { $0.categoryIdentifier = "x" },
      { $0.threadIdentifier = "x" }, { $0.change { $0.summaryArgument = "x" } },
      { $0.change { $0.summaryArgumentCount = 9 } }, { $0.targetContentIdentifier = "x" },
      { $0.interruptionLevel = .passive }, { $0.relevanceScore = 0.25 }, { $0.filterCriteria = "x" },
    ]
    let original = Samples.fullContent()
    #expect(original == Samples.fullContent() && original.hash == Samples.fullContent().hash)
    for (index, change) in changes.enumerated() {
      let other = Samples.fullContent()
      change(other)
      #expect(other != original, "change \(index)")
    }
  }

  @Test func updatingFromAnObjectOfTheProgramIsRefused() {
    final class Provider: NSObject, UNNotificationContentProviding {}
    #expect {
      try UNNotificationContent().updating(from: Provider())
    } throws: { error in
      (error as? UNError)?.code == .contentProvidingObjectNotAllowed
    }
  }

  @Test func manyThreadsMayEditOneContent() async {
    let content = UNMutableNotificationContent()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            content.body = "\(index) \(round)"
            content.userInfo = ["round": round]
            _ = content.body + content.title
          }
        }
      }
    }
    #expect(content.body.hasSuffix("199"))
  }

  @Test func descriptionsNameTheClassAndTheProperties() {
    let request = UNNotificationRequest(identifier: "id-1", content: Samples.fullContent(), trigger: nil)
    #expect(request.description.hasPrefix("<UNNotificationRequest: 0x"))
    #expect(request.description.contains("identifier: id-1"))
    #expect(request.description.contains("title: title"))
    #expect(request.description.contains("trigger: (null)"))
  }
}
