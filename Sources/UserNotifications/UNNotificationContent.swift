import NotificationBridge
import Synchronization

/// What a notification shows and plays, and what travels along.
///
/// An instance never changes; ``UNMutableNotificationContent`` can be edited. Usable from any thread.
///
/// Source: Apple, UNNotificationContent.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
  // Unchecked: all state is behind `state`; NSObject itself has none.
  @unchecked Sendable
{
  private let state: Mutex<ContentFields>

  /// Everything, as a value of its own.
  final var fields: ContentFields { state.withLock { $0 } }

  /// Only the mutable subclass may call this.
  final func change(_ body: (inout ContentFields) -> Void) { state.withLock { body(&$0) } }

  /// Empty content: no text, no badge, no sound.
  public override init() {
    state = Mutex(ContentFields())
    super.init()
  }

  convenience init(_ fields: ContentFields) { self.init(coder: Seed(fields))! }

  /// The first line, plain text; empty by default.
  open var title: String { fields.title }
  /// The second line, plain text; empty by default.
  open var subtitle: String { fields.subtitle }
  /// The text, plain; it is shown letter for letter, `%` and `<` too. Empty by default.
  open var body: String { fields.body }
  /// The number on the application's icon; nil (the default) leaves it alone, 0 hides it.
  open var badge: NSNumber? { fields.badge }
  /// What is played; nil (the default) is silent.
  open var sound: UNNotificationSound? { fields.sound }
  /// Kept; Linux has no launch images.
  open var launchImageName: String { fields.launchImageName }
  /// Property-list values of the application's own, handed back with the response. Numbers come back as `NSNumber`.
  open var userInfo: [AnyHashable: Any] { fields.userInfo }
  /// Pictures, sounds and films; empty by default.
  open var attachments: [UNNotificationAttachment] { fields.attachments }
  /// The registered category whose actions are offered; empty by default.
  open var categoryIdentifier: String { fields.categoryIdentifier }
  /// Equal ones belong together; empty by default.
  open var threadIdentifier: String { fields.threadIdentifier }
  /// Goes into the category's summary; empty by default.
  @available(*, deprecated, message: "Apple's systems ignore it since iOS 15 and macOS 12.")
  open var summaryArgument: String { fields.summaryArgument }
  /// How many items it stands for in the category's summary; 1 by default, never 0.
  @available(*, deprecated, message: "Apple's systems ignore it since iOS 15 and macOS 12.")
  open var summaryArgumentCount: Int { fields.summaryArgumentCount }
  /// The window to bring forward; nil by default.
  open var targetContentIdentifier: String? { fields.targetContentIdentifier }
  /// Importance and timing; `.active` by default.
  open var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
  /// Importance among the application's notifications, 0…1; 0 by default.
  open var relevanceScore: Double { fields.relevanceScore }
  /// Kept and handed back; nil by default.
  open var filterCriteria: String? { fields.filterCriteria }

  /// An immutable copy in which a message fills in what this content leaves empty: the title by the sender's name, the
  /// subtitle by the group's, the body by the message's text, the thread by the conversation.
  /// - Parameter provider: an ``INSendMessageIntent`` or a ``UNNotificationAttributedMessageContext``, whose text
  ///   becomes the body in any case.
  /// - Throws: ``UNError/contentProvidingObjectNotAllowed`` for any other object, ``UNError/contentProvidingInvalid``
  ///   for a message without a sender's name or, attributed, without text.
  open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
    UNNotificationContent(try fields.updated(from: provider))
  }

  /// An immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(fields)
  }

  /// A ``UNMutableNotificationContent`` with the same content.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(fields) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationContent else { return false }
    return self === other || fields.isEqual(to: other.fields)
  }

  open override var hash: Int { fields.hash }

  open override var description: String {
    let fields = self.fields
    return description(of: [
      "title": fields.title, "subtitle": fields.subtitle, "body": fields.body, "badge": fields.badge,
      "sound": fields.sound, "categoryIdentifier": fields.categoryIdentifier,
      "threadIdentifier": fields.threadIdentifier, "attachments": fields.attachments,
      "interruptionLevel": fields.interruptionLevel, "userInfo": fields.userInfo,
    ])
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) { fields.encode(with: coder) }

  /// Reads an archive; what is missing has its default.
  public required init?(coder: NSCoder) {
    state = Mutex((coder as? Seed<ContentFields>)?.fields ?? ContentFields(coder: coder))
    super.init()
  }
}
