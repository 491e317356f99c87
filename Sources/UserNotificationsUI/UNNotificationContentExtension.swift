public import UserNotifications

/// Draws what is shown of the categories that its bundle names; adopted by the view controller of a content extension.
///
/// On Linux there is no window yet: what the extension gives to ``NSExtensionContext/notificationContent`` and
/// ``NSExtensionContext/notificationActions`` is shown by the notification daemon, in place. The extension is a program of
/// its own, which the resident bridge runs; see ``NSViewController/main()``. All is called on the main actor.
///
/// Source: Apple, UNNotificationContentExtension.
@preconcurrency @MainActor
public protocol UNNotificationContentExtension: NSObjectProtocol {
  /// Takes a notification, before it is shown for the first time; called again for each further one of the thread while
  /// that is on the screen. What is to be there at the first sight must be said within 2 seconds.
  func didReceive(_ notification: UNNotification)

  /// Takes what the user did, ahead of the application: the click, a dismissal that the category reports, a button, a
  /// text. Without this and ``didReceive(_:)-(UNNotificationResponse)`` everything goes to the application.
  /// - Parameters:
  ///   - response: what the user did.
  ///   - completion: says what becomes of the notification; to be called once, from any thread, within 10 seconds: then
  ///     the application gets the response.
  func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void)

  /// As ``didReceive(_:completionHandler:)``.
  func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption

  /// Whether there is a button that plays and pauses; `none` by default. Read after each notification and response.
  var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }
  /// Where a window has that button. Nothing uses it on Linux.
  var mediaPlayPauseButtonFrame: CGRect { get }
  /// The colour of that button. Nothing uses it on Linux.
  var mediaPlayPauseButtonTintColor: NSColor { get }
  /// The user pressed the button, and it is to play.
  func mediaPlay()
  /// The user pressed the button, and it is to pause.
  func mediaPause()
}

// What Apple's protocol calls optional.
extension UNNotificationContentExtension {
  public func didReceive(
    _ response: UNNotificationResponse,
    completionHandler completion: @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
  ) {
    Task { @MainActor in completion(await didReceive(response)) }
  }

  public func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
    .dismissAndForwardAction
  }

  public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }
  public var mediaPlayPauseButtonFrame: CGRect { .zero }
  public var mediaPlayPauseButtonTintColor: NSColor { NSColor(srgbRed: 0, green: 0, blue: 0, alpha: 1) }
  public func mediaPlay() {}
  public func mediaPause() {}
}
