internal import FoundationEssentials
public import NotificationBridge

/// Where an application's string tables are on this system.
///
/// Its folder is `notify-bridge/applications/ID` below `XDG_DATA_HOME` and below each of `XDG_DATA_DIRS`, and holds
/// `LANG.lproj/Localizable.strings` and `.stringsdict`; `NOTIFY_BRIDGE_STRINGS_DIR` names a folder that comes before
/// these, for trials.
public enum ApplicationStrings {
  /// The tables of an application, in the languages of `environment`.
  /// - Parameters:
  ///   - application: its identifier. One that cannot be the name of a folder has no tables there.
  ///   - first: further folders, before all others.
  public static func tables(
    of application: String, environment: [String: String], first: [String] = []
  ) -> StringTables {
    StringTables(
      folders: first + folders(application, environment), languages: Languages(environment: environment),
      list: { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] },
      read: { try? SmallFile.bytes($0, limit: PropertyList.sizeLimit).get() })
  }

  private static func folders(_ application: String, _ environment: [String: String]) -> [String] {
    func paths(_ name: String) -> [String] {
      (environment[name] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }
    let trial = environment["NOTIFY_BRIDGE_STRINGS_DIR"].flatMap { $0.isEmpty ? nil : [$0] } ?? []
    let isName = !application.isEmpty && !application.hasPrefix(".") && !application.utf8.contains(UInt8(ascii: "/"))
    guard isName, !application.utf8.contains(0) else { return trial }
    let home = paths("XDG_DATA_HOME").first ?? environment["HOME"].map { $0 + "/.local/share" }
    let others = paths("XDG_DATA_DIRS")
    let data = (home.map { [$0] } ?? []) + (others.isEmpty ? ["/usr/local/share", "/usr/share"] : others)
    return trial + data.map { "\($0)/notify-bridge/applications/\(application)" }
  }
}
