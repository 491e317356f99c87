import DesktopEnvironment
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
    for named in [explicit, bundleIdentifier, environment["NOTIFY_BRIDGE_APP_ID"]] {
      guard let named, let identifier = Self.identifier(named) else { continue }
      let name = named == bundleIdentifier ? bundleName : nil
      return record(identifier, entry(identifier), name: name ?? identifier)
    }
    if let identifier = launchedEntry, let entry = entry(identifier) { return record(identifier, entry, name: "") }
    for identifier in [unitEntry, Self.identifier(executable)] {
      // Programs started in a terminal belong to the terminal's unit, so the entry must start this program.
      guard let identifier, let entry = entry(identifier), Self.program(entry.exec) == executable else { continue }
      return record(identifier, entry, name: "")
    }
    let name = executable.isEmpty ? "unknown" : executable
    return ApplicationRecord(identifier: name, name: name)
  }

  private func record(_ identifier: String, _ entry: DesktopEntry?, name: String) -> ApplicationRecord {
    ApplicationRecord(identifier: identifier, name: entry?.name ?? name, isKnown: true, icon: entry?.icon ?? "")
  }

  /// A malformed entry is as good as none.
  private func entry(_ identifier: String) -> DesktopEntry? {
    let paths = XDGPaths(environment: environment)
    return (try? DesktopEntry.find(identifier, in: paths, languages: Languages(environment: environment).names)) ?? nil
  }

  /// The file name of the program that a command line of a desktop entry starts.
  static func program(_ exec: String?) -> String? {
    let words = exec?.split(separator: " ") ?? []
    guard let first = words.first(where: { !$0.contains("=") && $0 != "env" }) else { return nil }
    return first.split(separator: "/").last?.replacingOccurrences(of: "\"", with: "")
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
