// A message that was sent, by the names of Apple's Intents: it enriches the content of a notification.

/// What kind of message it is. Raw values as Apple's.
///
/// Source: Apple, INOutgoingMessageType.
public enum INOutgoingMessageType: Int, Sendable {
  case unknown = 0
  case outgoingMessageText = 1
  case outgoingMessageAudio = 2
}

/// A phrase, such as the name of a group.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, INSpeakableString.
open class INSpeakableString: NSObject, NSCopying, NSSecureCoding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  public final let spokenPhrase: String

  public init(spokenPhrase: String) {
    self.spokenPhrase = spokenPhrase
    super.init()
  }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? INSpeakableString)?.spokenPhrase == spokenPhrase
  }

  open override var hash: Int { spokenPhrase.hashValue }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) { coder.encode(spokenPhrase, forKey: "spokenPhrase") }

  /// Reads an archive; what is missing is empty.
  public required init?(coder: NSCoder) {
    spokenPhrase = coder.text("spokenPhrase") ?? ""
    super.init()
  }
}

/// A file that was sent with a message. Nothing on Linux makes one; the type is here for initialisers that take nil.
///
/// Source: Apple, INSendMessageAttachment.
open class INSendMessageAttachment: NSObject {}

/// A message that somebody sent, to enrich a content by ``UNNotificationContent/updating(from:)``.
///
/// Immutable; usable from any thread.
///
/// Source: Apple, INSendMessageIntent.
open class INSendMessageIntent: NSObject, NSCopying, NSSecureCoding, UNNotificationContentProviding,
  // Unchecked: only immutable properties.
  @unchecked Sendable
{
  /// Who it went to; nil: not told.
  public final let recipients: [INPerson]?
  public final let outgoingMessageType: INOutgoingMessageType
  /// Its text; nil: not told.
  public final let content: String?
  /// The name of the group; nil: a conversation of two.
  public final let speakableGroupName: INSpeakableString?
  /// The application's name for the conversation; nil: none.
  public final let conversationIdentifier: String?
  /// The service that carried it; nil: not told.
  public final let serviceName: String?
  /// Who sent it; nil: not told.
  public final let sender: INPerson?

  /// A message with what is known of it; the attachments are not kept.
  public init(
    recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
    speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?, sender: INPerson?,
    attachments: [INSendMessageAttachment]?
  ) {
    self.recipients = recipients
    self.outgoingMessageType = outgoingMessageType
    self.content = content
    self.speakableGroupName = speakableGroupName
    self.conversationIdentifier = conversationIdentifier
    self.serviceName = serviceName
    self.sender = sender
    super.init()
  }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INSendMessageIntent else { return false }
    return recipients == other.recipients && outgoingMessageType == other.outgoingMessageType
      && content == other.content && speakableGroupName == other.speakableGroupName
      && conversationIdentifier == other.conversationIdentifier && serviceName == other.serviceName
      && sender == other.sender
  }

  open override var hash: Int { conversationIdentifier.hashValue ^ content.hashValue }

  open override var description: String {
    description(of: ["sender": sender, "conversationIdentifier": conversationIdentifier, "content": content])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(recipients, forKey: "recipients")
    coder.encode(NSNumber(value: outgoingMessageType.rawValue), forKey: "outgoingMessageType")
    coder.encode(content, forKey: "content")
    coder.encode(speakableGroupName, forKey: "speakableGroupName")
    coder.encode(conversationIdentifier, forKey: "conversationIdentifier")
    coder.encode(serviceName, forKey: "serviceName")
    coder.encode(sender, forKey: "sender")
  }

  /// Reads an archive; what is missing was not told.
  public required init?(coder: NSCoder) {
    recipients = coder.objects("recipients", INPerson.self)
    outgoingMessageType =
      coder.number("outgoingMessageType").flatMap { INOutgoingMessageType(rawValue: $0.intValue) } ?? .unknown
    content = coder.text("content")
    speakableGroupName = coder.object("speakableGroupName", INSpeakableString.self)
    conversationIdentifier = coder.text("conversationIdentifier")
    serviceName = coder.text("serviceName")
    sender = coder.object("sender", INPerson.self)
    super.init()
  }
}
