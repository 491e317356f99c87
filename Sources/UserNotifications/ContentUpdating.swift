extension ContentFields {
  /// The content enriched by a message: what it leaves empty is filled in from it. The title becomes the sender's name,
  /// the subtitle the group's, the body the text, the thread the conversation.
  /// - Throws: ``UNError/contentProvidingObjectNotAllowed`` for an object of the program's own,
  ///   ``UNError/contentProvidingInvalid`` for a message without a sender's name or, attributed, without text.
  func updated(from provider: any UNNotificationContentProviding) throws(UNError) -> ContentFields {
    switch provider {
    case let intent as INSendMessageIntent: return try updated(from: intent, text: intent.content)
    case let context as UNNotificationAttributedMessageContext:
      let text = context.attributedContent.string
      guard !text.isEmpty else { throw UNError(.contentProvidingInvalid, "the attributed message has no text") }
      // It is the message itself, and stands in for the plain one.
      var fields = try updated(from: context.intent, text: text)
      fields.body = text
      return fields
    default:
      throw UNError(
        .contentProvidingObjectNotAllowed,
        "content can be updated from an INSendMessageIntent or a UNNotificationAttributedMessageContext, "
          + "and not from a \(type(of: provider))")
    }
  }

  private func updated(from intent: INSendMessageIntent, text: String?) throws(UNError) -> ContentFields {
    guard let sender = intent.sender?.displayName, !sender.isEmpty else {
      throw UNError(.contentProvidingInvalid, "the message has no sender with a name or an address")
    }
    var fields = self
    if fields.title.isEmpty { fields.title = sender }
    if fields.subtitle.isEmpty { fields.subtitle = intent.speakableGroupName?.spokenPhrase ?? "" }
    if fields.body.isEmpty { fields.body = text ?? "" }
    if fields.threadIdentifier.isEmpty { fields.threadIdentifier = intent.conversationIdentifier ?? "" }
    return fields
  }
}
