import Synchronization

/// What the application wants to hear about its notifications.
///
/// Every method may be left out, and each of the first two may be written in either form. The center calls the form
/// with the completion handler, on the main queue; an async method runs where its own isolation says. Set the delegate
/// before the program's main loop begins.
///
/// Source: Apple, UNUserNotificationCenterDelegate.
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  /// A notification is about to be presented; the options say how.
  ///
  /// Apple's systems ask only while the application is in the foreground. A desktop has no one foreground application,
  /// so every running application is asked; without this method the notification is shown.
  @preconcurrency
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// The async form of the method above.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// The user clicked the notification, pressed one of its buttons, or dismissed it (with `customDismissAction`). The
  /// completion handler must be called when the response has been dealt with.
  @preconcurrency
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// The async form of the method above.
  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

  /// The user wants to see the application's own notification settings.
  /// - Parameters:
  ///   - center: the application's.
  ///   - notification: where the user asked for it; nil: elsewhere.
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// Swift has no optional protocol methods without Objective-C. So each form has a body here: that of the completion
// handler calls the async form, and that of the async form says that the application has neither. Never the other way
// round as well, or the two would call each other for ever.
extension UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let delegate = Handover<any UNUserNotificationCenterDelegate>(self)
    Task { completionHandler(await delegate.value.userNotificationCenter(center, willPresent: notification)) }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    .notImplemented
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let delegate = Handover<any UNUserNotificationCenterDelegate>(self)
    Task {
      await delegate.value.userNotificationCenter(center, didReceive: response)
      completionHandler()
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    ResponseProbe.current?.isNotImplemented.store(true, ordering: .relaxed)
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}

/// Learns whether a delegate has a method for responses. The center sets one for the task in which it calls; tasks that
/// the call starts inherit it.
final class ResponseProbe: Sendable {
  @TaskLocal static var current: ResponseProbe?

  let isNotImplemented = Atomic(false)
}

/// Hands an object to a task.
///
/// Unchecked: the delegate is called from the main queue and from the tasks started there alone, as on Apple's systems,
/// where its methods say themselves where they run.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
