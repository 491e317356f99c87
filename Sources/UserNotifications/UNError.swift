/// The domain of this framework's errors.
public let UNErrorDomain: String = "UNErrorDomain"

/// An error of this framework.
///
/// Errors of this type are thrown and handed over as they are, so `catch UNError.attachmentInvalidURL`,
/// `catch let error as UNError` and `(error as NSError).code` all work. `localizedDescription` names what was wrong and
/// `userInfo[NSUnderlyingErrorKey]` holds the cause where there is one.
///
/// Source: Apple, UNError.
public struct UNError: _BridgedStoredNSError {
  public let _nsError: NSError

  public init(_nsError error: NSError) {
    precondition(error.domain == UNErrorDomain, "an error of another domain")
    _nsError = error
  }

  public static var _nsErrorDomain: String { UNErrorDomain }

  /// ``UNErrorDomain``.
  public static var errorDomain: String { UNErrorDomain }

  /// What kind of failure it was.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    public typealias _ErrorType = UNError

    /// The application may not notify.
    case notificationsNotAllowed = 1
    /// The URL of an attachment is not that of a readable file.
    case attachmentInvalidURL = 100
    /// The type of an attachment is unknown or not supported.
    case attachmentUnrecognizedType = 101
    /// An attachment is larger than its type allows.
    case attachmentInvalidFileSize = 102
    /// An attachment is not in the attachment store.
    case attachmentNotInDataStore = 103
    /// An attachment could not be moved into the attachment store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// The file of an attachment is damaged or not what its type says.
    case attachmentCorrupt = 105
    /// The trigger never fires.
    case notificationInvalidNoDate = 1400
    /// There is nothing to show, play or badge.
    case notificationInvalidNoContent = 1401
    /// The object that would enrich the content is not one of the system's.
    case contentProvidingObjectNotAllowed = 1500
    /// The object that would enrich the content is malformed.
    case contentProvidingInvalid = 1501
    /// The badge is below zero.
    case badgeInputInvalid = 1600
  }

  /// The application may not notify.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
  /// The URL of an attachment is not that of a readable file.
  public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
  /// The type of an attachment is unknown or not supported.
  public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
  /// An attachment is larger than its type allows.
  public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
  /// An attachment is not in the attachment store.
  public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
  /// An attachment could not be moved into the attachment store.
  public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
  /// The file of an attachment is damaged or not what its type says.
  public static var attachmentCorrupt: Code { .attachmentCorrupt }
  /// The trigger never fires.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
  /// There is nothing to show, play or badge.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
  /// The object that would enrich the content is not one of the system's.
  public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
  /// The object that would enrich the content is malformed.
  public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
  /// The badge is below zero.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError: Hashable {
  // Foundation's own hash of an NSError never returns on Linux (6.3.1).
  public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

  public static func == (left: UNError, right: UNError) -> Bool { left._nsError.isEqual(right._nsError) }
}

extension UNError {
  /// An error whose description is `message`.
  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let cause { userInfo[NSUnderlyingErrorKey] = cause }
    self.init(code, userInfo: userInfo)
  }
}
