/// What becomes of a notification after a content extension has had the user's response. Raw values as Apple's.
///
/// Source: Apple, UNNotificationContentExtensionResponseOption.
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
  /// It stays. Where the desktop has closed it, it is shown again, within a second.
  case doNotDismiss = 0
  /// It goes; the extension has done what was to be done.
  case dismiss = 1
  /// It goes, and the application gets the response.
  case dismissAndForwardAction = 2
}
