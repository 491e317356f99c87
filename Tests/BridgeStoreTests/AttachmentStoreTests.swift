import BridgeStore
import Foundation
import Glibc
import NotificationBridge
import TestSupport
import Testing

@Suite("Files of notifications")
struct AttachmentStoreTests {
  private let home: TemporaryHome
  private let store: AttachmentStore

  init() throws {
    home = try TemporaryHome()
    store = AttachmentStore(folder: home.path + "/state/notify-bridge")
  }

  private func take(
    _ path: String, flags: Int32 = O_RDONLY, limit: Int = 1 << 20, fileExtension: String? = nil, durably: Bool = false
  ) throws -> String {
    let descriptor = unsafe open(path, flags)
    defer { close(descriptor) }
    return try store.take(descriptor, limit: limit, fileExtension: fileExtension, durably: durably)
  }

  private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func folders() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: store.path).count) ?? 0 }

  @Test("A copy is whole, of its own, and its owner's alone", arguments: [0, 1, 128 << 10, (128 << 10) + 1, 700_001])
  func copies(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let original = try home.write(bytes, to: "picture", permissions: 0o644)
    let descriptor = unsafe open(original, O_RDONLY)
    defer { close(descriptor) }
    // Its place is neither used nor moved.
    lseek(descriptor, 7, SEEK_SET)
    let first = try store.take(descriptor, limit: size, fileExtension: "png", durably: true)
    let second = try store.take(descriptor, limit: size, fileExtension: "png", durably: false)
    #expect(lseek(descriptor, 0, SEEK_CUR) == 7)
    #expect(first != second)
    try FileManager.default.removeItem(atPath: original)
    for copy in [first, second] {
      #expect(copy.hasPrefix(home.path + "/state/notify-bridge/attachments/") && copy.hasSuffix("/attachment.png"))
      #expect(try contents(copy) == Data(bytes))
      for (path, mode) in [(copy, 0o600), ((copy as NSString).deletingLastPathComponent, 0o700), (store.path, 0o700)] {
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
      }
    }
  }

  @Test(
    "The name's extension cannot lead anywhere",
    arguments: ["../../x", "p/n\0g", "pñg", "aaaaaaaaaaaaaaaaaaaaaaaa", ""])
  func names(fileExtension: String) throws {
    let original = try home.write([1], to: "file")
    let copy = try take(original, fileExtension: fileExtension)
    let name = (copy as NSString).lastPathComponent
    #expect((copy as NSString).deletingLastPathComponent.hasPrefix(store.path + "/"))
    #expect(name.wholeMatch(of: /attachment(\.[a-zA-Z0-9]{1,16})?/) != nil, "\(name)")
  }

  @Test("What is no readable regular file of the right size is refused, and nothing is left of it")
  func refused() throws {
    func code(_ path: String, _ flags: Int32 = O_RDONLY, limit: Int = 100) -> BridgeError.Code? {
      #expect(throws: BridgeError.self) { try take(path, flags: flags, limit: limit) }?.code
    }
    let file = try home.write([UInt8](repeating: 1, count: 101), to: "file")
    #expect(code(file) == .attachmentTooLarge)
    #expect(code(file, O_WRONLY, limit: 101) == .attachmentUnreadable)
    #expect(code(home.path) == .attachmentInvalidURL)
    #expect(code("/dev/null") == .attachmentInvalidURL)
    // It says that it is empty, and is not.
    #expect(code("/proc/self/maps") == .attachmentTooLarge)
    #expect(code("/nowhere") == .attachmentUnreadable)
    #expect(folders() == 0)
  }

  @Test("A folder that cannot be written is named")
  func unwritable() throws {
    let file = try home.write([1], to: "file")
    let descriptor = unsafe open(file, O_RDONLY)
    defer { close(descriptor) }
    let error = #expect(throws: BridgeError.self) {
      try AttachmentStore(folder: file).take(descriptor, limit: 10, durably: false)
    }
    #expect(error?.code == .attachmentStore)
    #expect(error?.message.contains(file + "/attachments/") == true)
  }

  @Test("What nothing refers to goes, at once after a crash, else when it is old enough")
  func collection() throws {
    let original = try home.write([1, 2], to: "file")
    let kept = try take(original)
    let left = try take(original)
    // What a crash leaves in the midst of taking.
    try FileManager.default.createDirectory(
      atPath: store.path + "/" + UUID().uuidString, withIntermediateDirectories: false)
    let foreign = store.path + "/not ours"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
    // The same file by another way.
    let spelled = kept.replacingOccurrences(of: home.path, with: home.path + "/config/..")

    #expect(store.collect(keeping: [spelled]) == 0)
    #expect(folders() == 4)
    #expect(store.collect(keeping: [spelled], olderThan: .zero) == 2)
    #expect(try contents(kept) == Data([1, 2]))
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(FileManager.default.fileExists(atPath: foreign))

    let folder = (kept as NSString).deletingLastPathComponent
    try FileManager.default.setAttributes([.modificationDate: Date.now - 61], ofItemAtPath: folder)
    #expect(store.collect(keeping: []) == 1)
    #expect(store.collect(keeping: [], olderThan: .zero) == 0)
    #expect(AttachmentStore(folder: "/nowhere").collect(keeping: []) == 0)
  }

  @Test("The store knows the files of all that it keeps")
  func references() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    func row(_ name: String, _ paths: [String]) -> PendingRow {
      var row = pendingRow(name, body: "\"attachments\":[\"/text\"]")
      row.request.content.attachments = paths.map { AttachmentRecord(identifier: "", path: $0, type: "public.png") }
      return row
    }
    func record(_ name: String, _ paths: [String]) -> NotificationRecord {
      let row = row(name, paths)
      return NotificationRecord(application: row.application, request: row.request, date: .now)
    }
    let queued = row("q", ["/c"])
    try store.commit(
      [
        .putPending(row("none", [])), .putPending(row("two", ["/a", "/b"])),
        .putQueued(QueuedRow(number: 1, request: queued.request, application: queued.application)),
        .putDelivered(
          DeliveredRow(
            record: record("d", ["/d"]), place: nil, isOpen: true, keys: [:], reportsDismissal: false, number: 2)),
        .putResponse(ResponseRow(response: ResponseRecord(notification: record("r", ["/e"]), action: .default))),
      ], durably: false)
    #expect(try store.attachmentPaths() == ["/a", "/b", "/c", "/d", "/e"])
    try store.commit([.removePending(row("two", []).entry.key)], durably: false)
    #expect(try store.attachmentPaths() == ["/c", "/d", "/e"])
  }
}
