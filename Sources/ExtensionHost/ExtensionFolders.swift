internal import Glibc

/// Where extensions, and what they share with their applications, are.
public struct ExtensionFolders: Sendable, Hashable {
  /// Data of the user's, `~/.local/share` as a rule.
  public let dataHome: String
  /// Where data is looked for, the most important first.
  public let dataSearchPath: [String]

  public init(dataHome: String, dataDirectories: [String]) {
    self.dataHome = dataHome
    dataSearchPath = [dataHome] + dataDirectories
  }

  /// Source: XDG Base Directory Specification 0.8.
  /// - Parameter home: the user's, where the environment does not say.
  public init(environment: [String: String], home: String) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let home = path("HOME") ?? home
    let folders = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    self.init(
      dataHome: path("XDG_DATA_HOME") ?? (home == "/" ? "" : home) + "/.local/share",
      dataDirectories: folders.isEmpty ? ["/usr/local/share", "/usr/share"] : folders.map(String.init))
  }

  /// The folders with extensions of all applications, the most important first.
  public var all: [String] { dataSearchPath.map { $0 + "/notify-bridge/extensions" } }

  /// The folder of an application that the user's extensions are in.
  public func user(_ application: String) -> String { all[0] + "/" + application }

  /// The folder that an application and its extensions share.
  public func group(_ application: String) -> String { groups + "/" + application }
  /// Where those are.
  public var groups: String { dataHome + "/notify-bridge/groups" }

  /// The same, made if it is not there, for the user alone. Nil: it cannot be made.
  public func madeGroup(_ application: String) -> String? {
    guard Self.canHaveFolder(application) else { return nil }
    let folder = group(application)
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      if unsafe mkdir(path, 0o700) != 0, errno != EEXIST, unsafe access(path, F_OK) != 0 { return nil }
    }
    return folder
  }

  /// Whether an application's identifier can be the name of a folder.
  public static func canHaveFolder(_ application: String) -> Bool {
    !application.isEmpty && application.utf8.count <= 255 && !application.hasPrefix(".")
      && !application.utf8.contains(UInt8(ascii: "/")) && !application.utf8.contains(0)
  }

  /// The names in a folder; none where there is none.
  /// - Parameter hidden: only those that begin with a dot; else only the others.
  static func names(in folder: String, hidden: Bool = false) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasPrefix(".") == hidden { names.append(name) }
    }
    return names.sorted()
  }
}
