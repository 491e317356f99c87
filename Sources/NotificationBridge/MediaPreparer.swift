internal import FreedesktopNotifications
internal import Glibc

/// Looks up the pictures and sounds of a request, off the engine's executor.
struct MediaPreparer: Sendable {
  /// Nil: the daemon gets a picture's path and reads it itself.
  var decoder: (any ImageDecoder)?
  var soundFolders: [String]

  /// The longest side of a picture that is sent as pixels.
  static let maximumSide = 256
  /// The same for daemons that are slow with them.
  static let slowMaximumSide = 128

  /// Whether there is anything to look up.
  func isNeeded(for content: ContentRecord) -> Bool { !content.attachments.isEmpty || content.sound?.file != nil }

  /// Looks everything up.
  /// - Throws: ``BridgeError`` for a picture that cannot be decoded.
  nonisolated(nonsending) func prepare(
    _ content: ContentRecord, quirks: ServerQuirks?
  ) async throws(BridgeError) -> Translator.Media {
    var media = Translator.Media()
    let side = quirks?.isSlowWithImages == true ? Self.slowMaximumSide : Self.maximumSide
    for attachment in content.attachments {
      let name = attachment.path.split(separator: "/").last.map(String.init) ?? attachment.path
      guard attachment.isImage else {
        media.dropped.append(Dropped(.attachment, "\(name.quotedForPeople) left out: only pictures are shown yet"))
        continue
      }
      if attachment.thumbnailHidden {
        media.dropped.append(Dropped(.image, "\(name.quotedForPeople) left out: its sender hides the thumbnail"))
        continue
      }
      if let decoder {
        let image = try await decoder.decode(
          file: attachment.path, clip: attachment.clippingRect, maximumSide: side)
        if media.picture == nil {
          media.picture = .pixels(image)
          continue
        }
      } else if media.picture == nil {
        media.picture = .file(attachment.path)
        continue
      }
      media.dropped.append(Dropped(.image, "\(name.quotedForPeople) left out: the daemon shows one picture"))
    }
    media.soundFile = content.sound?.file.flatMap(soundFile)
    return media
  }

  /// A sound by name in the folders, or an absolute path; nil if it is not there. A name is no path: nothing outside
  /// the folders can be reached by it.
  private func soundFile(_ name: String) -> String? {
    if name.hasPrefix("/") { return isReadable(name) ? name : nil }
    guard !name.contains("/") else { return nil }
    return soundFolders.map { $0 + "/" + name }.first(where: isReadable)
  }

  private func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}

extension SoundRecord {
  /// A file by name or path.
  fileprivate var file: String? {
    switch source {
    case .named(let name), .file(let name): name
    case .standard, .theme: nil
    }
  }
}
