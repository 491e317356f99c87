/// What the desktop says of sounds. Nil: it does not say.
public struct SoundSettings: Sendable, Hashable {
  /// The sound theme's name, for ``SoundPlayer/Options/theme``.
  public var theme: String?
  /// Whether events may sound at all.
  public var eventSounds: Bool?

  public init(theme: String? = nil, eventSounds: Bool? = nil) {
    self.theme = theme
    self.eventSounds = eventSounds
  }

  /// Reads them where the desktop of `XDG_CURRENT_DESKTOP` keeps them; takes some seconds at most.
  public nonisolated(nonsending) static func read(environment: [String: String]) async -> SoundSettings {
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":")
    if desktops.contains("kde") { return await plasma(environment) }
    let schema = desktops.contains("mate") ? "org.mate.sound" : "org.gnome.desktop.sound"
    let knowsSchema = ["gnome", "mate", "budgie", "unity", "pantheon", "x-cinnamon", "cinnamon", "ubuntu"]
    guard desktops.contains(where: { knowsSchema.contains(String($0)) }) else { return SoundSettings() }
    let keys = await SettingsTool(environment: environment).all(schema)
    return SoundSettings(
      theme: SettingsTool.string(keys["theme-name"]), eventSounds: SettingsTool.boolean(keys["event-sounds"]))
  }

  private nonisolated(nonsending) static func plasma(_ environment: [String: String]) async -> SoundSettings {
    let files = DataFolders.settings(environment).map { $0 + "/kdeglobals" }
    let texts = await BlockingWork.result(within: .seconds(5)) { () -> [KeyText]? in
      files.compactMap { try? SmallFile.contents($0, limit: 1 << 20).get() }.map(KeyText.init)
    }
    guard let texts else { return SoundSettings() }
    // Plasma's own theme where none is set.
    let theme = texts.lazy.compactMap { $0.value("Theme", in: "Sounds") }.first ?? "ocean"
    return SoundSettings(theme: theme, eventSounds: texts.lazy.compactMap { $0.boolean("Enable", in: "Sounds") }.first)
  }
}
