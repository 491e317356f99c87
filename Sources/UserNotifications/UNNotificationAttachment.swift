import NotificationBridge

/// A picture, sound or film that goes with a notification.
///
/// Pictures (JPEG, GIF, PNG) may have 10 MB, sounds (AIFF, WAVE, MP3, MPEG-4) 5 MB and films (MPEG, MPEG-2, MPEG-4,
/// AVI) 50 MB. When its request is added the file moves into a store of the library (it is copied if it lies inside the
/// application's bundle); ``url`` of an attachment that the center hands out is its place there.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationAttachment.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  final let record: AttachmentRecord

  convenience init(_ record: AttachmentRecord) { self.init(coder: Seed(record))! }

  /// Looks at the file, and leaves it as it is.
  /// - Parameters:
  ///   - identifier: the application's name for it; empty: a unique one is made.
  ///   - URL: that of a readable regular file.
  ///   - options: see the keys that begin with `UNNotificationAttachmentOptions`.
  /// - Throws: ``UNError`` `attachmentInvalidURL`, `attachmentUnrecognizedType`, `attachmentInvalidFileSize` or
  ///   `attachmentCorrupt`. A file without extension is of the type that its content shows; Apple's systems refuse it.
  ///   Other options with a wrong value count as not given, and a warning on standard error names them.
  public convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
    let options = try AttachmentOptions(options ?? [:], of: URL)
    let file = try AttachmentFile(URL, typeHint: options.typeHint)
    self.init(
      AttachmentRecord(
        identifier: identifier.isEmpty ? UUID().uuidString : identifier, path: URL.standardizedFileURL.path,
        type: file.type.identifier, thumbnailHidden: options.thumbnailHidden, clippingRect: options.clippingRect,
        thumbnailTime: options.thumbnailTime, thumbnailTimeIsSeconds: options.thumbnailTimeIsSeconds))
    for problem in options.problems { StandardErrorLog().write(.warning, problem) }
  }

  /// The application's name for it.
  open var identifier: String { record.identifier }
  /// Where the file is.
  open var url: URL { URL(fileURLWithPath: record.path, isDirectory: false) }
  /// A uniform type identifier, `public.png` for example.
  open var type: String { record.type }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAttachment else { return false }
    return record == other.record
  }

  open override var hash: Int { record.hashValue }

  open override var description: String {
    description(of: ["identifier": identifier, "url": url.absoluteString, "type": type])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(record.identifier, forKey: "identifier")
    coder.encode(record.path, forKey: "path")
    coder.encode(record.type, forKey: "type")
    coder.encode(NSNumber(value: record.thumbnailHidden), forKey: "thumbnailHidden")
    if let rect = record.clippingRect {
      coder.encode([rect.x, rect.y, rect.width, rect.height].map(NSNumber.init(value:)), forKey: "clippingRect")
    }
    coder.encode(record.thumbnailTime.map(NSNumber.init(value:)), forKey: "thumbnailTime")
    coder.encode(NSNumber(value: record.thumbnailTimeIsSeconds), forKey: "thumbnailTimeIsSeconds")
  }

  /// Reads an archive; nil without a path and a type. The file itself is looked at when a request is added.
  public required init?(coder: NSCoder) {
    if let seed = coder as? Seed<AttachmentRecord> {
      record = seed.fields
      super.init()
      return
    }
    guard let path = coder.text("path"), let type = coder.text("type") else { return nil }
    let sides = coder.decode("clippingRect", of: [NSArray.self, NSNumber.self], as: [NSNumber].self)?.map(\.doubleValue)
    record = AttachmentRecord(
      identifier: coder.text("identifier") ?? "", path: path, type: type,
      thumbnailHidden: coder.number("thumbnailHidden")?.boolValue ?? false,
      clippingRect: sides.flatMap { sides in
        sides.count == 4
          ? AttachmentRecord.Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3]) : nil
      },
      thumbnailTime: coder.number("thumbnailTime")?.doubleValue,
      thumbnailTimeIsSeconds: coder.number("thumbnailTimeIsSeconds")?.boolValue ?? false)
    super.init()
  }
}
