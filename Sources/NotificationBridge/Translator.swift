public import FreedesktopNotifications

/// Turns a request into one `Notify` call for a given daemon, and says what could not be expressed. Pure.
public struct Translator: Sendable {
  /// The pictures and sounds of a request, looked up beforehand.
  public struct Media: Sendable, Hashable {
    /// A picture that can be shown.
    public enum Picture: Sendable, Hashable {
      /// Decoded and scaled.
      case pixels(ImageData)
      /// An absolute path, for the daemon to read.
      case file(String)
    }

    /// A button that plays or opens a file.
    public struct Button: Sendable, Hashable {
      /// What it does.
      public enum Kind: Sendable, Hashable { case play, open }

      public var kind: Kind
      /// The attachment's place among those of the request, from 0.
      public var attachment: Int
      /// The file's name, made fit for people.
      public var name: String

      public init(_ kind: Kind, attachment: Int, name: String) {
        self.kind = kind
        self.attachment = attachment
        self.name = name
      }
    }

    public var picture: Picture?
    /// Wanted in this order, where there is room for them.
    public var buttons: [Button] = []
    /// The absolute path of a sound; nil: the desktop's own.
    public var soundFile: String?
    /// What could not be prepared, and why.
    public var dropped: [Dropped] = []

    public init(
      picture: Picture? = nil, buttons: [Button] = [], soundFile: String? = nil, dropped: [Dropped] = []
    ) {
      self.picture = picture
      self.buttons = buttons
      self.soundFile = soundFile
      self.dropped = dropped
    }
  }

  /// Under which conditions it is shown.
  public struct Conditions: Sendable, Hashable {
    public var presentation = PresentationOptions.all
    /// Only quietly, since the user was not asked yet: urgency low, no sound.
    public var isProvisional = false
    /// Nobody may read it over the user's shoulder.
    public var hidesPreviews = false
    /// How many notifications its thread has, itself included; for the text that stands for a hidden body.
    public var threadCount = 1
    /// The application has notification settings of its own, which a button may open.
    public var hasSettings = false
    /// Somebody shows badges.
    public var badgesAreShown = false
    /// Sounds that the daemon does not play are played for it.
    public var soundsArePlayed = false

    public init() {}
  }

  /// What comes of it.
  public struct Result: Sendable, Hashable {
    public var notification: Notification
    /// What each action key that was sent stands for.
    public var keys: [String: ActionMeaning]
    public var dropped: [Dropped]
  }

  /// What an action key stands for.
  public enum ActionMeaning: Sendable, Hashable {
    case `default`
    case button(identifier: String)
    /// Its text comes in an event of its own.
    case textInput(identifier: String)
    /// The daemon's button for the application's notification settings.
    case settings
    /// Plays or opens an attachment, by its place among those of the request; no response.
    case attachment(index: Int)
  }

  /// The most buttons that are sent.
  public static let actionLimit = 10
  /// The most of them that play or open attachments.
  public static let attachmentActionLimit = 2

  var profile: ServerProfile
  var capabilities: Capabilities { profile.capabilities }
  var dropped: [Dropped] = []

  /// - Parameter profile: the daemon for which to translate.
  public init(for profile: ServerProfile) { self.profile = profile }

  /// Translates; `replacesID` is left 0.
  /// - Parameter category: the request's category as registered now; nil if it has none or it is unknown.
  public func translate(
    _ request: RequestRecord, from application: ApplicationRecord, category: CategoryRecord?,
    media: Media = Media(), conditions: Conditions = Conditions()
  ) -> Result {
    var copy = self
    return copy.run(request, application, category, media, conditions)
  }

  private mutating func run(
    _ request: RequestRecord, _ application: ApplicationRecord, _ category: CategoryRecord?, _ media: Media,
    _ conditions: Conditions
  ) -> Result {
    dropped = media.dropped
    let content = request.content
    var notification = Notification(appName: TextRules.oneLine(application.name), summary: "")
    addText(to: &notification, content, category, conditions)
    if conditions.hidesPreviews { notification.hints.append(.privacyScope("user")) }
    let keys = addActions(
      to: &notification, request, category, buttons: conditions.hidesPreviews ? [] : media.buttons,
      hasSettings: conditions.hasSettings)
    let urgency = urgency(of: request, conditions)
    notification.hints.append(.urgency(urgency))
    notification.expireTimeout = expireTimeout(of: request)
    notification.appIcon = TextRules.oneLine(request.desktop.icon ?? application.icon)
    if application.isKnown { notification.hints.append(.desktopEntry(application.identifier)) }
    if let name = request.desktop.category ?? Self.standardClass(content.categoryIdentifier) {
      notification.hints.append(.category(TextRules.oneLine(name)))
    }
    if let progress = request.desktop.progress {
      notification.hints.append(.progress(Int32(clamping: min(max(progress, 0), 100))))
    }
    if request.desktop.transient { notification.hints.append(.transient(true)) }
    if !conditions.hidesPreviews { addPicture(to: &notification, media) }
    addSound(to: &notification, content, media, conditions)
    if content.badge != nil, !conditions.badgesAreShown {
      dropped.append(Dropped(.badge, "kept, not shown: nobody on this desktop shows badges for us"))
    }
    addTypedHints(to: &notification, request.desktop.hints)
    return Result(notification: notification, keys: keys, dropped: dropped)
  }

  // MARK: Text

  private mutating func addText(
    to notification: inout Notification, _ content: ContentRecord, _ category: CategoryRecord?, _ conditions: Conditions
  ) {
    let options = category?.options ?? []
    let hides = conditions.hidesPreviews
    var title = hides && !options.contains(.hiddenPreviewsShowTitle) ? "" : TextRules.oneLine(content.title)
    let subtitle = hides && !options.contains(.hiddenPreviewsShowSubtitle) ? "" : TextRules.oneLine(content.subtitle)
    let body = hides ? Self.placeholder(category, conditions.threadCount) : content.body
    noteRepairs(content)
    if !capabilities.body, !subtitle.isEmpty {
      title = title.isEmpty ? subtitle : title + " – " + subtitle
      dropped.append(Dropped(.subtitle, "shown in the title: the daemon shows no body"))
    }
    if title.isEmpty { title = notification.appName }
    let (summary, wasCut) = TextRules.cut(title, characters: TextRules.titleLimit)
    if wasCut { dropped.append(Dropped(.title, "cut after \(TextRules.titleLimit) characters")) }
    notification.summary = summary
    if capabilities.body {
      notification.body = bodyText(subtitle: subtitle, body: TextRules.clean(body))
    } else if !body.isEmpty {
      dropped.append(Dropped(.body, "left out: the daemon shows no body"))
    }
  }

  /// Source: Apple, UNNotificationCategory, hiddenPreviewsBodyPlaceholder: `%u` is the number of notifications with the
  /// same thread.
  private static func placeholder(_ category: CategoryRecord?, _ count: Int) -> String {
    let text = category?.hiddenPreviewsBodyPlaceholder ?? ""
    return text.isEmpty ? Words.hiddenPreview : CountFormat.fill(text, count: count)
  }

  private mutating func bodyText(subtitle: String, body: String) -> String {
    let marks = capabilities.bodyMarkup && !profile.quirks.drawsMarkupRaw
    let limit = min(TextRules.bodyLimit, profile.quirks.bodyLimit ?? .max)
    let (subtitle, _) = TextRules.cut(subtitle, characters: TextRules.titleLimit)
    let first = subtitle.isEmpty ? "" : marks ? Markup.bold(subtitle) : subtitle
    let rest = limit - first.utf8.count - 1
    let (text, wasCut) = TextRules.cut(body, bytes: max(rest, 1)) { marks ? $0.markupWeight : $0.utf8.count }
    if wasCut { dropped.append(Dropped(.body, "cut after \(limit) bytes of \(body.utf8.count)")) }
    let escaped = marks ? Markup.escape(text) : text
    return first.isEmpty ? escaped : escaped.isEmpty ? first : first + "\n" + escaped
  }

  private mutating func noteRepairs(_ content: ContentRecord) {
    for (part, text) in [
      (Dropped.Part.title, content.title), (.subtitle, content.subtitle), (.body, content.body),
    ] where text.utf8.contains(0) {
      dropped.append(Dropped(part, "NUL characters taken out"))
    }
  }

  // MARK: How much, how long

  private func urgency(of request: RequestRecord, _ conditions: Conditions) -> Urgency {
    if let number = request.desktop.urgency, let urgency = UInt8(exactly: number).flatMap(Urgency.init(rawValue:)) {
      return urgency
    }
    let shown = conditions.presentation
    if conditions.isProvisional || (shown.contains(.list) && shown.isDisjoint(with: [.banner, .alert])) { return .low }
    switch request.content.interruptionLevel {
    case .passive: return .low
    case .active, .timeSensitive: return .normal
    case .critical: return .critical
    }
  }

  private func expireTimeout(of request: RequestRecord) -> ExpireTimeout {
    if let lifetime = request.desktop.lifetime {
      return ExpireTimeout(milliseconds: Int32(clamping: max(lifetime, 0)))
    }
    let isCritical = request.content.interruptionLevel == .critical || request.desktop.urgency == 2
    return isCritical ? .never : .serverDefault
  }

  // MARK: Picture, sound, hints

  private mutating func addPicture(to notification: inout Notification, _ media: Media) {
    let name = profile.information.imageDataName
    switch media.picture {
    case nil: break
    case .pixels(let image): notification.hints.append(.imageData(image, name: name))
    case .file(let path) where profile.quirks.takesImagePathAsIcon || name == .version10:
      if notification.appIcon.isEmpty {
        notification.appIcon = path
      } else {
        dropped.append(Dropped(.image, "left out: this daemon shows one picture, and an icon was given"))
      }
    case .file(let path):
      let text = profile.quirks.takesImagePathWithoutScheme ? path : FileURI.text(path: path)
      notification.hints.append(.imagePath(text, legacy: name == .version11))
    }
  }

  private mutating func addSound(
    to notification: inout Notification, _ content: ContentRecord, _ media: Media, _ conditions: Conditions
  ) {
    var sound = content.sound
    if sound == nil, content.interruptionLevel == .critical { sound = SoundRecord(.standard, isCritical: true) }
    if !conditions.presentation.contains(.sound) || conditions.isProvisional { sound = nil }
    guard capabilities.sound else {
      if content.sound != nil, sound != nil, !conditions.soundsArePlayed {
        dropped.append(Dropped(.sound, "not played: the daemon plays none"))
      }
      return
    }
    guard let sound else {
      notification.hints.append(.suppressSound(true))
      return
    }
    switch (sound.source, media.soundFile) {
    case (.theme(let name), _): notification.hints.append(.soundName(TextRules.oneLine(name)))
    case (.named, let path?), (.file, let path?): notification.hints.append(.soundFile(path))
    case (.named(let name), nil), (.file(let name), nil):
      dropped.append(Dropped(.sound, "the desktop's own is played: \(name.quotedForPeople) was not found"))
      notification.hints.append(.soundName(Self.standardSound))
    case (.standard, _): notification.hints.append(.soundName(Self.standardSound))
    }
  }

  private mutating func addTypedHints(to notification: inout Notification, _ typed: [HintRecord]) {
    for hint in typed {
      let name = TextRules.oneLine(hint.name)
      // What the sender typed wins over what was derived.
      notification.hints.removeAll { $0.name == name }
      notification.hints.append(.other(name: name, hint.value.wireValue))
    }
  }

  /// The sound theme's name for a message.
  static let standardSound = "message-new-instant"

  /// The identifier itself if it is one of the specification's classes or a vendor's of its form; else nil.
  ///
  /// Source: Desktop Notifications Specification, "Categories".
  static func standardClass(_ identifier: String) -> String? {
    let classes: Set<Substring> = ["device", "email", "im", "network", "presence", "transfer", "call"]
    guard let first = identifier.split(separator: ".", maxSplits: 1).first,
      classes.contains(first) || identifier.hasPrefix("x-")
    else { return nil }
    return identifier
  }
}

extension Character {
  /// Bytes of this character once escaped.
  fileprivate var markupWeight: Int {
    switch self {
    case "&": 5
    case "<", ">": 4
    default: utf8.count
    }
  }
}
