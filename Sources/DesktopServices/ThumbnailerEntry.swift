internal import Glibc

/// A program that makes pictures of files, as `thumbnailers/NAME.thumbnailer` in the data folders tells.
///
/// Source: GNOME's thumbnailers: group `Thumbnailer Entry`; `Exec` with `%i` (the file), `%u` (its URI), `%o` (where the
/// picture goes) and `%s` (its size in pixels).
struct ThumbnailerEntry: Sendable, Hashable {
  /// The program and its words, field codes not yet replaced.
  let words: [String]
  let mimeTypes: Set<String>

  /// Nil for what is none, whose program is not there, or which has nowhere to write to.
  init?(_ text: String, environment: [String: String]) {
    let group = "Thumbnailer Entry"
    let keys = KeyText(text)
    guard let exec = keys.value("Exec", in: group), let types = keys.value("MimeType", in: group),
      let words = Self.words(exec), words.contains(where: { $0.contains("%o") })
    else { return nil }
    for program in [keys.value("TryExec", in: group), words[0]] {
      guard let program else { continue }
      guard let path = try? Command(program, environment: environment).programPath(), Command.isExecutable(path) else {
        return nil
      }
    }
    self.words = words
    mimeTypes = Set(types.split(separator: ";").map(String.init))
  }

  /// All that are installed, the most important first. Blocks.
  static func all(_ environment: [String: String]) -> [ThumbnailerEntry] {
    var seen: Set<String> = []
    var entries: [ThumbnailerEntry] = []
    for folder in DataFolders.all(environment) {
      for name in names(in: folder + "/thumbnailers") where name.hasSuffix(".thumbnailer") {
        // Of two with one name the user's own counts.
        guard seen.insert(name).inserted,
          let text = try? SmallFile.contents(folder + "/thumbnailers/" + name).get(),
          let entry = ThumbnailerEntry(text, environment: environment)
        else { continue }
        entries.append(entry)
      }
    }
    return entries
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        unsafe String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// Words of an `Exec` line with the field codes in them; nil for one that cannot be split.
  private static func words(_ exec: String) -> [String]? {
    // To those who split it, field codes are percent signs.
    let escaped = exec.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    return try? ExecLine.split(escaped)
  }

  /// Whether it can be told of which time the picture is to be.
  var choosesTime: Bool { timeWords(0) != nil }

  /// Words that say the time; nil for a program of which they are not known.
  private func timeWords(_ seconds: Double) -> [String]? {
    let whole = Int(min(max(seconds, 0), 359_999))
    switch words[0].split(separator: "/").last {
    case "ffmpegthumbnailer":
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return ["-t", "\(two(whole / 3600)):\(two(whole / 60 % 60)):\(two(whole % 60))"]
    case "totem-video-thumbnailer": return ["-t", "\(whole)"]
    default: return nil
    }
  }

  /// The program's words for one picture.
  /// - Parameter seconds: nil: the program's own choice.
  func command(file: String, uri: String, output: String, side: Int, seconds: Double?) -> [String] {
    var result = words.map { Self.replaced($0, ["i": file, "u": uri, "o": output, "s": "\(side)", "%": "%"]) }
    if let seconds, let time = timeWords(seconds) { result.insert(contentsOf: time, at: 1) }
    return result
  }

  private static func replaced(_ word: String, _ values: [Character: String]) -> String {
    var result = ""
    var characters = word.makeIterator()
    while let character = characters.next() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      if let code = characters.next() { result += values[code] ?? "" }
    }
    return result
  }
}
