import Foundation
import UserNotifications

/// The center behind a struct of closures, with the delegate as a stream.
struct NotificationClient: Sendable {
  enum Event: Sendable {
    case willPresent(String, completion: @Sendable (UNNotificationPresentationOptions) -> Void)
    case didReceive(String, action: String, text: String?)
    case openSettings(String?)
  }

  var add: @Sendable (UNNotificationRequest) async throws -> Void
  var authorization: @Sendable () async -> UNAuthorizationStatus
  var request: @Sendable (UNAuthorizationOptions) async throws -> Bool
  var events: @Sendable () -> AsyncStream<Event>
  var removeDelivered: @Sendable ([String]) async -> Void
  var removePending: @Sendable ([String]) async -> Void
  var pending: @Sendable () async -> [UNNotificationRequest]
}

extension NotificationClient {
  static let live = NotificationClient(
    add: { try await UNUserNotificationCenter.current().add($0) },
    authorization: { await UNUserNotificationCenter.current().notificationSettings().authorizationStatus },
    request: { try await UNUserNotificationCenter.current().requestAuthorization(options: $0) },
    events: {
      AsyncStream { continuation in
        let delegate = StreamDelegate(continuation)
        UNUserNotificationCenter.current().delegate = delegate
        continuation.onTermination = { _ in withExtendedLifetime(delegate) {} }
      }
    },
    removeDelivered: { UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: $0) },
    removePending: { UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: $0) },
    pending: { await UNUserNotificationCenter.current().pendingNotificationRequests() })
}

private final class StreamDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  private let continuation: AsyncStream<NotificationClient.Event>.Continuation

  init(_ continuation: AsyncStream<NotificationClient.Event>.Continuation) {
    self.continuation = continuation
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    continuation.yield(.willPresent(notification.request.identifier, completion: completionHandler))
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let text = (response as? UNTextInputNotificationResponse)?.userText
    continuation.yield(
      .didReceive(response.notification.request.identifier, action: response.actionIdentifier, text: text))
    completionHandler()
  }

  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
    continuation.yield(.openSettings(notification?.request.identifier))
  }
}
