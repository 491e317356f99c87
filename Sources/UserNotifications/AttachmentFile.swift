import NotificationBridge

/// A file that a program would attach, looked at: what it is and whether it may be used.
///
/// Only the file's first bytes are read; whether a picture can really be drawn is seen when the request is added.
struct AttachmentFile {
  let url: URL
  let type: AttachmentType

  /// - Parameter typeHint: a uniform type identifier; nil: by the file's extension, or, if it has none, its content.
  /// - Throws: ``UNError`` with code 100, 101, 102 or 105, its description naming the file and the reason.
  init(_ url: URL, typeHint: String?) throws(UNError) {
    let head: Data
    let size: Int
    (head, size) = try Self.look(at: url)
    type = try Self.type(of: url, hint: typeHint, head: [UInt8](head))
    self.url = url
    let path = url.path
    guard size <= type.sizeLimit else {
      throw UNError(
        .attachmentInvalidFileSize,
        "attachment \(path) has \(size) bytes; \(type.identifier) may have \(type.sizeLimit) at most")
    }
    guard !type.isContradicted(by: [UInt8](head)) else {
      throw UNError(.attachmentCorrupt, "attachment \(path) is not what its type, \(type.identifier), says")
    }
  }

  /// The first bytes and the size of a regular, readable file.
  private static func look(at url: URL) throws(UNError) -> (head: Data, size: Int) {
    guard url.isFileURL else {
      throw UNError(.attachmentInvalidURL, "attachment URL \(url.absoluteString) is no file URL")
    }
    let path = url.resolvingSymlinksInPath().path
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw UNError(.attachmentInvalidURL, "attachment \(url.path) is no regular file")
      }
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      return (try file.read(upToCount: 64) ?? Data(), (attributes[.size] as? NSNumber)?.intValue ?? 0)
    } catch let error as UNError {
      throw error
    } catch {
      throw UNError(
        .attachmentInvalidURL, "attachment \(url.path) cannot be read: \(error.localizedDescription)", cause: error)
    }
  }

  private static func type(of url: URL, hint: String?, head: [UInt8]) throws(UNError) -> AttachmentType {
    if let hint {
      if let type = AttachmentType(identifier: hint) { return type }
      throw UNError(
        .attachmentUnrecognizedType, "attachment \(url.path): the type hint \(hint) is no supported type identifier")
    }
    let suffix = url.pathExtension
    if suffix.isEmpty {
      if let type = AttachmentType(sniffing: head) { return type }
      throw UNError(
        .attachmentUnrecognizedType,
        "attachment \(url.path) has no extension, and its content is of no supported type")
    }
    if let type = AttachmentType(fileExtension: suffix) { return type }
    throw UNError(
      .attachmentUnrecognizedType,
      "attachment \(url.path): files with the extension \(suffix) are not supported; a type hint can say what it is")
  }
}
