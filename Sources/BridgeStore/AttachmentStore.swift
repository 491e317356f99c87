import FoundationEssentials
import Glibc
public import NotificationBridge

/// Files that go with notifications, each in a private folder of its own: `attachments/UUID/attachment.png`.
///
/// A file is a copy that only its owner can read; it goes when nothing refers to it any more. May be used from any
/// thread; calls block until they are done.
public struct AttachmentStore: Sendable {
  /// The folder of all of them.
  public let path: String

  /// - Parameter folder: an absolute path, that of the ``SQLiteStore``; made when the first file comes.
  public init(folder: String) { path = folder + "/attachments" }

  /// Takes a copy of an open file, from its beginning, whatever place it stands at.
  /// - Parameters:
  ///   - descriptor: open for reading; stays the caller's.
  ///   - limit: the most bytes that it may have.
  ///   - fileExtension: of the copy's name, `png` for example; anything but ASCII letters and digits is left out.
  ///   - durably: a power cut does not take it away.
  /// - Returns: the path of the copy.
  /// - Throws: ``BridgeError`` with code `attachmentInvalidURL` for what is no regular file, `attachmentTooLarge`,
  ///   `attachmentUnreadable`, or `attachmentStore` when the copy cannot be written.
  public func take(
    _ descriptor: Int32, limit: Int, fileExtension: String? = nil, durably: Bool
  ) throws(BridgeError) -> String {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 {
      throw failure(.attachmentUnreadable, "the attachment's descriptor cannot be used", errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw BridgeError(.attachmentInvalidURL, "the attachment is not a regular file")
    }
    if Int(status.st_size) > limit { throw tooLarge(limit) }
    let folder = path + "/" + UUID().uuidString
    let made = Files.makeFolders(folder)
    if made != 0 { throw failure(.attachmentStore, "the folder \(folder.quotedPath) cannot be made", made) }
    let suffix = String(decoding: (fileExtension ?? "").utf8.filter(Self.isPlain).prefix(16), as: UTF8.self)
    let file = folder + "/attachment" + (suffix.isEmpty ? "" : "." + suffix)
    do throws(BridgeError) {
      try copy(descriptor, to: file, limit: limit, durably: durably)
    } catch {
      remove(folder)
      throw error
    }
    if durably {
      Files.syncFolder(folder)
      Files.syncFolder(path)
    }
    return file
  }

  private func copy(_ descriptor: Int32, to file: String, limit: Int, durably: Bool) throws(BridgeError) {
    let target = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if target < 0 { throw failure(.attachmentStore, "\(file.quotedPath) cannot be made", errno) }
    var isOpen = true
    defer { if isOpen { close(target) } }
    let count: Int?
    do throws(SystemFailure) {
      count = try Files.copy(from: descriptor, to: target, limit: limit)
    } catch {
      throw error.isOfSource
        ? failure(.attachmentUnreadable, "the attachment cannot be read", error.number)
        : failure(.attachmentStore, "\(file.quotedPath) cannot be written", error.number)
    }
    // It may have grown since it was looked at.
    guard count != nil else { throw tooLarge(limit) }
    if durably, fsync(target) != 0 { throw failure(.attachmentStore, "\(file.quotedPath) cannot be written", errno) }
    isOpen = false
    // Some file systems say only now that there was no room.
    if close(target) != 0 { throw failure(.attachmentStore, "\(file.quotedPath) cannot be written", errno) }
  }

  /// Takes away the folders that nothing refers to.
  /// - Parameters:
  ///   - paths: of the files in use, as ``take(_:limit:fileExtension:durably:)`` gave them.
  ///   - age: folders that are younger stay: their requests may be on the way. Zero when the bridge starts: then what
  ///     nothing refers to was left by a crash.
  /// - Returns: how many were taken away.
  @discardableResult
  public func collect(keeping paths: Set<String>, olderThan age: Duration = .seconds(60)) -> Int {
    // By the folder's name alone: the way to it may have another name than it had then.
    let kept = Set(paths.map { Files.parent($0).split(separator: "/").last.map(String.init) ?? "" })
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    var count = 0
    for name in Files.names(in: path) where UUID(uuidString: name) != nil && !kept.contains(name) {
      let folder = path + "/" + name
      var status = stat()
      guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      if age > .zero, .seconds(now.tv_sec - status.st_mtim.tv_sec) < age { continue }
      if remove(folder) { count += 1 }
    }
    return count
  }

  /// There are only files in it.
  @discardableResult
  private func remove(_ folder: String) -> Bool {
    for name in Files.names(in: folder) { unsafe unlink(folder + "/" + name) }
    return unsafe rmdir(folder) == 0
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private func tooLarge(_ limit: Int) -> BridgeError {
    BridgeError(.attachmentTooLarge, "the attachment is larger than \(limit) bytes")
  }

  private func failure(_ code: BridgeError.Code, _ message: String, _ number: Int32) -> BridgeError {
    BridgeError(code, BridgeError(system: message, number).message)
  }
}
