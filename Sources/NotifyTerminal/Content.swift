internal import DBus
internal import FreedesktopNotifications

/// What is shown of one notification: everything a peer chose, made safe and bounded in size.
struct Content: Sendable, Hashable {
  /// Something that can be pressed.
  struct Button: Sendable, Hashable {
    /// What is signalled; exactly what the peer gave.
    var key: String
    var label: [Glyph]
    /// True for the one that opens a text field.
    var isReply: Bool
  }

  var application: [Glyph]
  var summary: [Glyph]
  /// With line ends.
  var body: [Glyph]
  var urgency: Urgency
  /// In the peer's order, without the default action.
  var buttons: [Button]
  /// The label of the default action; nil where there is none, empty where it has no name.
  var defaultLabel: [Glyph]?
  /// What stands in an empty text field.
  var replyPlaceholder: [Glyph]
  /// What the key that sends a reply does.
  var replySubmitLabel: [Glyph]
  var picture: Thumbnail?
  /// In percent, 0…100.
  var progress: Int?
  /// It stays after an action.
  var isResident: Bool

  /// The largest numbers of characters that are kept, and of buttons.
  static let summaryLimit = 256
  static let bodyLimit = 2000
  static let labelLimit = 60
  static let buttonLimit = 32
  /// In bytes; a button with a longer key is left out, since a key must be signalled as it came or not at all.
  static let keyLimit = 1024

  /// - Parameters:
  ///   - readsMarkup: whether the body is markup; else it is plain text.
  ///   - keepsPicture: whether a picture will be drawn.
  init(_ notification: ReceivedNotification, readsMarkup: Bool, keepsPicture: Bool) {
    application = [Glyph](Self.trimmed(notification.appName), limit: Self.labelLimit)
    summary = [Glyph](Self.trimmed(notification.summary), limit: Self.summaryLimit)
    body = Self.body(notification.body, readsMarkup: readsMarkup)
    urgency = notification.urgency
    isResident = notification.isResident
    progress = notification.progress
    picture = keepsPicture ? notification.imageData.map { Thumbnail($0) } : nil
    let plain = notification.actions.filter { $0.key != Action.defaultKey && $0.key.utf8.count <= Self.keyLimit }
    buttons = plain.prefix(Self.buttonLimit).map { action in
      let label = Self.trimmed(action.label)
      return Button(
        key: action.key, label: [Glyph](label.isEmpty ? action.key[...] : label, limit: Self.labelLimit),
        isReply: action.key == Action.inlineReplyKey)
    }
    defaultLabel = notification.actions.first { $0.key == Action.defaultKey }.map { action in
      [Glyph](Self.trimmed(action.label), limit: Self.labelLimit)
    }
    replyPlaceholder = [Glyph](
      notification.hints["x-kde-reply-placeholder-text"]?.asString ?? "Type a reply", limit: Self.labelLimit)
    replySubmitLabel = [Glyph](
      notification.hints["x-kde-reply-submit-button-text"]?.asString ?? "Send", limit: Self.labelLimit)
  }

  private static func body(_ text: String, readsMarkup: Bool) -> [Glyph] {
    var builder = GlyphBuilder(newlines: .kept, limit: bodyLimit)
    if !readsMarkup {
      builder.append(trimmed(text))
    } else {
      for span in BodyMarkup.parse(String(trimmed(text))) {
        var style = Style()
        if span.isBold { style.attributes.insert(.bold) }
        if span.isItalic { style.attributes.insert(.italic) }
        if span.isUnderlined || span.isLink { style.attributes.insert(.underlined) }
        if span.isLink { style.foreground = Theme.link }
        if span.isRemark { style = Theme.quiet }
        builder.append(span.text, style: style)
      }
    }
    return builder.glyphs
  }

  /// Without white space around it; looks at the ends alone.
  private static func trimmed(_ text: String) -> Substring {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return Substring(scalars[first...last])
  }
}
