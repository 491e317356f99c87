public import FoundationEssentials

/// A notification as its sender described it, in a form that crosses isolation, processes and time.
public struct RequestRecord: Sendable, Codable, Hashable {
  /// The sender's name for it; the same again replaces.
  public var identifier: String
  public var content: ContentRecord
  /// Nil: deliver at once.
  public var trigger: TriggerRecord?
  /// What only a desktop has and Apple's model lacks.
  public var desktop: DesktopOptions

  public init(
    identifier: String, content: ContentRecord, trigger: TriggerRecord? = nil, desktop: DesktopOptions = .init()
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    self.desktop = desktop
  }
}

/// What is shown and played, and what travels along.
public struct ContentRecord: Sendable, Codable, Hashable {
  public var title = ""
  public var subtitle = ""
  public var body = ""
  /// Nil leaves the badge alone; 0 hides it.
  public var badge: Int?
  /// Nil is silent.
  public var sound: SoundRecord?
  public var launchImageName = ""
  public var userInfo: [String: PropertyValue] = [:]
  public var attachments: [AttachmentRecord] = []
  public var categoryIdentifier = ""
  public var threadIdentifier = ""
  public var summaryArgument = ""
  public var summaryArgumentCount = 1
  public var targetContentIdentifier: String?
  public var interruptionLevel = InterruptionLevel.active
  public var relevanceScore = 0.0
  public var filterCriteria: String?

  public init() {}
}

/// Importance and timing of delivery.
public enum InterruptionLevel: String, Sendable, Codable, Hashable, CaseIterable {
  case passive, active
  case timeSensitive = "time-sensitive"
  case critical
}

/// What is played.
public struct SoundRecord: Sendable, Codable, Hashable {
  /// Which sound.
  public enum Source: Sendable, Codable, Hashable {
    /// The desktop's own.
    case standard
    /// A file of the application, by name; the standard sound when it cannot be found.
    case named(String)
    /// An absolute path.
    case file(String)
    /// A name of the freedesktop sound theme.
    case theme(String)
  }

  public var source: Source
  /// It is played whatever the desktop's do-not-disturb says.
  public var isCritical: Bool
  /// 0…1; nil: the desktop's own volume.
  public var volume: Double?

  public init(_ source: Source = .standard, isCritical: Bool = false, volume: Double? = nil) {
    self.source = source
    self.isCritical = isCritical
    self.volume = volume
  }
}

/// A file that goes with a notification.
public struct AttachmentRecord: Sendable, Codable, Hashable {
  public var identifier: String
  /// An absolute path.
  public var path: String
  /// A uniform type identifier, `public.png` for example.
  public var type: String
  public var thumbnailHidden: Bool
  /// The part of the picture to show, in 0…1 of its sides; nil: all.
  public var clippingRect: Rect?
  /// The frame of an animation, from 0, or seconds into a film; nil: the first.
  public var thumbnailTime: Double?
  /// Of an animation ``thumbnailTime`` counts seconds too.
  public var thumbnailTimeIsSeconds: Bool

  /// A rectangle in 0…1 of a picture's sides.
  public struct Rect: Sendable, Codable, Hashable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  public init(
    identifier: String, path: String, type: String, thumbnailHidden: Bool = false, clippingRect: Rect? = nil,
    thumbnailTime: Double? = nil, thumbnailTimeIsSeconds: Bool = false
  ) {
    self.identifier = identifier
    self.path = path
    self.type = type
    self.thumbnailHidden = thumbnailHidden
    self.clippingRect = clippingRect
    self.thumbnailTime = thumbnailTime
    self.thumbnailTimeIsSeconds = thumbnailTimeIsSeconds
  }

  /// What it is; nil for a type that is not supported.
  public var kind: AttachmentType.Kind? { AttachmentType(identifier: type)?.kind }

  /// Which picture of an animation is shown; nil: the first.
  public var moment: AnimationMoment? {
    guard let time = thumbnailTime, time.isFinite, time > 0 else { return nil }
    return thumbnailTimeIsSeconds ? .seconds(time) : .frame(Int(min(time, 1e9)))
  }
}

/// When a request is delivered.
public enum TriggerRecord: Sendable, Codable, Hashable {
  /// So many seconds after it was added, above 0; at least 60 when repeating.
  case interval(seconds: Double, repeats: Bool)
  indirect case calendar(CalendarRule, repeats: Bool)
  /// It came from a push service and was delivered on arrival.
  case push

  /// Whether it is scheduled anew after each delivery.
  public var repeats: Bool {
    switch self {
    case .interval(_, let repeats), .calendar(_, let repeats): repeats
    case .push: false
    }
  }
}

/// The components of a date that must match; only those that are set take part.
public struct CalendarRule: Sendable, Codable, Hashable {
  public var era, year, month, day, hour, minute, second, nanosecond: Int?
  public var weekday, weekdayOrdinal, quarter, weekOfMonth, weekOfYear, yearForWeekOfYear, dayOfYear: Int?
  /// The identifier of a calendar such as `gregorian`; nil: gregorian.
  public var calendar: String?
  /// An identifier such as `Europe/Berlin`; nil follows the system's zone.
  public var timeZone: String?

  public init() {}
}

/// A kind of notification and its buttons.
public struct CategoryRecord: Sendable, Codable, Hashable {
  public var identifier: String
  public var actions: [ActionRecord]
  public var intentIdentifiers: [String] = []
  public var hiddenPreviewsBodyPlaceholder = ""
  public var categorySummaryFormat = ""
  public var options: Options = []

  /// Raw values as Apple's.
  public struct Options: OptionSet, Sendable, Codable, Hashable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// An explicit dismissal is reported.
    public static let customDismissAction = Options(rawValue: 1 << 0)
    public static let allowInCarPlay = Options(rawValue: 1 << 1)
    public static let hiddenPreviewsShowTitle = Options(rawValue: 1 << 2)
    public static let hiddenPreviewsShowSubtitle = Options(rawValue: 1 << 3)
    public static let allowAnnouncement = Options(rawValue: 1 << 4)
  }

  public init(identifier: String, actions: [ActionRecord], options: Options = []) {
    self.identifier = identifier
    self.actions = actions
    self.options = options
  }
}

/// A button of a category.
public struct ActionRecord: Sendable, Codable, Hashable {
  public var identifier: String
  public var title: String
  public var options: Options = []
  /// An icon name, where the daemon draws icons.
  public var iconName: String?
  /// Set for a button that opens a text field.
  public var textInput: TextInput?

  /// A text field.
  public struct TextInput: Sendable, Codable, Hashable {
    public var buttonTitle: String
    public var placeholder: String

    public init(buttonTitle: String, placeholder: String) {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }

  /// Raw values as Apple's.
  public struct Options: OptionSet, Sendable, Codable, Hashable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let authenticationRequired = Options(rawValue: 1 << 0)
    public static let destructive = Options(rawValue: 1 << 1)
    public static let foreground = Options(rawValue: 1 << 2)
  }

  public init(identifier: String, title: String, options: Options = [], textInput: TextInput? = nil) {
    self.identifier = identifier
    self.title = title
    self.options = options
    self.textInput = textInput
  }
}

/// How a notification is presented; raw values as Apple's.
public struct PresentationOptions: OptionSet, Sendable, Codable, Hashable {
  public var rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = PresentationOptions(rawValue: 1 << 0)
  public static let sound = PresentationOptions(rawValue: 1 << 1)
  /// List and banner.
  public static let alert = PresentationOptions(rawValue: 1 << 2)
  public static let list = PresentationOptions(rawValue: 1 << 3)
  public static let banner = PresentationOptions(rawValue: 1 << 4)

  /// Everything, as for an application that is not asked.
  public static let all: PresentationOptions = [.badge, .sound, .list, .banner]
}

/// What a desktop knows and Apple's model does not; the command line and bus callers set it.
public struct DesktopOptions: Sendable, Codable, Hashable {
  /// An icon name, a `file:` URI or an absolute path.
  public var icon: String?
  /// Overrides what the interruption level says: 0, 1 or 2.
  public var urgency: Int?
  /// A class such as `im.received`; overrides the category's identifier.
  public var category: String?
  /// In percent, 0…100.
  public var progress: Int?
  /// The notification's life in milliseconds; 0: it stays; nil: the daemon decides.
  public var lifetime: Int?
  /// It is not kept after it left the screen.
  public var transient = false
  /// Further hints, sent as they are.
  public var hints: [HintRecord] = []
  /// Actions of this one notification; they stand in for those of its category.
  public var actions: [ActionRecord]?
  /// An explicit dismissal is reported, whatever the category says.
  public var reportsDismissal = false

  public init() {}
}

/// A hint that its sender typed.
public struct HintRecord: Sendable, Codable, Hashable {
  /// Types that can be typed.
  public enum Value: Sendable, Codable, Hashable {
    case boolean(Bool)
    case int32(Int32)
    case byte(UInt8)
    case double(Double)
    case string(String)
  }

  public var name: String
  public var value: Value

  public init(name: String, value: Value) {
    self.name = name
    self.value = value
  }
}

/// A notification that was delivered.
public struct NotificationRecord: Sendable, Codable, Hashable {
  public var application: ApplicationRecord
  public var request: RequestRecord
  /// When it was delivered.
  public var date: Date

  public init(application: ApplicationRecord, request: RequestRecord, date: Date) {
    self.application = application
    self.request = request
    self.date = date
  }
}

/// Who sends.
public struct ApplicationRecord: Sendable, Codable, Hashable {
  /// The name of its desktop entry without `.desktop`, or what stands in for it.
  public var identifier: String
  /// Its name for people.
  public var name: String
  /// True when the desktop entry exists or the caller named it: only then is it sent as `desktop-entry`.
  public var isKnown: Bool
  /// An icon name or path; empty: none.
  public var icon: String

  public init(identifier: String, name: String, isKnown: Bool = false, icon: String = "") {
    self.identifier = identifier
    self.name = name
    self.isKnown = isKnown
    self.icon = icon
  }
}

/// What the user did with a notification.
public struct ResponseRecord: Sendable, Codable, Hashable {
  /// Which action it was.
  public enum Action: Sendable, Codable, Hashable {
    /// The click on the notification.
    case `default`
    /// An explicit dismissal.
    case dismiss
    /// The application asked to show its notification settings.
    case settings
    /// A button, by the identifier of its action.
    case custom(String)

    /// How scripts and handlers see it.
    public var word: String {
      switch self {
      case .default: "default"
      case .dismiss: "dismiss"
      case .settings: "settings"
      case .custom(let identifier): identifier
      }
    }
  }

  /// Unique; repeats of one response carry the same.
  public var id: UUID
  public var notification: NotificationRecord
  public var action: Action
  /// What the user typed; never invented.
  public var text: String?
  /// Lets the application take the focus: `XDG_ACTIVATION_TOKEN`. Never logged.
  public var activationToken: String?

  public init(
    id: UUID = UUID(), notification: NotificationRecord, action: Action, text: String? = nil,
    activationToken: String? = nil
  ) {
    self.id = id
    self.notification = notification
    self.action = action
    self.text = text
    self.activationToken = activationToken
  }
}
