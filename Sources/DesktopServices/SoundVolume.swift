internal import Glibc

/// Players, and how each takes a volume.
enum SoundVolume {
  /// The programs that can play a file, best first, with their arguments.
  static func players(_ path: String, _ volume: Double) -> [(String, [String])] {
    let isWave = path.lowercased().hasSuffix(".wav")
    // PulseAudio's number is the cube root of the amplitude, 65536 for 1.
    let pulse = Int((cbrt(volume) * 65536).rounded())
    var players = [
      ("pw-play", ["--media-role=Notification", "--volume=\(decimal(volume))", path]),
      ("paplay", ["--property=media.role=event", "--volume=\(pulse)", path]),
      ("canberra-gtk-play", ["--volume=\(decibels(volume))", "--file=\(path)"]),
    ]
    // It knows no volume.
    if isWave { players.append(("aplay", ["--quiet", path])) }
    return players
  }

  /// An amplitude over 0 in decibels, with a point whatever the language.
  static func decibels(_ volume: Double) -> String { decimal(20 * log10(volume)) }

  /// Three digits behind the point.
  private static func decimal(_ number: Double) -> String {
    let thousandths = Int((abs(number) * 1000).rounded())
    let fraction = String(thousandths % 1000)
    let sign = number < 0 && thousandths > 0 ? "-" : ""
    return "\(sign)\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.utf8.count))\(fraction)"
  }
}

/// The data folders of the XDG Base Directory Specification.
enum DataFolders {
  /// The user's first. What is not absolute does not count.
  static func all(_ environment: [String: String]) -> [String] {
    folders(environment, "XDG_DATA_HOME", "/.local/share", "XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
  }

  /// Those of settings, the user's first.
  static func settings(_ environment: [String: String]) -> [String] {
    folders(environment, "XDG_CONFIG_HOME", "/.config", "XDG_CONFIG_DIRS", ["/etc/xdg"])
  }

  private static func folders(
    _ environment: [String: String], _ own: String, _ inHome: String, _ installed: String, _ standard: [String]
  ) -> [String] {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let mine = absolute(own) ?? absolute("HOME").map { $0 + inHome }
    let others = (environment[installed] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return [mine].compactMap(\.self) + (others.isEmpty ? standard : others)
  }
}
