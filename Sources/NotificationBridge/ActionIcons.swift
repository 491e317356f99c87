/// The icons of buttons, by the names that desktops have for them.
///
/// Source of the names: Icon Naming Specification 0.8; beyond it avatar-default, bookmark-new, document-edit,
/// find-location, object-select and starred, which Adwaita and Breeze have. Which of them says what a symbol says was chosen by us; the symbols
/// are those that programs put on buttons of notifications most.
enum ActionIcons {
  /// The button that plays a sound.
  static let play = "media-playback-start"
  /// The button that opens a file.
  static let open = "document-open"

  /// The name that icon themes have for an icon; nil for one that they are not known to have.
  /// - Parameter name: of a symbol of Apple's system, or of the Icon Naming Specification, with `-symbolic` or without.
  static func themeName(of name: String) -> String? {
    if let found = bySymbol[plain(name)] { return found }
    let suffix = "-symbolic"
    let base = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    return standard.contains(base) || bySymbol.values.contains(base) ? name : nil
  }

  /// A symbol's name without what only says how it is drawn: `trash.circle.fill` is `trash`.
  private static func plain(_ name: String) -> String {
    var parts = name.split(separator: ".")
    while let last = parts.last, parts.count > 1, ["fill", "circle", "square", "rectangle"].contains(last) {
      parts.removeLast()
    }
    return parts.joined(separator: ".")
  }

  static let bySymbol: [String: String] = [
    "archivebox": "folder", "arrow.clockwise": "view-refresh", "arrow.counterclockwise": "edit-undo",
    "arrow.down": "go-down", "arrow.left": "go-previous", "arrow.right": "go-next",
    "arrow.triangle.2.circlepath": "view-refresh", "arrow.up": "go-up", "arrow.uturn.backward": "edit-undo",
    "arrow.uturn.forward": "edit-redo", "arrow.uturn.left": "edit-undo", "arrow.uturn.right": "edit-redo",
    "arrowshape.turn.up.forward": "mail-forward", "arrowshape.turn.up.left": "mail-reply-sender",
    "arrowshape.turn.up.left.2": "mail-reply-all", "arrowshape.turn.up.right": "mail-forward",
    "backward": "media-seek-backward", "bell.slash": "audio-volume-muted", "bookmark": "bookmark-new",
    "calendar": "x-office-calendar", "calendar.badge.plus": "appointment-new", "camera": "camera-photo",
    "checkmark": "object-select", "chevron.down": "go-down", "chevron.left": "go-previous", "chevron.right": "go-next",
    "chevron.up": "go-up", "clock": "appointment-soon", "doc": "text-x-generic", "doc.on.clipboard": "edit-paste",
    "doc.on.doc": "edit-copy", "ellipsis.bubble": "mail-reply-sender", "envelope": "mail-unread",
    "envelope.open": "mail-read", "exclamationmark.triangle": "dialog-warning", "eye": "document-open",
    "flag": "mail-mark-important", "folder": "folder", "forward": "media-seek-forward", "gear": "preferences-system",
    "gearshape": "preferences-system", "globe": "applications-internet", "hand.thumbsdown": "face-sad",
    "hand.thumbsup": "face-smile", "house": "go-home", "info": "dialog-information", "link": "insert-link",
    "location": "find-location", "lock": "system-lock-screen", "magnifyingglass": "edit-find", "map": "find-location",
    "message": "mail-message-new", "mic": "audio-input-microphone", "minus": "list-remove",
    "music.note": "audio-x-generic", "paperclip": "mail-attachment", "paperplane": "mail-send",
    "pause": "media-playback-pause", "pencil": "accessories-text-editor", "person": "avatar-default",
    "person.badge.plus": "contact-new", "phone": "call-start", "phone.down": "call-stop", "photo": "image-x-generic",
    "play": "media-playback-start", "play.pause": "media-playback-start", "plus": "list-add",
    "power": "system-shutdown",
    "printer": "document-print", "questionmark": "help-contents", "reply": "mail-reply-sender", "scissors": "edit-cut",
    "speaker.slash": "audio-volume-muted", "speaker.wave.2": "audio-volume-medium",
    "square.and.arrow.down": "document-save",
    "square.and.arrow.up": "document-send", "square.and.pencil": "document-edit", "star": "starred",
    "stop": "media-playback-stop", "tag": "bookmark-new", "text.bubble": "mail-message-new", "trash": "user-trash",
    "video": "camera-video", "xmark": "window-close", "xmark.bin": "user-trash",
  ]

  /// The names of the specification that buttons may have: its actions, and what of the others is a thing to press for.
  static let standard: Set<String> = [
    "address-book-new", "application-exit", "appointment-new", "call-start", "call-stop", "contact-new", "document-new",
    "document-open", "document-open-recent", "document-page-setup", "document-print", "document-print-preview",
    "document-properties", "document-revert", "document-save", "document-save-as", "document-send", "edit-clear",
    "edit-copy", "edit-cut", "edit-delete", "edit-find", "edit-find-replace", "edit-paste", "edit-redo",
    "edit-select-all", "edit-undo", "folder-new", "format-indent-less", "format-indent-more", "go-bottom", "go-down",
    "go-first", "go-home", "go-jump", "go-last", "go-next", "go-previous", "go-top", "go-up", "help-about",
    "help-contents", "help-faq", "insert-image", "insert-link", "insert-object", "insert-text", "list-add",
    "list-remove", "mail-forward", "mail-mark-important", "mail-mark-junk", "mail-mark-notjunk", "mail-mark-read",
    "mail-mark-unread", "mail-message-new", "mail-reply-all", "mail-reply-sender", "mail-send", "mail-send-receive",
    "media-eject", "media-playback-pause", "media-playback-start", "media-playback-stop", "media-record",
    "media-seek-backward", "media-seek-forward", "media-skip-backward", "media-skip-forward", "process-stop",
    "system-lock-screen", "system-log-out", "system-reboot", "system-run", "system-search", "system-shutdown",
    "tools-check-spelling", "view-fullscreen", "view-refresh", "view-restore", "window-close", "window-new",
    "zoom-fit-best", "zoom-in", "zoom-original", "zoom-out", "accessories-calculator", "accessories-text-editor",
    "applications-internet", "audio-input-microphone", "audio-volume-high", "audio-volume-low", "audio-volume-medium",
    "audio-volume-muted", "audio-x-generic", "appointment-missed", "appointment-soon", "camera-photo", "camera-video",
    "dialog-error", "dialog-information", "dialog-password", "dialog-question", "dialog-warning", "face-sad",
    "face-smile", "folder", "folder-open", "help-browser", "image-missing", "image-x-generic", "mail-attachment",
    "mail-read", "mail-replied", "mail-unread", "preferences-desktop", "preferences-system",
    "software-update-available",
    "text-x-generic", "user-available", "user-away", "user-home", "user-offline", "user-trash", "utilities-terminal",
    "video-x-generic", "web-browser", "x-office-address-book", "x-office-calendar", "x-office-document",
  ]
}
