import DesktopServices
import ExtensionHost
import Foundation
import NotificationBridge
import TestSupport

/// A home with bundles in it, and the host that finds them.
final class BundleStage: Sendable {
  let home: TemporaryHome
  let log = MemoryLog()
  let host: ExtensionHost
  static let application = ApplicationRecord(identifier: "org.example.Chat", name: "Chat")

  init(_ limits: ExtensionLimits = ExtensionLimits(), units: TransientUnits? = nil) throws {
    home = try TemporaryHome()
    try home.makeFolder("system")
    host = ExtensionHost(
      folders: ExtensionFolders(dataHome: "\(home.path)/data", dataDirectories: ["\(home.path)/system"]),
      environment: ["PATH": "/usr/bin:/bin", "HOME": home.path], units: units, limits: limits, log: log)
  }

  /// What was logged for people, on one line.
  var messages: String { log.messages(from: .info).joined(separator: "\n") }

  static let service =
    "<key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>"

  static func content(_ category: String, _ more: String = "") -> String {
    """
    <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.content-extension</string>
    <key>NSExtensionAttributes</key><dict>
    <key>UNNotificationExtensionCategory</key>\(category)
    <key>UNNotificationExtensionInitialContentSizeRatio</key><real>0.5</real>\(more)</dict>
    """
  }

  static func list(_ description: String, executable: String = "<string>run</string>") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleExecutable</key>\(executable)
    <key>CFBundleIdentifier</key><string>org.example.Chat.one</string>
    <key>NSExtension</key><dict>\(description)</dict>
    </dict></plist>
    """
  }

  /// Writes a bundle.
  /// - Parameters:
  ///   - program: a script, with its first line.
  ///   - folder: `data` is the user's, `system` the system's.
  @discardableResult
  func install(
    _ name: String, _ list: String, program: String = "#!/bin/sh\n", of application: String = application.identifier,
    in folder: String = "data"
  ) throws -> String {
    let place = "\(folder)/notify-bridge/extensions/\(application)/\(name).appex"
    // The program first: what changes the marks comes last.
    try home.write(program, to: "\(place)/run", permissions: 0o700)
    try home.write(list, to: "\(place)/Info.plist")
    return "\(home.path)/\(place)"
  }

  func request(_ title: String, _ identifier: String = "one") -> RequestRecord {
    var content = ContentRecord()
    content.title = title
    return RequestRecord(identifier: identifier, content: content, trigger: .push)
  }

  func notification(_ title: String) -> NotificationRecord {
    NotificationRecord(
      application: Self.application, request: request(title), date: Date(timeIntervalSince1970: 1_700_000_000))
  }

  /// What the service extension makes of a notification.
  func modify(
    _ title: String = "Title", of application: ApplicationRecord = application
  ) async -> ContentRecord? {
    await withCheckedContinuation { continuation in
      host.modify(request(title), of: application) { continuation.resume(returning: $0) }
    }
  }

  /// Waits until no process has anything of the home in its words.
  func hasNoProcess() async throws {
    try await eventually(within: .seconds(10), "no program is left") {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).allSatisfy { name in
        guard Int(name) != nil, let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
          return true
        }
        return !String(decoding: words, as: UTF8.self).contains(home.path)
      }
    }
  }
}
