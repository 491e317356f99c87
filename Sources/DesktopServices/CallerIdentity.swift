/// Which application a caller on the bus is, as far as the system vouches for it.
public enum CallerIdentity: Sendable, Hashable {
  /// A sandboxed application, with its id: a Flatpak's own, and of a snap `NAME_APP` (its desktop entry's name). It may
  /// not give itself another one.
  case application(String)
  /// It is sandboxed, or may be, and cannot be named.
  case unknownSandbox
  /// It is not sandboxed: it is who it says.
  case free
}

/// What is known of a process that calls, and what follows from it.
///
/// Nothing that the process chooses itself counts: neither its arguments, nor its environment, nor its executable.
struct CallerEvidence: Sendable, Hashable {
  /// `.flatpak-info` at the root of the file system that the process sees.
  enum FlatpakInfo: Sendable, Hashable {
    case absent
    /// We may not look there, which alone says nothing: a bridge in a user namespace of its own never may.
    case unreadable
    case text(String)
    /// Something that cannot be one: a link, a device, something endless.
    case malformed
  }

  /// The security label that the bus got from the kernel when the process connected; nil where there is none.
  var label: String?
  /// `/proc/PID/cgroup`.
  var cgroup: String
  var flatpakInfo = FlatpakInfo.absent
  /// Whether the process is in a process namespace below ours, as those of most sandboxes and containers are.
  var isInNestedNamespace = false

  var identity: CallerIdentity {
    var found: Set<CallerIdentity> = []
    if let label, let identity = Self.identity(label: label) { found.insert(identity) }
    switch flatpakInfo {
    case .text(let text): found.insert(FlatpakName.inInfo(text).map { .application($0) } ?? .unknownSandbox)
    case .malformed: found.insert(.unknownSandbox)
    case .absent, .unreadable: break
    }
    for unit in Self.units(cgroup) {
      if let name = FlatpakName.unitsPart(unit) {
        found.insert(FlatpakName.inUnit(name).map { .application($0) } ?? .unknownSandbox)
      } else if !isKnownUnconfined, unit.hasPrefix("snap.") {
        found.insert(SnapName.inUnit(unit).map { .application($0.applicationID) } ?? .unknownSandbox)
      }
    }
    // Two names for one process: one of them is not its own.
    if found.count > 1 { return .unknownSandbox }
    return found.first ?? (isInNestedNamespace ? .unknownSandbox : .free)
  }

  /// AppArmor says that nothing holds the process: of a snap only one that is not sandboxed (classic, devmode), whose
  /// terminals and scripts are who they say, the snap's cgroup notwithstanding.
  private var isKnownUnconfined: Bool {
    guard let label else { return false }
    return label == "unconfined" || label.hasSuffix(" (complain)") || label.hasSuffix(" (unconfined)")
  }

  /// Of `snap.NAME.APP (enforce)`; nil for any other label.
  private static func identity(label: String) -> CallerIdentity? {
    guard label.hasPrefix("snap."), label.hasSuffix(" (enforce)") else { return nil }
    // A profile inside the snap's has its name behind two slashes.
    let profile = label.dropLast(" (enforce)".utf8.count).prefix { $0 != "/" }
    return SnapName.inLabel(profile).map { .application($0.applicationID) } ?? .unknownSandbox
  }

  /// The systemd units that a process is in, by its cgroups.
  static func units(_ cgroup: String) -> [Substring] {
    cgroup.split(separator: "\n").flatMap { line -> [Substring] in
      // number:controllers:path
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1].isEmpty || parts[1] == "name=systemd" else { return [] }
      return parts[2].split(separator: "/").filter { $0.hasSuffix(".scope") || $0.hasSuffix(".service") }
    }
  }
}
