import DBus
import DesktopEnvironment
import Foundation
import FreedesktopNotifications
import NotificationBridge
import TestSupport
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(1))) struct StoreTests {
  private static let png = AttachmentTests.png

  private func request(_ identifier: String, _ files: URL..., repeats: Bool = false) throws -> UNNotificationRequest {
    let attachments = try files.map { try UNNotificationAttachment(identifier: "", url: $0) }
    return CenterStage.request(identifier) { $0.attachments = attachments }
  }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  @Test func aFileMovesIntoTheStoreAndGoesWithItsNotification() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    try await stage.center.add(try request("a", file))
    #expect(!exists(file))
    let delivered = await stage.center.deliveredNotifications()
    let url = try #require(delivered.first?.request.content.attachments.first?.url)
    #expect(url.path.hasPrefix(stage.store.path) && url.lastPathComponent.hasSuffix("a.png") && exists(url))
    stage.center.removeAllDeliveredNotifications()
    try await eventually(within: .seconds(10), "the file goes") { stage.store.files.isEmpty }
  }

  private static let mixed: [(String, [UInt8])] = [
    ("song.mp3", Array("ID3".utf8)), ("film.mp4", [0, 0, 0, 24] + Array("ftypisom".utf8)), ("photo.png", png),
  ]

  @Test func soundsAndMoviesAreKeptWithTheirRequestAndGoWithIt() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let files = try Self.mixed.map { try folder.file($0.0, $0.1) }
    let attachments = try files.map { try UNNotificationAttachment(identifier: "", url: $0) }
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)
    for (name, trigger) in [("shown", nil), ("waiting", trigger)] {
      if name == "waiting" { for (name, bytes) in Self.mixed { _ = try folder.file(name, bytes) } }
      try await stage.center.add(CenterStage.request(name, trigger: trigger) { $0.attachments = attachments })
      #expect(!files.contains(where: exists) && stage.store.files.count == (name == "shown" ? 3 : 6))
    }
    let delivered = try #require(await stage.center.deliveredNotifications().first?.request.content.attachments)
    let pending = try #require(await stage.center.pendingNotificationRequests().first?.content.attachments)
    for list in [delivered, pending] {
      #expect(list.map(\.type) == ["public.mp3", "public.mpeg-4", "public.png"])
      #expect(list.allSatisfy { exists($0.url) })
    }
    stage.center.removeAllDeliveredNotifications()
    try await eventually(within: .seconds(10), "those of the one that was shown go") { stage.store.files.count == 3 }
    #expect(pending.allSatisfy { exists($0.url) })
    stage.center.removeAllPendingNotificationRequests()
    try await eventually(within: .seconds(10), "all are gone") { stage.store.files.isEmpty }
  }

  @Test func whereThereIsNoStoreTheErrorSaysSoAndTheFileStays() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    let record = try UNNotificationAttachment(identifier: "", url: file).record
    // A file stands where the folder would be.
    let folders = AttachmentFolders(bundlePath: "/no/bundle", parent: file.path)
    #expect {
      _ = try folders.stage([record])
    } throws: { error in
      (error as? UNError)?.code == .attachmentMoveIntoDataStoreFailed
    }
    #expect(exists(file))
    let told = BridgeError(.attachmentStore, "no room").forPrograms as? UNError
    #expect(told?.code == .attachmentMoveIntoDataStoreFailed, "and so does the bridge's")
  }

  @Test func aFileInTheBundleIsCopied() async throws {
    let folder = try TemporaryFolder()
    let store = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    let folders = AttachmentFolders(bundlePath: folder.path, parent: store.path)
    let staged = try folders.stage([try UNNotificationAttachment(identifier: "", url: file).record])
    #expect(exists(file) && store.files == ["0-a.png"])
    folders.restore(staged)
    #expect(exists(file) && store.files.isEmpty)
  }

  @Test func aFailedRequestLeavesTheFileWhereItWas() async throws {
    var behavior = FakeNotificationServer.Behavior()
    behavior.answer = { _, _ in .refuse("org.example.Error", "no") }
    let stage = try await CenterStage(behavior)
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    await #expect(throws: (any Error).self) { try await stage.center.add(try request("a", file)) }
    try await eventually(within: .seconds(10), "it is back") { exists(file) && stage.store.files.isEmpty }
  }

  @Test func ofSeveralFilesOneBadOneLeavesAllWhereTheyWere() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let (first, second) = (try folder.file("a.png", Self.png), try folder.file("b.png", Self.png))
    let both = try request("a", first, second)
    try FileManager.default.removeItem(at: second)
    #expect(await appleCode { try await stage.center.add(both) } == .attachmentInvalidURL)
    #expect(exists(first) && stage.store.files.isEmpty && stage.daemon.posted.isEmpty)
  }

  @Test("C052 a file that went bad meanwhile fails the request, and the next one is fine")
  func changedFile() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    let bad = try request("bad", file)
    try Data("<html>".utf8).write(to: file)
    #expect(await appleCode { try await stage.center.add(bad) } == .attachmentCorrupt)
    let good = CenterStage.request(
      "good", trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false))
    try await stage.center.add(good)
    #expect(await stage.center.pendingNotificationRequests().map(\.identifier) == ["good"])
  }

  @Test("C052 a damaged picture fails the request when it is added, also one that waits for its time")
  func damagedPicture() async throws {
    let stage = try await CenterStage(images: PixbufDecoder())
    let folder = try TemporaryFolder()
    for trigger in [nil, UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)] {
      let file = try folder.file("a.png", Self.png)
      let attachment = try UNNotificationAttachment(identifier: "", url: file)
      let bad = CenterStage.request("bad", trigger: trigger) { $0.attachments = [attachment] }
      #expect(await appleCode { try await stage.center.add(bad) } == .attachmentCorrupt)
      try await eventually(within: .seconds(10), "the file is back") { exists(file) && stage.store.files.isEmpty }
    }
    #expect(await stage.center.pendingNotificationRequests().isEmpty && stage.daemon.posted.isEmpty)
  }

  @Test func aStoredFileMayBeUsedAgainWhileItIsThere() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    try await stage.center.add(try request("a", try folder.file("a.png", Self.png)))
    let stored = try #require(await stage.center.deliveredNotifications().first?.request.content.attachments)
    try await stage.center.add(CenterStage.request("b") { $0.attachments = stored })
    #expect(stage.store.files.count == 2)
    stage.center.removeAllDeliveredNotifications()
    try await eventually(within: .seconds(10), "the files go") { stage.store.files.isEmpty }
    let late = CenterStage.request("c") { $0.attachments = stored }
    #expect(await appleCode { try await stage.center.add(late) } == .attachmentNotInDataStore)
  }

  @Test func theFileIsThereWhileTheDelegateHandlesTheResponse() async throws {
    let stage = try await CenterStage()
    let delegate = TestDelegate(answersResponses: false)
    stage.center.delegate = delegate
    let folder = try TemporaryFolder()
    try await stage.center.add(try request("a", try folder.file("a.png", Self.png)))
    stage.daemon.invoke(try await stage.number("a"), "default")
    try await eventually(within: .seconds(10), "the response") { delegate.responses.all.count == 1 }
    #expect(await stage.center.deliveredNotifications().isEmpty)
    let attachment = try #require(delegate.responses.all[0].notification.request.content.attachments.first)
    #expect(exists(attachment.url))
    delegate.held.all.forEach { $0() }
    try await eventually(within: .seconds(10), "the file goes with the answer") { stage.store.files.isEmpty }
  }

  @Test func callsBehindAFileKeepTheirOrder() async throws {
    let stage = try await CenterStage()
    let folder = try TemporaryFolder()
    for round in 0..<50 {
      let file = try folder.file("\(round).png", Self.png)
      stage.center.add(try request("with file", file), withCompletionHandler: nil)
      stage.center.add(CenterStage.request("plain \(round)"), withCompletionHandler: nil)
      stage.center.removeDeliveredNotifications(withIdentifiers: ["never there"])
    }
    _ = try await stage.number("plain 49")
    let order = stage.daemon.posted.map(\.notification.summary).filter { $0.hasPrefix("plain") }
    #expect(order == (0..<50).map { "plain \($0)" })
  }

  @Test func theStoreIsPrivateAndGoesWithItsOwner() throws {
    let folder = try TemporaryFolder()
    let store = try TemporaryFolder()
    let file = try folder.file("a.png", Self.png)
    var folders: AttachmentFolders? = AttachmentFolders(bundlePath: "/no/bundle", parent: store.path)
    _ = try folders?.stage([try UNNotificationAttachment(identifier: "", url: file).record])
    let root = try #require(try FileManager.default.contentsOfDirectory(atPath: store.path).first)
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "/" + root)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    folders = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.path).isEmpty)
  }
}
