import Foundation
import Glibc

/// A home folder of a test's own, with the XDG folders in it; removed with the object.
public final class TemporaryHome: Sendable {
  /// Its path, without links in it.
  public let path: String

  /// Makes the folders; all can be read by their owner alone.
  public init() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    let template = "\(folder)/notify-bridge-test.XXXXXX"
    var bytes = template.utf8CString
    let made = unsafe bytes.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) != nil }
    if !made { throw RunnerError("no temporary folder \(template): error \(errno)") }
    path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in ["config", "data", "state", "cache", "runtime"] { try makeFolder(name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Leads a program to this home; to be merged into its environment.
  public var environment: [String: String] {
    [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "XDG_DATA_HOME": "\(path)/data",
      "XDG_STATE_HOME": "\(path)/state", "XDG_CACHE_HOME": "\(path)/cache", "XDG_RUNTIME_DIR": "\(path)/runtime",
    ]
  }

  /// Writes a file below the home, with the folders it needs.
  /// - Returns: its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String, permissions: Int = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    let folder = (name as NSString).deletingLastPathComponent
    if !folder.isEmpty { try makeFolder(folder) }
    // FileManager leaves the descriptor to children that start at this moment; a program that one of them holds open for
    // writing cannot be executed.
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(permissions))
    if descriptor < 0 { throw RunnerError("cannot write \(file): error \(errno)") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { throw RunnerError("cannot write \(file): error \(errno)") }
      rest = rest.dropFirst(count)
    }
    fchmod(descriptor, mode_t(permissions))
    return file
  }

  /// Writes a text file below the home. See ``write(_:to:permissions:)-([UInt8],_,_)``.
  @discardableResult
  public func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
    try write(Array(text.utf8), to: name, permissions: permissions)
  }

  /// Makes a folder below the home.
  /// - Returns: its path.
  @discardableResult
  public func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }
}
