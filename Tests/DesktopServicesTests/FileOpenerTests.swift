import DBus
import Foundation
import NotificationBridge
import Synchronization
import TestSupport
import Testing

@testable import DesktopServices

@Suite("Playing and opening files", .timeLimit(.minutes(1)))
struct FileOpenerTests {
  private struct Stage {
    let home: TemporaryHome
    let bus: PrivateBus
    let log = MemoryLog()
    let file: String
    let connection: BusConnection

    init(_ programs: [String: String]) async throws {
      home = try TemporaryHome()
      bus = try await PrivateBus()
      connection = try await BusConnection.connect(to: bus.address)
      file = try home.write("content", to: "a file; rm -rf $HOME.mp4")
      for (name, end) in programs {
        try home.write(
          "#!/bin/sh\n{ printf '%s' \(name); printf '|%s' \"$@\"; echo \"|$XDG_ACTIVATION_TOKEN\"; } >> \"$RECORD\"\n\(end)\n",
          to: "bin/\(name)", permissions: 0o700)
      }
    }

    var opener: FileOpener {
      var environment = home.environment
      environment["PATH"] = "\(home.path)/bin"
      environment["RECORD"] = "\(home.path)/record"
      var options = FileOpener.Options(environment: environment, log: log)
      var player = SoundPlayer.Options(environment: environment)
      player.library = nil
      options.player = SoundPlayer(player)
      options.session = { [connection] in connection }
      return FileOpener(options)
    }

    func recorded(_ lines: [String]) async throws {
      try await eventually(within: .seconds(10), "\(lines), not \(record); \(log.messages(from: .debug))") { record == lines }
    }

    var record: [String] {
      ((try? String(contentsOfFile: home.path + "/record", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
  }

  /// A portal that keeps what it was asked for.
  private final class Portal: Sendable {
    let connection: BusConnection
    private let export = Mutex<Export?>(nil)
    let calls = Mutex<[(content: String, options: [String: Value])]>([])

    init(_ bus: PrivateBus, error: ErrorName? = nil) async throws {
      connection = try await BusConnection.connect(to: bus.address)
      let takes = ["s", "h", "a{sv}"].map { ExportedInterface.Argument("a", try! Signature($0)) }
      let open = ExportedInterface.Method("OpenFile", takes: takes, returns: [.init("handle", "o")]) { [weak self] call in
        if let error { return call.fail(error, "no") }
        guard case .unixFD(let file) = call.message.body[1] else { return }
        let handle = FileHandle(fileDescriptor: file.rawValue, closeOnDealloc: false)
        let content = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
        self?.calls.withLock { $0.append((content, call.message.body[2].asProperties ?? [:])) }
        call.reply([.objectPath("/request/1")])
      }
      let exported = connection.export(
        ExportedInterface("org.freedesktop.portal.OpenURI", methods: [open]), at: "/org/freedesktop/portal/desktop")
      export.withLock { $0 = exported }
      _ = try await connection.requestName("org.freedesktop.portal.Desktop")
    }
  }

  @Test("The portal opens a file: it gets the open file, not to be written to, and the token")
  func portal() async throws {
    let stage = try await Stage(["gio": "", "xdg-open": ""])
    let portal = try await Portal(stage.bus)
    stage.opener.open(stage.file, mimeType: "video/mp4", application: "org.example.App", activationToken: "T")
    try await eventually(within: .seconds(10), "it is asked") { portal.calls.withLock { $0.count } == 1 }
    let call = portal.calls.withLock { $0[0] }
    #expect(call.content == "content")
    #expect(call.options == ["writable": .boolean(false), "activation_token": .string("T")])
    #expect(stage.record.isEmpty)
  }

  @Test("Without a portal that can, gio opens it, else xdg-open: the file is one word, whatever is in its name")
  func programs() async throws {
    var stage = try await Stage(["gio": "", "xdg-open": ""])
    stage.opener.open(stage.file, mimeType: "video/mp4", application: "org.example.App", activationToken: "T")
    try await stage.recorded(["gio|open|\(stage.file)|T"])
    stage = try await Stage(["xdg-open": ""])
    let portal = try await Portal(stage.bus, error: "org.freedesktop.portal.Error.NotAllowed")
    stage.opener.open(stage.file, mimeType: "video/mp4", application: "org.example.App", activationToken: nil)
    try await stage.recorded(["xdg-open|\(stage.file)|"])
    extendLifetime(portal)
  }

  @Test("Where nothing can, or the file has gone, a warning says why and what to install")
  func nothing() async throws {
    let stage = try await Stage([:])
    stage.opener.open(stage.file, mimeType: "video/mp4", application: "org.example.App", activationToken: nil)
    try await eventually(within: .seconds(10), "the warning") {
      stage.log.messages(from: .warning).contains { $0.contains("xdg-utils") && $0.contains("there is no program 'gio'") }
    }
  }

  @Test("A sound is played; where nothing plays it, the desktop opens it")
  func sounds() async throws {
    var stage = try await Stage(["pw-play": "", "gio": ""])
    stage.opener.play(stage.file, mimeType: "audio/mpeg", application: "org.example.App", activationToken: "T")
    try await stage.recorded(["pw-play|--media-role=Notification|--volume=1.000|\(stage.file)|"])
    for end in [nil, "exit 1"] as [String?] {
      stage = try await Stage(end.map { ["pw-play": $0, "gio": ""] } ?? ["gio": ""])
      stage.opener.play(stage.file, mimeType: "audio/mpeg", application: "org.example.App", activationToken: "T")
      let played = end == nil ? [] : ["pw-play|--media-role=Notification|--volume=1.000|\(stage.file)|"]
      try await stage.recorded(played + ["gio|open|\(stage.file)|T"])
    }
  }
}
