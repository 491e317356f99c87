internal import DesktopEnvironment
internal import Glibc
internal import NotificationBridge

/// A program that is run when somebody acts on a notification.
///
/// Source: notify-bridge.conf(5), "Handlers".
struct Handler: Sendable, Hashable {
  /// The name of its file without `.handler`.
  let name: String
  /// The program and its arguments.
  let command: [String]
  /// Empty: all.
  let applications: [String]
  let categories: [String]
  let actions: [String]
  /// Nil: as the configuration says.
  let timeout: Duration?

  /// Reads a file; nil for one that turns the handler off.
  /// - Throws: ``HandlerError`` with file, key and what is wrong.
  init?(file: String, name: String) throws(HandlerError) {
    let content: KeyFile
    do throws(KeyFileError) {
      content = try KeyFile(file: file)
      guard !content.groups.isEmpty else { return nil }
      if try content.boolean("Disabled", in: Self.group) == true { return nil }
      applications = try content.strings("Application", in: Self.group) ?? []
      categories = try content.strings("Category", in: Self.group) ?? []
      actions = try content.strings("Action", in: Self.group) ?? []
    } catch {
      throw HandlerError(message: "\(error)")
    }
    for key in content.keys(of: Self.group) where !Self.keys.contains(key) {
      throw HandlerError(message: "\(file): unknown key \(key) in [Handler]")
    }
    guard let exec = (try? content.string("Exec", in: Self.group)) ?? nil, !exec.isEmpty else {
      throw HandlerError(message: "\(file): Exec in [Handler] is missing: which program is to be run?")
    }
    do throws(ExecError) {
      command = try ExecLine.split(exec)
    } catch {
      throw HandlerError(message: "\(file): Exec in [Handler]: \(error.message)")
    }
    if let text = (try? content.string("Timeout", in: Self.group)) ?? nil {
      guard let time = TimeSpan.duration(text) else {
        throw HandlerError(message: "\(file): Timeout in [Handler] is no time: give seconds, or a number with ms, s, m, h")
      }
      timeout = time
    } else {
      timeout = nil
    }
    self.name = name
  }

  private static let group = "Handler"
  private static let keys: Set<String> = ["Exec", "Application", "Category", "Action", "Timeout", "Disabled"]

  /// Whether it is meant for a response.
  func matches(_ response: ResponseRecord) -> Bool {
    let request = response.notification.request
    func fits(_ list: [String], _ value: String) -> Bool { list.isEmpty || list.contains(value) }
    return fits(applications, response.notification.application.identifier)
      && fits(categories, request.content.categoryIdentifier) && fits(actions, response.action.word)
  }
}

/// Why a handler's file cannot be used.
struct HandlerError: Error { let message: String }

extension ResponseRecord.Action {
  /// How handlers see it.
  var word: String {
    switch self {
    case .default: "default"
    case .dismiss: "dismiss"
    case .settings: "settings"
    case .custom(let identifier): identifier
    }
  }
}

/// The handlers in the user's folder and those of the system. What changed in the folders counts at the next response.
struct HandlerFolder: Sendable {
  private let folders: [String]
  private var stamps: [String] = []
  private(set) var handlers: [Handler] = []
  /// What is wrong, a sentence each.
  private(set) var problems: [String] = []

  /// - Parameter folders: the most important first.
  init(_ folders: [String]) { self.folders = folders }

  /// Reads the folders, if anything in them changed since.
  /// - Returns: whether they were read.
  mutating func refresh() -> Bool {
    let files = files()
    let stamps = files.map { "\($0.path) \(FileMark.text($0.path))" }
    guard stamps != self.stamps || self.stamps.isEmpty && !files.isEmpty else { return false }
    self.stamps = stamps
    handlers = []
    problems = []
    for (name, path) in files {
      do throws(HandlerError) {
        if let handler = try Handler(file: path, name: name) { handlers.append(handler) }
      } catch {
        problems.append(error.message)
      }
    }
    return true
  }

  /// The files by name; of two with one name that of the more important folder.
  private func files() -> [(name: String, path: String)] {
    var found: [String: String] = [:]
    for folder in folders.reversed() {
      for name in Self.names(in: folder) where name.hasSuffix(".handler") && !name.hasPrefix(".") {
        found[String(name.dropLast(".handler".count))] = folder + "/" + name
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }
}
