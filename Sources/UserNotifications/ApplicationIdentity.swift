import Glibc
import NotificationBridge

/// Finds out which application this process is. There is always an answer.
struct ApplicationIdentity {
  /// What the program itself says.
  var explicit: String?
  var bundleIdentifier: String?
  /// The bundle's name for people.
  var bundleName: String?
  var environment: [String: String]
  /// The file name of the program.
  var executable: String
  var processID: Int32
  /// The path of the process's control group: where systemd keeps the name of the unit that it belongs to.
  var controlGroup: String

  /// That of this process.
  static var current: ApplicationIdentity {
    ApplicationIdentity(
      explicit: NotifyBridge.applicationIdentifier, bundleIdentifier: Bundle.main.bundleIdentifier,
      bundleName: (Bundle.main.object(forInfoDictionaryKey: "CFBundleDisplayName")
        ?? Bundle.main.object(forInfoDictionaryKey: "CFBundleName")) as? String,
      environment: ProcessInfo.processInfo.environment, executable: ProcessInfo.processInfo.processName,
      processID: getpid(), controlGroup: (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "")
  }

  /// Names given by the program, its bundle or its environment count as they are; what started the process counts if a
  /// desktop entry confirms it; else the program's name stands in.
  func record() -> ApplicationRecord {
    let entries = DesktopEntries(environment)
    for named in [explicit, bundleIdentifier, environment["NOTIFY_BRIDGE_APP_ID"]] {
      guard let named, let identifier = Self.identifier(named) else { continue }
      let entry = entries.find(identifier)
      let name = entry?.name ?? (named == bundleIdentifier ? bundleName : nil) ?? identifier
      return ApplicationRecord(identifier: identifier, name: name, isKnown: true, icon: entry?.icon ?? "")
    }
    if let identifier = launchedEntry, let entry = entries.find(identifier) {
      return ApplicationRecord(
        identifier: identifier, name: entry.name ?? executable, isKnown: true, icon: entry.icon ?? "")
    }
    for identifier in [unitEntry, Self.identifier(executable)] {
      // Programs started in a terminal belong to the terminal's unit, so the entry must start this program.
      guard let identifier, let entry = entries.find(identifier), entry.program == executable else { continue }
      return ApplicationRecord(
        identifier: identifier, name: entry.name ?? executable, isKnown: true, icon: entry.icon ?? "")
    }
    let name = executable.isEmpty ? "unknown" : executable
    return ApplicationRecord(identifier: name, name: name)
  }

  /// The name of a desktop entry, without exactly the suffix `.desktop`; nil for what cannot be one.
  static func identifier(_ text: String) -> String? {
    let name = text.hasSuffix(".desktop") ? String(text.dropLast(".desktop".count)) : text
    let isName = name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "/" }
    return name.isEmpty || name.hasPrefix(".") || name.utf8.count > 200 || !isName ? nil : name
  }

  /// The entry that GIO started this very process from.
  private var launchedEntry: String? {
    guard let path = environment["GIO_LAUNCHED_DESKTOP_FILE"],
      environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == "\(processID)"
    else { return nil }
    guard let range = path.range(of: "/applications/") else { return nil }
    return Self.identifier(path[range.upperBound...].replacingOccurrences(of: "/", with: "-"))
  }

  /// The application in the name of the unit.
  ///
  /// Source: systemd, "Desktop Environment Integration": `app[-LAUNCHER]-ID-RANDOM.scope` and
  /// `app[-LAUNCHER]-ID[@RANDOM].service`, `-` in each part escaped as `\x2d`.
  private var unitEntry: String? {
    let line = controlGroup.split(separator: "\n").first { $0.hasPrefix("0::") } ?? ""
    guard let unit = line.split(separator: "/").last, unit.hasPrefix("app-") else { return nil }
    var parts = unit.dropFirst(4).split(separator: "-", omittingEmptySubsequences: false)
    if unit.hasSuffix(".scope") {
      guard parts.count >= 2 else { return nil }
      parts.removeLast()
    } else if unit.hasSuffix(".service"), let last = parts.popLast() {
      parts.append(last.dropLast(".service".count).prefix { $0 != "@" })
    } else {
      return nil
    }
    return parts.last.flatMap { Self.identifier($0.replacingOccurrences(of: "\\x2d", with: "-")) }
  }
}

/// The installed desktop entries.
struct DesktopEntries {
  /// What is needed of one.
  struct Entry {
    var name: String?
    var icon: String?
    /// The file name of the program that it starts.
    var program: String?
  }

  private let folders: [String]
  /// Languages for `Name[…]`, best first.
  private let languages: [String]

  init(_ environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("XDG_DATA_HOME") ?? (value("HOME") ?? "") + "/.local/share"
    let others = value("XDG_DATA_DIRS")?.split(separator: ":").map(String.init) ?? ["/usr/local/share", "/usr/share"]
    folders = ([home] + others).map { $0 + "/applications/" }
    let locale = (value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "").prefix { $0 != "." && $0 != "@" }
    languages = [String(locale), String(locale.prefix { $0 != "_" })].filter { !$0.isEmpty }
  }

  /// Reads the first entry of that name; files over 1 MB are none.
  func find(_ identifier: String) -> Entry? {
    for folder in folders {
      let path = folder + identifier + ".desktop"
      let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
      guard let size, size.intValue < 1 << 20, let data = FileManager.default.contents(atPath: path) else { continue }
      return read(String(decoding: data, as: UTF8.self))
    }
    return nil
  }

  private func read(_ text: String) -> Entry {
    var values: [Substring: String] = [:]
    var isMain = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") { isMain = line.hasPrefix("[Desktop Entry]") }
      guard isMain, let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
      let key = line[..<equals].trimmingCharacters(in: .whitespaces)
      values[key[...]] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    }
    let names = languages.map { "Name[\($0)]" } + ["Name"]
    let command = values["Exec"]?.split(separator: " ").first { !$0.contains("=") && $0 != "env" }
    return Entry(
      name: names.lazy.compactMap { values[$0[...]] }.first, icon: values["Icon"],
      program: command?.split(separator: "/").last.map { $0.replacingOccurrences(of: "\"", with: "") })
  }
}
