/// A message with attributed text, to enrich a content by ``UNNotificationContent/updating(from:)``.
///
/// Desktops show notifications in one style, so the text's attributes are dropped there.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, UNNotificationAttributedMessageContext.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding,
  // Unchecked: only immutable properties, and the text is a copy of its own.
  @unchecked Sendable
{
  final let intent: INSendMessageIntent
  final let attributedContent: NSAttributedString

  private init(_ intent: INSendMessageIntent, _ attributedContent: NSAttributedString) {
    self.intent = intent
    self.attributedContent = attributedContent
    super.init()
  }

  /// - Parameters:
  ///   - sendMessageIntent: who sent the message, and in which conversation.
  ///   - attributedContent: its text; is copied.
  public convenience init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
    self.init(sendMessageIntent, NSAttributedString(attributedString: attributedContent))
  }
}
