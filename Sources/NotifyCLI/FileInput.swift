internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge

/// Reads what the user names, and says what is wrong with it.
enum FileInput {
  /// The most that is read of a text or a request.
  static let textLimit = 16 << 20

  /// The bytes of a file, or of standard input for `-`.
  static func read(_ name: String, option: String) throws(UsageError) -> [UInt8] {
    if name == "-" { return try read(descriptor: STDIN_FILENO, "standard input", option) }
    let descriptor = try openRegular(name, option: option)
    defer { close(descriptor) }
    return try read(descriptor: descriptor, name.quotedForPeople, option)
  }

  /// Text of a file, or of standard input for `-`; what is not UTF-8 is repaired, and said so by the second part.
  static func text(_ name: String, option: String) throws(UsageError) -> (text: String, wasRepaired: Bool) {
    let bytes = try read(name, option: option)
    let text = String(decoding: bytes, as: UTF8.self)
    return (text, !text.utf8.elementsEqual(bytes))
  }

  /// The absolute path of a picture that the notification can carry, and its type.
  static func picture(_ name: String) throws(UsageError) -> (path: String, type: AttachmentType) {
    let descriptor = try openRegular(name, option: "--image")
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 32)
    let count = unsafe head.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw UsageError("--image \(name.quotedForPeople) cannot be read: \(reason())") }
    guard let type = AttachmentType(sniffing: Array(head.prefix(count))), type.kind == .image else {
      throw UsageError("--image \(name.quotedForPeople) is no picture: PNG, JPEG and GIF can be shown")
    }
    let size = lseek(descriptor, 0, SEEK_END)
    guard size <= type.sizeLimit else {
      throw UsageError(
        "--image \(name.quotedForPeople) is too large: \(size) bytes, the limit is \(type.sizeLimit) (10 MB)")
    }
    return (absolute(name), type)
  }

  /// The absolute path of a readable regular file.
  static func file(_ name: String, option: String) throws(UsageError) -> String {
    close(try openRegular(name, option: option))
    return absolute(name)
  }

  /// A path from the root; the file need not exist.
  static func absolute(_ name: String) -> String {
    if name.hasPrefix("/") { return name }
    guard let buffer = unsafe getcwd(nil, 0) else { return name }
    defer { unsafe free(buffer) }
    return unsafe String(cString: buffer) + "/" + name
  }

  private static func openRegular(_ name: String, option: String) throws(UsageError) -> Int32 {
    // Not blocking: a pipe without a writer must not hold us up before we know that it is one.
    let descriptor = unsafe open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw UsageError("\(option) \(name.quotedForPeople) cannot be opened: \(reason())") }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
      throw UsageError("\(option) \(name.quotedForPeople) is \(kind): give a file")
    }
    return descriptor
  }

  private static func read(
    descriptor: Int32, _ name: String, _ option: String
  ) throws(UsageError) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return result }
      if count < 0 {
        if errno == EINTR { continue }
        throw UsageError("\(option) \(name) cannot be read: \(reason())")
      }
      result += buffer.prefix(count)
      if result.count > textLimit {
        throw UsageError("\(option) \(name) is too large: the limit is \(textLimit) bytes")
      }
    }
  }

  /// What the last failed call says of itself.
  private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}
