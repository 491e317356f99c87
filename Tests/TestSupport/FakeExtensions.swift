public import NotificationBridge
internal import Synchronization

/// Extensions without programs: a test says what each does.
public final class FakeExtensions: ExtensionRunner {
  /// What a content extension does with what it is told. Runs wherever the engine calls it.
  public struct Behavior: Sendable {
    /// Answers a notification, by default at once.
    public var receive: @Sendable (Session, NotificationRecord, @escaping @Sendable (Bool) -> Void) -> Void = {
      $2(true)
    }
    /// Answers a response; by default the application is to get it.
    public var respond:
      @Sendable (Session, ResponseRecord, @escaping @Sendable (ContentExtensionDecision?) -> Void) -> Void = {
        $2(.dismissAndForwardAction)
      }
    /// Answers the use of a control, by default at once.
    public var use: @Sendable (Session, ContentControl.Change, @escaping @Sendable (Bool) -> Void) -> Void = {
      $2(true)
    }
    public var setPlaying: @Sendable (Session, Bool) -> Void = { _, _ in }

    public init() {}
  }

  private let bundles: [ContentExtension]
  private let behavior: Behavior
  private let service: (@Sendable (RequestRecord, @escaping @Sendable (ContentRecord?) -> Void) -> Void)?
  private let opened = Mutex<[WeakSession]>([])
  private let told = Mutex<[String]>([])

  private struct WeakSession: Sendable {
    weak var session: Session?
  }

  public init(
    _ bundles: [ContentExtension] = [], _ behavior: Behavior = Behavior(),
    service: (@Sendable (RequestRecord, @escaping @Sendable (ContentRecord?) -> Void) -> Void)? = nil
  ) {
    self.bundles = bundles
    self.behavior = behavior
    self.service = service
  }

  /// How many sessions were opened so far, and how many are there still.
  public var opens: (all: Int, alive: Int) {
    opened.withLock { list in (list.count, list.count { $0.session != nil }) }
  }

  /// What the extensions were told, in order: `notification NAME`, `response NAME ACTION TEXT`, `control NAME VALUE`.
  public var calls: [String] { told.withLock { $0 } }

  /// The newest session.
  public var session: Session? { opened.withLock { $0.last?.session } }

  public func hasService(of application: String) -> Bool { service != nil }

  public func modify(
    _ request: RequestRecord, of application: ApplicationRecord, _ answer: @escaping @Sendable (ContentRecord?) -> Void
  ) {
    if let service { service(request, answer) } else { answer(nil) }
  }

  public func contentExtension(of application: String, for category: String) -> ContentExtension? {
    bundles.first { $0.categories.contains(category) }
  }

  public func open(
    _ bundle: ContentExtension, of application: ApplicationRecord,
    _ events: @escaping @Sendable (ContentExtensionEvent) -> Void
  ) -> any ContentExtensionSession {
    let session = Session(behavior, events) { [weak self] call in self?.told.withLock { $0.append(call) } }
    opened.withLock { $0.append(WeakSession(session: session)) }
    return session
  }

  /// One at work.
  public final class Session: ContentExtensionSession {
    private let behavior: Behavior
    private let note: @Sendable (String) -> Void
    /// Says something of its own accord.
    public let say: @Sendable (ContentExtensionEvent) -> Void

    init(
      _ behavior: Behavior, _ say: @escaping @Sendable (ContentExtensionEvent) -> Void,
      _ note: @escaping @Sendable (String) -> Void
    ) {
      self.behavior = behavior
      self.say = say
      self.note = note
    }

    /// Shows a text.
    public func show(title: String = "", body: String, actions: [ActionRecord]? = nil) {
      var update = ContentUpdate()
      var content = ContentRecord()
      content.title = title
      content.body = body
      update.content = content
      update.actions = actions
      say(.updated(update))
    }

    public func receive(
      _ notification: NotificationRecord, actions: [ActionRecord], within limit: Duration,
      _ answer: @escaping @Sendable (Bool) -> Void
    ) {
      note("notification \(notification.request.identifier)")
      behavior.receive(self, notification, answer)
    }

    public func respond(
      _ response: ResponseRecord, within limit: Duration,
      _ answer: @escaping @Sendable (ContentExtensionDecision?) -> Void
    ) {
      let text = response.text.map { " " + $0 } ?? ""
      note("response \(response.notification.request.identifier) \(response.action.word)\(text)")
      behavior.respond(self, response, answer)
    }

    public func use(
      _ control: ContentControl.Change, within limit: Duration, _ answer: @escaping @Sendable (Bool) -> Void
    ) {
      let value =
        switch control.value {
        case .boolean(let flag)?: " \(flag)"
        case .integer(let number)?: " \(number)"
        default: ""
        }
      note("control \(control.identifier)\(value)")
      behavior.use(self, control, answer)
    }

    public func setPlaying(_ isPlaying: Bool) {
      note("playing \(isPlaying)")
      behavior.setPlaying(self, isPlaying)
    }
  }
}
