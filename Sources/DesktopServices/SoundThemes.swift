internal import Glibc

/// Finds sounds by name, in the order of libcanberra: the theme, those it inherits, `freedesktop`, then files outside
/// of themes; in each folder the name, then the name without its last part, and so on, each in the user's language first.
///
/// Source: Sound Theme Specification 0.8, "Sound lookup"; libcanberra 0.30 where that is vague.
public struct SoundThemes: Sendable, Hashable {
  /// What is found under a name.
  public enum Found: Sendable, Hashable {
    /// The absolute path of a sound.
    case file(String)
    /// The theme wants no sound here.
    case silence
    /// There is no such sound.
    case missing
  }

  /// The theme of which every other inherits.
  public static let fallback = "freedesktop"

  private let folders: [String]
  private let locales: [String]
  private let theme: String

  /// - Parameters:
  ///   - folders: absolute paths of the data folders, the user's first; sounds are in `sounds` below them.
  ///   - theme: the theme's name.
  ///   - locale: as in `LANG`; empty: none.
  public init(folders: [String], theme: String = SoundThemes.fallback, locale: String = "") {
    self.folders = folders.filter { $0.hasPrefix("/") }
    self.theme = theme
    locales = Self.locales(locale)
  }

  /// Looks for a sound. Reads folders: not for a thread that must not wait.
  /// - Parameter name: such as `message-new-instant`. What is no plain name (with a slash, say) is missing.
  public func find(_ name: String) -> Found {
    guard Self.isPlain(name) else { return .missing }
    let chain = themes()
    for theme in chain {
      for part in theme.parts {
        if let found = find(name, below: theme.name + "/" + part) { return found }
      }
    }
    if let first = chain.first, let found = find(name, below: first.name) { return found }
    return find(name, below: "") ?? .missing
  }

  // MARK: Themes

  private struct Theme {
    let name: String
    /// Folders in it that hold sounds for stereo.
    var parts: [String] = []
    var parents: [String] = []
  }

  /// The theme and those it inherits, each once, as far as they are there.
  private func themes() -> [Theme] {
    var wanted = [theme]
    var chain: [Theme] = []
    while let name = wanted.first, chain.count < 16 {
      wanted.removeFirst()
      guard !chain.contains(where: { $0.name == name }), let theme = load(name) else { continue }
      chain.append(theme)
      // Depth first, as themes are meant.
      wanted = theme.parents + wanted
    }
    if !chain.contains(where: { $0.name == Self.fallback }), let theme = load(Self.fallback) { chain.append(theme) }
    return chain
  }

  private func load(_ name: String) -> Theme? {
    guard Self.isPlain(name) else { return nil }
    for folder in folders {
      guard case .success(let text) = SmallFile.contents("\(folder)/sounds/\(name)/index.theme") else { continue }
      let keys = KeyText(text)
      let parts = keys.list("Directories", in: "Sound Theme").filter { part in
        Self.isInside(part) && (keys.value("OutputProfile", in: part) ?? "stereo") == "stereo"
      }
      return Theme(name: name, parts: parts, parents: keys.list("Inherits", in: "Sound Theme"))
    }
    return nil
  }

  // MARK: Files

  /// - Parameter part: a folder below `sounds`; empty for that itself.
  private func find(_ name: String, below part: String) -> Found? {
    for folder in folders {
      let place = "\(folder)/sounds" + (part.isEmpty ? "" : "/" + part)
      var name = Substring(name)
      while true {
        for locale in locales {
          if let found = find(locale.isEmpty ? "\(place)/\(name)" : "\(place)/\(locale)/\(name)") { return found }
        }
        guard let dash = name.lastIndex(of: "-"), dash > name.startIndex else { break }
        name = name[..<dash]
      }
    }
    return nil
  }

  private func find(_ stem: String) -> Found? {
    if unsafe access(stem + ".disabled", F_OK) == 0 { return .silence }
    for suffix in [".oga", ".ogg", ".wav"] where SmallFile.isRegular(stem + suffix) { return .file(stem + suffix) }
    return nil
  }

  // MARK: Text

  /// `de_AT.UTF-8@euro` gives `de_AT@euro`, `de_AT`, `de`, `C` and none.
  private static func locales(_ locale: String) -> [String] {
    let isNone = locale.isEmpty || locale == "POSIX" || !isPlain(locale)
    let modifier = locale.firstIndex(of: "@").map { locale[$0...] } ?? ""
    let base = locale.prefix { $0 != "." && $0 != "@" }
    let language = base.prefix { $0 != "_" }
    var result: [String] = []
    for candidate in isNone ? [] : [String(base + modifier), String(base), String(language)]
    where !candidate.isEmpty && !result.contains(candidate) { result.append(candidate) }
    return result.filter { $0 != "C" } + ["C", ""]
  }

  /// True for what cannot lead out of a folder.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
      && name.utf8.count <= 200
  }

  private static func isInside(_ folder: String) -> Bool {
    !folder.hasPrefix("/") && folder.split(separator: "/").allSatisfy { isPlain(String($0)) }
  }
}
