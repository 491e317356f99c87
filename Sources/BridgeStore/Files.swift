import Glibc
import NotificationBridge

/// Small things about files.
enum Files {
  /// The folder in which something stands.
  static func parent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func exists(_ path: String) -> Bool { size(path) != nil }

  /// In bytes; nil when there is nothing.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Nil for what cannot be read or is longer.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return result }
      if count < 0 { if errno == EINTR { continue } else { return nil } }
      result += buffer[..<count]
      if result.count > limit { return nil }
    }
  }

  /// What stands in a folder, in no order; nothing for one that cannot be read.
  static func names(in folder: String) -> [String] {
    guard let list = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(list) }
    var names: [String] = []
    while let entry = unsafe readdir(list) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes a folder and those above it that are not there, each for its owner alone.
  /// - Returns: the system's error; 0: it was made.
  static func makeFolders(_ path: String) -> Int32 {
    if unsafe mkdir(path, 0o700) != 0 {
      let number = errno
      let parent = parent(path)
      guard number == ENOENT, parent != path, parent.utf8.count < path.utf8.count else { return number }
      let above = makeFolders(parent)
      if above != 0, above != EEXIST { return above }
      if unsafe mkdir(path, 0o700) != 0 { return errno }
    }
    syncFolder(parent(path))
    return 0
  }

  /// Makes new and removed names in a folder survive a power cut, where the file system can.
  static func syncFolder(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Copies bytes from the beginning of one file to that of another, without moving the place of either.
  /// - Returns: how many; nil: there are more than `limit`.
  /// - Throws: the system's error.
  static func copy(from source: Int32, to target: Int32, limit: Int) throws(SystemFailure) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 128 << 10)
    var done: Int = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(source, $0.baseAddress, $0.count, done) }
      if count == 0 { return done }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure(number: errno, isOfSource: true)
      }
      if done + Int(count) > limit { return nil }
      var written = 0
      while written < count {
        let part = unsafe buffer.withUnsafeBytes { bytes in
          unsafe pwrite(target, bytes.baseAddress! + written, count - written, done + Int(written))
        }
        if part < 0, errno == EINTR { continue }
        if part <= 0 { throw SystemFailure(number: part == 0 ? EIO : errno, isOfSource: false) }
        written += part
      }
      done += Int(count)
    }
  }
}

/// A system call that failed.
struct SystemFailure: Error {
  var number: Int32
  /// It was reading that failed, not writing.
  var isOfSource: Bool
}

extension Files {
  /// Copies a file under a new name, for its owner alone.
  static func duplicate(_ path: String, to name: String) throws(BridgeError) {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if source < 0 { throw BridgeError(system: "\(path.quotedPath) cannot be opened", errno) }
    defer { close(source) }
    let target = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if target < 0 { throw BridgeError(system: "\(name.quotedPath) cannot be made", errno) }
    defer { close(target) }
    do throws(SystemFailure) {
      _ = try copy(from: source, to: target, limit: .max)
    } catch {
      throw BridgeError(
        system: error.isOfSource
          ? "\(path.quotedPath) cannot be read" : "\(name.quotedPath) cannot be written",
        error.number)
    }
  }

  /// The present time for a file's name: `2026-03-08T070000Z`.
  static func timestamp() -> String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe strftime(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count, "%Y-%m-%dT%H%M%SZ", &parts)
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

extension String {
  /// A path of our own, made fit for one line of a message: quoted, control characters visible, and never cut.
  var quotedPath: String {
    var result = "'"
    for scalar in unicodeScalars {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.properties.generalCategory == .format {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }
}
