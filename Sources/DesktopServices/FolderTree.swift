internal import CLinux
internal import Glibc
internal import NotificationBridge

/// Folders with all that is in them.
public enum FolderTree {
  /// Why one could not be copied or removed: a sentence that names the file.
  public struct Fault: Error, Sendable, Hashable {
    public let message: String

    public init(message: String) { self.message = message }
  }

  /// Deeper folders are refused.
  private static let depthLimit = 32

  /// Copies a folder; programs stay programs. Links are copied as links.
  /// - Parameter target: does not exist yet.
  public static func copy(_ source: String, to target: String) throws(Fault) { try copy(source, to: target, depth: 0) }

  /// Removes a folder, a file or a link; what a link leads to stays.
  public static func remove(_ path: String) throws(Fault) { try remove(path, depth: 0) }

  /// Lets each of two folders take the other's place, at once where the file system can do that.
  public static func exchange(_ one: String, _ other: String) throws(Fault) {
    if unsafe clinux_exchange(one, other) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw fault(other) }
    let aside = one + ".aside"
    guard unsafe rename(other, aside) == 0, unsafe rename(one, other) == 0, unsafe rename(aside, one) == 0 else {
      throw fault(other)
    }
  }

  private static func fault(_ path: String) -> Fault {
    Fault(message: "\(path.quotedForPeople): \(unsafe String(cString: strerror(errno)))")
  }

  private static func copy(_ source: String, to target: String, depth: Int) throws(Fault) {
    var status = stat()
    guard unsafe lstat(source, &status) == 0 else { throw fault(source) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      guard depth < depthLimit else { throw Fault(message: "\(source.quotedForPeople) lies too deep") }
      guard unsafe mkdir(target, 0o700) == 0 else { throw fault(target) }
      for name in try names(in: source) { try copy(source + "/" + name, to: target + "/" + name, depth: depth + 1) }
    case S_IFREG: try copyFile(source, to: target, isProgram: status.st_mode & 0o111 != 0)
    case S_IFLNK:
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return -1 }
        return unsafe readlink(source, base, bytes.count)
      }
      let leads = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard count > 0, count < buffer.count,
        unsafe symlink(leads, target) == 0
      else { throw fault(source) }
    default: throw Fault(message: "\(source.quotedForPeople) is neither a file, a folder nor a link")
    }
  }

  private static func copyFile(_ source: String, to target: String, isProgram: Bool) throws(Fault) {
    let input = unsafe open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { throw fault(source) }
    defer { close(input) }
    let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isProgram ? 0o700 : 0o600)
    guard output >= 0 else { throw fault(target) }
    var isWritten = true
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while isWritten {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        close(output)
        throw fault(source)
      }
      if count == 0 { break }
      var rest = buffer[..<count]
      while isWritten, !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
        if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { isWritten = false }
      }
    }
    isWritten = isWritten && fsync(output) == 0
    guard close(output) == 0, isWritten else { throw fault(target) }
  }

  private static func remove(_ path: String, depth: Int) throws(Fault) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw fault(path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      guard unsafe unlink(path) == 0 else { throw fault(path) }
      return
    }
    guard depth < depthLimit else { throw Fault(message: "\(path.quotedForPeople) lies too deep") }
    for name in try names(in: path) { try remove(path + "/" + name, depth: depth + 1) }
    guard unsafe rmdir(path) == 0 else { throw fault(path) }
  }

  private static func names(in folder: String) throws(Fault) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw fault(folder) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
