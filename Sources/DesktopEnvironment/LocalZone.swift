import Glibc
import Synchronization

/// Finds the name of the system's zone.
final class LocalZone: Sendable {
  private let environment: String?
  private let root: String
  private let isZone: @Sendable (String) -> Bool
  private let lastLink = Mutex<(link: String, name: String)?>(nil)

  /// - Parameters:
  ///   - environment: what `TZ` says.
  ///   - isZone: whether a name is that of a zone.
  init(environment: String?, root: String, isZone: @escaping @Sendable (String) -> Bool) {
    self.environment = environment
    self.root = root.hasSuffix("/") ? root : root + "/"
    self.isZone = isZone
  }

  /// The present name; costs one system call as long as `/etc/localtime` is a link that stays the same.
  var name: String {
    if let environment { return name(fromEnvironment: environment) }
    let path = root + "etc/localtime"
    if let link = readLink(path) {
      if let last = lastLink.withLock({ $0 }), last.link == link { return last.name }
      if let name = Self.name(inPath: link) ?? realPath(path).flatMap(Self.name(inPath:)), isZone(name) {
        lastLink.withLock { $0 = (link, name) }
        return name
      }
    }
    if let text = try? RegularFile.read(root + "etc/timezone", limit: 4096) {
      let name = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
      if let name, isZone(name) { return name }
    }
    return isZone(path) ? path : "UTC"
  }

  /// As the C library reads it: an empty or unknown one is UTC.
  private func name(fromEnvironment text: String) -> String {
    let text = text.hasPrefix(":") ? String(text.dropFirst()) : text
    if text.hasPrefix("/"), let name = Self.name(inPath: text), isZone(name) { return name }
    // Here `UTC+2` is POSIX's and lies west of Greenwich.
    if var fixed = FixedOffset(zoneName: text) {
      fixed.seconds.negate()
      return "GMT" + fixed.identifier
    }
    return !text.isEmpty && isZone(text) ? text : "UTC"
  }

  /// What follows the tz database's folder in a path.
  private static func name(inPath path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo"), folder + 1 < parts.count else { return nil }
    return parts[(folder + 1)...].joined(separator: "/")
  }
}

/// Where a symbolic link leads, as written in it; nil for what is none.
private func readLink(_ path: String) -> String? {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
    guard let base = buffer.baseAddress else { return nil }
    let length = unsafe readlink(path, base, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    return unsafe String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The path that a path leads to through all links; nil when it leads nowhere.
private func realPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
