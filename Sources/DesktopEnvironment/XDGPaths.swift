public import FoundationEssentials

/// The folders of the XDG Base Directory Specification 0.8. They need not exist.
public struct XDGPaths: Sendable, Hashable {
  /// The user's home.
  public let home: String
  /// Data of the user's, `~/.local/share` as a rule.
  public let dataHome: String
  /// Settings, `~/.config` as a rule.
  public let configHome: String
  /// What shall outlive the program but is no data, `~/.local/state` as a rule.
  public let stateHome: String
  /// What can be made again, `~/.cache` as a rule.
  public let cacheHome: String
  /// Data that is installed, most important first; without ``dataHome``.
  public let dataDirectories: [String]
  /// Settings that are installed, most important first; without ``configHome``.
  public let configDirectories: [String]
  /// Sockets and the like; ends with the user's session. Nil when there is none.
  public let runtimeDirectory: String?

  /// - Parameters:
  ///   - environment: where the `XDG_…` variables and `HOME` are looked for. Those that are empty, and paths that are
  ///     not absolute, count as not set.
  ///   - home: the user's home; nil: what `HOME` says, else what the system knows.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment, home: String? = nil) {
    func paths(_ name: String) -> [String] {
      (environment[name] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.map(Self.trimmed)
    }
    func path(_ name: String) -> String? {
      guard let path = environment[name], path.hasPrefix("/") else { return nil }
      return Self.trimmed(path)
    }
    func list(_ name: String, or standard: [String]) -> [String] {
      let found = paths(name)
      return found.isEmpty ? standard : found
    }
    let home = home ?? path("HOME") ?? Self.trimmed(FileManager.default.homeDirectoryForCurrentUser.path)
    self.home = home
    let base = home == "/" ? "" : home
    dataHome = path("XDG_DATA_HOME") ?? base + "/.local/share"
    configHome = path("XDG_CONFIG_HOME") ?? base + "/.config"
    stateHome = path("XDG_STATE_HOME") ?? base + "/.local/state"
    cacheHome = path("XDG_CACHE_HOME") ?? base + "/.cache"
    dataDirectories = list("XDG_DATA_DIRS", or: ["/usr/local/share", "/usr/share"])
    configDirectories = list("XDG_CONFIG_DIRS", or: ["/etc/xdg"])
    runtimeDirectory = path("XDG_RUNTIME_DIR")
  }

  /// Where data is looked for: ``dataHome``, then ``dataDirectories``.
  public var dataSearchPath: [String] { [dataHome] + dataDirectories }
  /// Where settings are looked for: ``configHome``, then ``configDirectories``.
  public var configSearchPath: [String] { [configHome] + configDirectories }

  /// Without slashes at the end.
  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
