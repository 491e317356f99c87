internal import Glibc

/// Reading small text files that others may have put there: never waits for a pipe, never reads without end.
enum SmallFile {
  enum Fault: Error {
    case missing
    /// We may not read it.
    case unreadable
    /// A link where none is wanted, a pipe, a device, a folder, or too large.
    case malformed
  }

  /// The text of a regular file; what is no UTF-8 in it is repaired.
  static func contents(
    _ path: String, limit: Int = 64 << 10, followsLink: Bool = true
  ) -> Result<String, Fault> {
    bytes(path, limit: limit, followsLink: followsLink).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a regular file.
  static func bytes(_ path: String, limit: Int, followsLink: Bool = true) -> Result<[UInt8], Fault> {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
    let file = unsafe open(path, flags)
    guard file >= 0 else {
      switch errno {
      case ENOENT: return .failure(.missing)
      case ELOOP, ENXIO, ENOTDIR, ENODEV: return .failure(.malformed)
      default: return .failure(.unreadable)
      }
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .failure(.malformed) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .failure(.unreadable) }
      if count == 0 { return .success(bytes) }
      bytes += buffer.prefix(count)
      if bytes.count > limit { return .failure(.malformed) }
    }
  }

  /// True for a regular file that we may read.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
  }
}
