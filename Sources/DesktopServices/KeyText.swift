/// The groups and keys of a text such as `index.theme` or a KConfig file: `[group]` lines, `key=value` lines.
///
/// Of a key that is there twice the last counts. Nested KConfig groups, `[a][b]`, are called `a][b`.
struct KeyText: Sendable {
  private var groups: [String: [String: String]] = [:]

  init(_ text: String) {
    var group = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let line = Self.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), line.hasSuffix("]"), line.count > 1 {
        group = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "=") {
        let key = Self.trimmed(line[..<equals])
        let value = Self.trimmed(line[line.index(after: equals)...])
        groups[group, default: [:]][String(key)] = String(value)
      }
    }
  }

  /// The value of a key; one that carries a KConfig option, as `key[$i]` does, counts too.
  func value(_ key: String, in group: String) -> String? {
    guard let keys = groups[group] else { return nil }
    return keys[key] ?? keys.first { $0.key.hasPrefix(key + "[$") }?.value
  }

  /// `true` or `false`, as KConfig and GLib write them; nil for anything else.
  func boolean(_ key: String, in group: String) -> Bool? {
    switch value(key, in: group)?.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }

  /// The parts of a list with commas between.
  func list(_ key: String, in group: String) -> [String] {
    (value(key, in: group) ?? "").split(separator: ",").map { String(Self.trimmed($0)) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text.drop { $0 == " " || $0 == "\t" }
  }
}
