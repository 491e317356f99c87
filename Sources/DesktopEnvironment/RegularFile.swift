import CGLib
import Glibc

/// Which file a path led to, and in what state it was.
struct FileStamp: Sendable, Hashable {
  private let device, inode: UInt64
  /// In bytes.
  let size: Int
  private let modified, changed: [Int]

  /// Nil for what is no regular file or cannot be looked at.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Nil for what is no regular file.
  init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    changed = [Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec)]
  }
}

/// A regular file, open for reading. Whatever the path names, nothing here waits: neither for a FIFO's writer nor for
/// a device.
struct RegularFile: ~Copyable {
  /// As it was when opened.
  let stamp: FileStamp
  private let descriptor: Int32

  /// Why a file could not be read.
  enum Failure: Error, Sendable, CustomStringConvertible {
    /// A system call failed, by its `errno`.
    case system(Int32)
    case notRegular
    /// It is over the limit, in bytes.
    case tooLarge(limit: Int)

    /// There is no such file.
    var isMissing: Bool {
      if case .system(let number) = self { number == ENOENT || number == ENOTDIR } else { false }
    }

    var description: String {
      switch self {
      case .system(let number): unsafe String(cString: strerror(number))
      case .notRegular: "not a regular file"
      case .tooLarge(let limit): "over \(limit) bytes"
      }
    }
  }

  init(opening path: String) throws(Failure) {
    guard !path.utf8.contains(0) else { throw .system(EINVAL) }
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw .system(number)
    }
    guard let stamp = FileStamp(status) else {
      close(descriptor)
      throw .notRegular
    }
    self.stamp = stamp
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// All of it.
  func read(limit: Int) throws(Failure) -> [UInt8] {
    guard stamp.size <= limit else { throw .tooLarge(limit: limit) }
    // One byte more than there should be tells a file that grows.
    let bytes = try read(first: limit + 1)
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  /// Its first bytes, as many as there are.
  func read(first count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      // As much as there should be left, and a little more to see the end with the same call.
      let room = min(count - bytes.count, max(stamp.size - bytes.count, 0) + 4096)
      var failure: Int32 = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, length in
        var got: Int
        repeat {
          got = unsafe pread(descriptor, buffer.baseAddress, room, bytes.count)
        } while got < 0 && errno == EINTR
        if got < 0 { failure = errno }
        length = max(got, 0)
      }
      guard failure == 0 else { throw .system(failure) }
      if chunk.isEmpty { break }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    return bytes
  }

  /// All of the file at `path`.
  static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    try RegularFile(opening: path).read(limit: limit)
  }
}

/// A file in memory, for what reads nothing but files.
struct MemoryFile: ~Copyable {
  private let descriptor: Int32

  /// Nil when there is not enough memory.
  init?(_ bytes: [UInt8]) {
    let descriptor = unsafe cglib_memory_file("notify-bridge")
    guard descriptor >= 0 else { return nil }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      guard count > 0 || (count < 0 && errno == EINTR) else {
        close(descriptor)
        return nil
      }
      written += max(count, 0)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Leads to it as long as it lives.
  var path: String { "/proc/self/fd/\(descriptor)" }
}
