import Foundation
import Testing

@testable import NotificationBridge

@Suite("The journal of responses") struct ResponseJournalTests {
  private func response(_ identifier: String, of application: String) -> ResponseRecord {
    ResponseRecord(
      notification: NotificationRecord(
        application: ApplicationRecord(identifier: application, name: application),
        request: RequestRecord(identifier: identifier, content: ContentRecord()), date: Date()),
      action: .default)
  }

  @Test("what nobody wants is forgotten beyond a limit, the oldest first; what somebody has or wants is not")
  func bounded() {
    var journal = ResponseJournal()
    journal.isStored = true
    let mine = (0..<6).map { response("n\($0)", of: "a") }
    let wanted = response("w", of: "a")
    let other = response("n", of: "b")
    for response in [wanted] + mine + [other] { journal.add(response) }
    for response in mine + [other] { _ = journal.leave(response.id) }
    journal.place(mine[0].id, .waiter(1))
    journal.changes = []
    #expect(journal.forgetOldest(of: "a", beyond: 5).isEmpty)
    #expect(journal.forgetOldest(of: "a", beyond: 2).map(\.response.id) == mine[1...3].map(\.id))
    #expect(journal.all.map(\.response.id) == [wanted, mine[0], mine[4], mine[5], other].map(\.id))
    #expect(journal.changes.count == 3)
    #expect(journal.forgetOldest(of: "a", beyond: 2).isEmpty)
  }
}
