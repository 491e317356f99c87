/// Which of an application's `LANG.lproj` folders are looked into, and in which order.
enum LanguageFolders {
  /// A language as folders (`pt-BR`, `zh-Hant`) or locales (`pt_BR`, `sr_RS@latin`) name it.
  struct Tag: Hashable {
    var language: String
    /// The one that the language is usually written in there, if none is named.
    var script: String
    var region: String

    init(_ name: some StringProtocol) {
      let parts = name.split(separator: "@", maxSplits: 1)
      let place = parts.first.map { String($0) } ?? ""
      var words = place.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { String($0) }
      let first = words.isEmpty ? "" : words.removeFirst().lowercased()
      language = Tag.otherNames[first] ?? first
      script = words.first { $0.utf8.count == 4 }?.lowercased() ?? ""
      region = words.first { $0.utf8.count == 2 || $0.utf8.count == 3 }?.uppercased() ?? ""
      if parts.count == 2, script.isEmpty { script = ["latin": "latn", "cyrillic": "cyrl"][String(parts[1])] ?? "" }
      if script.isEmpty, language == "zh" { script = ["TW", "HK", "MO"].contains(region) ? "hant" : "hans" }
      if script.isEmpty, language == "sr" { script = "cyrl" }
    }

    /// Names that were used before, and Apple's old ones.
    private static let otherNames = [
      "no": "nb", "iw": "he", "in": "id", "ji": "yi", "tl": "fil", "english": "en", "french": "fr", "german": "de",
      "italian": "it", "spanish": "es", "dutch": "nl", "japanese": "ja", "portuguese": "pt",
    ]

    /// How well a folder of this language serves who wants `wanted`; nil: not at all.
    func rank(for wanted: Tag) -> Int? {
      guard !language.isEmpty, language == wanted.language, script == wanted.script else { return nil }
      if region == wanted.region { return 0 }
      return region.isEmpty ? 1 : 2
    }
  }

  static let suffix = ".lproj"

  /// - Parameters:
  ///   - entries: what is in the application's folder.
  ///   - wanted: the user's languages, most wanted first.
  ///   - development: the language that the application is written in.
  /// - Returns: names of folders, the best first.
  static func order(_ entries: [String], wanted: [String], development: String) -> [String] {
    let folders = entries.filter { $0.hasSuffix(suffix) }.sorted()
    let tagged = folders.map { ($0, Tag($0.dropLast(suffix.count))) }
    var result: [String] = []
    func add(_ language: Tag) {
      let fitting = tagged.compactMap { name, tag in tag.rank(for: language).map { ($0, name) } }
      for (_, name) in fitting.sorted(by: { $0 < $1 }) where !result.contains(name) { result.append(name) }
    }
    for name in wanted { add(Tag(name)) }
    if !development.isEmpty { add(Tag(development)) }
    if folders.contains("Base" + suffix) { result.append("Base" + suffix) }
    add(Tag("en"))
    return result
  }
}
