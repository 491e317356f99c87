/// Names of Flatpak applications: where they are found and whether they are ones.
enum FlatpakName {
  /// `text` if it is an id: three or more parts with dots between, of `[A-Za-z0-9_]` and not beginning with a digit, a
  /// dash only in the last; 255 bytes at most.
  static func checked(_ text: some StringProtocol) -> String? {
    guard text.utf8.count <= 255 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    for (index, part) in parts.enumerated() {
      guard let first = part.first, first.isLetterOrUnderscore else { return nil }
      let isLast = index == parts.count - 1
      guard part.allSatisfy({ $0.isLetterOrUnderscore || $0.isDigit || isLast && $0 == UInt8(ascii: "-") }) else {
        return nil
      }
    }
    return String(text)
  }

  /// The middle of `app-flatpak-NAME-NUMBER.scope`, as older Flatpaks have it without `app-`; nil for other units.
  static func unitsPart(_ unit: Substring) -> Substring? {
    for prefix in ["app-flatpak-", "flatpak-"] where unit.hasPrefix(prefix) && unit.hasSuffix(".scope") {
      return unit.dropFirst(prefix.utf8.count).dropLast(".scope".utf8.count)
    }
    return nil
  }

  /// The id in that middle; nil if it is none.
  static func inUnit(_ part: Substring) -> String? {
    guard let dash = part.lastIndex(of: "-") else { return nil }
    let number = part[part.index(after: dash)...]
    guard !number.isEmpty, number.utf8.allSatisfy(\.isDigit) else { return nil }
    let name = part[..<dash]
    // Newer Flatpaks escape a dash in the id, older ones leave it.
    return checked(name) ?? UnitName.unescape(name).flatMap { checked($0) }
  }

  /// `name` in the group `Application` of a `.flatpak-info`; nil where there is none that is an id.
  static func inInfo(_ text: String) -> String? {
    var group = ""
    var name: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = String(line.dropFirst().dropLast())
      } else if group == "Application", line.hasPrefix("name=") {
        // Of two that differ none counts.
        let value = String(line.dropFirst(5))
        if let name, name != value { return nil }
        name = value
      }
    }
    return name.flatMap { checked($0) }
  }
}

/// A snap's application.
struct SnapName {
  /// The snap, with the key of its instance behind an underscore if it has one.
  let snap: String
  /// The application in it; nil for a hook.
  let application: String?

  /// The name of its desktop entry: snapd installs them as `SNAP_APP.desktop`, an instance's key behind a plus.
  var applicationID: String {
    let prefix = String(snap.map { $0 == "_" ? "+" : $0 })
    return application.map { prefix + "_" + $0 } ?? prefix
  }

  /// Of `snap.NAME.APP` or `snap.NAME.hook.HOOK`.
  static func inLabel(_ label: Substring) -> SnapName? {
    let parts = label.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts[2] == "hook", isApplication(parts[3]) { return SnapName(parts[1], nil) }
    guard parts.count == 3, isApplication(parts[2]) else { return nil }
    return SnapName(parts[1], parts[2])
  }

  /// Of `snap.NAME.APP-UUID.scope`, `snap.NAME.APP.UUID.scope` or `snap.NAME.APP.service`.
  static func inUnit(_ unit: Substring) -> SnapName? {
    if unit.hasSuffix(".service") { return inLabel(unit.dropLast(".service".utf8.count)) }
    let name = unit.dropLast(".scope".utf8.count)
    // 8-4-4-4-12 hexadecimal digits.
    let uuid = name.utf8.suffix(36)
    let isUUID = uuid.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimalDigit
    }
    let rest = name.dropLast(36)
    guard uuid.count == 36, isUUID, rest.hasSuffix("-") || rest.hasSuffix(".") else { return nil }
    return inLabel(rest.dropLast())
  }

  private init?(_ snap: Substring, _ application: Substring?) {
    let parts = snap.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count <= 2, Self.isSnap(parts[0]) else { return nil }
    if parts.count == 2 {
      let key = parts[1].utf8
      guard (1...10).contains(key.count), key.allSatisfy({ $0.isDigit || $0.isLowerCase }) else { return nil }
    }
    self.snap = String(snap)
    self.application = application.map { String($0) }
  }

  /// Lower-case letters, digits and single dashes inside, with at least one letter; 40 bytes at most.
  private static func isSnap(_ text: Substring) -> Bool {
    text.utf8.count <= 40 && text.utf8.contains(where: \.isLowerCase)
      && isDashed(text) { $0.isLowerCase || $0.isDigit }
  }

  private static func isApplication(_ text: Substring) -> Bool {
    text.utf8.count <= 100 && isDashed(text) { ($0 | 0x20).isLowerCase || $0.isDigit }
  }

  private static func isDashed(_ text: Substring, _ isPart: (UInt8) -> Bool) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0.allSatisfy(isPart)
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLowerCase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isHexadecimalDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
  fileprivate var isLetterOrUnderscore: Bool { (self | 0x20).isLowerCase || self == UInt8(ascii: "_") }
}
