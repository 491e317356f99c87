internal import DBus

/// Why the bridge could not do what it was asked for.
public struct BridgeError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it was. New codes may be added; always have a default case.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case noDaemon, noBus, refused, timedOut, notAllowed, noDate, noContent, invalidRequest, cancelled
      case attachmentInvalidURL, attachmentUnrecognizedType, attachmentTooLarge, attachmentUnreadable
      case attachmentCorrupt, attachmentStore, tooManyActions, badgeInvalid, store, unknownNotification, tooMany
    }
    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// No notification daemon is on the bus and none could be started.
    public static let noDaemon = Code(.noDaemon)
    /// There is no bus, or it was lost.
    public static let noBus = Code(.noBus)
    /// The daemon refused the notification (too many, too fast); the cause has its words.
    public static let refused = Code(.refused)
    /// The daemon did not answer in time; the notification may still appear.
    public static let timedOut = Code(.timedOut)
    /// The user, or the policy, does not let this application notify.
    public static let notAllowed = Code(.notAllowed)
    /// The trigger never fires.
    public static let noDate = Code(.noDate)
    /// There is nothing to show, play or badge.
    public static let noContent = Code(.noContent)
    /// A part of the request is malformed; the message names it.
    public static let invalidRequest = Code(.invalidRequest)
    /// It was removed before it could be delivered.
    public static let cancelled = Code(.cancelled)
    /// An attachment is not a readable regular file.
    public static let attachmentInvalidURL = Code(.attachmentInvalidURL)
    /// An attachment is of no supported type.
    public static let attachmentUnrecognizedType = Code(.attachmentUnrecognizedType)
    /// An attachment is over the size limit of its type.
    public static let attachmentTooLarge = Code(.attachmentTooLarge)
    /// An attachment could not be read.
    public static let attachmentUnreadable = Code(.attachmentUnreadable)
    /// An attachment's content is not what its type says.
    public static let attachmentCorrupt = Code(.attachmentCorrupt)
    /// An attachment could not be taken into the store.
    public static let attachmentStore = Code(.attachmentStore)
    /// More than ten actions.
    public static let tooManyActions = Code(.tooManyActions)
    /// What must be kept could not be written or read.
    public static let store = Code(.store)
    /// There is no notification of that name, or it has no such action.
    public static let unknownNotification = Code(.unknownNotification)
    /// More wait than the limit allows.
    public static let tooMany = Code(.tooMany)
    /// A badge below zero.
    public static let badgeInvalid = Code(.badgeInvalid)

    public var description: String { kind.rawValue }

    /// The code that ``description`` names; nil for any other word.
    public init?(word: String) {
      guard let kind = Kind(rawValue: word) else { return nil }
      self.kind = kind
    }
  }

  /// What kind of failure it was.
  public var code: Code
  /// One sentence for people that names the input and, where there is one, the remedy.
  public var message: String
  /// What went wrong below.
  public var cause: (any Error)?

  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, and the cause's behind it.
  public var description: String {
    guard let cause else { return message }
    // What the resident bridge said has its cause's words in it.
    if let cause = cause as? BusError, cause.message == message { return message }
    return "\(message): \(cause)"
  }
}
