import DBus
import Foundation
import NotificationBridge
import Synchronization
import TestSupport
import Testing

@testable import DesktopServices

@Suite("Pictures of movies", .timeLimit(.minutes(2)))
struct MovieThumbnailTests {
  /// A home with a movie, and folders for the cache, for programs and for what tells of them.
  private struct Stage {
    let home: TemporaryHome
    let movie: String
    var options: MovieThumbnails.Options
    var uri: String { FileURI.text(path: movie) }

    init() throws {
      home = try TemporaryHome()
      movie = try home.write("film", to: "My film & more.mp4")
      var environment = home.environment
      environment["PATH"] = "\(home.path)/bin"
      environment["RECORD"] = "\(home.path)/record"
      environment["XDG_DATA_DIRS"] = "\(home.path)/share"
      options = MovieThumbnails.Options(environment: environment, folder: "\(home.path)/state/thumbnails")
    }

    /// A program that notes its words and writes a picture to the file behind `-o`.
    func install(_ name: String, end: String = "printf PNG > \"$out\"", entry: String? = nil) throws {
      try home.write(
        "#!/bin/sh\n{ printf '%s' \(name); printf '|%s' \"$@\"; echo; } >> \"$RECORD\"\n"
          + "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n\(end)\n", to: "bin/\(name)",
        permissions: 0o700)
      try home.write(
        entry ?? "[Thumbnailer Entry]\nTryExec=\(name)\nExec=\(name) -i %i -o %o -s %s\nMimeType=video/mp4;video/mpeg;\n",
        to: "share/thumbnailers/\(name).thumbnailer")
    }

    /// A picture in the cache, as the standard wants it.
    func cache(size: String = "large", modified: Int? = nil, uri: String? = nil) throws {
      var status = stat()
      _ = unsafe stat(movie, &status)
      let texts = [("Thumb::URI", uri ?? self.uri), ("Thumb::MTime", "\(modified ?? status.st_mtim.tv_sec)")]
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      for (key, text) in texts {
        let data = Array("tEXt\(key)".utf8) + [0] + Array(text.utf8)
        let length = data.count - 4
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + data + [0, 0, 0, 0]
      }
      try home.write(bytes, to: cachePath(size))
    }

    func cachePath(_ size: String = "large") -> String { "cache/thumbnails/\(size)/\(MD5.text(uri)).png" }

    var record: [String] {
      ((try? String(contentsOfFile: home.path + "/record", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    func picture(
      _ thumbnails: MovieThumbnails? = nil, at seconds: Double? = nil, side: Int = 256
    ) async throws(BridgeError) -> MovieThumbnail {
      try await (thumbnails ?? MovieThumbnails(options)).thumbnail(
        of: movie, mimeType: "video/mp4", at: seconds, side: side)
    }
  }

  @Test(
    "Sums are those of RFC 1321",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ), ("file:///home/jens/photos/me.png", "c6ee772d9e49320e97ec29a7eb5b1697"),
    ])
  func sums(_ text: String, _ sum: String) { #expect(MD5.text(text) == sum) }

  @Test("Sums of all lengths around a block are those of md5sum")
  func lengths() async throws {
    for length in [54, 55, 56, 57, 63, 64, 65, 119, 120, 128] {
      let text = String(repeating: "x", count: length)
      let result = try await BinaryRunner.run("/usr/bin/md5sum", [], input: .text(text))
      #expect(result.output.hasPrefix(MD5.text(text) + " "), "\(length)")
    }
  }

  @Test("What the cache has is taken, while the movie is as old as the picture says")
  func cache() async throws {
    let stage = try Stage()
    try stage.install("ffmpegthumbnailer")
    try stage.cache()
    #expect(try await stage.picture() == MovieThumbnail(file: "\(stage.home.path)/\(stage.cachePath())", isOfTime: true))
    #expect(stage.record.isEmpty)
    // Of another time, of another file, or damaged.
    for index in 0..<3 {
      switch index {
      case 0: try stage.cache(modified: 12)
      case 1: try stage.cache(uri: "file:///other")
      default: try stage.home.write([0x89, 0x50], to: stage.cachePath())
      }
      #expect(try await stage.picture().file.hasPrefix(stage.options.folder + "/"))
      #expect(stage.record.count == index + 1)
    }
  }

  @Test("Of several in the cache the one of the size is taken, else a larger, else a smaller one")
  func cacheSizes() async throws {
    let stage = try Stage()
    for (size, side, expected) in [("normal", 256, "normal"), ("xx-large", 256, "xx-large"), ("large", 128, "normal")] {
      try stage.cache(size: size)
      #expect(try await stage.picture(side: side).file.contains("/\(expected)/"))
    }
    #expect(try await stage.picture().file.contains("/large/"))
  }

  @Test("A program for the type is run by its entry, each word as it is, and its picture is kept for the next time")
  func program() async throws {
    let stage = try Stage()
    try stage.install(
      "make-picture", entry: "[Thumbnailer Entry]\nExec=make-picture -o %o \"a  b\" 100%% x%s %u %i\nMimeType=video/mp4;\n")
    let thumbnails = MovieThumbnails(stage.options)
    let first = try await stage.picture(thumbnails)
    #expect(first.isOfTime && FileManager.default.fileExists(atPath: first.file))
    #expect(stage.record == ["make-picture|-o|\(first.file)|a  b|100%|x256|\(stage.uri)|\(stage.movie)"])
    #expect(try await stage.picture(thumbnails) == first)
    #expect(stage.record.count == 1)
    // Another size is another picture, and so is a movie that was changed.
    _ = try await stage.picture(thumbnails, side: 128)
    try stage.home.write("another film", to: "My film & more.mp4")
    #expect(try await stage.picture(thumbnails).file != first.file)
    #expect(stage.record.count == 3)
    thumbnails.removeEverything()
    #expect(!FileManager.default.fileExists(atPath: stage.options.folder))
  }

  @Test(
    "A program that can choose the time comes first when one is asked for, and is told it",
    arguments: [
      ("ffmpegthumbnailer", 0, "00:00:00"), ("ffmpegthumbnailer", 3725.9, "01:02:05"),
      ("totem-video-thumbnailer", 62.5, "62"),
    ])
  func time(_ name: String, _ seconds: Double, _ text: String) async throws {
    let stage = try Stage()
    try stage.install("aaa-other")
    try stage.install(name)
    try stage.cache()
    #expect(try await stage.picture(at: seconds).isOfTime)
    #expect(stage.record.count == 1)
    #expect(stage.record[0].hasPrefix("\(name)|-t|\(text)|-i|\(stage.movie)|-o|"), "\(stage.record)")
  }

  @Test("Where none can, the picture is of another time, and that is told")
  func otherTime() async throws {
    let stage = try Stage()
    try stage.install("other")
    #expect(try await stage.picture(at: 5).isOfTime == false)
    #expect(stage.record.count == 1 && !stage.record[0].contains("|-t|"))
    try stage.cache()
    #expect(try await stage.picture(at: 5).isOfTime == false)
    #expect(stage.record.count == 1)
  }

  @Test("Programs that fail, hang or write nothing are said by name, and the next one is tried")
  func failing() async throws {
    var stage = try Stage()
    stage.options.timeLimit = .milliseconds(300)
    try stage.install("a-fails", end: "exit 3")
    try stage.install("b-hangs", end: "exec /bin/sleep 60")
    try stage.install("c-idles", end: ":")
    let start = ContinuousClock.now
    let error = await #expect(throws: BridgeError.self) { try await stage.picture() }
    #expect(start.duration(to: .now) < .seconds(20))
    for part in ["a-fails' ended with 3", "b-hangs' did not end in time", "c-idles' wrote no picture"] {
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.options.folder).isEmpty)
    try stage.install("d-works")
    #expect(try await stage.picture().file.hasPrefix(stage.options.folder))
  }

  @Test("Without any, the error says what to install; entries that are none do not count")
  func none() async throws {
    let stage = try Stage()
    try stage.install("text", entry: "[Thumbnailer Entry]\nExec=text %i %o\nMimeType=text/plain;\n")
    try stage.install("nowhere", entry: "[Thumbnailer Entry]\nExec=nowhere %i\nMimeType=video/mp4;\n")
    try stage.install("broken", entry: "[Thumbnailer Entry]\nExec=broken \"%o\nMimeType=video/mp4;\n")
    try stage.home.write(
      "[Thumbnailer Entry]\nTryExec=not-there\nExec=text %i %o\nMimeType=video/mp4;\n", to: "share/thumbnailers/x.thumbnailer")
    let error = await #expect(throws: BridgeError.self) { try await stage.picture() }
    #expect(error?.message.contains("install ffmpegthumbnailer") == true)
    #expect(stage.record.isEmpty)
  }

  @Test("No more than some pictures are kept, and those of a former life go")
  func bounded() async throws {
    let stage = try Stage()
    try stage.install("make-picture")
    let old = try stage.home.write("old", to: "state/thumbnails/former.png")
    let thumbnails = MovieThumbnails(stage.options)
    for side in 1...40 { _ = try await stage.picture(thumbnails, side: side) }
    #expect(!FileManager.default.fileExists(atPath: old) && stage.record.count == 40)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.options.folder).count == 32)
  }

  // MARK: The desktop's service

  /// A thumbnail service on a bus.
  private final class Service: Sendable {
    let connection: BusConnection
    private let export = Mutex<Export?>(nil)
    let calls = Mutex<[[Value]]>([])

    /// - Parameter make: called for each call with its number, ahead of the signal that ends it; false: an error instead.
    init(_ bus: PrivateBus, signalsEarly: Bool = false, _ make: @escaping @Sendable (Value) -> Bool?) async throws {
      connection = try await BusConnection.connect(to: bus.address)
      let path: ObjectPath = "/org/freedesktop/thumbnails/Thumbnailer1"
      let interface: InterfaceName = "org.freedesktop.thumbnails.Thumbnailer1"
      let takes = ["as", "as", "s", "s", "u"].map { ExportedInterface.Argument("a", try! Signature($0)) }
      let queue = ExportedInterface.Method("Queue", takes: takes, returns: [.init("handle", "u")]) { [weak self] call in
        guard let self else { return }
        calls.withLock { $0.append(call.message.body) }
        let isMade = make(call.message.body[0])
        if !signalsEarly { call.reply([.uint32(7)]) }
        connection.emit(Signal(at: path, interface, "Finished", [.uint32(6)]))
        if isMade == false {
          connection.emit(
            Signal(at: path, interface, "Error", [.uint32(7), call.message.body[0], .int32(1), .string("no codec")]))
        }
        if isMade != nil { connection.emit(Signal(at: path, interface, "Finished", [.uint32(7)])) }
        if signalsEarly { call.reply([.uint32(7)]) }
      }
      let exported = connection.export(ExportedInterface(interface, methods: [queue]), at: path)
      export.withLock { $0 = exported }
      _ = try await connection.requestName("org.freedesktop.thumbnails.Thumbnailer1")
    }
  }

  @Test("The desktop's service puts a picture into the cache, also one that signals before it answers", arguments: [false, true])
  func service(early: Bool) async throws {
    var stage = try Stage()
    try stage.install("not-needed")
    let bus = try await PrivateBus()
    let connection = try await BusConnection.connect(to: bus.address)
    stage.options.session = { connection }
    let service = try await Service(bus, signalsEarly: early) { [stage] _ in
      try? stage.cache()
      return true
    }
    #expect(try await stage.picture().file == "\(stage.home.path)/\(stage.cachePath())")
    #expect(
      service.calls.withLock { $0 } == [
        [.strings([stage.uri]), .strings(["video/mp4"]), .string("large"), .string("default"), .uint32(0)]
      ])
    #expect(stage.record.isEmpty)
  }

  @Test("A service that fails, makes none or hangs is followed by the programs, and said when they fail too")
  func failingService() async throws {
    for (answer, reason) in [(false, "no codec"), (true, "made none"), (nil, "did not answer in time")] as [(Bool?, String)] {
      var stage = try Stage()
      stage.options.timeLimit = .milliseconds(300)
      let bus = try await PrivateBus()
      let connection = try await BusConnection.connect(to: bus.address)
      stage.options.session = { connection }
      let service = try await Service(bus) { _ in answer }
      let error = await #expect(throws: BridgeError.self) { try await stage.picture() }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      stage.options.timeLimit = .seconds(5)
      try stage.install("make-picture")
      if answer != nil { #expect(try await stage.picture().file.hasPrefix(stage.options.folder)) }
      extendLifetime(service)
    }
  }
}
