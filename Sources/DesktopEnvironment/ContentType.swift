import CGLib

/// What a file holds, as the system's database of MIME types tells.
public struct ContentType: Sendable, Hashable {
  /// Such as `image/png`; `application/octet-stream` for what is not known.
  public let mimeType: String

  /// By a file's name, its first bytes, or both; names are looked at, not opened. Some 4 KB are enough.
  public init(name: String?, head: [UInt8] = []) {
    let type = unsafe head.withUnsafeBufferPointer { buffer in
      // With NULL for the bytes GLib goes by the name alone.
      unsafe String(
        adoptingFromGLib: g_content_type_guess(
          name, buffer.isEmpty ? nil : buffer.baseAddress, gsize(buffer.count), nil))
    }
    mimeType =
      type.flatMap { unsafe String(adoptingFromGLib: g_content_type_get_mime_type($0)) } ?? "application/octet-stream"
  }

  /// By the name and the first 4 KB of a file; nil for what is no regular file or cannot be read.
  public init?(file: String) {
    guard let head = try? RegularFile(opening: file).read(first: 4096) else { return nil }
    self.init(name: file.split(separator: "/").last.map(String.init), head: head)
  }
}
