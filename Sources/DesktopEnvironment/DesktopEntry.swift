/// What an application's desktop entry says about it.
///
/// Source: Desktop Entry Specification 1.5.
public struct DesktopEntry: Sendable, Hashable {
  /// Its name without `.desktop`, dashes for folders.
  public let identifier: String
  /// The path of its file.
  public let file: String
  /// The application's name for people, in their language.
  public let name: String
  /// An icon's name or absolute path.
  public let icon: String?
  /// The command line as it stands there.
  public let exec: String?
  /// The application is started, and told of its actions, over D-Bus.
  public let isDBusActivatable: Bool
  /// Whether it says that it sends notifications (`X-GNOME-UsesNotifications`); nil when it says nothing.
  public let usesNotifications: Bool?

  /// The entry of an application.
  /// - Parameters:
  ///   - identifier: a name such as `org.example.Mail`; one `.desktop` at its end is ignored.
  ///   - paths: where it is looked for, `applications` in each folder of data; the first one found counts.
  ///   - languages: those in which its name is wanted; see ``Languages``.
  /// - Returns: nil when there is none, when it is marked as deleted, and when it is of no application.
  /// - Throws: ``KeyFileError`` for one that is malformed.
  public static func find(
    _ identifier: String, in paths: XDGPaths = XDGPaths(), languages: [String] = []
  ) throws(KeyFileError) -> DesktopEntry? {
    let suffix = ".desktop"
    let identifier = identifier.hasSuffix(suffix) ? String(identifier.dropLast(suffix.count)) : identifier
    guard !identifier.isEmpty, identifier.utf8.count <= 200, !identifier.hasPrefix("."),
      !identifier.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
    else { return nil }
    for folder in paths.dataSearchPath {
      if let file = file(of: identifier, in: folder + "/applications", depth: 4) {
        return try DesktopEntry(identifier: identifier, file: file, languages: languages)
      }
    }
    return nil
  }

  /// Nil for what is deleted or no application.
  private init?(identifier: String, file: String, languages: [String]) throws(KeyFileError) {
    let group = "Desktop Entry"
    let content = try KeyFile(file: file)
    guard try content.string("Type", in: group) == "Application", try content.boolean("Hidden", in: group) != true,
      let name = try content.string("Name", in: group, languages: languages)
    else { return nil }
    self.identifier = identifier
    self.file = file
    self.name = name
    icon = try content.string("Icon", in: group, languages: languages)
    exec = try content.string("Exec", in: group)
    isDBusActivatable = try content.boolean("DBusActivatable", in: group) ?? false
    usesNotifications = try content.boolean("X-GNOME-UsesNotifications", in: group)
  }

  /// The file of an entry: each dash of its name may stand for a folder.
  private static func file(of name: String, in folder: String, depth: Int) -> String? {
    let file = folder + "/" + name + ".desktop"
    if FileStamp(path: file) != nil { return file }
    guard depth > 0 else { return nil }
    for dash in name.indices where name[dash] == "-" {
      let below = folder + "/" + name[..<dash]
      let rest = String(name[name.index(after: dash)...])
      guard dash != name.startIndex, !rest.isEmpty, FileStamp.isFolder(below) else { continue }
      if let file = self.file(of: rest, in: below, depth: depth - 1) { return file }
    }
    return nil
  }
}
