import UserNotifications

/// Libraries add their categories to those of the application.
enum CategoryRegistry {
  static let message = UNNotificationCategory(
    identifier: "message",
    actions: [
      UNTextInputNotificationAction(
        identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
        textInputPlaceholder: "Message"),
      UNNotificationAction(identifier: "like", title: "Like", options: .foreground),
      UNNotificationAction(
        identifier: "mute", title: "Mute", options: [.destructive, .authenticationRequired],
        icon: UNNotificationActionIcon(systemImageName: "speaker.slash")),
    ], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "%u messages",
    categorySummaryFormat: "%u messages from %@", options: [.customDismissAction, .hiddenPreviewsShowTitle])

  static func register(_ categories: Set<UNNotificationCategory>) async {
    let center = UNUserNotificationCenter.current()
    let present = await center.notificationCategories()
    center.setNotificationCategories(present.union(categories))
  }

  static func registerWithHandler(
    _ categories: Set<UNNotificationCategory>, done: (@Sendable () -> Void)? = nil
  ) {
    let center = UNUserNotificationCenter.current()
    center.getNotificationCategories { present in
      center.setNotificationCategories(present.union(categories))
      done?()
    }
  }
}

/// A subclass that carries more, made by the inherited initialisers.
final class TaggedAction: UNNotificationAction, @unchecked Sendable {
  var tag = 0
}

/// The plain initialiser of the superclass is called on text actions, too.
let plainTextAction = UNTextInputNotificationAction(identifier: "say", title: "Say", options: [.foreground])
