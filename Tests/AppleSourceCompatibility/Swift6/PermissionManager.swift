import UserNotifications

@MainActor
final class PermissionManager {
  enum State { case unknown, denied, quiet, allowed }

  private(set) var state = State.unknown
  private(set) var canPlaySounds = false

  func refresh() async {
    apply(await UNUserNotificationCenter.current().notificationSettings())
  }

  func apply(_ settings: UNNotificationSettings) {
    switch settings.authorizationStatus {
    case .notDetermined: state = .unknown
    case .denied: state = .denied
    case .provisional, .ephemeral: state = .quiet
    case .authorized: state = .allowed
    @unknown default: state = .unknown
    }
    canPlaySounds = settings.soundSetting == .enabled && settings.alertStyle != .none
  }

  func ask() async -> Bool {
    do {
      return try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound])
    } catch {
      return false
    }
  }

  /// The older form, from the main actor.
  func askWithHandler(_ done: @escaping @MainActor (Bool) -> Void) {
    let options: UNAuthorizationOptions = [.alert, .sound, .provisional, .providesAppNotificationSettings]
    UNUserNotificationCenter.current().requestAuthorization(options: options) { granted, error in
      Task { @MainActor in done(granted && error == nil) }
    }
  }
}
