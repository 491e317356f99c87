import Foundation
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

/// What becomes of attachments when their request is added, error by error.
@Suite(.timeLimit(.minutes(1))) struct AttachmentRuleTests {
  /// The code with which adding a picture fails after `change` was done to its file.
  private func codeAfter(_ change: (URL) throws -> Void) async throws -> UNError.Code? {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", AttachmentTests.png)
    let attachment = try UNNotificationAttachment(identifier: "a", url: file)
    try change(file)
    let code = await appleCode {
      try await stage.center.add(CenterStage.request("a") { $0.attachments = [attachment] })
    }
    #expect(stage.daemon.posted.isEmpty || code == nil)
    #expect(stage.store.files.isEmpty || code == nil)
    return code
  }

  @Test("a file that is gone is error 100, one that is another now 105, one that has grown 102")
  func changedFiles() async throws {
    #expect(try await codeAfter { _ in } == nil)
    #expect(try await codeAfter { try FileManager.default.removeItem(at: $0) } == .attachmentInvalidURL)
    #expect(try await codeAfter { try Data("text".utf8).write(to: $0) } == .attachmentCorrupt)
    let grown = try await codeAfter { file in
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      try handle.truncate(atOffset: 10 << 20 + 1)
    }
    #expect(grown == .attachmentInvalidFileSize)
  }

  @Test("where no store can be made it is error 104, and the file stays")
  func noStore() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", AttachmentTests.png)
    let folders = AttachmentFolders(bundlePath: "/no/bundle", parent: file.path)
    let record = try UNNotificationAttachment(identifier: "a", url: file).record
    do {
      _ = try folders.stage([record])
      Issue.record("there is no store")
    } catch {
      #expect(error.code == .attachmentMoveIntoDataStoreFailed)
      #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test("errors of attachments are caught by their codes")
  func caughtByCode() throws {
    let folder = try TemporaryFolder()
    func kind(_ url: URL) -> String {
      do {
        _ = try UNNotificationAttachment(identifier: "", url: url, options: nil)
        return "none"
      } catch UNError.attachmentInvalidURL {
        return "url"
      } catch UNError.attachmentUnrecognizedType {
        return "type"
      } catch UNError.attachmentCorrupt {
        return "corrupt"
      } catch {
        return "other"
      }
    }
    #expect(kind(URL(fileURLWithPath: "/nowhere/a.png")) == "url")
    #expect(kind(try folder.file("a.pdf", Array("%PDF".utf8))) == "type")
    #expect(kind(try folder.file("a.png", Array("text".utf8))) == "corrupt")
    #expect(kind(try folder.file("b.png", AttachmentTests.png)) == "none")
  }
}
