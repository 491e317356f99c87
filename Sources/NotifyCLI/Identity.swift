internal import Glibc
internal import NotificationBridge

/// Under which application the command speaks.
enum Identity {
  /// - Parameter app: what the user said; nil: `NOTIFY_BRIDGE_APP_ID`, else the command itself.
  static func application(app: String?, environment: [String: String]) -> ApplicationRecord {
    guard let named = app ?? environment["NOTIFY_BRIDGE_APP_ID"], !named.isEmpty else {
      return ApplicationRecord(identifier: "notify-bridge", name: "notify-bridge")
    }
    // The file's name minus exactly this suffix is the identifier; the rest of the name is never touched.
    let identifier = named.hasSuffix(".desktop") ? String(named.dropLast(".desktop".count)) : named
    guard isIdentifier(identifier) else { return ApplicationRecord(identifier: named, name: named) }
    let file = entry(identifier, environment)
    let isKnown = file != nil || named != identifier || identifier.contains(".")
    return ApplicationRecord(
      identifier: identifier, name: file.flatMap(displayName) ?? identifier, isKnown: isKnown)
  }

  /// Whether it can be the name of a desktop entry at all.
  private static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0) }
  }

  private static func entry(_ identifier: String, _ environment: [String: String]) -> String? {
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    let others = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init)
    let folders = [home] + (others.isEmpty ? ["/usr/local/share", "/usr/share"] : others)
    return folders.map { "\($0)/applications/\(identifier).desktop" }.first { unsafe access($0, R_OK) == 0 }
  }

  /// The untranslated `Name` of a desktop entry.
  private static func displayName(_ file: String) -> String? {
    guard let (text, _) = try? FileInput.text(file, option: "--app") else { return nil }
    var isMain = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") { isMain = line.hasPrefix("[Desktop Entry]") }
      if isMain, line.hasPrefix("Name=") { return String(line.dropFirst(5)) }
    }
    return nil
  }
}
