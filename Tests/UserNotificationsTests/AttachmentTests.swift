import Foundation
import NotificationBridge
import Testing

@testable import UserNotifications

@Suite struct AttachmentTests {
  /// A folder of the test's own, gone with it.
  final class Folder {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("attachments-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
      let file = url.appendingPathComponent(name)
      try Data(bytes).write(to: file)
      return file
    }
  }

  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8)
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]

  private func code(_ body: () throws -> UNNotificationAttachment) -> UNError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? UNError)?.code
    }
  }

  @Test func typeComesFromTheExtension() throws {
    let folder = try Folder()
    let file = try folder.file("Photo.JPG", Self.jpeg)
    let attachment = try UNNotificationAttachment(identifier: "a", url: file)
    #expect(attachment.type == "public.jpeg" && attachment.identifier == "a")
    #expect(attachment.url.path == file.path)
    #expect(FileManager.default.fileExists(atPath: file.path), "the file stays until the request is added")
  }

  @Test func anEmptyIdentifierIsReplacedByAUniqueOne() throws {
    let folder = try Folder()
    let file = try folder.file("a.png", Self.png)
    let (first, second) = (
      try UNNotificationAttachment(identifier: "", url: file, options: nil),
      try UNNotificationAttachment(identifier: "", url: file, options: nil)
    )
    #expect(!first.identifier.isEmpty && first.identifier != second.identifier)
  }

  @Test(
    "C049 what is no readable file is refused, and folders stay as they are",
    arguments: ["http://host", "http://host/a.png", "data:,x", "file:///nowhere/a.png", "file:///dev/null"])
  func invalidURLs(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(code { try UNNotificationAttachment(identifier: "", url: url) } == .attachmentInvalidURL)
  }

  @Test("C049 a folder is refused and keeps its content")
  func folders() throws {
    let folder = try Folder()
    let inside = try folder.file("keep.png", Self.png)
    let named = folder.url.appendingPathComponent("folder.png")
    try FileManager.default.createDirectory(at: named, withIntermediateDirectories: false)
    for url in [folder.url, named] {
      #expect(code { try UNNotificationAttachment(identifier: "", url: url) } == .attachmentInvalidURL)
    }
    #expect(FileManager.default.fileExists(atPath: inside.path))
    #expect(try UNNotificationAttachment(identifier: "", url: inside).type == "public.png")
  }

  @Test("C050 a type hint decides, with a foreign extension or without one")
  func typeHint() throws {
    let folder = try Folder()
    let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.jpeg"]
    for name in ["photo", "photo.tmp"] {
      let file = try folder.file(name, Self.jpeg)
      #expect(try UNNotificationAttachment(identifier: "", url: file, options: hint).type == "public.jpeg")
    }
    let file = try folder.file("b.jpg", Self.jpeg)
    let wrong = [UNNotificationAttachmentOptionsTypeHintKey: "public.pdf"]
    #expect(
      code { try UNNotificationAttachment(identifier: "", url: file, options: wrong) } == .attachmentUnrecognizedType)
  }

  @Test("C050 a file without extension is of the type that it shows, or refused by name")
  func sniffing() throws {
    let folder = try Folder()
    let picture = try folder.file("photo", Self.jpeg)
    #expect(try UNNotificationAttachment(identifier: "", url: picture).type == "public.jpeg")
    let text = try folder.file("notes", Array("hello".utf8))
    #expect {
      try UNNotificationAttachment(identifier: "", url: text)
    } throws: { error in
      (error as? UNError)?.code == .attachmentUnrecognizedType && error.localizedDescription.contains(text.path)
    }
    let unknown = try folder.file("page.pdf", Array("%PDF-1.7".utf8))
    #expect(code { try UNNotificationAttachment(identifier: "", url: unknown) } == .attachmentUnrecognizedType)
  }

  @Test(
    "a file over its type's limit is refused, one at the limit is not",
    arguments: [
      ("a.png", 10 << 20, AttachmentTests.png), ("a.mp3", 5 << 20, Array("ID3".utf8)),
      ("a.mp4", 50 << 20, [0, 0, 0, 24] + Array("ftypisom".utf8)),
    ])
  func sizes(_ name: String, _ limit: Int, _ head: [UInt8]) throws {
    let folder = try Folder()
    let file = try folder.file(name, head)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(limit))
    #expect(code { try UNNotificationAttachment(identifier: "", url: file) } == nil)
    try handle.truncate(atOffset: UInt64(limit) + 1)
    #expect(code { try UNNotificationAttachment(identifier: "", url: file) } == .attachmentInvalidFileSize)
  }

  @Test("C052 a picture that is something else is refused as corrupt")
  func corrupt() throws {
    let folder = try Folder()
    let html = Array("<!DOCTYPE html><html><body>404</body></html>".utf8)
    for (name, bytes) in [("x.png", html), ("x.gif", []), ("x.jpg", Array("ID3".utf8)), ("x.mp3", html)] {
      let file = try folder.file(name, bytes)
      #expect(code { try UNNotificationAttachment(identifier: "", url: file) } == .attachmentCorrupt, "\(name)")
    }
    let misnamed = try folder.file("really-a-jpeg.png", Self.jpeg)
    #expect(try UNNotificationAttachment(identifier: "", url: misnamed).type == "public.png")
    let music = try folder.file("song.m4a", [0, 0, 0, 24] + Array("ftypmp42".utf8))
    #expect(try UNNotificationAttachment(identifier: "", url: music).type == "public.mpeg-4-audio")
  }

  @Test func aLinkToAFileIsFollowed() throws {
    let folder = try Folder()
    let file = try folder.file("a.png", Self.png)
    let link = folder.url.appendingPathComponent("link.png")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    #expect(try UNNotificationAttachment(identifier: "", url: link).type == "public.png")
  }

  @Test func thumbnailOptionsAreRead() throws {
    let folder = try Folder()
    let file = try folder.file("a.png", Self.png)
    func record(_ options: [AnyHashable: Any]) throws -> AttachmentRecord {
      try UNNotificationAttachment(identifier: "a", url: file, options: options).record
    }
    #expect(try record([UNNotificationAttachmentOptionsThumbnailHiddenKey: true]).thumbnailHidden)
    #expect(try !record([UNNotificationAttachmentOptionsThumbnailHiddenKey: NSNumber(value: false)]).thumbnailHidden)
    let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let expected = AttachmentRecord.Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let key = UNNotificationAttachmentOptionsThumbnailClippingRectKey
    #expect(try record([key: rect.dictionaryRepresentation]).clippingRect == expected)
    #expect(try record([key: rect]).clippingRect == expected)
    #expect(
      try record([key: ["X": 0.25, "Y": 0.5, "Width": 5, "Height": 0.25]]).clippingRect
        == AttachmentRecord.Rect(x: 0.25, y: 0.5, width: 0.75, height: 0.25), "what is outside is cut off")
    #expect(try record([key: ["X": 2, "Y": 0, "Width": 1, "Height": 1]]).clippingRect == nil)
    #expect(try record([key: "nonsense"]).clippingRect == nil)
    let time = UNNotificationAttachmentOptionsThumbnailTimeKey
    #expect(try record([time: 3]).thumbnailTime == 3)
    #expect(try record([time: ["value": 90, "timescale": 60]]).thumbnailTime == 1.5)
    #expect(try !record([time: 3]).thumbnailTimeIsSeconds)
    #expect(try record([time: ["value": 90, "timescale": 60]]).thumbnailTimeIsSeconds)
    #expect(try record([time: -1]).thumbnailTime == nil)
    #expect(try record([time: ["value": 90, "timescale": 0]]).thumbnailTime == nil)
  }

  @Test(
    "a wrong option counts as not given and is named, with what was expected",
    arguments: [
      (UNNotificationAttachmentOptionsThumbnailHiddenKey, "yes", "true or false"),
      (UNNotificationAttachmentOptionsThumbnailClippingRectKey, "nonsense", "X, Y, Width and Height, from 0 to 1"),
      (UNNotificationAttachmentOptionsThumbnailTimeKey, "1\n2", "a number from 0 on"), ("myOption", "1", "no option"),
    ])
  func wrongOptions(_ key: String, _ value: String, _ expected: String) throws {
    let url = URL(fileURLWithPath: "/x/a.png")
    let options = try AttachmentOptions([key: value], of: url)
    #expect(options.problems.count == 1)
    let problem = try #require(options.problems.first)
    #expect(problem.contains("/x/a.png") && problem.contains(key) && problem.contains(expected), "\(problem)")
    #expect(!problem.contains("\n"))
    #expect(!options.thumbnailHidden && options.clippingRect == nil && options.thumbnailTime == nil)
    #expect(try AttachmentOptions([:], of: url).problems.isEmpty)
  }

  @Test(
    "rectangles that cover nothing of the picture, or are none, count as not given; others are cut to it",
    arguments: [
      ([0, 0, 1, 1], [0, 0, 1, 1]), ([-1, -1, 1.5, 1.5], [0, 0, 0.5, 0.5]), ([1, 1, -0.5, -0.25], [0.5, 0.75, 0.5, 0.25]),
      ([0, 0, 0, 1], nil), ([2, 0, 1, 1], nil), ([0, 0, .nan, 1], nil), ([0, 0, .infinity, 1], nil),
    ] as [([Double], [Double]?)])
  func rectangles(_ sides: [Double], _ expected: [Double]?) throws {
    let given = ["X": sides[0], "Y": sides[1], "Width": sides[2], "Height": sides[3]]
    let options = try AttachmentOptions(
      [UNNotificationAttachmentOptionsThumbnailClippingRectKey: given], of: URL(fileURLWithPath: "/x/a.png"))
    #expect(options.clippingRect.map { [$0.x, $0.y, $0.width, $0.height] } == expected)
    #expect(options.problems.isEmpty == (expected != nil))
  }

  @Test func aTypeHintThatIsNoTextIsRefusedByName() throws {
    let folder = try Folder()
    let file = try folder.file("a.png", Self.png)
    let wrong = [UNNotificationAttachmentOptionsTypeHintKey: 5]
    #expect {
      try UNNotificationAttachment(identifier: "", url: file, options: wrong)
    } throws: { error in
      (error as? UNError)?.code == .attachmentUnrecognizedType
        && error.localizedDescription.contains("UNNotificationAttachmentOptionsTypeHintKey")
    }
  }

  @Test func hintsOfKindsOfTheTypesAreTheTypes() throws {
    let folder = try Folder()
    let file = try folder.file("song.tmp", [0, 0, 0, 24] + Array("ftypmp42".utf8))
    let hint = [UNNotificationAttachmentOptionsTypeHintKey: "com.apple.m4a-audio"]
    #expect(try UNNotificationAttachment(identifier: "", url: file, options: hint).type == "public.mpeg-4-audio")
  }

  @Test func anArchiveKeepsTheOptions() throws {
    let folder = try Folder()
    let file = try folder.file("a.png", Self.png)
    let options: [AnyHashable: Any] = [
      UNNotificationAttachmentOptionsThumbnailTimeKey: ["value": 3, "timescale": 2],
      UNNotificationAttachmentOptionsThumbnailClippingRectKey: ["X": 0, "Y": 0.5, "Width": 1, "Height": 0.5],
      UNNotificationAttachmentOptionsThumbnailHiddenKey: true,
    ]
    let attachment = try UNNotificationAttachment(identifier: "a", url: file, options: options)
    let data = try NSKeyedArchiver.archivedData(withRootObject: attachment, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationAttachment.self, from: data)
    #expect(copy == attachment && copy?.record == attachment.record)
  }

  @Test func securityScopeIsGrantedAlways() {
    let url = URL(fileURLWithPath: "/")
    #expect(url.startAccessingSecurityScopedResource())
    url.stopAccessingSecurityScopedResource()
  }
}
