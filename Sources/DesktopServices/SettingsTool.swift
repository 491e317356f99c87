/// Reads GSettings through the `gsettings` program, so that nobody need link GLib. What cannot be read is not there.
struct SettingsTool: Sendable {
  /// Where `PATH` is looked for, and what the program gets.
  let environment: [String: String]

  /// A boolean key; nil where the program, the schema or the key is missing, or no answer came within 2 s.
  nonisolated(nonsending) func boolean(_ schema: String, _ key: String) async -> Bool? {
    Self.boolean(await output(["get", schema, key])?.first)
  }

  /// All keys of a schema with their values as text.
  /// - Parameter path: where a relocatable schema is, with slashes at both ends; nil for others.
  nonisolated(nonsending) func all(_ schema: String, at path: String? = nil) async -> [String: String] {
    let lines = await output(["list-recursively", path.map { schema + ":" + $0 } ?? schema]) ?? []
    var keys: [String: String] = [:]
    for line in lines {
      // Schema, key, value; other schemas below this one are listed too.
      let parts = line.split(separator: " ", maxSplits: 2)
      if parts.count == 3, parts[0] == schema { keys[String(parts[1])] = String(parts[2]) }
    }
    return keys
  }

  static func boolean(_ text: String?) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// The text of a string, which is printed with quotation marks; nil where it has anything to be unescaped.
  static func string(_ text: String?) -> String? {
    guard let text, text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'"), !text.contains("\\") else {
      return nil
    }
    return String(text.dropFirst().dropLast())
  }

  private nonisolated(nonsending) func output(_ arguments: [String]) async -> [String]? {
    let command = Command("gsettings", arguments, environment: environment, timeLimit: .seconds(2))
    guard let result = try? await ChildProcess.run(command), result.ending == .exited(0) else { return nil }
    return String(decoding: result.output?.standardOutput ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
