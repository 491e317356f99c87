/// Runs the extensions that applications have installed: programs of their own that change what is pushed before it is
/// shown, or draw what is shown of a category.
///
/// Everything is called on the engine's executor and returns at once; answers and events come from any thread.
public protocol ExtensionRunner: Sendable {
  /// Whether the application has a service extension. Quick.
  func hasService(of application: String) -> Bool
  /// Has the application's service extension change what was pushed.
  /// - Parameter answer: called once, after 35 s at most; nil: the original is shown.
  func modify(
    _ request: RequestRecord, of application: ApplicationRecord, _ answer: @escaping @Sendable (ContentRecord?) -> Void)

  /// The content extension that draws a category; nil: none, or several that are in each other's way. Quick.
  func contentExtension(of application: String, for category: String) -> ContentExtension?
  /// Gets a content extension ready; its program is started with the first thing that it is told.
  /// - Parameter events: what it says of its own accord and ahead of its answers, in order.
  func open(
    _ bundle: ContentExtension, of application: ApplicationRecord,
    _ events: @escaping @Sendable (ContentExtensionEvent) -> Void
  ) -> any ContentExtensionSession
}

/// A content extension, as its bundle describes it.
///
/// Source: Apple, "Customizing the Appearance of Notifications", the keys of `NSExtensionAttributes`.
public struct ContentExtension: Sendable, Hashable {
  /// The folder's name without `.appex`.
  public var name: String
  /// The categories that it draws.
  public var categories: [String]
  /// Only what the extension shows is shown: `UNNotificationExtensionDefaultContentHidden`.
  public var hidesDefaultContent: Bool
  /// Its title is the summary: `UNNotificationExtensionOverridesDefaultTitle`.
  public var overridesTitle: Bool
  /// Height by width: `UNNotificationExtensionInitialContentSizeRatio`. Kept for a window.
  public var sizeRatio: Double
  /// `UNNotificationExtensionUserInteractionEnabled`. Kept for a window.
  public var isInteractive: Bool

  public init(
    name: String, categories: [String], hidesDefaultContent: Bool = false, overridesTitle: Bool = false,
    sizeRatio: Double = 1, isInteractive: Bool = false
  ) {
    self.name = name
    self.categories = categories
    self.hidesDefaultContent = hidesDefaultContent
    self.overridesTitle = overridesTitle
    self.sizeRatio = sizeRatio
    self.isInteractive = isInteractive
  }
}

/// A content extension at work on one notification, or one thread of them. When this is released its program ends.
public protocol ContentExtensionSession: AnyObject, Sendable {
  /// Hands it a notification: the first, or a further one of the thread.
  /// - Parameters:
  ///   - actions: the buttons that it has without the extension.
  ///   - limit: how long it may take; then it counts as answered, and what it says later is an event like any other.
  ///   - answer: called once, behind the events that it led to; false: it did not answer, or has ended.
  func receive(
    _ notification: NotificationRecord, actions: [ActionRecord], within limit: Duration,
    _ answer: @escaping @Sendable (Bool) -> Void)
  /// Hands it what the user did.
  /// - Parameter answer: called once, behind the events that it led to; nil: it has ended, or did not answer in time.
  func respond(
    _ response: ResponseRecord, within limit: Duration,
    _ answer: @escaping @Sendable (ContentExtensionDecision?) -> Void)
  /// The user has used one of its controls.
  /// - Parameter answer: as that of ``receive(_:within:_:)``.
  func use(
    _ control: ContentControl.Change, within limit: Duration, _ answer: @escaping @Sendable (Bool) -> Void)
  /// The user has pressed the media button.
  func setPlaying(_ isPlaying: Bool)
}

/// What becomes of a notification after a response.
///
/// Source: Apple, UNNotificationContentExtensionResponseOption.
public enum ContentExtensionDecision: String, Sendable, Hashable, CaseIterable {
  case doNotDismiss, dismiss, dismissAndForwardAction
}

/// Something that a content extension says.
public enum ContentExtensionEvent: Sendable, Hashable {
  /// It shows something else.
  case updated(ContentUpdate)
  /// As if the user had clicked on the notification.
  case performDefaultAction
  /// The notification is to go away.
  case dismiss
  /// Its program has ended by itself, or broke the rules; it is started anew with what comes next.
  case ended
}

/// What a content extension changes. What it does not mention stays as it is.
public struct ContentUpdate: Sendable, Hashable {
  /// Title, subtitle, body and attachments are shown in place of the notification's own; the rest of it is ignored.
  public var content: ContentRecord?
  /// Take the place of the category's.
  public var actions: [ActionRecord]?
  public var controls: [ContentControl]?
  public var media: MediaButton?
  /// Width and height in points. Kept for a window.
  public var preferredSize: Size?

  public struct Size: Sendable, Hashable {
    public var width, height: Double

    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// A button that plays and pauses.
  public struct MediaButton: Sendable, Hashable {
    /// Source: Apple, UNNotificationContentExtensionMediaPlayPauseButtonType.
    public enum Kind: String, Sendable, Hashable, CaseIterable { case none, `default`, overlay }
    public var kind: Kind
    public var isPlaying: Bool

    public init(kind: Kind, isPlaying: Bool) {
      self.kind = kind
      self.isPlaying = isPlaying
    }
  }

  public init() {}

  /// Takes over what a later one mentions.
  public mutating func merge(_ later: ContentUpdate) {
    content = later.content ?? content
    actions = later.actions ?? actions
    controls = later.controls ?? controls
    media = later.media ?? media
    preferredSize = later.preferredSize ?? preferredSize
  }
}

/// Something in a content extension's interface that the user can use; shown as a button whose label tells its state.
public struct ContentControl: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case button
    case `switch`(isOn: Bool)
    /// Each press goes on to the next one.
    case choice(options: [String], selected: Int)
  }

  /// Unique among the controls and actions that are shown with it.
  public var identifier: String
  public var title: String
  public var kind: Kind

  public init(identifier: String, title: String, kind: Kind) {
    self.identifier = identifier
    self.title = title
    self.kind = kind
  }

  /// What a press makes of it.
  public struct Change: Sendable, Hashable {
    public var identifier: String
    /// Nil for a button; whether a switch is on; which option is selected.
    public var value: PropertyValue?

    public init(identifier: String, value: PropertyValue?) {
      self.identifier = identifier
      self.value = value
    }
  }
}

/// The forms in which extensions and the bridge talk: a JSON object on a line each.
///
/// A service extension is told `{"type":"request","request":…}` and perhaps `{"type":"expire"}`, and answers
/// `{"type":"content","content":…}`. A content extension is told `{"type":"notification","notification":…,"actions":[…]}`,
/// `{"type":"response","response":…}`, `{"type":"control","identifier":…,"value":…}` and
/// `{"type":"media","isPlaying":…}`; it says `{"type":"update",…}` with the entries of ``ContentUpdate``, whenever it
/// likes and as its answer to a notification or a control; `{"type":"done","option":…}` as its answer to a response; and
/// `{"type":"performDefaultAction"}` and `{"type":"dismiss"}`.
public enum ExtensionMessage: Sendable, Hashable {
  // To extensions.
  indirect case request(RequestRecord, ApplicationRecord)
  case expire
  indirect case notification(NotificationRecord, actions: [ActionRecord])
  indirect case response(ResponseRecord)
  case control(ContentControl.Change)
  case media(isPlaying: Bool)
  // From extensions.
  indirect case content(ContentRecord)
  indirect case update(ContentUpdate)
  case done(ContentExtensionDecision)
  case performDefaultAction
  case dismiss
}
