public import DBus

/// A hint with its one wire type.
///
/// Source: Desktop Notifications Specification, "Hints"; vendor hints by their vendors' documentation.
public enum Hint: Sendable, Hashable {
  /// Keys of actions are icon names, drawn in place of their labels.
  case actionIcons(Bool)
  /// A class such as `im.received`.
  case category(String)
  /// The application's desktop entry without `.desktop`.
  case desktopEntry(String)
  /// A picture under the name that the daemon's version of the specification gives it.
  case imageData(ImageData, name: ImageDataName)
  /// A `file:` URI or an icon name; `image_path` for daemons of version 1.1.
  case imagePath(String, legacy: Bool)
  /// It stays after an action.
  case resident(Bool)
  /// An absolute path.
  case soundFile(String)
  /// A name of the sound theme.
  case soundName(String)
  case suppressSound(Bool)
  /// It is not kept.
  case transient(Bool)
  case urgency(Urgency)
  /// Progress in percent, 0…100 (widespread, not in the specification).
  case progress(Int32)
  /// The process that sends (libnotify).
  case senderPID(Int64)
  /// What stands in an empty reply field (Plasma, swaync).
  case replyPlaceholder(String)
  /// The label of the button that sends a reply (Plasma, swaync).
  case replySubmitLabel(String)
  /// Whom it is meant for: `user` alone keeps it off GNOME's lock screen (GNOME).
  case privacyScope(String)
  /// Anything else, as given.
  case other(name: String, Value)

  /// The three spellings of the picture hint, by version of the specification.
  public enum ImageDataName: String, Sendable, Hashable {
    /// 1.2 and later.
    case current = "image-data"
    /// 1.1.
    case version11 = "image_data"
    /// Before 1.1.
    case version10 = "icon_data"
  }

  /// Its key.
  public var name: String {
    switch self {
    case .actionIcons: "action-icons"
    case .category: "category"
    case .desktopEntry: "desktop-entry"
    case .imageData(_, let name): name.rawValue
    case .imagePath(_, let legacy): legacy ? "image_path" : "image-path"
    case .resident: "resident"
    case .soundFile: "sound-file"
    case .soundName: "sound-name"
    case .suppressSound: "suppress-sound"
    case .transient: "transient"
    case .urgency: "urgency"
    case .progress: "value"
    case .senderPID: "sender-pid"
    case .replyPlaceholder: "x-kde-reply-placeholder-text"
    case .replySubmitLabel: "x-kde-reply-submit-button-text"
    case .privacyScope: "x-gnome-privacy-scope"
    case .other(let name, _): name
    }
  }

  /// Its value, without the variant around it.
  public var value: Value {
    switch self {
    case .actionIcons(let flag), .resident(let flag), .suppressSound(let flag), .transient(let flag): .boolean(flag)
    case .category(let text), .desktopEntry(let text), .imagePath(let text, _), .soundFile(let text),
      .soundName(let text), .replyPlaceholder(let text), .replySubmitLabel(let text), .privacyScope(let text):
      .string(text)
    case .imageData(let image, _): image.value
    case .urgency(let urgency): .byte(urgency.rawValue)
    case .progress(let percent): .int32(percent)
    case .senderPID(let pid): .int64(pid)
    case .other(_, let value): value
    }
  }
}
