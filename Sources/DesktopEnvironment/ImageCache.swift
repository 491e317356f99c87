import FreedesktopNotifications

/// Pictures that were decoded, the least recently used going first. Not safe to share: its owner locks it.
struct ImageCache<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var image: ImageData
    /// When it was last used.
    var turn: Int
  }
  private var entries: [Key: Entry] = [:]
  private var turn = 0
  private let entryLimit, byteLimit: Int
  /// The pixels of all entries together.
  private(set) var bytes = 0

  var count: Int { entries.count }

  /// - Parameters:
  ///   - entries: so many pictures at most; 0: none is kept.
  ///   - bytes: so many bytes of pixels at most; a picture over it is not kept.
  init(entries: Int, bytes: Int) {
    entryLimit = entries
    byteLimit = bytes
  }

  /// The picture kept under `key`, which is now the most recently used.
  mutating func image(_ key: Key) -> ImageData? {
    guard let entry = entries[key] else { return nil }
    turn += 1
    entries[key] = Entry(image: entry.image, turn: turn)
    return entry.image
  }

  /// Keeps a picture, and lets others go as far as it takes.
  mutating func keep(_ image: ImageData, _ key: Key) {
    remove(key)
    guard image.pixels.count <= byteLimit, entryLimit > 0 else { return }
    while entries.count >= entryLimit || bytes + image.pixels.count > byteLimit,
      let oldest = entries.min(by: { $0.value.turn < $1.value.turn })
    {
      remove(oldest.key)
    }
    turn += 1
    entries[key] = Entry(image: image, turn: turn)
    bytes += image.pixels.count
  }

  private mutating func remove(_ key: Key) {
    if let entry = entries.removeValue(forKey: key) { bytes -= entry.image.pixels.count }
  }
}
