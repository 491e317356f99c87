internal import NotificationBridge

/// The lines of a handler's file: a key file with the one group `[Handler]`.
///
/// Source: notify-bridge.conf(5), "Syntax"; Desktop Entry Specification 1.5, "Basic format of the file".
struct HandlerText: Sendable {
  /// A value as it stands in the file, and on which line, from 1.
  struct Entry: Sendable {
    let value: String
    let line: Int
  }

  /// What is wrong, and on which line.
  struct Fault: Error {
    let line: Int
    let message: String
  }

  static let group = "Handler"
  /// Where the group begins; 0: there is nothing but comments.
  private(set) var groupLine = 0
  var isEmpty: Bool { groupLine == 0 }
  /// The keys of the group; of one that is there twice the last counts.
  private(set) var entries: [String: Entry] = [:]

  init(_ text: String) throws(Fault) {
    // By scalars: to Swift, carriage return and newline are one character.
    for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try take(Self.trimmed(String(String.UnicodeScalarView(line))), index + 1)
    }
  }

  private mutating func take(_ line: String, _ number: Int) throws(Fault) {
    if line.isEmpty || line.hasPrefix("#") { return }
    if line.hasPrefix("[") {
      guard line == "[\(Self.group)]" else {
        throw Fault(line: number, message: "\(line.quotedForPeople) is not [\(Self.group)], the only group")
      }
      groupLine = number
      return
    }
    guard let equals = line.firstIndex(of: "=") else {
      throw Fault(line: number, message: "\(line.quotedForPeople) is no group, no key with a value and no comment")
    }
    guard !isEmpty else { throw Fault(line: number, message: "a key stands before the group [\(Self.group)]") }
    let key = Self.trimmed(String(line[..<equals]))
    entries[key] = Entry(value: Self.trimmed(String(line[line.index(after: equals)...])), line: number)
  }

  /// Without spaces, tabs and carriage returns around it.
  private static func trimmed(_ text: String) -> String {
    let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
    var scalars = text.unicodeScalars[...]
    while let last = scalars.last, blanks.contains(last) { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars.drop { blanks.contains($0) }))
  }

  // MARK: Values

  /// A text, its escapes replaced; nil when the key is not there.
  func string(_ key: String) throws(Fault) -> String? {
    guard let entry = entries[key] else { return nil }
    return try Self.parts(entry, key, isList: false).first ?? ""
  }

  /// The elements of a list, which semicolons end or separate.
  func strings(_ key: String) throws(Fault) -> [String] {
    guard let entry = entries[key] else { return [] }
    return try Self.parts(entry, key, isList: true)
  }

  func boolean(_ key: String) throws(Fault) -> Bool? {
    guard let entry = entries[key] else { return nil }
    switch entry.value {
    case "true", "1": return true
    case "false", "0": return false
    default: throw Fault(line: entry.line, message: "\(key) is \(entry.value.quotedForPeople), neither true nor false")
    }
  }

  private static func parts(_ entry: Entry, _ key: String, isList: Bool) throws(Fault) -> [String] {
    guard let parts = KeyFileValue.parts(entry.value, isList: isList) else {
      throw Fault(line: entry.line, message: "\(key) has a backslash that begins no escape; write \\\\ for one")
    }
    return parts
  }

  /// A value that is read as this text.
  static func escaped(_ text: String, isElement: Bool = false) -> String {
    var result = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case ";" where isElement: result += "\\;"
      case " " where index == 0 || index == scalars.count - 1: result += "\\s"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
