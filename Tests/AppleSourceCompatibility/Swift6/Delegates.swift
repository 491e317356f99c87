import UserNotifications

/// The async forms on the main actor, as applications with a user interface write them.
@MainActor
final class MainActorDelegate: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  private(set) var opened: [String] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    [.banner, .sound]
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    MainActor.assertIsolated()
    opened.append(response.notification.request.identifier)
  }
}

/// An isolated conformance.
@MainActor
final class IsolatedDelegate: NSObject, @MainActor UNUserNotificationCenterDelegate {
  private(set) var actions: [String] = []

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    actions.append(response.actionIdentifier)
    completionHandler()
  }
}

/// Nonisolated methods that hop.
@MainActor
final class HoppingDelegate: NSObject, UNUserNotificationCenterDelegate {
  private(set) var texts: [String] = []

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler([.list, .banner, .badge])
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: await note("opened")
    case UNNotificationDismissActionIdentifier: await note("dismissed")
    default:
      if let response = response as? UNTextInputNotificationResponse { await note(response.userText) }
    }
  }

  private func note(_ text: String) { texts.append(text) }
}

/// One form only.
final class CompletionDelegate: NSObject, UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    completionHandler(.banner)
  }
}

/// Nothing at all but the settings.
final class SettingsDelegate: NSObject, UNUserNotificationCenterDelegate {
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {}
}

final class EmptyDelegate: NSObject, UNUserNotificationCenterDelegate {}

/// Any object can be the delegate, an actor's class too.
actor Model {
  private(set) var handled = 0
  func handle(_ response: UNNotificationResponse) { handled += 1 }
}

final class ForwardingDelegate: NSObject, UNUserNotificationCenterDelegate {
  let model = Model()

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    await model.handle(response)
  }
}
