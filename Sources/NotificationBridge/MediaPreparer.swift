internal import FreedesktopNotifications
internal import Glibc

/// Looks up the pictures and sounds of a request, off the engine's executor.
struct MediaPreparer: Sendable {
  /// Nil: the daemon gets a picture's path and reads it itself.
  var decoder: (any ImageDecoder)?
  /// Nil: movies are shown without a picture.
  var thumbnailer: (any MovieThumbnailer)?
  /// Somebody plays and opens files when their buttons are pressed.
  var canOpen = false
  var soundFolders: [String]
  /// Where the folders are that applications share with their extensions.
  var groupsFolder: String?

  /// The longest side of a picture that is sent as pixels.
  static let maximumSide = 256
  /// The same for daemons that are slow with them.
  static let slowMaximumSide = 128

  /// Whether there is anything to look up.
  func isNeeded(for content: ContentRecord) -> Bool { !content.attachments.isEmpty || content.sound?.file != nil }

  /// Looks everything up.
  /// - Parameters:
  ///   - application: whose it is, if its own sounds matter.
  ///   - ahead: only to see whether it can be shown, long before it is.
  /// - Throws: ``BridgeError`` for a picture that cannot be decoded.
  nonisolated(nonsending) func prepare(
    _ content: ContentRecord, of application: String? = nil, quirks: ServerQuirks?, ahead: Bool = false
  ) async throws(BridgeError) -> Translator.Media {
    var media = Translator.Media()
    let side = quirks?.isSlowWithImages == true ? Self.slowMaximumSide : Self.maximumSide
    for (index, attachment) in content.attachments.enumerated() {
      switch attachment.kind {
      case .image: try await addImage(attachment, index, side, to: &media)
      case .audio, .movie: addButton(attachment, index, to: &media)
      case nil:
        let type = attachment.type.quotedForPeople
        media.dropped.append(
          Dropped(.attachment, "\(attachment.name) left out: the type \(type) is none that can be attached"))
      }
    }
    if !ahead { await addMoviePicture(content.attachments, side, to: &media) }
    media.soundFile = content.sound.flatMap { soundFile($0, application) }
    return media
  }

  private nonisolated(nonsending) func addImage(
    _ attachment: AttachmentRecord, _ index: Int, _ side: Int, to media: inout Translator.Media
  ) async throws(BridgeError) {
    if attachment.thumbnailHidden {
      media.dropped.append(Dropped(.image, "\(attachment.name) left out: its sender hides the thumbnail"))
      return addButton(attachment, index, to: &media)
    }
    // A further one is decoded too: one that is damaged is an error, as on Apple's systems.
    let picture: Translator.Media.Picture
    if let decoder {
      picture = .pixels(try await decode(attachment, side, decoder, &media))
    } else {
      picture = .file(attachment.path)
    }
    if media.picture == nil {
      media.picture = picture
    } else {
      media.dropped.append(Dropped(.image, "\(attachment.name) left out: the daemon shows one picture"))
      addButton(attachment, index, to: &media)
    }
  }

  private nonisolated(nonsending) func decode(
    _ attachment: AttachmentRecord, _ side: Int, _ decoder: any ImageDecoder, _ media: inout Translator.Media
  ) async throws(BridgeError) -> ImageData {
    if let moment = attachment.moment {
      do throws(BridgeError) {
        return try await decoder.decode(
          file: attachment.path, moment: moment, clip: attachment.clippingRect, maximumSide: side)
      } catch {
        // Its first frame may be fine; if it is not, that is the error.
        media.dropped.append(Dropped(.image, "the first frame of \(attachment.name) is shown: \(error.message)"))
      }
    }
    return try await decoder.decode(file: attachment.path, clip: attachment.clippingRect, maximumSide: side)
  }

  private func addButton(_ attachment: AttachmentRecord, _ index: Int, to media: inout Translator.Media) {
    let kind: Translator.Media.Button.Kind = attachment.kind == .audio ? .play : .open
    if canOpen {
      media.buttons.append(Translator.Media.Button(kind, attachment: index, name: attachment.name))
    } else if attachment.kind != .image {
      let what = kind == .play ? "play" : "open"
      media.dropped.append(
        Dropped(.attachment, "\(attachment.name) has no button: nobody is there to \(what) it when that is pressed"))
    }
  }

  /// The first movie's picture, if nothing else is shown.
  private nonisolated(nonsending) func addMoviePicture(
    _ attachments: [AttachmentRecord], _ side: Int, to media: inout Translator.Media
  ) async {
    for movie in attachments where movie.kind == .movie {
      if movie.thumbnailHidden {
        media.dropped.append(Dropped(.image, "no picture of \(movie.name): its sender hides the thumbnail"))
      } else if media.picture != nil {
        media.dropped.append(Dropped(.image, "no picture of \(movie.name): the daemon shows one picture"))
      } else if let thumbnailer {
        do throws(BridgeError) {
          media.picture = try await picture(of: movie, side, thumbnailer, &media)
        } catch {
          media.dropped.append(Dropped(.image, "no picture of \(movie.name): \(error.message)"))
        }
      } else {
        media.dropped.append(Dropped(.image, "no picture of \(movie.name): nothing here asks a thumbnailer for it"))
      }
    }
  }

  private nonisolated(nonsending) func picture(
    of movie: AttachmentRecord, _ side: Int, _ thumbnailer: any MovieThumbnailer, _ media: inout Translator.Media
  ) async throws(BridgeError) -> Translator.Media.Picture {
    let seconds = movie.thumbnailTime.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    let found = try await thumbnailer.thumbnail(
      of: movie.path, mimeType: AttachmentType(identifier: movie.type)?.mimeType ?? "", at: seconds, side: side)
    let picture: Translator.Media.Picture
    if let decoder {
      picture = .pixels(try await decoder.decode(file: found.file, clip: movie.clippingRect, maximumSide: side))
    } else {
      picture = .file(found.file)
    }
    if !found.isOfTime {
      media.dropped.append(
        Dropped(
          .image,
          "the picture of \(movie.name) is of another time: install ffmpegthumbnailer, which can choose the time"))
    }
    return picture
  }

  /// A sound's file: by name in the folders, or its absolute path; nil if it is not there. A name is no path: nothing
  /// outside the folders can be reached by it, since payloads have names from elsewhere.
  private func soundFile(_ sound: SoundRecord, _ application: String?) -> String? {
    guard let name = sound.file else { return nil }
    if case .file = sound.source, name.hasPrefix("/") { return isReadable(name) ? name : nil }
    guard !name.contains("/") else { return nil }
    var folders = soundFolders
    if let groupsFolder, let application, !application.hasPrefix("."), !application.contains("/") {
      folders.insert("\(groupsFolder)/\(application)/Library/Sounds", at: 0)
    }
    return folders.map { $0 + "/" + name }.first(where: isReadable)
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

extension AttachmentRecord {
  /// The file's name for people.
  fileprivate var name: String { (path.split(separator: "/").last.map(String.init) ?? path).quotedForPeople }
}
