internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import NotificationBridge

/// The pictures that the desktop's programs have made of files already. Only read here.
///
/// Source: Thumbnail Managing Standard 0.9: a PNG file named by the MD5 sum of the file's URI, in a folder for its size,
/// valid while the file's time of modification is the one that is written down in it.
struct ThumbnailCache: Sendable {
  /// `$XDG_CACHE_HOME/thumbnails`.
  let folder: String

  /// Nil where the environment names neither the cache nor a home.
  init?(environment: [String: String]) {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let cache = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map({ $0 + "/.cache" }) else { return nil }
    folder = cache + "/thumbnails"
  }

  /// Folders for pictures with sides of 128, 256, 512 and 1024 pixels.
  private static let sizes = [(128, "normal"), (256, "large"), (512, "x-large"), (1024, "xx-large")]

  /// The folder's name, and what thumbnailers call it, for a picture of that size.
  static func flavor(for side: Int) -> String { sizes.first { $0.0 >= side }?.1 ?? "xx-large" }

  /// The path of the picture of a file: of the size that is wanted, else a larger one, else a smaller one; nil when there
  /// is none, or the file was changed since. Blocks.
  func picture(of file: String, side: Int) -> String? {
    guard let modified = Self.modified(file) else { return nil }
    let uri = FileURI.text(path: file)
    let larger = Self.sizes.filter { $0.0 >= side }
    let smaller = Self.sizes.filter { $0.0 < side }.reversed()
    for (_, size) in larger + smaller {
      let path = "\(folder)/\(size)/\(MD5.text(uri)).png"
      guard let bytes = try? SmallFile.bytes(path, limit: 4 << 20).get() else { continue }
      let texts = PNGTexts.read(bytes)
      // Seconds; some write a fraction too.
      let seconds = texts["Thumb::MTime"].flatMap { $0.split(separator: ".").first.flatMap { Int($0) } }
      if seconds == modified, texts["Thumb::URI"].map({ $0 == uri }) ?? true { return path }
    }
    return nil
  }

  private static func modified(_ file: String) -> Int? {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else { return nil }
    return Int(status.st_mtim.tv_sec)
  }
}

/// The texts in a PNG file.
enum PNGTexts {
  /// By their keys. Those that are compressed are left out.
  ///
  /// Source: PNG Specification, 5.3 and 11.3.4.3: length, type, data and check sum; a tEXt chunk is a key, a zero byte and
  /// a Latin-1 text.
  static func read(_ bytes: [UInt8]) -> [String: String] {
    var texts: [String: String] = [:]
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let data = bytes[position + 8..<position + 8 + length]
      if bytes[position + 4..<position + 8].elementsEqual("tEXt".utf8), let zero = data.firstIndex(of: 0) {
        texts[latin1(data[..<zero])] = latin1(data[(zero + 1)...])
      }
      position += 12 + length
    }
    return texts
  }

  private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }
}
