/// A content that can be edited, to be given to a request, which keeps a copy.
///
/// Usable from any thread, though two threads that edit one content see each other's changes.
///
/// Source: Apple, UNMutableNotificationContent.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  /// Empty content: no text, no badge, no sound.
  public override init() { super.init() }

  /// Reads an archive; what is missing has its default.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The first line, plain text.
  open override var title: String {
    get { fields.title }
    set { change { $0.title = newValue } }
  }
  /// The second line, plain text.
  open override var subtitle: String {
    get { fields.subtitle }
    set { change { $0.subtitle = newValue } }
  }
  /// The text, plain; it is shown letter for letter, `%` and `<` too.
  open override var body: String {
    get { fields.body }
    set { change { $0.body = newValue } }
  }
  /// The number on the application's icon; nil leaves it alone, 0 hides it.
  open override var badge: NSNumber? {
    get { fields.badge }
    set { change { $0.badge = newValue } }
  }
  /// What is played; nil is silent.
  open override var sound: UNNotificationSound? {
    get { fields.sound }
    set { change { $0.sound = newValue } }
  }
  /// Kept; Linux has no launch images.
  open override var launchImageName: String {
    get { fields.launchImageName }
    set { change { $0.launchImageName = newValue } }
  }
  /// Property-list values of the application's own, handed back with the response. Adding a request whose `userInfo`
  /// holds anything else fails with an error that names the key path.
  open override var userInfo: [AnyHashable: Any] {
    get { fields.userInfo }
    set { change { $0.userInfo = newValue } }
  }
  /// Pictures, sounds and films.
  open override var attachments: [UNNotificationAttachment] {
    get { fields.attachments }
    set { change { $0.attachments = newValue } }
  }
  /// The registered category whose actions are offered.
  open override var categoryIdentifier: String {
    get { fields.categoryIdentifier }
    set { change { $0.categoryIdentifier = newValue } }
  }
  /// Equal ones belong together.
  open override var threadIdentifier: String {
    get { fields.threadIdentifier }
    set { change { $0.threadIdentifier = newValue } }
  }
  /// Goes into the category's summary.
  @available(*, deprecated, message: "Apple's systems ignore it since iOS 15 and macOS 12.")
  open override var summaryArgument: String {
    get { fields.summaryArgument }
    set { change { $0.summaryArgument = newValue } }
  }
  /// How many items it stands for in the category's summary; at least 1: less counts as 1.
  @available(*, deprecated, message: "Apple's systems ignore it since iOS 15 and macOS 12.")
  open override var summaryArgumentCount: Int {
    get { fields.summaryArgumentCount }
    set { change { $0.summaryArgumentCount = max(1, newValue) } }
  }
  /// The window to bring forward.
  open override var targetContentIdentifier: String? {
    get { fields.targetContentIdentifier }
    set { change { $0.targetContentIdentifier = newValue } }
  }
  /// Importance and timing.
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { fields.interruptionLevel }
    set { change { $0.interruptionLevel = newValue } }
  }
  /// Importance among the application's notifications, 0…1.
  open override var relevanceScore: Double {
    get { fields.relevanceScore }
    set { change { $0.relevanceScore = newValue } }
  }
  /// Kept and handed back.
  open override var filterCriteria: String? {
    get { fields.filterCriteria }
    set { change { $0.filterCriteria = newValue } }
  }
}
