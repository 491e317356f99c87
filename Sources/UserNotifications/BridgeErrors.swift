import NotificationBridge

extension BridgeError {
  /// As a program gets it: a ``UNError`` where Apple has a code for it, else this error, which tells its cause and what
  /// to do (`localizedDescription`, `NSUnderlyingErrorKey`).
  var forPrograms: any Error {
    guard let code = appleCode else { return self }
    return UNError(code, description, cause: self)
  }

  private var appleCode: UNError.Code? {
    switch code {
    case .notAllowed: .notificationsNotAllowed
    case .noDate: .notificationInvalidNoDate
    case .noContent: .notificationInvalidNoContent
    case .attachmentInvalidURL, .attachmentUnreadable: .attachmentInvalidURL
    case .attachmentUnrecognizedType: .attachmentUnrecognizedType
    case .attachmentTooLarge: .attachmentInvalidFileSize
    case .attachmentStore: .attachmentMoveIntoDataStoreFailed
    case .attachmentCorrupt: .attachmentCorrupt
    case .badgeInvalid: .badgeInputInvalid
    default: nil
    }
  }
}

extension BridgeError: LocalizedError, CustomNSError {
  /// The domain of errors that only a desktop bus can have.
  static var errorDomain: String { "NotifyBridgeErrorDomain" }

  var errorDescription: String? {
    guard let remedy = recoverySuggestion else { return description }
    return "\(description). \(remedy)"
  }

  var recoverySuggestion: String? {
    switch code {
    case .noDaemon:
      "Start the desktop's notification daemon; where there is no desktop, \"notify-bridge terminal\" is one."
    case .noBus:
      "Run the program in the user's session: DBUS_SESSION_BUS_ADDRESS must name its bus; \"notify-bridge doctor\" "
        + "tells more."
    case .refused: "Remove some notifications, or send fewer at a time."
    default: nil
    }
  }

  var errorUserInfo: [String: Any] {
    var userInfo: [String: Any] = [:]
    userInfo[NSLocalizedDescriptionKey] = errorDescription
    userInfo[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
    userInfo[NSUnderlyingErrorKey] = cause
    return userInfo
  }
}
